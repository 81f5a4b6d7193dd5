"""Errors of most similar by kind of edit: what the candidate that a dialogue model chose changes of the gold formula.

A candidate of a fair set is a corner of a cube: a wrong answer is wrong in one to three dimensions, and who guesses is
wrong in each with a probability of 1/2. Of other sets it is as large as the share of candidates made by such an edit.
Of anagrams there are two rows more, for exchanges of who does what and of structure (``STRATA``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, cast

import polars as pl

from nlfol.facts import STRATA, AnswerForm
from nlfol.results.analyses.analysis import Analysis, Rows
from nlfol.results.statistics.summary import Origin, clustered
from nlfol.results.tables import columns
from nlfol.results.tables.opening import opens
from nlfol.results.tables.table import TableForm
from nlfol.store.columns import KnownInterval, TaskColumns, row_schema, with_ends
from nlfol.store.files import read_frame
from nlfol.store.origins import metadata_at
from nlfol.store.schemas import ITEMS

if TYPE_CHECKING:
    from nlfol.results.analyses.figure import Figure


class _Asked(TaskColumns):
    presentation: str
    model: str


class _Figures(TypedDict):
    dimension: str  # kind of edit or of dimension; of anagrams also who_does_what and structure
    items: int
    stories: int
    answers: int  # that could be read, to sets with a candidate changed so
    wrong: KnownInterval  # share of the items' answers that chose a candidate changed so
    chance: float  # mean share of such candidates


class DimensionRow(_Asked, _Figures):
    """One row a dataset, most similar task, presentation, dialogue model and kind of edit."""


DIMENSIONS = row_schema("dimensions", 1, DimensionRow)

Shares = Mapping[tuple[str, str], pl.DataFrame]
"""By dataset and task: ``item``, ``dimension`` and the share of the item's candidates that it changes (``chance``)."""


def shares_of(paths: Iterable[Path]) -> Shares:
    """Return the shares of candidates by kind of edit, of ITEMS files."""
    shares = {}
    for path in paths:
        about, items = metadata_at(path), read_frame(path, ITEMS)
        members = items.select("item", "candidates").explode("candidates").drop_nulls().unnest("candidates")
        sizes = members.group_by("item").len("size")
        kinds = pl.col("change") if about["protocol"] != "anagram" else _with_strata(pl.col("change"))
        changed = members.select("item", kinds.list.unique()).explode("change").drop_nulls()
        counted = changed.group_by("item", dimension="change").len("members").join(sizes, on="item")
        chance = (pl.col("members") / pl.col("size")).alias("chance")
        shares[about["dataset"], about["task"]] = counted.select("item", "dimension", chance).sort("item", "dimension")
    return shares


def _with_strata(kinds: pl.Expr) -> pl.Expr:
    return kinds.list.concat(kinds.list.eval(pl.element().replace_strict(STRATA, default=None, return_dtype=pl.String)))


def dimensions(scored: Iterable[tuple[Origin, pl.DataFrame]], shares: Shares) -> Iterator[DimensionRow]:
    """Yield the rows of ``DIMENSIONS`` for scores files, in the files' order; dimensions by falling share."""
    for source, scores in scored:
        known = shares.get((source.dataset, source.task))
        if source.asked.form is not AnswerForm.CHOICE or known is None:
            continue
        read = scores.filter(pl.col("outcome") == "answered", pl.col("position").is_not_null())
        chosen = _with_strata(pl.col("fault").fill_null("").str.split(" ")).list.contains(pl.col("dimension"))
        answers = read.join(known, on="item", maintain_order="left").with_columns(wrong=chosen.cast(pl.Float64))
        for (presentation,), shown in answers.group_by("presentation", maintain_order=True):
            kinds = [_row(str(kind), of_kind) for (kind,), of_kind in shown.group_by("dimension", maintain_order=True)]
            for _, figures in sorted(kinds, key=lambda row: (-row[0], row[1]["dimension"])):
                row: DimensionRow = {
                    **source.of_task,
                    "model": source.model,
                    "presentation": str(presentation),
                    **figures,
                }
                yield with_ends(DimensionRow, row)


def _row(dimension: str, answers: pl.DataFrame) -> tuple[float, _Figures]:
    """Return the mean, and all figures."""
    means = pl.col("story").first(), pl.col("wrong").mean(), pl.col("chance").first()
    items = answers.group_by("item", maintain_order=True).agg(*means)
    mean = clustered(items, "wrong")
    return mean.mean, {
        "dimension": dimension,
        "items": mean.items,
        "stories": mean.stories,
        "answers": answers.height,
        "wrong": mean.ends,
        "chance": cast("float", items["chance"].mean()),
    }


def dimension_figure(rows: pl.DataFrame) -> Figure | None:
    """Draw the share of wrong choices by kind of edit."""
    import altair as alt

    from nlfol.results.analyses.charts import lines, opened, tips

    shown = [
        {
            "panel": " · ".join((row["dataset"], row["task"], row["presentation"])),
            **row,
            "mean": row["wrong"],
            "opens": opened({**row, "metric": "accuracy"}),
        }
        for row in rows.to_dicts()
    ]
    return lines(
        shown,
        "dimensions",
        "Errors by kind of edit",
        "Share of the answers to most similar that chose a candidate changed so.",
        x=alt.X("dimension:N", title="Kind of edit", axis=alt.Axis(labelAngle=-40)),
        y="Share of answers wrong in it",
        tooltip=tips("model", "dimension", "answers", "chance"),
    )


_READ = "item story presentation outcome fault position"

ANALYSIS = Analysis(
    rows=(
        Rows(
            DIMENSIONS,
            lambda given: dimensions(
                given.loaded(_READ, "choice_scores", forms=[AnswerForm.CHOICE]), shares_of(given.files["choice_items"])
            ),
        ),
    ),
    tables=(
        TableForm(
            "dimensions",
            "Errors of most similar by kind of edit",
            "Share of answers that chose a candidate changed so, among those to sets that have one, with the interval "
            "at 95 % (clusters: stories).",
            (
                *columns.texts("dataset", "task", "protocol", "model", "presentation", "dimension"),
                *columns.counts("items", "stories", "answers"),
                columns.interval("wrong"),
                columns.share("chance"),
            ),
            (
                "Answers: items × seeds that could be read. A candidate changed in several ways counts in each.",
                "Chance: share of the candidates that are changed so.",
            ),
            ("dimensions",),
            opens=lambda number: opens(number, metric="accuracy"),
        ),
    ),
    figures=((("dimensions",), dimension_figure),),
)
