"""Reading and writing the stages' Arrow files (Arrow IPC, "Feather V2", zstd).

A file is written beside its place under a temporary name and renamed, so a reader never sees half of one, and nothing
in it depends on the time or the machine: equal rows make equal bytes. It holds a checksum, and is only read if that is
right (``checksums``).
"""

import errno
import hashlib
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.ipc

from nlfol.store import checksums


class StoreError(ValueError):
    """A stage file that is missing, damaged or of another schema."""


_CHUNK = 65_536

_NO_ROOM = frozenset([errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
"""Errors of a full disk, a used quota and a file that grows too large."""


def write(
    path: Path,
    schema: pa.Schema,
    rows: Iterable[Mapping[str, Any]],
    metadata: Mapping[str, str],
    *,
    chunk: int = _CHUNK,
) -> None:
    """Write rows under one of ``nlfol.store.schemas``.

    Args:
        path: where the file goes; its folder is made.
        schema: the declared schema.
        rows: mappings with exactly the schema's columns.
        metadata: what the file was made from and with (digests, seed, versions), added to the schema's metadata.
        chunk: how many rows are in memory at once, where ``rows`` makes them as they are asked for.

    Raises:
        StoreError: if a row lacks a column, has one too many, has a null where none may be, or a value of another type;
            if there is no room for the file.
    """
    combined = {**{k.decode(): v.decode() for k, v in (schema.metadata or {}).items()}, **metadata}
    combined[checksums.KEY] = checksums.PLACEHOLDER
    named = schema.with_metadata(combined)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    os.close(handle)
    try:
        # Each thread keeps memory of its own, which would spoil the point of chunks.
        options = pa.ipc.IpcWriteOptions(compression="zstd", use_threads=chunk == _CHUNK)
        with pa.OSFile(temporary, "wb") as sink, pa.ipc.new_file(sink, named, options=options) as writer:
            for start, listed in _chunks(rows, chunk):
                writer.write_table(_table(path, named, listed, start))
        checksums.add_checksum(Path(temporary))
        umask = os.umask(0)
        os.umask(umask)
        Path(temporary).chmod(0o666 & ~umask)
        os.replace(temporary, path)
    except OSError as error:
        Path(temporary).unlink(missing_ok=True)
        if error.errno not in _NO_ROOM:
            raise
        reason = os.strerror(error.errno)
        raise StoreError(f"{path}: cannot be written ({reason}); make room there, and run again") from error
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _chunks(rows: Iterable[Mapping[str, Any]], chunk: int) -> Iterator[tuple[int, list[Mapping[str, Any]]]]:
    left = iter(rows)
    start, listed = 0, list(islice(left, chunk))
    while listed or not start:
        yield start, listed
        start, listed = start + chunk, list(islice(left, chunk))


def _table(path: Path, schema: pa.Schema, listed: list[Mapping[str, Any]], start: int) -> pa.Table:
    names = set(schema.names)
    for number, row in enumerate(listed, start):
        if row.keys() != names:
            raise StoreError(f"{path}: row {number}: columns differ from the schema: {sorted(row.keys() ^ names)}")
    try:
        table = pa.Table.from_pylist(listed, schema=schema)
        table.validate(full=True)
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
        raise StoreError(f"{path}: {error}") from error
    for field in schema:
        if not field.nullable and table[field.name].null_count:
            raise StoreError(f"{path}: column {field.name!r} holds nulls")
    return table


def chunks(path: Path, schema: pa.Schema) -> Iterator[list[dict[str, Any]]]:
    """Yield the rows of a file that must be of ``schema``, in chunks as it was written.

    Raises:
        StoreError: as ``read``.
    """
    with _opened(path, schema, threads=False) as file:
        for number in range(file.num_record_batches):
            yield file.get_batch(number).to_pylist()


def read(path: Path, schema: pa.Schema) -> pa.Table:
    """Read a file that must be of ``schema``.

    Raises:
        StoreError: if the file is missing, no Arrow file, or of another schema or version.
    """
    with _opened(path, schema) as file:
        return file.read_all()


@contextmanager
def _opened(path: Path, schema: pa.Schema, *, threads: bool = True) -> Iterator[pa.ipc.RecordBatchFileReader]:
    check(path)
    try:
        with pa.OSFile(str(path), "rb") as source:
            file = pa.ipc.open_file(source, options=pa.ipc.IpcReadOptions(use_threads=threads))
            expected, found = _identity(schema), _identity(file.schema)
            if expected != found or not file.schema.equals(schema, check_metadata=False):
                raise StoreError(f"{path}: schema {found} where {expected} is needed; delete it and run again")
            yield file
    except pa.ArrowInvalid as error:
        raise StoreError(f"{path}: not a complete Arrow file ({error}); delete it and run again") from error


def check(path: Path) -> bool:
    """Verify a file against its checksum; return False if it has none.

    Raises:
        StoreError: if the file is missing, or its bytes have changed.
    """
    try:
        return checksums.check(path)
    except FileNotFoundError as error:
        raise StoreError(f"{path}: no such file; run the stage that makes it") from error
    except checksums.DamagedError as error:
        raise StoreError(f"{path}: {error}; delete it and run again") from error


def rows(path: Path, schema: pa.Schema) -> list[dict[str, Any]]:
    """Return the rows of a file as mappings, for stages that work item by item."""
    result: list[dict[str, Any]] = read(path, schema).to_pylist()
    return result


def metadata_of(table: pa.Table) -> dict[str, str]:
    """Return the schema metadata of a file's table."""
    return {key.decode(): value.decode() for key, value in (table.schema.metadata or {}).items()}


def digest(path: Path) -> str:
    """Return the SHA-256 of a file's bytes, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _identity(schema: pa.Schema) -> str:
    metadata = schema.metadata or {}
    return f"{metadata.get(b'nlfol.schema', b'?').decode()} v{metadata.get(b'nlfol.version', b'?').decode()}"
