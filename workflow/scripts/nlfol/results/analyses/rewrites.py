"""Rewrites: proposed, kept and chosen, and how similar the words are."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypedDict, cast

import polars as pl

from nlfol.facts import PROBLEM
from nlfol.mappings import JsonObject
from nlfol.results.analyses.analysis import Analysis, Rows
from nlfol.results.statistics.aligned import Entries, Wording, worded, wording
from nlfol.results.statistics.clusters import student_test
from nlfol.results.statistics.published_error import DIVERSIFIED, published_name, published_wording
from nlfol.results.statistics.published_ways import Nearest, left_out, nearest
from nlfol.results.tables import columns
from nlfol.results.tables.table import Kind, Row, TableForm
from nlfol.store import files
from nlfol.store.columns import Ends, row_schema
from nlfol.store.problem_schemas import (
    PROPOSALS,
    SIMILARITIES,
    ProblemRow,
    ProposalRow,
    Rewrite,
    WordingRow,
)

_THRESHOLD = 0.9
"""SoLT's threshold of the cosine; the table shows the share of pairs that reach it."""

_LEVELS = ("word", "phrase", "sentence")
_PROPOSED = ("proposed", "unusable", "fallback", "kept")

_UNITS = {"similarity": PROBLEM, "similarity_concepts": "concept"}
"""Published metrics (SoLT), and the unit of each."""

Key = tuple[str, str]
"""Level and type."""


class RewriteRow(TypedDict):
    """One row a diversified dataset, level and type."""

    dataset: str
    protocol: str
    level: str
    type: str
    # Null for protocol audited, which proposes nothing. Unusable: refused, such as for want of an inflection;
    # fallback: of those proposed, asked of the model because the lexica have none; kept: similar enough.
    proposed: int | None
    unusable: int | None
    fallback: int | None
    kept: int | None
    chosen: int  # of the usable problems


REWRITES = row_schema("rewrites", 2, RewriteRow)


class _Dataset(TypedDict):
    dataset: str


class SimilarityRow(_Dataset, Wording):
    """One row a diversified dataset, embedding model and unit."""

    model: str
    unit: str  # problem, statement or concept
    problems: int
    pairs: int
    cut: int  # pairs with a text of which the model reads only the beginning
    # Null without pairs; the interval at 95 % has problems as clusters, and is null for few problems, or equal cosines.
    mean: float | None
    low: float | None
    high: float | None
    reached: float | None  # share of pairs at .90 or more


SIMILARITY = row_schema("similarity", 2, SimilarityRow)


Files = JsonObject
"""Files of a diversified dataset: the ``protocol`` and ``problems``, ``wordings`` by model, and, under
protocol ``paper``, ``proposals`` and ``similarities``."""


def rewrites(datasets: Mapping[str, Files]) -> Iterator[RewriteRow]:
    """Yield the rows of ``REWRITES``: levels and types in the order of their first use."""
    for dataset, paths in datasets.items():
        counts: dict[Key, dict[str, int]] = {}
        if "proposals" in paths:
            _count_proposals(counts, Path(paths["proposals"]), Path(paths["similarities"]))
        for row in files.rows(Path(paths["problems"]), ProblemRow):
            for rewrite in row["rewrites"] if row["status"] == "usable" else ():
                _add(counts, rewrite, "chosen")
        for (level, kind), counted in sorted(counts.items(), key=lambda item: _LEVELS.index(item[0][0])):
            zero = 0 if "proposals" in paths else None
            yield {
                "dataset": dataset,
                "protocol": paths["protocol"],
                "level": level,
                "type": kind,
                "proposed": counted.get("proposed", zero),
                "unusable": counted.get("unusable", zero),
                "fallback": counted.get("fallback", zero),
                "kept": counted.get("kept", zero),
                "chosen": counted.get("chosen", 0),
            }


def _add(counts: dict[Key, dict[str, int]], row: Rewrite | ProposalRow, *names: str) -> None:
    tally = counts.setdefault((row["level"], row["type"]), {})
    for name in names:
        tally[name] = tally.get(name, 0) + 1


def _count_proposals(counts: dict[Key, dict[str, int]], proposals: Path, similarities: Path) -> None:
    kept = {
        (row["item"], row["statement"], row["sentence"])
        for row in files.rows(similarities, SIMILARITIES)
        if row["kept"]
    }
    for row in cast("list[ProposalRow]", files.rows(proposals, PROPOSALS)):
        _add(counts, row, "proposed", *(["fallback"] if row["fallback"] else []))
        if row["status"] != "usable":
            _add(counts, row, "unusable")
        elif (row["item"], row["statement"], row["sentence"]) in kept:
            _add(counts, row, "kept")


