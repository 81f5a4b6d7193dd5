"""Right sentences against right problems: do programs with more equivalent lines answer more problems?

A program's level is the share of its lines that a map of symbols makes equivalent to the gold program's, of those that
are aligned. ``within`` is the correlation (Pearson) of that share and the right answer over the programs of one model;
``across`` that of their means (Spearman) over the models of a task. One may be high where the other is not: a model
that is better at both says nothing on whether, of its own programs, those with better sentences are right.
"""

from collections.abc import Iterable, Sequence
from typing import Any, TypedDict

import polars as pl

from nlfol.results.analyses.analysis import Analysis, Rows
from nlfol.results.analyses.figure import Figure
from nlfol.results.statistics.aligned import Aligned, Program, share
from nlfol.results.statistics.summary import COMPARED
from nlfol.results.tables import columns
from nlfol.results.tables.table import TableForm
from nlfol.store.columns import KnownInterval, row_schema, with_ends

ALL = "all"
_BINS = (("none", 0.0, 0.0), ("below half", 0.0, 0.5), ("half or more", 0.5, 1.0), ("every", 1.0, 2.0))
_LEAST_MODELS = 3
"""Fewer models have no correlation."""


class _Level(TypedDict):
    dataset: str
    task: str
    model: str
    level: str  # all, none, below half, half or more, every


class _Figures(TypedDict):
    programs: int  # whose lines could be aligned
    lines: float  # share of their lines that are equivalent
    right: KnownInterval


class LevelRow(_Level, _Figures):
    """One row a dataset, task, model and level: ``all`` its programs, or those with that share of equivalent lines."""

    within: float | None  # of ``all`` alone; null where shares or answers are all the same
    across: float | None  # of ``all`` alone, the same for all models of a task; null of fewer than three


LEVELS = row_schema("levels", 1, LevelRow)


def levels(programs: Iterable[Aligned]) -> list[LevelRow]:
    """Return the rows of ``LEVELS``, models in the order of their files."""
    rows: list[LevelRow] = []
    for job in programs:
        known = [row for row in job.rows if row["lines"] is not None and row["lines"]["of"]]
        if job.about["kind"] not in COMPARED or not known:
            continue
        parts = {ALL: known, **{level: [row for row in known if _level(row) == level] for level, *_ in _BINS}}
        for level, part in parts.items():
            if part:
                row: LevelRow = {
                    "dataset": job.about["dataset"],
                    "task": job.about["task"],
                    "model": job.about["model"],
                    "level": level,
                    **_figures(part),
                    "within": _correlation(part) if level == ALL else None,
                    "across": None,
                }
                rows.append(with_ends(LevelRow, row))
    return _with_across(rows)


def _level(row: Program) -> str:
    part = _share(row)
    return next(name for name, low, high in _BINS if (part == low == high) or (low <= part < high))


def _share(row: Program) -> float:
    return float(row["lines"]["sum"] / row["lines"]["of"])


def _figures(rows: Sequence[Program]) -> _Figures:
    lines = sum(map(_share, rows)) / len(rows)
    return {"programs": len(rows), "lines": lines, "right": share(rows, lambda row: (float(row["right"]), 1.0))}


def _correlation(rows: Sequence[Program]) -> float | None:
    return _defined(pl.DataFrame({"x": map(_share, rows), "y": [float(row["right"]) for row in rows]}), "pearson")


def _with_across(rows: list[LevelRow]) -> list[LevelRow]:
    of_task: dict[tuple[str, str], list[LevelRow]] = {}
    for row in rows:
        if row["level"] == ALL:
            of_task.setdefault((row["dataset"], row["task"]), []).append(row)
    for models in of_task.values():
        if len(models) >= _LEAST_MODELS:
            means = pl.DataFrame({"x": [row["lines"] for row in models], "y": [row["right"] for row in models]})
            across = _defined(means, "spearman")
            for row in models:
                row["across"] = across
    return rows


def _defined(pairs: pl.DataFrame, method: Any) -> float | None:
    correlation = pairs.select(pl.corr("x", "y", method=method)).item()
    return None if correlation is None or correlation != correlation else float(correlation)  # noqa: PLR0124 - NaN


def levels_figure(rows: pl.DataFrame) -> Figure | None:
    """Draw the share of right answers over the share of equivalent lines, a line a model."""
    import altair as alt

    from nlfol.results.analyses.charts import lines, tips

    shown = [
        {**row, "panel": f"{row['dataset']} · {row['task']}", "mean": row["right"], "opens": None}
        for row in rows.filter(pl.col("level") != ALL).to_dicts()
    ]
    return lines(
        shown,
        "levels",
        "Right problems by right sentences",
        "Share of programs with the right answer, by the share of their lines that are equivalent to gold.",
        x=alt.X("level:N", title="Lines equivalent to gold", sort=[name for name, _, _ in _BINS]),
        y="Share of programs right",
        tooltip=tips("model", "level", "programs"),
    )


ANALYSIS = Analysis(
    rows=(Rows(LEVELS, lambda given: levels(given.programs())),),
    tables=(
        TableForm(
            "levels",
            "Right sentences and right problems",
            "Share of programs with the right answer by the share of their lines that are equivalent to gold, with the "
            "interval at 95 % (clusters: stories).",
            (
                *columns.texts("dataset", "task", "model", "level"),
                columns.count("programs"),
                columns.share("lines"),
                columns.interval("right"),
                columns.share("within"),
                columns.share("across"),
            ),
            (
                "Programs: whose lines could be aligned with gold. Lines: mean share of their lines that are gold's.",
                "Within: correlation (Pearson) of that share and a right answer over a model's programs.",
                "Across: correlation (Spearman) of the means over models.",
            ),
            ("levels",),
            nothing="No program could be aligned with a gold program.",
        ),
    ),
    figures=((("levels",), levels_figure),),
)
