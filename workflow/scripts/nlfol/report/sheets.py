"""A table as the page lays it out: a column a number, headers in groups, and nothing said in every row.

What is the same in all rows stands above the table instead: values, columns that are 0 throughout, columns that are
empty throughout. Scores and shares stay, as they are results.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from nlfol.mappings import JsonDict
from nlfol.results.tables.headlines import worded
from nlfol.results.tables.table import MISSING, Cell, Column, Kind, Score, Table, shown

Opened = Sequence[Sequence[Sequence[str | None]]]
"""Addresses that each row, column and part of a cell opens."""

_ROW_HEADERS = ("model", "rater")
"""The column that says what a row is of, if there is one of these; else the first."""

_RESULTS = {Kind.SCORE, Kind.SHARE}

IDENTIFIERS = {"task", "metric", "presentation", "protocol", "group", "claim", "strategy", "check", "reason", "stage"}
"""Columns of identifiers, which readers see as words."""


@dataclass(frozen=True, slots=True)
class _Drawn:
    text: str
    opens: str | None
    best: bool

    def as_data(self, alignment: str) -> JsonDict:
        text, bracket, interval = self.text.partition(" [")
        marks = (name for name, holds in (("best", self.best), ("none", self.text in ("0", MISSING))) if holds)
        style = " ".join((alignment, *marks))
        return {"text": text, "interval": bracket + interval, "opens": self.opens, "style": style}


@dataclass(frozen=True, slots=True)
class _Strip:
    column: Column
    group: str
    header: str
    cells: tuple[_Drawn, ...]

    @property
    def label(self) -> str:
        return f"{self.group}: {self.header}" if self.group else self.header

    @property
    def only(self) -> str | None:
        """Return the common value of all cells, if there is one; counts of 0 may be missing."""
        texts = {cell.text for cell in self.cells}
        if texts == {"0", MISSING}:
            return "0"
        return texts.pop() if len(texts) == 1 else None


def sheet(table: Table, opened: Opened) -> JsonDict:
    """Return a table that has rows, and what its numbers open, for the page's template.

    ``common`` are sentences on what all rows share; ``lacks`` is whether some score has no interval; ``heads`` are one
    or two rows of headers, each with its ``text``, ``span`` of columns and of ``rows``, ``style`` and, of a single
    column, its ``place``; ``rows`` are of cells with ``text``, ``interval``, ``opens`` and ``style``, of which the
    first says what the row is of.
    """
    strips = [strip for index, column in enumerate(table.columns) for strip in _strips(table, opened, index, column)]
    kept = _told(strips, len(table.rows))
    common = [strip for strip in strips if strip not in kept]
    dropped = tuple(f"{column.header.partition(': ')[2]}:" for column in table.columns if column.kind is Kind.TALLY)
    return {
        **{name: getattr(table, name) for name in ("name", "title", "caption")},
        # Abbreviations of a tally's header are written out in columns of their own.
        "notes": [note for note in table.notes if not (dropped and note.startswith(dropped))],
        "common": _common(common),
        "lacks": any(isinstance(cell, Score) and cell.low is None for row in table.rows for cell in row),
        "heads": _heads(_led(kept)),
        "rows": [
            [strip.cells[number].as_data(strip.column.alignment) for strip in _led(kept)]
            for number in range(len(table.rows))
        ],
    }


def _strips(table: Table, opened: Opened, index: int, column: Column) -> list[_Strip]:
    group, colon, header = column.header.partition(": ")
    if not colon:
        group, header = "", column.header
    cells = [(row[index], opens[index]) for row, opens in zip(table.rows, opened, strict=True)]
    if column.kind is not Kind.TALLY:
        named = column.name in IDENTIFIERS
        drawn = (_drawn(worded(cell) if named and isinstance(cell, str) else cell, opens[0]) for cell, opens in cells)
        return [_Strip(column, group, header, tuple(drawn))]
    return [
        _Strip(
            column,
            group or header,
            name.replace("_", " "),
            tuple(_drawn(cell[part] if isinstance(cell, tuple) else None, opens[part]) for cell, opens in cells),
        )
        for part, name in enumerate(column.parts)
    ]


def _drawn(cell: Cell, opens: str | None) -> _Drawn:
    return _Drawn(shown(cell), opens, isinstance(cell, Score) and cell.best)


def _told(strips: list[_Strip], rows: int) -> list[_Strip]:
    """Return the columns that vary between rows or are the only ones that open something."""
    visible = {index for index, strip in enumerate(strips) if not _is_common(strip, rows)}
    opened = [{strips[index].cells[row].opens for index in visible} | {None} for row in range(rows)]
    for index, strip in enumerate(strips):
        if index not in visible and any(cell.opens not in seen for cell, seen in zip(strip.cells, opened, strict=True)):
            visible.add(index)
            for cell, seen in zip(strip.cells, opened, strict=True):
                seen.add(cell.opens)
    return [strip for index, strip in enumerate(strips) if index in visible] or strips


def _is_common(strip: _Strip, rows: int) -> bool:
    if strip.only is None:
        return False
    if strip.only == MISSING:
        return True
    if strip.column.kind is Kind.TALLY and strip.only == "0":
        return True
    return rows > 1 and strip.column.kind not in _RESULTS


def _common(strips: Sequence[_Strip]) -> list[str]:
    labels = [f"{strip.label} {strip.only}" for strip in strips if strip.only not in (MISSING, "0")]
    zeros = [strip.label for strip in strips if strip.only == "0"]
    empty = [strip.label for strip in strips if strip.only == MISSING]
    return [
        *([f"In every row: {_listed(labels)}."] if labels else []),
        *([f"0 in every row: {_listed(zeros)}."] if zeros else []),
        *([f"Hidden, because empty: {_listed(empty)}."] if empty else []),
    ]


def _listed(labels: Sequence[str]) -> str:
    """Labels, the group once of those that share it."""
    split = (label.rpartition(": ") for label in labels)
    parts = [(group, [label for *_, label in members]) for group, members in groupby(split, key=lambda parts: parts[0])]
    return "; ".join(f"{group}: {', '.join(names)}" if group else "; ".join(names) for group, names in parts)


def _led(strips: Sequence[_Strip]) -> list[_Strip]:
    """Return the columns, with the one that names the row first."""
    lead = next((strip for strip in strips if strip.column.name in _ROW_HEADERS), strips[0])
    return [lead, *(strip for strip in strips if strip is not lead)]


def _heads(strips: Sequence[_Strip]) -> list[list[dict[str, object]]]:
    grouped = [(group, list(members)) for group, members in groupby(enumerate(strips), key=lambda pair: pair[1].group)]
    two = any(group and len(members) > 1 for group, members in grouped)
    first: list[dict[str, object]] = []
    second: list[dict[str, object]] = []
    for group, members in grouped:
        if two and group:
            first.append({"text": group, "span": len(members), "rows": 1, "style": "group", "place": None})
            second += [_head(strip.header, index, strip) for index, strip in members]
        else:
            first += [_head(strip.label, index, strip, rows=2 if two else 1) for index, strip in members]
    return [first, second] if two else [first]


def _head(text: str, index: int, strip: _Strip, rows: int = 1) -> dict[str, object]:
    return {"text": text, "span": 1, "rows": rows, "style": strip.column.alignment, "place": index}
