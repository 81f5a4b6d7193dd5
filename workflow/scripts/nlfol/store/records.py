"""Rows of users' and publishers' files (CSV, JSON, JSON Lines, Parquet, Arrow); errors name place and remedy."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from nlfol.mappings import JsonDict
from nlfol.store.sizes import arrow_size, is_arrow_file, parquet_size, text_bytes
from nlfol.validation import MOST_BYTES, read_bytes

if TYPE_CHECKING:
    import polars as pl

ENDINGS = (".csv", ".jsonl", ".ndjson", ".json", ".parquet", ".arrow", ".feather")
"""The file endings that ``read_table`` understands."""

_NAMED = 5
"""Lines at fault that an error names; it counts the others."""

_DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab"}

MOST_VALUES = 5_000_000
"""Most values of a Parquet or Arrow table (rows × columns without lists): about a gigabyte in memory."""


class SourceError(ValueError):
    """A source that cannot be read or used; names the file, the place in it and the remedy."""


class Table(NamedTuple):
    """The rows of a file, each with its place, such as ``line 3``; a CSV file can have a name of a column twice."""

    columns: list[str]
    rows: list[tuple[str, JsonDict]]


def read_content(path: Path, key: str = "path") -> bytes:
    """Read a file that the configuration names; raises ``SourceError`` if it cannot be read, or is a pipe or device."""
    try:
        return read_bytes(path)
    except OSError as error:
        raise SourceError(f"{path}: cannot be read ({error.strerror}); correct the key {key!r}") from error


def decode(path: object, content: bytes) -> str:
    """Decode UTF-8, with or without byte order mark; ``SourceError`` names the line and byte at fault."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise SourceError(f"{path}: line {line}: not UTF-8 at byte {error.start}; save it as UTF-8") from error


def text_lines(path: object, content: bytes) -> Iterator[tuple[int, str]]:
    """Yield the number and text of each line that is not blank; raises ``SourceError`` if the content is not UTF-8."""
    # splitlines would cut at line separators inside texts.
    for number, line in enumerate(decode(path, content).split("\n"), 1):
        if line.strip():
            yield number, line


def json_value(location: object, text: str, remedy: str = "correct the file, or download it again") -> Any:
    """Parse JSON; ``SourceError`` names the place, and the remedy where it is not JSON.

    A key twice in one object is an error, too, and half of a surrogate pair, which no file can store.
    """

    def distinct(pairs: list[tuple[str, Any]]) -> JsonDict:
        values = dict(pairs)
        if len(values) < len(pairs):
            names = [name for name, _ in pairs]
            repeated = next(name for name in names if names.count(name) > 1)
            raise SourceError(f"{location}: the key {repeated!r} occurs twice; keep one")
        return values

    try:
        value = json.loads(text, object_pairs_hook=distinct)
        if "\\ud" in text or "\\uD" in text:
            json.dumps(value, ensure_ascii=False).encode()
    except SourceError:
        raise
    except UnicodeEncodeError as error:
        raise SourceError(f"{location}: half a character, {error.object[error.start]!r}; correct it") from error
    except (ValueError, RecursionError) as error:
        raise SourceError(f"{location}: not JSON: {error}; {remedy}") from error
    return value


def json_object(location: object, value: Any) -> JsonDict:
    """Return a JSON value that must be an object; raises ``SourceError`` if it is another value."""
    if not isinstance(value, dict):
        raise SourceError(f"{location}: not a JSON object; correct the file, or download it again")
    return value


def json_lines(path: object, content: bytes) -> Iterator[tuple[int, JsonDict]]:
    """Yield the number and object of each line of JSON that is not blank; ``SourceError`` names any other line."""
    for number, line in text_lines(path, content):
        location = f"{path}: line {number}"
        yield number, json_object(location, json_value(location, line, "write each row as one JSON object on one line"))


def json_array(path: object, content: bytes) -> Iterator[tuple[int, JsonDict]]:
    """Yield the objects of a JSON array, numbered from 1; ``SourceError`` names the row that is none."""
    values = json_value(path, decode(path, content))
    if not isinstance(values, list):
        raise SourceError(f"{path}: not a JSON array; correct the file, or download it again")
    for number, value in enumerate(values, 1):
        yield number, json_object(f"{path}: row {number}", value)


