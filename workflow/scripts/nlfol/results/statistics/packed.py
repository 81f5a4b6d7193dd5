"""Answers on disk, in compressed chunks of rows, so that memory does not grow with them."""

import os
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from io import BytesIO
from tempfile import TemporaryFile
from typing import IO, Self

import polars as pl

_ROWS = 8_192
"""Rows of a chunk, at most."""


@lru_cache(maxsize=1)
def _spilled(_: int) -> IO[bytes]:
    """Return the temporary file of a process, by its id; it has no name, and ends with the process."""
    return TemporaryFile()


class Packed:
    """Rows that are added part by part, and read as data frames, all columns or some."""

    def __init__(self) -> None:
        self._file = _spilled(os.getpid())
        self._places: list[tuple[int, int]] = []
        self.height = 0

    @classmethod
    def of(cls, rows: pl.DataFrame) -> Self:
        """Return the rows of a data frame."""
        packed = cls()
        for part in rows.iter_slices(_ROWS) if rows.height else (rows,):
            packed.add(part)
        return packed

    @classmethod
    def joined(cls, parts: Iterable["Packed"]) -> Self:
        """Return the rows of several together, one after another."""
        packed = cls()
        for rows in (rows for part in parts for rows in part.frames()):
            packed.add(rows)
        return packed

    def add(self, rows: pl.DataFrame) -> None:
        """Add rows of the columns of those before."""
        written = BytesIO()
        rows.write_ipc(written, compression="zstd")
        self._places.append((self._file.seek(0, os.SEEK_END), self._file.write(written.getbuffer())))
        self._file.flush()
        self.height += rows.height

    def frames(self, *columns: str) -> Iterator[pl.DataFrame]:
        """Yield the rows chunk by chunk."""
        for start, size in self._places:
            yield pl.read_ipc(BytesIO(os.pread(self._file.fileno(), size, start)), columns=[*columns] or None)

    def frame(self, *columns: str) -> pl.DataFrame:
        """Return the rows in their order."""
        return pl.concat(self.frames(*columns))


def by_question(
    chunks: Iterable[pl.DataFrame],
    wanted: Callable[[str], bool] = lambda _: True,
    made: Callable[[pl.DataFrame], pl.DataFrame] = lambda rows: rows,
) -> dict[tuple[str, str], Packed]:
    """Return what is made of rows of SCORES by presentation and metric, of those metrics that are wanted."""
    packed = dict[tuple[str, str], Packed]()
    for rows in chunks:
        for (presentation, metric), part in rows.group_by(["presentation", "metric"], maintain_order=True):
            if wanted(str(metric)):
                packed.setdefault((str(presentation), str(metric)), Packed()).add(made(part))
    return packed
