"""Tables of problems: answers without a solver, programs for one, and both by depth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from nlfol.statistics.classification import ALL, DEPTH
from nlfol.statistics.solvers import FAULTS
from nlfol.tables.table import Cell, Column, Kind, Score, Table

_WHO = (
    Column("dataset", "Dataset", Kind.TEXT),
    Column("task", "Task", Kind.TEXT),
)
_MODEL = Column("model", "Model", Kind.TEXT)
_SHOWN = Column("presentation", "Shown as", Kind.TEXT)

_INTERVAL = "Intervals are at 95 % over items, whose stories (problems with the same statements) are clusters."

_AGAINST = (
    "The label against all others: TP, FN and IP are these answers, with the label, another one, and unread; FP, TN "
    "and IN are those to other problems. An unread answer is wrong: it counts against recall, TNR and F1."
)
_DEPTH = (
    "Depth: of a derivation by rules, its steps; of a proof, the premises it needs; of constraints, the statements "
    "that the answer follows from; without a gold program, as published. No depth: not known, as of what the "
    "statements do not decide."
)
_COUNTS = ("tp", "fp", "tn", "fn", "ip", "in")
_RATIOS = {"precision": "Precision", "recall": "Recall (TPR)", "tnr": "TNR", "f1": "F1"}
_CLASSES = (
    Column("label", "Label", Kind.TEXT),
    Column("answers", "Answers", Kind.COUNT),
    Column("answered", "Answered", Kind.PROSE),
    *(Column(name, name.upper(), Kind.COUNT) for name in _COUNTS),
    *(Column(name, title, Kind.SCORE) for name, title in _RATIOS.items()),
)
_OF_CLASSES = (
    "Answers: to problems whose right label it is; Answered: what they say, a row of the confusion matrix.",
    _AGAINST,
)
_ALWAYS = "“always X” is no model: it is what always answering X is worth, over all items."


def question_answering(rows: pl.DataFrame) -> Table:
    """Of each right label what was answered, and how well the label is told from the others."""
    found = rows.filter(pl.col("group") == ALL)
    return Table(
        "question_answering",
        "Answers without a solver",
        "What was answered to problems of each right label, and how well models tell the label from the others.",
        (*_WHO, _SHOWN, _MODEL, *_CLASSES),
        tuple((*_who(row), *_classes(row)) for row in found.iter_rows(named=True)),
        (*_OF_CLASSES, _ALWAYS, _INTERVAL),
    )


def question_answering_depths(rows: pl.DataFrame) -> Table:
    """The same over the problems of each depth."""
    found = rows.filter(pl.col("group") == DEPTH)
    return Table(
        "question_answering_depths",
        "Answers without a solver, by depth of the problem",
        "What was answered to problems of each depth and right label, and how well models tell the label from others.",
        (*_WHO, _SHOWN, _MODEL, Column("depth", "Depth", Kind.COUNT), *_CLASSES),
        tuple((*_who(row), row["depth"], *_classes(row)) for row in found.iter_rows(named=True)),
        (*_OF_CLASSES, _DEPTH, _ALWAYS, _INTERVAL),
        long=True,
    )


def _who(row: Mapping[str, Any]) -> tuple[Cell, ...]:
    return row["dataset"], row["task"], row["presentation"] or None, row["model"]


def _classes(row: Mapping[str, Any]) -> tuple[Cell, ...]:
    return (
        row["label"],
        row["answers"],
        ", ".join(f"{each['label'] or 'unread'} {each['count']}" for each in row["answered"]),
        *(row[name] for name in _COUNTS),
        *(_score(row, name) for name in _RATIOS),
    )


def solvers(rows: pl.DataFrame) -> Table:
    """How many programs are executable and right, and what a fallback would make of the others."""
    counts = ("executed", "unparsable", *FAULTS, "lost")
    return Table(
        "solvers",
        "Programs for solvers",
        (
            "How often models' programs are executable, and how often the answer is right: of all, of those executed, "
            "and with a fallback for the others."
        ),
        (
            *_WHO,
            _MODEL,
            Column("items", "Items", Kind.COUNT),
            Column("seeds", "Seeds", Kind.COUNT),
            Column("right", "Right", Kind.SCORE),
            Column("executable", "Executable", Kind.SCORE),
            Column("right_executed", "Right of executable", Kind.SCORE),
            Column("guessed", "With a guess", Kind.SCORE),
            Column("fallback", "With an answer", Kind.SCORE),
            Column("answering", "Answer of", Kind.TEXT),
            *(Column(name, name.replace("_", " ").capitalize(), Kind.COUNT) for name in counts),
        ),
        tuple(
            (
                row["dataset"],
                row["task"],
                row["model"],
                row["items"],
                None if row["kind"] == "chance" else row["seeds"],
                *(_score(row, name) for name in ("right", "executable", "right_executed", "guessed", "fallback")),
                row["answering"],
                *(row[name] for name in counts),
            )
            for row in rows.iter_rows(named=True)
        ),
        (
            "Right: a program that gives no answer is wrong. Executable: exactly one option follows.",
            "With a guess: expectation with a random option in place of each program that is not executable.",
            "With an answer: the same model's answer without a solver in its place, from the task in “Answer of”.",
            "Undefined symbol to no answer: programs that were read and give none. Lost: requests without an answer.",
            f"Mean ± sample standard deviation over seeds. {_INTERVAL}",
        ),
    )


def depths(rows: pl.DataFrame) -> Table:
    """Scores over problems of each depth."""
    return Table(
        "depths",
        "Scores by depth of the problem",
        "Mean score of each model over the problems of a depth, as far as depths are known.",
        (
            *_WHO,
            Column("metric", "Metric", Kind.TEXT),
            _SHOWN,
            _MODEL,
            Column("depth", "Depth", Kind.COUNT),
            Column("items", "Items", Kind.COUNT),
            Column("score", "Score", Kind.SCORE),
        ),
        tuple(
            (
                *(row[name] for name in ("dataset", "task", "metric")),
                row["presentation"] or None,
                *(row[name] for name in ("model", "depth", "items")),
                _score(row, "mean", ""),
            )
            for row in rows.iter_rows(named=True)
        ),
        (
            _DEPTH,
            f"Mean ± sample standard deviation over seeds. {_INTERVAL}",
        ),
        long=True,
    )


def _score(row: Mapping[str, Any], name: str, prefix: str | None = None) -> Cell:
    """A mean with its spread; chance is known exactly for the items, and has none."""
    if row[name] is None:
        return None
    before = f"{name}_" if prefix is None else prefix
    if row["kind"] == "chance":
        return Score(row[name])
    deviation, low, high = (row.get(f"{before}{part}") for part in ("deviation", "low", "high"))
    return Score(row[name], deviation, low, high)
