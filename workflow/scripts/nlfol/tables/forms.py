"""Forms of tables: what a table is drawn from, its columns and words."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import polars as pl

from nlfol.tables.opening import Opener, plain
from nlfol.tables.table import Column, Row, Table

Note = str | Callable[[Sequence[Row]], Iterable[str]]


@dataclass(frozen=True, slots=True)
class TableForm:
    """A table whose columns are known beforehand.

    Attributes:
        name: of the table.
        title: a few words.
        caption: a sentence or two saying what is measured.
        columns: each fetches its cell from a row.
        notes: sentences below the table, or functions of the rows that are shown to such sentences.
        of: names of the frames that it is drawn from.
        shows: a function of these frames to the rows that are shown; by default those of the first frame.
        opens: what a number of it opens in the report.
        long: whether it may run over several pages.
    """

    name: str
    title: str
    caption: str
    columns: tuple[Column, ...]
    notes: tuple[Note, ...]
    of: tuple[str, ...]
    shows: Callable[..., Iterable[Row]] = pl.DataFrame.to_dicts
    opens: Opener = plain
    long: bool = False

    def table(self, *frames: object) -> Table:
        """Draw the table from its frames."""
        shown = list(self.shows(*frames))
        rows = tuple(tuple(column.of(row) for column in self.columns) for row in shown)
        notes = tuple(self._noted(shown))
        return Table(self.name, self.title, self.caption, self.columns, rows, notes, self.long, self.opens)

    def _noted(self, shown: Sequence[Row]) -> Iterator[str]:
        for note in self.notes:
            yield from (note,) if isinstance(note, str) else note(shown)


@dataclass(frozen=True, slots=True)
class DrawnForm:
    """A table whose columns depend on its rows, which a function of its frames draws."""

    name: str
    of: tuple[str, ...]
    draw: Callable[..., Table]
    opens: Opener = plain

    def table(self, *frames: object) -> Table:
        """Draw the table from its frames."""
        return replace(self.draw(*frames), opens=self.opens)


Form = TableForm | DrawnForm
