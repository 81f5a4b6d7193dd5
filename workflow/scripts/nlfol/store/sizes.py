"""Sizes of Parquet and Arrow files when read, from their metadata: small compressed files can hold gigabytes."""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa

_ARROW_FILE = b"ARROW1"
"""The first and last bytes of an Arrow IPC file, which a stream lacks."""
_FOOTER = len(_ARROW_FILE) + 4


class Size(NamedTuple):
    """The values of a table, those within lists and structs each counted, and its bytes when unpacked."""

    values: int
    bytes: int


def is_arrow_file(content: bytes) -> bool:
    """Return whether Arrow data is a file, not a stream."""
    return content.startswith(_ARROW_FILE)


def parquet_size(content: bytes) -> Size:
    """Return the size of a Parquet table; raises ``OSError`` or ``ValueError`` if the content is none."""
    from pyarrow import parquet

    metadata = parquet.ParquetFile(io.BytesIO(content)).metadata
    groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
    chunks = [group.column(number) for group in groups for number in range(group.num_columns)]
    return Size(
        sum(chunk.num_values for chunk in chunks), sum(max(0, chunk.total_uncompressed_size) for chunk in chunks)
    )


def arrow_size(content: bytes) -> Size:
    """Return the size of an Arrow file or stream; raises ``ValueError`` or ``OSError`` if the content is none."""
    values = unpacked = 0
    try:
        for message in _messages(content):
            header = message.metadata.to_pybytes()
            if message.type in ("record batch", "dictionary"):
                batch = _Table.within(header).table(2)
                batch = batch.table(1) if message.type == "dictionary" else batch
                values += sum(length for length, _ in batch.pairs(1))
                packed = message.body if batch.has(3) else None
                unpacked += sum(_unpacked(packed, start, length) for start, length in batch.pairs(2))
    except (struct.error, IndexError, EOFError, OverflowError) as error:
        raise ValueError(f"damaged metadata: {error}") from error
    return Size(values, unpacked)


def text_bytes(column: pl.Series) -> int:
    """Return the bytes of all texts in a column when each stands by itself: a dictionary holds equal ones once."""
    import polars as pl

    if isinstance(column.dtype, pl.List | pl.Array):
        return text_bytes(column.explode())
    if isinstance(column.dtype, pl.Struct):
        return sum(text_bytes(column.struct.field(field.name)) for field in column.dtype.fields)
    if isinstance(column.dtype, pl.Categorical | pl.Enum):
        return text_bytes(column.cast(pl.String))
    if isinstance(column.dtype, pl.Binary):
        return int(column.bin.size().sum())
    return int(column.str.len_bytes().sum()) if isinstance(column.dtype, pl.String) else 0


def _messages(content: bytes) -> Iterator[pa.ipc.Message]:
    import pyarrow as pa

    source = pa.py_buffer(content)
    if not is_arrow_file(content):
        yield from pa.ipc.MessageReader.open_stream(source)
        return
    # By the footer, as it is read: a footer can name one batch many times.
    end = len(content) - _FOOTER
    (length,) = struct.unpack_from("<i", content, end)
    footer = _Table.within(content[max(0, end - length) : end])
    for field in (2, 3):
        for start, metadata, body in footer.blocks(field):
            yield pa.ipc.read_message(source[start : start + metadata + body])


def _unpacked(packed: pa.Buffer | None, start: int, length: int) -> int:
    """Return the bytes of a buffer, which begins with their number if it is packed."""
    if packed is None or length < 8:
        return length
    (size,) = struct.unpack("<q", packed[start : start + 8].to_pybytes())
    return length if size < 0 else int(size)


class _Table(NamedTuple):
    """A table of a flatbuffer, in which Arrow writes metadata, with its place."""

    content: bytes
    place: int

    @classmethod
    def within(cls, content: bytes) -> _Table:
        return cls(content, cls._number(content, "<I", 0))

    @staticmethod
    def _number(content: bytes, form: str, offset: int) -> int:
        (number,) = struct.unpack_from(form, content, offset)
        return int(number)

    def _field(self, number: int) -> int:
        """Return the place of a field; 0 if the table has none."""
        fields = self.place - self._number(self.content, "<i", self.place)
        if 4 + 2 * number >= self._number(self.content, "<H", fields):
            return 0
        relative = self._number(self.content, "<H", fields + 4 + 2 * number)
        return self.place + relative if relative else 0

    def has(self, number: int) -> bool:
        return self._field(number) > 0

    def table(self, number: int) -> _Table:
        offset = self._field(number)
        return _Table(self.content, offset + self._number(self.content, "<I", offset))

    def _vector(self, number: int, form: str) -> Iterator[tuple[int, ...]]:
        if not (offset := self._field(number)):
            return
        offset += self._number(self.content, "<I", offset)
        count = self._number(self.content, "<I", offset)
        yield from struct.iter_unpack(form, self.content[offset + 4 : offset + 4 + count * struct.calcsize(form)])

    def pairs(self, number: int) -> Iterator[tuple[int, int]]:
        return ((first, second) for first, second in self._vector(number, "<qq"))

    def blocks(self, number: int) -> Iterator[tuple[int, int, int]]:
        return ((start, metadata, body) for start, metadata, body in self._vector(number, "<qi4xq"))
