"""The stages' Arrow files (Arrow IPC, "Feather V2", zstd).

A file is written beside its place under a temporary name and renamed, so a reader never sees half of one, and nothing
in it depends on the time or the machine: equal rows make equal bytes.

The metadata of its schema, which stand at its head and again in its footer, have under ``nlfol.checksum`` the SHA-256
of the file's bytes as they are with a placeholder in both places. So any byte that changes is seen when the file is
read, before anything in it is interpreted.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import struct
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar, overload

import pyarrow as pa
import pyarrow.ipc

from nlfol.mappings import AnyRow, JsonDict
from nlfol.store.columns import schema_of
from nlfol.store.disk import StoreError as StoreError  # noqa: PLC0414 - importers of this module know it here
from nlfol.store.disk import digest as digest  # noqa: PLC0414
from nlfol.store.disk import placed as placed  # noqa: PLC0414

if TYPE_CHECKING:
    import polars as pl


class _WithoutPandas:
    """A finder of modules that finds no pandas."""

    @staticmethod
    def find_spec(name: str, *_: object) -> None:
        if name == "pandas":
            raise ModuleNotFoundError(f"no {name}", name=name)


# When PyArrow first converts a list, it imports pandas, if that is installed: half a second of each job, for nothing.
# It asks once, and again only where a data frame is wanted.
sys.meta_path.insert(0, _WithoutPandas)
pa.array([])
sys.meta_path.remove(_WithoutPandas)
# Arrow's own allocator keeps what is freed: 50 MB of a small job.
pa.set_memory_pool(pa.system_memory_pool())

Row = TypeVar("Row")


_KEY = "nlfol.checksum"
_MARK = b"nlfol-sha256-"
_PLACEHOLDER = (_MARK + b"0" * 64).decode()
_MARKED = re.compile(re.escape(_MARK) + b"([0-9a-f]{64})")
_MAGIC = b"ARROW1"
_HEAD = 16
"""Bytes before the schema: the padded magic, a marker and the schema's length."""
_TAIL = 10
"""Bytes after the footer: its length and the magic."""
_BLOCK = 1 << 20

_CHUNK = 65_536

