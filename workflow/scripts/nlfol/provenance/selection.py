"""A cell of a rendered table: which row and column are meant, and which row of CELLS it shows."""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nlfol.tasks.logical_translation import EQUIVALENCE, LogicalTranslation
from nlfol.tasks.metrics import ON_BOARDS
from nlfol.tasks.registry import CHOICES

SCORE_TABLES = ("logical_translation", "dialogue", "embedding", "scores")
"""The tables whose every figure is a column of one row of CELLS."""

_NAMING = ("dataset", "task", "protocol", "metric", "presentation", "model")
_PARTS = ("mean", "deviation", "low", "high")


class SelectionError(ValueError):
    """A table, row or column that is not there, or not clear."""


@dataclass(frozen=True, slots=True)
class Selection:
    """A cell of a table's CSV file; ``number`` is the row's, from 1."""

    table: Path
    number: int
    row: Mapping[str, str]
    column: str

    @property
    def name(self) -> str:
        """Return the table's name."""
        return self.table.stem

    @property
    def value(self) -> str:
        """Return the cell's value."""
        return self.row[self.column]


@dataclass(frozen=True, slots=True)
class Source:
    """Row of CELLS behind a cell of a table of scores: ``key`` has the columns that tell it apart."""

    key: Mapping[str, str]
    field: str

    def find(self, cells: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        """Return the row of CELLS; raises ``SelectionError`` if there is none, or more than one."""
        # Where no item was asked, one row says so, without metric and presentation.
        found = [
            row
            for row in cells
            if all(
                row[name] == value or (not row["items"] and name in ("metric", "presentation"))
                for name, value in self.key.items()
            )
        ]
        if len(found) != 1:
            said = ", ".join(f"{name}={value}" for name, value in self.key.items())
            raise SelectionError(f"{len(found)} cells with {said}, expected one; run again")
        return found[0]


def select(table: Path, rows: Sequence[str], column: str) -> Selection:
    """Return the cell that a row and a column of a table, in any of its forms, name.

    ``rows`` are ``name=value`` pairs, all of which hold of one row, or its number, from 1. The column is one of the CSV
    form, without ``_mean`` where it is the mean of a score. Raises ``SelectionError``, which says what there is to
    choose from.
    """
    path = table.with_suffix(".csv")
    if not path.is_file():
        raise SelectionError(f"{path}: no such table; name a file in the folder of tables")
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        listed, names = list(reader), list(reader.fieldnames or ())
    column = _column(path, names, column)
    number = _number(path, names, listed, rows)
    return Selection(path, number, listed[number - 1], column)


def _column(path: Path, names: Sequence[str], column: str) -> str:
    for name in (column, f"{column}_mean"):
        if name in names:
            return name
    raise SelectionError(f"{path}: no column {column!r}; choose from {', '.join(names)}")


def _number(path: Path, names: Sequence[str], listed: Sequence[Mapping[str, str]], rows: Sequence[str]) -> int:
    if len(rows) == 1 and rows[0].isdecimal():
        number = int(rows[0])
        if not 1 <= number <= len(listed):
            raise SelectionError(f"{path}: no row {number}; the rows are 1 to {len(listed)}")
        return number
    wanted = dict(_pair(path, names, text) for text in rows)
    found = [n for n, row in enumerate(listed, start=1) if all(row[name] == value for name, value in wanted.items())]
    if len(found) == 1:
        return found[0]
    said = ", ".join(f"{name}={value}" for name, value in wanted.items()) or "nothing given"
    which = f"rows {', '.join(map(str, found))} have" if found else "no row has"
    raise SelectionError(f"{path}: {which} {said}; name one row by name=value or its number, 1 to {len(listed)}")


def _pair(path: Path, names: Sequence[str], text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or name not in names:
        raise SelectionError(f"{path}: row {text!r}: write name=value with one of {', '.join(names)}, or one number")
    return name, value


def source_of(selection: Selection) -> Source:
    """Return the row of CELLS behind a cell of ``SCORE_TABLES``; raises ``SelectionError`` if it shows none."""
    row, column = selection.row, selection.column
    if selection.name == LogicalTranslation.kind:
        named = column in ("dataset", "model", "task")
        metric = ON_BOARDS if column.startswith(f"{ON_BOARDS}_") else EQUIVALENCE
        if metric == ON_BOARDS and not row[column]:
            raise SelectionError(f"{selection.table}: row {selection.number} is of no blocks world: it has no {column}")
        found = None if named else (LogicalTranslation.kind, metric, _field(column))
        task = row["task"]
    elif selection.name == "scores":
        found = None if column in _NAMING else ("", row["metric"], _field(column))
        task = row["task"]
    else:
        found = _choice(column)
        task = row.get(f"{found[0]}_task", "") if found else ""
    if found is None:
        raise SelectionError(f"{selection.table}: column {column!r} identifies the row; name one that holds a number")
    kind, metric, field = found
    if not task:
        raise SelectionError(f"{selection.table}: row {selection.number} has no task of kind {kind}: nothing was asked")
    key = {"dataset": row["dataset"], "task": task, "model": row["model"], "metric": metric}
    if shown := row.get("presentation"):
        key["presentation"] = shown
    return Source(key, field)


def _choice(column: str) -> tuple[str, str, str] | None:
    """Kind of task, metric and field behind a column of a table of choices."""
    tied = column.startswith("tied_")
    rest = column.removeprefix("tied_")
    kind = next((kind for kind in CHOICES if rest.startswith(f"{kind}_")), None)
    if kind is None:
        return None
    rest = rest.removeprefix(f"{kind}_")
    if tied:
        return kind, rest, "tied"
    metric = next((metric for metric in CHOICES[kind] if rest.startswith(f"{metric}_")), None)
    if metric is not None:
        return kind, metric, rest.removeprefix(f"{metric}_")
    # Items and outcomes are those of every metric.
    return None if rest == "task" else (kind, CHOICES[kind][0], _field(rest))


def _field(column: str) -> str:
    if column == "items_available":
        return "available"
    part = column.rpartition("_")[2]
    scored = column.startswith((f"{EQUIVALENCE}_", f"{ON_BOARDS}_", "score_"))
    return part if scored and part in _PARTS else column
