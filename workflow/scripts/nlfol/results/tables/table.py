"""The one table object: typed cells in declared columns, from which every renderer draws."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum
from itertools import chain
from typing import Literal

import polars as pl

from nlfol.mappings import AnyRow
from nlfol.results.tables.opening import Opener
from nlfol.results.tables.opening import plain as plainly

MISSING = "–"

Row = AnyRow
"""Values that columns fetch their cells from."""


class TableError(ValueError):
    """A table whose rows do not fit its columns, or that cannot be drawn."""


class Kind(StrEnum):
    """Content of a column's cells; a cell may always be None, for missing."""

    TEXT = "text"  # str
    PROSE = "prose"  # str that may be long and wrap
    COUNT = "count"  # int
    SCORE = "score"  # Score
    SHARE = "share"  # float
    SAMPLE = "sample"  # Sample
    TALLY = "tally"  # tuple of int or None, one for each of the column's parts


@dataclass(frozen=True, slots=True)
class Score:
    """A mean over items and seeds, its deviation over seeds, its interval at 95 %; ``best`` if significantly so."""

    mean: float
    deviation: float | None = None
    low: float | None = None
    high: float | None = None
    best: bool = False


class P(float):
    """A p-value: shown with as many digits as tell on which side of 0.05 it lies."""


class Quantity(float):
    """A count that may be an expected one, or a setting: shown without decimals that say nothing."""


class Written(str):
    """The name of a model whose answers were written as examples: readers see that it was not asked."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Sample:
    """Number of items asked, of those available."""

    asked: int
    available: int


Cell = str | int | float | Score | Sample | tuple[int | None, ...] | None

_TYPES: dict[Kind, type] = {
    Kind.TEXT: str,
    Kind.PROSE: str,
    Kind.COUNT: int,
    Kind.SCORE: Score,
    Kind.SHARE: float,
    Kind.SAMPLE: Sample,
    Kind.TALLY: tuple,
}


@dataclass(frozen=True, slots=True)
class Column:
    """A column whose name, and ``parts`` of a tally, programs use; ``cell`` fetches from a row, if not given.

    One that is ``rare`` is left out where no row has it.
    """

    name: str
    header: str
    kind: Kind
    parts: tuple[str, ...] = ()
    cell: Callable[[AnyRow], Cell] | None = field(default=None, compare=False, repr=False)
    rare: bool = False

    def of(self, row: AnyRow) -> Cell:
        """Fetch the cell from a row."""
        assert self.cell is not None, self.name
        return self.cell(row)

    @property
    def alignment(self) -> Literal["left", "right"]:
        """Words on the left, numbers on the right, so that digits of one weight stand below one another."""
        return "left" if self.kind in {Kind.TEXT, Kind.PROSE} else "right"

    @property
    def fields(self) -> tuple[str, ...]:
        """Return the names of the plain values that one cell is split into."""
        match self.kind:
            case Kind.SCORE:
                return tuple(f"{self.name}_{part}" for part in ("mean", "deviation", "low", "high"))
            case Kind.SAMPLE:
                return (self.name, f"{self.name}_available")
            case Kind.TALLY:
                return tuple(f"{self.name}_{part}" for part in self.parts)
            case _:
                return (self.name,)


@dataclass(frozen=True, slots=True)
class Table:
    """A table, of which every rendering says the same.

    ``nothing`` says to readers why there are no rows, in place of a frame without any; ``paper`` names the columns of
    the narrow form (``latex.py``), if not those of its rule.

    Raises ``TableError`` if two plain values share a name, or a row has other cells than the columns.
    """

    name: str
    title: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()
    opens: Opener = field(default=plainly, compare=False, repr=False)
    nothing: str = "No rows in this experiment."
    paper: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        names = [field for column in self.columns for field in column.fields]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise TableError(f"table {self.name!r}: columns with the same name: {', '.join(twice)}")
        for number, row in enumerate(self.rows):
            if len(row) != len(self.columns):
                raise TableError(f"table {self.name!r}: row {number}: {len(row)} cells for {len(self.columns)} columns")
            for column, cell in zip(self.columns, row, strict=True):
                if not _fits(column, cell):
                    raise TableError(
                        f"table {self.name!r}: row {number}: {cell!r} in {column.name} is not a {column.kind}"
                    )


def _fits(column: Column, cell: Cell) -> bool:
    if cell is None:
        return True
    if not isinstance(cell, _TYPES[column.kind]) or isinstance(cell, bool):
        return False
    return not isinstance(cell, tuple) or len(cell) == len(column.parts)


def shown(cell: Cell) -> str:
    """Return a cell for readers: "–" if missing, shares to three decimals, counts as "1,000", tiny p as "<0.001"."""
    match cell:
        case None:
            return MISSING
        case Score(mean, deviation, low, high):
            spread = "" if deviation is None else f" ± {_rounded(deviation)}"
            interval = "" if low is None or high is None else f" [{_rounded(low)}, {_rounded(high)}]"
            return f"{_rounded(mean)}{spread}{interval}"
        case Sample(asked, available):
            return f"{asked:,}" if asked == available else f"{asked:,} of {available:,}"
        case tuple():
            return MISSING if all(part is None for part in cell) else " / ".join(shown(part) for part in cell)
        case int():
            return f"{cell:,}"
        case P():
            return _shown_p(cell)
        case Quantity():
            return _rounded(cell).rstrip("0").rstrip(".")
        case float():
            text = _rounded(cell)
            return "<0.001" if cell > 0 and text == "0.000" else text
        case Written():
            return f"{cell} (written, not asked)"
        case str():
            return cell


def _shown_p(value: float) -> str:
    if 0 < value < 0.0005:
        return "<0.001"
    digits = next(digits for digits in range(3, 18) if (round(value, digits) < _LEVEL) == (value < _LEVEL))
    return f"{value:.{digits}f}"


_LEVEL = 0.05


def _rounded(value: float) -> str:
    """Round to three decimals, halves away from 0 as in the report's scripts, and 0 without a sign."""
    rounded = Decimal(value).quantize(Decimal("0.001"), ROUND_HALF_UP)
    return f"{rounded if rounded else abs(rounded):,}"


