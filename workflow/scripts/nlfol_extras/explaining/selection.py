"""A cell of a rendered table: which row and column are meant, and which row of CELLS it shows."""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from nlfol.mappings import JsonObject
from nlfol.results.analyses.drawing import drawn_from
from nlfol.store.origins import place_of

SCORE_TABLES = ("logical_translation", "dialogue", "embedding", "scores")
"""The tables whose every figure is a column of one row of CELLS."""

_NAMING = ("dataset", "task", "protocol", "metric", "presentation", "model")


class SelectionError(ValueError):
    """A table, row or column that is not there, or not clear."""


@dataclass(frozen=True, slots=True)
class Selection:
    """A cell of a table's CSV file; ``number`` is the row's, from 1, ``drawn_from`` the files of rows of the table."""

    table: Path
    number: int
    row: Mapping[str, str]
    column: str
    drawn_from: tuple[Path, ...]

    @property
    def name(self) -> str:
        """Return the table's name."""
        return self.table.stem

    @property
    def value(self) -> str:
        """Return the cell's value."""
        return self.row[self.column]


def select(table: Path, rows: Sequence[str], column: str) -> Selection:
    """Return the cell that a row and a column of a table, in any of its forms, name.

    ``rows`` are ``name=value`` pairs, all of which hold of one row, or its number, from 1. The column is one of the CSV
    form, without ``_mean`` where it is the mean of a score. Raises ``SelectionError``, which says what there is to
    choose from, and ``TableError`` for a file that is no table's.
    """
    path = table.with_suffix(".csv")
    if not path.is_file():
        raise SelectionError(f"{path}: no such table; name a file in the folder of tables")
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        listed, names = list(reader), list(reader.fieldnames or ())
    column = _column(path, names, column)
    number = _number(path, names, listed, rows)
    row = listed[number - 1]
    if path.stem == "audit":
        paths = [place_of(f"audits/{row['dataset']}/{row['task']}", path.parent.parent)]
    else:
        first, *others = (path.with_name(f"{source}.arrow") for source in drawn_from(path.stem))
        # The others are there where the experiment is about what they hold.
        paths = [first, *(other for other in others if other.is_file())]
    return Selection(path, number, row, column, tuple(paths))


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
    matching = [n for n, row in enumerate(listed, start=1) if all(row[name] == value for name, value in wanted.items())]
    if len(matching) == 1:
        return matching[0]
    criteria = ", ".join(f"{name}={value}" for name, value in wanted.items()) or "nothing given"
    which = f"rows {', '.join(map(str, matching))} have" if matching else "no row has"
    raise SelectionError(f"{path}: {which} {criteria}; name one row by name=value or its number, 1 to {len(listed)}")


def _pair(path: Path, names: Sequence[str], text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or name not in names:
        raise SelectionError(f"{path}: row {text!r}: write name=value with one of {', '.join(names)}, or one number")
    return name, value


def cell_of(selection: Selection, cells: Sequence[JsonObject]) -> tuple[JsonObject, str]:
    """Return the row of CELLS behind a cell of ``SCORE_TABLES``, and its field; the first row if several have it.

    Raises ``SelectionError`` if there is none.
    """
    row, column = selection.row, selection.column
    if column in _NAMING or column.endswith("_task"):
        raise SelectionError(f"{selection.table}: column {column!r} identifies the row; name one that holds a number")
    for cell in cells:
        # Where no item was asked, one row says so, without metric and presentation.
        named = ("dataset", "model", *(("metric", "presentation") if cell["items"] else ()))
        kind, metric = cell["task_kind"], cell["metric"]
        task = row["task"] if "task" in row else row.get(f"{kind}_task")
        if cell["task"] != task or any(row.get(name) not in (None, "", cell[name]) for name in named):
            continue
        # Items and outcomes are those of every metric.
        figure = "tied" if column == f"tied_{kind}_{metric}" else column.removeprefix(f"{kind}_")
        figure = figure.removeprefix("score_").removeprefix(f"{metric}_")
        figure = {"items_available": "available"}.get(figure, figure)
        if figure in cell:
            return cell, figure
    raise SelectionError(f"{selection.table}: row {selection.number} has no {column}: nothing was asked of its kind")
