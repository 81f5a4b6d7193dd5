"""Rows of a file that is written once all of its metadata are known."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, Generic, cast

import pyarrow as pa
import pyarrow.ipc

from nlfol.store.files import Row, table_of

_SPILL = 1_024
"""Rows that wait in memory."""


class Spilled(Generic[Row]):
    """Rows of a file that is written later, meanwhile on the disk beside it."""

    def __init__(self, path: Path, schema: pa.Schema) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path, self._schema = path, schema
        self._file = TemporaryFile(dir=path.parent)  # noqa: SIM115 - closed with the rows
        self._writer = pa.ipc.new_stream(self._file, schema, options=pa.ipc.IpcWriteOptions(compression="zstd"))
        self._rows: list[Row] = []
        self._written = 0

    def add(self, rows: Iterable[Row]) -> None:
        """Add rows; errors as of ``write``, perhaps of earlier ones."""
        self._rows += rows
        if len(self._rows) >= _SPILL:
            self._flush()

    def _flush(self) -> None:
        self._writer.write_table(table_of(self._path, self._schema, cast("Any", self._rows), self._written))
        self._written += len(self._rows)
        self._rows = []

    def tables(self) -> Iterator[pa.Table]:
        """Yield the rows, for ``write_tables``; none can be added any more."""
        if self._rows:
            self._flush()
        self._writer.close()
        self._file.seek(0)
        for batch in pa.ipc.open_stream(self._file):
            yield pa.Table.from_batches([batch])
