"""Tables of problems in other words: accuracy and drift, consistency, causes, and what becomes of answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import polars as pl

from nlfol.statistics.transitions import CHANGES
from nlfol.tables.table import Cell, Column, Kind, Score, Table
from nlfol.tasks.program_alignment import CAUSES, LEFT_OUT

_Row = Mapping[str, Any]

_WHO = tuple(Column(name, name.capitalize(), Kind.TEXT) for name in ("dataset", "task", "model"))
_INTERVAL = "Intervals are at 95 % over items, whose stories (problems with the same statements) are clusters."
_DISPERSION = (
    "Dispersion, the symbol drift score: symbols of a concept less one, on average over concepts with two or more "
    "mentions, all problems together. It has no interval where all problems are alike."
)
_LEFT = (
    "Aligned: answers with a program whose symbols are aligned with the concepts of a gold program. The others are "
    "counted by their reason: lost (no answer), unparsable (no program), no gold (none in the program's language)."
)


def drift(rows: pl.DataFrame) -> Table:
    """How often one concept becomes several symbols, and one symbol stands for several concepts."""
    counts = ("answers", "aligned", *LEFT_OUT)
    scores = {
        "dispersion": "Dispersion",
        "dispersion_by_problem": "By problem",
        "dispersion_of_all": "Of all concepts",
        "collision": "Collision",
        "f": "B³ F",
        "by_structure": "Aligned by structure",
        "by_name": "By name",
        "unaligned": "Not aligned",
        "table_precision": "Table, precision",
        "table_recall": "Table, recall",
    }
    bounds = {"dispersion_least": "Least", "dispersion_greatest": "Greatest"}
    return Table(
        "drift",
        "Drift and collision of symbols",
        "How often a program has several symbols for one concept (dispersion), or one for several (collision).",
        (
            *_WHO,
            *(Column(name, name.replace("_", " ").capitalize(), Kind.COUNT) for name in counts),
            *(Column(name, title, Kind.SCORE) for name, title in scores.items()),
            *(Column(name, title, Kind.SHARE) for name, title in bounds.items()),
        ),
        _of_programs(
            rows,
            lambda row: (
                *(row[name] for name in counts),
                *(_score(row, name) for name in scores),
                *(row[name] for name in bounds),
            ),
        ),
        (
            _LEFT,
            _DISPERSION,
            "By problem: its mean over problems. Least, greatest: bounds over all maps of concepts that fit.",
            "Collision: concepts of a symbol less one. B³ F: of the clusters of mentions by concept and by symbol.",
            "By structure, by name, not aligned: shares of the mentions of concepts.",
            "Table: pairs of expressions that the model's table of concepts joins, against those that mean one.",
            _INTERVAL,
        ),
    )


def consistency(rows: pl.DataFrame) -> Table:
    """How many lines, and whole programs, are equivalent to gold under one map of concepts."""
    scores = {
        "lines": "Lines",
        "problems": "Programs",
        "problems_of_answers": "Of all answers",
        "right": "Right",
    }
    return Table(
        "consistency",
        "Consistency of programs",
        "Share of lines, and of whole programs, that are equivalent to gold once symbols are mapped.",
        (
            *_WHO,
            Column("answers", "Answers", Kind.COUNT),
            Column("aligned", "Aligned", Kind.COUNT),
            *(Column(name, title, Kind.SCORE) for name, title in scores.items()),
        ),
        _of_programs(rows, lambda row: (row["answers"], row["aligned"], *(_score(row, name) for name in scores))),
        (
            "Lines: sentences and queries that some map of concepts makes equivalent, each by itself.",
            "Programs: one map, one to one, makes all lines of the problem so. Both are of the answers aligned.",
            "Of all answers: the same as “Programs”, where an answer without a program is not consistent.",
            _INTERVAL,
        ),
    )


def causes(rows: pl.DataFrame) -> Table:
    """Why answers are wrong, by what would make them right."""
    found: dict[tuple[str, ...], dict[str, int]] = {}
    for row in rows.iter_rows(named=True):
        found.setdefault(tuple(row[column.name] for column in _WHO), {})[row["cause"]] = row["answers"]
    return Table(
        "causes",
        "Causes of wrong answers",
        "Answers by what would make them right: one symbol for each concept, one concept for each symbol, or another "
        "query.",
        (*_WHO, *(Column(cause, cause.replace("_", " ").capitalize(), Kind.COUNT) for cause in CAUSES)),
        tuple((*who, *(counts.get(cause, 0) for cause in CAUSES)) for who, counts in found.items()),
        (
            "Drift: right once the symbols of a concept are merged; collision: once a symbol of several is split.",
            "Query: right with the gold query. Logic: none of these, so some line says something else.",
            "Unparsable and failed: the program has no answer. Lost: the request has none.",
            "Unexplained: wrong, without a gold program in the language to hold it to.",
        ),
    )


def transitions(rows: pl.DataFrame) -> Table:
    """What became of answers between two tasks, or between two wordings."""
    names = ("first_dataset", "second_dataset", "first_task", "second_task", "model")
    found: dict[tuple[str, ...], dict[str | None, int]] = {}
    for row in rows.iter_rows(named=True):
        counts = found.setdefault(tuple(row[name] for name in names), {})
        counts[row["change"]] = counts.get(row["change"], 0) + row["answers"]
    return Table(
        "transitions",
        "What becomes of answers",
        "Answers by what became of them from one task to another, or from problems to the same in other words.",
        (
            Column("first_dataset", "Dataset before", Kind.TEXT),
            Column("second_dataset", "Dataset after", Kind.TEXT),
            Column("first_task", "Task before", Kind.TEXT),
            Column("second_task", "Task after", Kind.TEXT),
            _WHO[2],
            Column("answers", "Answers", Kind.COUNT),
            Column("right", "Right in both", Kind.COUNT),
            *(Column(change, change.replace("_", " ").capitalize(), Kind.COUNT) for change in CHANGES),
        ),
        tuple(
            (*who, sum(counts.values()), *(counts.get(change, 0) for change in (None, *CHANGES)))
            for who, counts in found.items()
        ),
        (
            "Answers: to the same items under the same seeds.",
            "Without consistency: the cause is drift, alone or with collision; otherwise: any other.",
            "The last class is not in the paper's figure 7.",
        ),
    )


def _of_programs(rows: pl.DataFrame, cells: Callable[[_Row], tuple[Cell, ...]]) -> tuple[tuple[Cell, ...], ...]:
    return tuple((*(row[column.name] for column in _WHO), *cells(row)) for row in rows.iter_rows(named=True))


def _score(row: _Row, name: str) -> Score | None:
    return None if row[name] is None else Score(row[name], None, row[f"{name}_low"], row[f"{name}_high"])
