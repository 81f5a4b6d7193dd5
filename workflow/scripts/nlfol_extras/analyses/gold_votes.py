"""Votes of models for one of two golds: the lines of programs at statements whose gold lines differ.

Two datasets that hold the same statements under the same items have two golds. A program's line sides with a gold if a
map of its symbols makes it equivalent to that gold's line (``aligned_by`` is ``structure``). Models share mistakes, and
a statement stands in each problem of its story, so that intervals have stories for clusters.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any, TypedDict

import polars as pl

from nlfol.results.analyses.analysis import Analysis, Rows
from nlfol.results.analyses.figure import Figure
from nlfol.results.statistics.clusters import ratio
from nlfol.results.tables import columns
from nlfol.results.tables.table import Kind, Row, TableForm
from nlfol.store.columns import Interval, row_schema, with_ends
from nlfol.store.files import read_frame
from nlfol.store.origins import metadata_at
from nlfol.store.problem_schemas import PROGRAMS
from nlfol.store.schemas import ITEMS


class _Pair(TypedDict):
    task: str
    model: str
    first: str  # the datasets
    second: str


class _Figures(TypedDict):
    lines: int  # of programs that are aligned with either gold, at statements whose gold lines differ
    for_first: int  # equivalent to the first gold's alone
    for_second: int
    for_both: int
    for_neither: int
    share: Interval  # of those for one alone, for the second; null where there is none


class VoteRow(_Pair, _Figures):
    """One row a task, model and pair of datasets with two golds of the same statements."""


GOLD_VOTES = row_schema("gold_votes", 1, VoteRow)

_Key = tuple[str, str]
"""An item, and the number of one of its statements."""

_SIDES = ("for_neither", "for_first", "for_second", "for_both")


def gold_votes(items: Iterable[Path], programs: Iterable[Path]) -> list[VoteRow]:
    """Return the rows of ``GOLD_VOTES``, of ITEMS and PROGRAMS files, datasets and models in the files' order."""
    lines: dict[_Key, dict[_Key, tuple[str, str | None]]] = {}
    for path in items:
        about = metadata_at(path)
        lines[about["dataset"], about["task"]] = _lines(path)
    sides: dict[_Key, dict[str, dict[tuple[str, str, int | None], tuple[str, bool]]]] = {}
    for path in programs:
        about = metadata_at(path)
        sides.setdefault((about["task"], about["model"]), {})[about["dataset"]] = _sides(path)
    rows: list[VoteRow] = []
    for (task, model), by_dataset in sides.items():
        for first, second in combinations(by_dataset, 2):
            one, other = (lines.get((name, task), {}) for name in (first, second))
            shared = one.keys() & other.keys()
            changed = {key for key in shared if one[key][0] == other[key][0] and one[key][1] != other[key][1]}
            votes = _votes(by_dataset[first], by_dataset[second], changed)
            if votes:
                row: VoteRow = {"task": task, "model": model, "first": first, "second": second, **_figures(votes)}
                rows.append(with_ends(VoteRow, row))
    return rows


def _lines(path: Path) -> dict[_Key, tuple[str, str | None]]:
    """Return the text and gold line of each statement of an ITEMS file of problems."""
    lines: dict[_Key, tuple[str, str | None]] = {}
    for row in read_frame(path, ITEMS).select("item", "problem").drop_nulls().to_dicts():
        for number, statement in enumerate(json.loads(row["problem"])["statements"], 1):
            lines[row["item"], str(number)] = statement["text"], statement["line"]
    return lines


def _sides(path: Path) -> dict[tuple[str, str, int | None], tuple[str, bool]]:
    """Return the story of each statement of each program, and whether its line is equivalent to gold."""
    programs = read_frame(path, PROGRAMS).filter(status="aligned").select("item", "story", "seed", "sentences")
    return {
        (row["item"], sentence["place"], row["seed"]): (row["story"], sentence["aligned_by"] == "structure")
        for row in programs.to_dicts()
        for sentence in row["sentences"]
    }


def _votes(first: Mapping[Any, Any], second: Mapping[Any, Any], changed: set[_Key]) -> list[tuple[str, str]]:
    """Return the story and side of each line at a statement whose gold lines differ."""
    return [
        (story, _SIDES[is_first + 2 * second[key][1]])
        for key, (story, is_first) in first.items()
        if key[:2] in changed and key in second
    ]


def _figures(votes: list[tuple[str, str]]) -> _Figures:
    counts = Counter(side for _, side in votes)
    decided = [(story, float(vote == "for_second")) for story, vote in votes if vote in ("for_first", "for_second")]
    stories, parts = [story for story, _ in decided], [part for _, part in decided]
    return {
        "lines": len(votes),
        "for_neither": counts["for_neither"],
        "for_first": counts["for_first"],
        "for_second": counts["for_second"],
        "for_both": counts["for_both"],
        "share": ratio(parts, [1.0] * len(parts), stories).ends if decided else None,
    }


def gold_votes_figure(rows: pl.DataFrame) -> Figure | None:
    """Draw the lines that are equivalent to one gold alone, a bar a model."""
    import altair as alt

    from nlfol.results.analyses import charts

    shown = [
        {
            "panel": f"{row['first']} · {row['second']}",
            "by": row["model"],
            "gold": row[name],
            "lines": row[f"for_{name}"],
        }
        for row in rows.to_dicts()
        for name in ("first", "second")
    ]
    encoded = (
        charts.chart()
        .mark_bar()
        .encode(
            alt.X("lines:Q", title="Lines equivalent to this gold alone"),
            alt.Y("by:N", title=None, sort=None),
            alt.Color("gold:N", title=None, sort=None, scale=alt.Scale(range=charts.COLOURS[:2])),
            tooltip=charts.tips("by", "gold", "lines"),
        )
    )
    caption = "Lines of programs at statements that have two gold lines, by the one that they are equivalent to."
    title = "The gold that models side with"
    return charts.figure(shown, "gold_votes", title, caption, charts.panels(encoded, shown), about="program")


def _votes_of(row: Row) -> str:
    return f"{row['for_first']} : {row['for_second']}"


ANALYSIS = Analysis(
    rows=(Rows(GOLD_VOTES, lambda given: gold_votes(given.files["problem_items"], given.files["programs"])),),
    tables=(
        TableForm(
            "gold_votes",
            "The gold that models side with",
            "Lines of programs at statements whose gold lines differ between two datasets, by the gold that they are "
            "equivalent to. Share: of those for one alone, for the second, with the interval at 95 % (clusters: "
            "stories).",
            (
                *columns.texts("task", "model", "first", "second"),
                columns.column(
                    "votes", "First : second", Kind.TEXT, lambda row: f"{row['for_first']} : {row['for_second']}"
                ),
                *columns.counts("lines", *_SIDES[1:], _SIDES[0]),
                columns.interval("share"),
            ),
            ("Equivalent: some map of the program's symbols to concepts makes it so.",),
            ("gold_votes",),
            nothing="No two datasets have different gold lines of the same statements.",
        ),
    ),
    figures=((("gold_votes",), gold_votes_figure),),
)