def similarity(datasets: Mapping[str, Files], entries: Entries) -> Iterator[SimilarityRow]:
    """Yield the rows of ``SIMILARITY``, of usable problems."""
    for dataset, made in datasets.items():
        problem_rows = files.rows(Path(made["problems"]), ProblemRow) if made["wordings"] else ()
        usable = {row["item"] for row in problem_rows if row["status"] == "usable"}
        for model, path in made["wordings"].items():
            rows = [row for row in files.rows(Path(path), WordingRow) if row["item"] in usable]
            for unit in (PROBLEM, "statement", "concept"):
                of_unit = [row for row in rows if row["unit"] == unit]
                cosines = [row["similarity"] for row in of_unit]
                mean, low, high = _mean(cosines, [row["item"] for row in of_unit])
                yield {
                    "dataset": dataset,
                    **wording(dataset, entries),
                    "model": model,
                    "unit": unit,
                    "problems": len({row["item"] for row in of_unit}),
                    "pairs": len(of_unit),
                    "cut": sum(row["is_cut"] for row in of_unit),
                    "mean": mean,
                    "low": low,
                    "high": high,
                    "reached": sum(cosine >= _THRESHOLD for cosine in cosines) / len(cosines) if cosines else None,
                }


def _mean(values: Sequence[float], items: Sequence[str]) -> Ends:
    """Return the mean of cosines, in [-1, 1], with its interval; without one where all are alike."""
    if not values:
        return Ends()
    mean, low, high, _ = student_test(values, items)
    return Ends(mean, None if low is None else max(-1.0, low), None if high is None else min(1.0, high))


def _with_published(rows: pl.DataFrame, figures: pl.DataFrame) -> Iterator[Row]:
    """Yield the rows of each dataset, and then the published cosines of problems that it has in other words."""
    none = dict.fromkeys(("problems", "pairs", "cut", "low", "high", "reached"))
    for _, group in rows.group_by("dataset", maintain_order=True):
        named = group.to_dicts()
        yield from ({**row, "source": "here"} for row in named)
        for figure, _, differs in _judged(named[0], figures):
            if not differs:
                unit, mean = _UNITS[figure["metric"]], figure["mean"]
                yield {**named[0], **none, "model": figure["model"], "unit": unit, "mean": mean, "source": "published"}


def _judged(row: Row, figures: pl.DataFrame) -> Iterator[Nearest[Row]]:
    """Yield the published cosines of a dataset in other words, each with what differs in the procedure."""
    if published_wording(row) == DIVERSIFIED:
        of_dataset = figures.filter(pl.col("metric").is_in(list(_UNITS)), dataset=published_name(row["reader"]))
        yield from nearest(of_dataset.to_dicts(), {("", ""): {"protocol": row["procedure"]}})


def _without(_: object, rows: pl.DataFrame, figures: pl.DataFrame) -> Iterator[str]:
    datasets = rows.unique("dataset", keep="first", maintain_order=True).to_dicts()
    yield from left_out(one.differs for row in datasets for one in _judged(row, figures))


_SOURCES = (
    "Proposed: by lexica and a model, protocol paper alone; fallback: of these, words asked of the model as the "
    "lexica have none; answer: an answer of the model without any rewrite."
)
REWRITES_TABLE = TableForm(
    "rewrites",
    "Rewrites",
    "Rewrites that were proposed, similar enough and chosen.",
    (
        *columns.texts("dataset", "protocol", "level", "type"),
        *columns.counts("proposed", "unusable", "fallback"),
        columns.count("kept", "Similar enough"),
        columns.count("chosen"),
    ),
    (_SOURCES,),
    ("rewrites",),
)

SIMILARITY_TABLE = TableForm(
    "similarity",
    "Similarity of rewrites",
    "How similar problems, their rewritten statements, and the words alone are to the originals, by embedding models.",
    (
        columns.text("dataset"),
        columns.quantity("intensity"),
        columns.column("wording", None, Kind.PROSE, worded),
        *columns.texts("model", "source", "unit"),
        *columns.counts("problems", "pairs"),
        columns.score("similarity", "Cosine"),
        columns.share("reached", "≥ .90"),
        columns.count("cut", "Cut off"),
    ),
    (
        "Unit problem: statements, question and options, as a model that answers is shown them.",
        "Cosine: mean over pairs of usable problems; intervals at 95 % over problems. ≥ .90: share of pairs.",
        "Cut off: pairs with a text of which the model reads only the beginning.",
        "Model: that of the vectors; cosines of different models say nothing of one another.",
        "Published: SoLT's tables 1 and 11, by the models named, of texts rewritten by models.",
        _without,
    ),
    ("similarity", "figures"),
    _with_published,
    nothing="No embedding model compares the wordings: add one to `models`.",
)

ANALYSIS = Analysis(
    rows=(
        Rows(REWRITES, lambda given: rewrites(given.setting("diversified"))),
        Rows(SIMILARITY, lambda given: similarity(given.setting("diversified"), given.setting("wordings"))),
    ),
    tables=(REWRITES_TABLE, SIMILARITY_TABLE),
)