def plain(column: Column, cell: Cell) -> tuple[str | int | float | None, ...]:
    """Return a cell for programs: one value, in full precision, for each of the column's ``fields``."""
    match cell:
        case None:
            return (None,) * len(column.fields)
        case Score(mean, deviation, low, high):
            return (mean, deviation, low, high)
        case Sample(asked, available):
            return (asked, available)
        case tuple():
            return cell
        case _:
            return (cell,)


Note = str | Callable[..., Iterable[str]]
"""A sentence below a table, or a function of the rows that are shown, and of the frames, to such sentences."""


@dataclass(frozen=True, slots=True)
class TableForm:
    """A table before it is drawn: columns that fetch cells from rows that ``shows`` makes of the frames ``of``.

    ``nothing`` says to readers why there may be no rows.
    """

    name: str
    title: str
    caption: str
    columns: tuple[Column, ...]
    notes: tuple[Note, ...]
    of: tuple[str, ...]
    shows: Callable[..., Iterable[Row]] = pl.DataFrame.to_dicts
    opens: Opener = plainly
    nothing: str = "No rows in this experiment."
    paper: tuple[str, ...] = ()

    def table(self, *frames: object) -> Table:
        """Draw the table from its frames."""
        shown = list(self.shows(*frames))
        columns = [column for column in self.columns if not column.rare or any(column.of(row) for row in shown)]
        rows = tuple(tuple(column.of(row) for column in columns) for row in shown)
        notes = tuple(
            chain.from_iterable([note] if isinstance(note, str) else note(shown, *frames) for note in self.notes)
        )
        words = self.name, self.title, self.caption
        return Table(*words, tuple(columns), rows, notes, self.opens, self.nothing, self.paper)