def read_table(path: Path, content: bytes) -> Table:
    """Read the rows of a table in a format of ``ENDINGS``, without blank lines; ``SourceError`` if it is unusable."""
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        raise SourceError(f"{path}: unknown file type {ending!r}; use one of {', '.join(ENDINGS)}")
    if not content.strip():
        raise SourceError(f"{path}: the file is empty; add rows")
    if ending == ".csv":
        return _from_csv(path, decode(path, content))
    if ending in (".jsonl", ".ndjson", ".json"):
        unit, read = ("row", json_array) if ending == ".json" else ("line", json_lines)
        rows = [(f"{unit} {number}", row) for number, row in read(path, content)]
        return Table(list(dict.fromkeys(name for _, row in rows for name in row)), rows)
    frame = _frame(path, ending, content)
    return Table(frame.columns, [(f"row {number}", row) for number, row in enumerate(frame.iter_rows(named=True), 1)])


def _from_csv(path: Path, text: str) -> Table:
    delimiter = _delimiter(text)
    lines = _csv_lines(path, text, delimiter)
    _, header = next(lines, (0, []))
    rows: list[tuple[str, JsonDict]] = []
    long: list[int] = []
    for line, cells in lines:
        if len(cells) > len(header):
            long.append(line)
        rows.append((f"line {line}", dict(zip(header, cells, strict=False))))
    if long:
        others = f" and {len(long) - _NAMED} others" if len(long) > _NAMED else ""
        raise SourceError(
            f"{path}: not a .csv table: more cells than the header's {len(header)} on line "
            f"{', '.join(map(str, long[:_NAMED]))}{others}; quote a cell that has a "
            f"{_DELIMITERS[delimiter]}, without a space before the quotation mark"
        )
    return Table(header, rows)


def _delimiter(text: str) -> str:
    """Return what divides the cells of a header most often: spreadsheets of many countries write semicolons."""
    header = re.match(r"\s*([^\r\n]*)", text)
    return max(_DELIMITERS, key=header[1].count) if header else ","


def _csv_lines(path: Path, text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the cells of each row, the header first, with the line on which the row begins."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    while True:
        begin = reader.line_num + 1
        try:
            cells = next(reader, None)
        except csv.Error as error:
            if "field limit" in str(error):
                raise SourceError(
                    f"{path}: line {begin}: a cell of more than {csv.field_size_limit():,} characters; shorten it, "
                    "or, if it is not so long, close the quotation mark with which a cell begins"
                ) from error
            raise SourceError(
                f"{path}: line {begin}: not a .csv table: {error}; close a quotation mark at the end of its cell, and "
                "double those inside"
            ) from error
        if cells is None:
            return
        if any(cell.strip() for cell in cells) or len(cells) > 1:
            yield begin, cells


def _frame(path: Path, ending: str, content: bytes) -> pl.DataFrame:
    import polars as pl  # start-up time: entries of datasets import this module

    source = io.BytesIO(content)
    try:
        _check_size(path, *(parquet_size(content) if ending == ".parquet" else arrow_size(content)))
        if ending == ".parquet":
            frame = pl.read_parquet(source)
        else:
            frame = pl.read_ipc(source) if is_arrow_file(content) else pl.read_ipc_stream(source)
    except SourceError:
        raise
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError) as error:
        raise SourceError(f"{path}: not a {ending} table: {error}; write it again") from error
    _check_size(path, 0, sum(map(text_bytes, frame)))
    return frame


def _check_size(path: Path, values: int, unpacked: int) -> None:
    for count, unit, most in ((values, "values (rows × columns)", MOST_VALUES), (unpacked, "bytes", MOST_BYTES)):
        if count > most:
            raise SourceError(
                f"{path}: {count:,} {unit} when unpacked, and at most {most:,} are read; split the file, or leave out "
                "columns that are not needed"
            )