_NO_ROOM = frozenset([errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
"""Errors of a full disk, a used quota and a file that grows too large."""


def write(
    path: Path, schema: pa.Schema, rows: Iterable[AnyRow], metadata: Mapping[str, str], *, chunk: int = _CHUNK
) -> None:
    """Write rows of exactly the schema's columns; of an iterator, only a chunk is in memory at once.

    The metadata, such as digests of what the file was made from, are added to those of the schema. Raises
    ``StoreError`` if a row lacks a column, has one too many, has a null where none may be, a value of another type, or
    there is no room for the file.
    """
    made = (table_of(path, schema, listed, start) for start, listed in _chunks(rows, chunk))
    write_tables(path, schema, made, metadata, chunk=chunk)


def write_tables(
    path: Path, schema: pa.Schema, tables: Iterable[pa.Table], metadata: Mapping[str, str], *, chunk: int = _CHUNK
) -> None:
    """Write tables of the schema's columns as ``write`` does their rows: the same bytes; errors as there."""
    combined = {**{k.decode(): v.decode() for k, v in (schema.metadata or {}).items()}, **metadata}
    combined[_KEY] = _PLACEHOLDER
    named = schema.with_metadata(combined)
    # Each thread keeps memory of its own, which would spoil the point of chunks.
    options = pa.ipc.IpcWriteOptions(compression="zstd", use_threads=chunk == _CHUNK)
    try:
        with placed(path) as temporary:
            with pa.OSFile(str(temporary), "wb") as sink, pa.ipc.new_file(sink, named, options=options) as writer:
                for table in _of_size(schema, tables, chunk):
                    writer.write_table(_checked(path, table).replace_schema_metadata(combined))
            _add_checksum(temporary)
    except OSError as error:
        if error.errno not in _NO_ROOM:
            raise
        reason = os.strerror(error.errno)
        raise StoreError(f"{path}: cannot be written ({reason}); make room there, and run again") from error


CHUNK = 8_192
"""Rows of a chunk of files with a row an answer."""


def _of_size(schema: pa.Schema, tables: Iterable[pa.Table], chunk: int) -> Iterator[pa.Table]:
    """Yield the rows of tables in tables of so many rows, the last of the rest; an empty one if there are none."""
    left, is_first = schema.empty_table(), True
    for table in tables:
        left = pa.concat_tables([left, table.replace_schema_metadata(schema.metadata)])
        while left.num_rows >= chunk:
            yield left.slice(0, chunk).combine_chunks()
            left, is_first = left.slice(chunk), False
    if left.num_rows or is_first:
        yield left.combine_chunks()


def _chunks(rows: Iterable[AnyRow], chunk: int) -> Iterator[tuple[int, list[AnyRow]]]:
    left = iter(rows)
    return zip(count(step=chunk), iter(lambda: list(islice(left, chunk)), []), strict=False)


def table_of(path: Path, schema: pa.Schema, listed: list[AnyRow], start: int) -> pa.Table:
    """Return rows of a file, the first of the number ``start``, as a table; errors as of ``write``."""
    names = set(schema.names)
    for number, row in enumerate(listed, start):
        if row.keys() != names:
            raise StoreError(f"{path}: row {number}: columns differ from the schema: {sorted(row.keys() ^ names)}")
    try:
        return pa.Table.from_pylist(listed, schema=schema)
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
        raise StoreError(f"{path}: {error}") from error


def _checked(path: Path, table: pa.Table) -> pa.Table:
    try:
        table.validate(full=True)
    except pa.ArrowInvalid as error:
        raise StoreError(f"{path}: {error}") from error
    for field in table.schema:
        if not field.nullable and table[field.name].null_count:
            raise StoreError(f"{path}: column {field.name!r} holds nulls")
    return table


@overload
def chunks(path: Path, schema: type[Row]) -> Iterator[list[Row]]: ...
@overload
def chunks(path: Path, schema: pa.Schema) -> Iterator[list[JsonDict]]: ...
def chunks(path: Path, schema: Any) -> Iterator[Any]:
    """Yield the rows of a file in chunks as it was written; errors as ``read``."""
    with opened(path, _schema(schema), threads=False) as file:
        for number in range(file.num_record_batches):
            yield file.get_batch(number).to_pylist()


def batches(path: Path, schema: pa.Schema, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """Yield some columns of a file in chunks as it was written; errors as ``read``."""
    with opened(path, schema, columns, threads=False) as file:
        for number in range(file.num_record_batches):
            yield file.get_batch(number).select(list(columns))


def read(path: Path, schema: pa.Schema, columns: Sequence[str] = ()) -> pa.Table:
    """Read a file, all columns or some in the schema's order.

    Raises ``StoreError`` if it is missing, no Arrow file, or of another schema or version.
    """
    with opened(path, schema, columns) as file:
        return file.read_all()


@contextmanager
def opened(
    path: Path, schema: pa.Schema, columns: Sequence[str] = (), *, threads: bool = True
) -> Iterator[pa.ipc.RecordBatchFileReader]:
    """Provide a file to be read by its chunks, all columns or some; errors as ``read``."""
    check(path)
    indices = sorted(map(schema.get_field_index, columns or schema.names))
    try:
        with pa.OSFile(str(path), "rb") as source:
            options = pa.ipc.IpcReadOptions(use_threads=threads, included_fields=indices if columns else None)
            file = pa.ipc.open_file(source, options=options)
            expected, identity = _identity(schema), _identity(file.schema)
            if expected != identity or list(file.schema) != [schema.field(index) for index in indices]:
                raise StoreError(f"{path}: schema {identity} where {expected} is needed; delete it and run again")
            yield file
    except pa.ArrowInvalid as error:
        raise StoreError(f"{path}: not a complete Arrow file ({error}); delete it and run again") from error


def check(path: Path) -> None:
    """Verify a file against its checksum; raises ``StoreError`` if it is missing, has changed or has no checksum."""
    try:
        with path.open("rb") as file:
            marks = _marks(path, file)
            stated = {digest for _, digest in marks}
            if len(marks) != 2 or stated != {_digest(file, [offset for offset, _ in marks])}:
                raise StoreError(
                    f"{path}: damaged: it does not have the checksum of its bytes; delete it and run again"
                )
    except FileNotFoundError as error:
        raise StoreError(f"{path}: no such file; run the stage that makes it") from error


@overload
def rows(path: Path, schema: type[Row]) -> list[Row]: ...
@overload
def rows(path: Path, schema: pa.Schema) -> list[JsonDict]: ...
def rows(path: Path, schema: Any) -> Any:
    """Return the rows of a file of a schema, or of a type of rows, as mappings; errors as ``read``."""
    return read(path, _schema(schema)).to_pylist()


def _schema(schema: Any) -> pa.Schema:
    return schema if isinstance(schema, pa.Schema) else schema_of(schema)


def read_frame(path: Path, schema: pa.Schema) -> pl.DataFrame:
    """Read a file as a data frame; errors as ``read``."""
    return read_frames([path], schema)


def read_frames(paths: Iterable[Path], schema: pa.Schema, columns: Sequence[str] = ()) -> pl.DataFrame:
    """Read files of one schema as one data frame, all columns or some, empty without files; errors as ``read``."""
    import polars as pl  # start-up time

    tables = (read(path, schema, columns).replace_schema_metadata() for path in paths)
    none = schema.empty_table().replace_schema_metadata()
    first = none.select([name for name in schema.names if name in columns]) if columns else none
    frame = pl.from_arrow(pa.concat_tables([first, *tables]))
    assert isinstance(frame, pl.DataFrame)
    return frame


def frames(path: Path, schema: pa.Schema, columns: Sequence[str] = ()) -> Iterator[pl.DataFrame]:
    """Yield a file as data frames, all columns or some in the schema's order, a chunk at a time; errors as ``read``.

    Of a file without rows, one without rows is yielded.
    """
    import polars as pl

    names = [name for name in schema.names if not columns or name in columns]
    is_empty = True
    for batch in batches(path, schema, names):
        is_empty = False
        yield pl.DataFrame(pa.Table.from_batches([batch]))
    if is_empty:
        yield read_frames([], schema, columns)


FIGURES = ("table", "dataset", "task", "metric", "presentation", "model", "second", "mean", "deviation", "items")
"""Columns of published figures."""

ASKED = ("prompt", "glossary", "protocol", "shots", "examples", "reasoning", "temperature", "runs")
"""Columns of the way in which they were asked, all of which a file may lack."""


def read_figures(path: Path) -> pl.DataFrame:
    """Read a CSV file of published figures, as in ``resources/published``; ``paper`` is its name.

    Columns of ``ASKED`` that it lacks are null; raises ``StoreError`` if another is missing or unknown.
    """
    import polars as pl

    numbers = dict.fromkeys(("mean", "deviation", "temperature"), pl.Float64)
    counts = dict.fromkeys(("items", "shots", "runs"), pl.Int64)
    columns = {name: {**numbers, **counts}.get(name, pl.String) for name in (*FIGURES, *ASKED)}
    none = f"{path}: no table of published figures as in resources/published"
    try:
        figures = pl.read_csv(path, schema_overrides=columns, infer_schema=False)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise StoreError(f"{none}: {error}") from error
    if not {*FIGURES} <= {*figures.columns} <= {*columns}:
        raise StoreError(f"{none}: its columns are {', '.join(figures.columns)}; write {', '.join(columns)}")
    lacking = {name: pl.lit(None, kind) for name, kind in columns.items() if name not in figures.columns}
    return figures.with_columns(**lacking).select(*columns, paper=pl.lit(path.stem))


def metadata_of(table: pa.Table) -> dict[str, str]:
    """Return the metadata of a table's schema."""
    return {key.decode(): value.decode() for key, value in (table.schema.metadata or {}).items()}


def _identity(schema: pa.Schema) -> str:
    metadata = schema.metadata or {}
    return f"{metadata.get(b'nlfol.schema', b'?').decode()} v{metadata.get(b'nlfol.version', b'?').decode()}"


def _add_checksum(path: Path) -> None:
    """Replace the placeholders of a written file by its checksum."""
    with path.open("r+b") as file:
        offsets = [offset for offset, _ in _marks(path, file)]
        if len(offsets) != 2:
            raise ValueError(f"the metadata may not say {_PLACEHOLDER!r}")
        checksum = _digest(file, offsets)
        for offset in offsets:
            file.seek(offset)
            file.write(checksum)


def _marks(path: Path, file: BinaryIO) -> list[tuple[int, bytes]]:
    """Return the positions of checksums in the schema at the head and in the footer, and the checksums."""
    incomplete = StoreError(f"{path}: not a complete Arrow file; delete it and run again")
    size = os.fstat(file.fileno()).st_size
    head, tail = _at(file, 0, _HEAD), _at(file, max(0, size - _TAIL), _TAIL)
    if len(head) < _HEAD or not head.startswith(_MAGIC) or not tail.endswith(_MAGIC):
        raise incomplete
    (schema,), (footer,) = struct.unpack("<i", head[-4:]), struct.unpack("<i", tail[:4])
    start = size - _TAIL - footer
    if schema < 0 or footer < 0 or _HEAD + schema > start:
        raise incomplete
    return [
        (begin + match.start(1), match[1])
        for begin, length in ((_HEAD, schema), (start, footer))
        for match in _MARKED.finditer(_at(file, begin, length))
    ]


def _at(file: BinaryIO, offset: int, length: int) -> bytes:
    file.seek(offset)
    return file.read(length)


def _digest(file: BinaryIO, offsets: list[int]) -> bytes:
    """Return the SHA-256 of a file with zeros in some places, in hexadecimal."""
    digest = hashlib.sha256()
    file.seek(0)
    begin = 0
    while block := file.read(_BLOCK):
        changed = bytearray(block)
        for offset in offsets:
            low, high = max(offset, begin), min(offset + 64, begin + len(block))
            if low < high:
                changed[low - begin : high - begin] = b"0" * (high - low)
        digest.update(changed)
        begin += len(block)
    return digest.hexdigest().encode()
