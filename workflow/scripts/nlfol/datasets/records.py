"""The rows of a table in any of the formats that are understood, as text, with the place of every fault in the file."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from nlfol.datasets.errors import DatasetError

COLUMNS = ("story", "text", "formula")
"""The columns that a table must have."""

ENDINGS = (".csv", ".jsonl", ".ndjson", ".parquet", ".arrow", ".feather")
"""The file endings that are understood."""

_NAMED = 5
"""Lines at fault that an error names; it counts the others."""

_ARROW_FILE = b"ARROW1"
"""What a file of Arrow IPC begins with; a stream does not."""


@dataclass(frozen=True, slots=True)
class Records:
    """A table.

    Attributes:
        rows: story, text and formula of each row without surrounding white space, "" where there is none.
        unused: the names of its other columns.
    """

    rows: list[tuple[str, str, str]]
    unused: list[str]


def read_records(path: Path, content: bytes) -> Records:
    """The rows of a table from the content of its file; stories may be numbered, lines of white space are no rows.

    Raises:
        DatasetError: if the content is empty, damaged, not UTF-8, of an ending that is not understood, or lacks a
            column or has one twice, or holds no text where text is needed; names the line of a text file.
    """
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        raise DatasetError(f"{path}: unknown file type {ending!r}; use one of {', '.join(ENDINGS)}")
    if not content.strip():
        raise DatasetError(
            f"{path}: the file is empty; expected the columns {list(COLUMNS)} and one row for each sentence"
        )
    match ending:
        case ".csv":
            return _from_csv(path, decoded(path, content))
        case ".jsonl" | ".ndjson":
            return _from_json_lines(path, decoded(path, content))
        case _:
            return _from_frame(path, read_frame(path, ending, content))


def decoded(path: Path, content: bytes) -> str:
    """The text of a file.

    Raises:
        DatasetError: if it is not UTF-8; names the line.
    """
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise DatasetError(f"{path}: line {line}: not UTF-8 at byte {error.start}; save it as UTF-8") from error


def _unused(path: Path, names: list[str]) -> list[str]:
    """The names of the columns beside the needed ones."""
    for column in COLUMNS:
        if names.count(column) > 1:
            raise DatasetError(f"{path}: the column {column!r} occurs twice; keep one")
        if column not in names:
            raise DatasetError(f"{path}: no column {column!r}; found {names}, expected {list(COLUMNS)}")
    return [name for name in names if name not in COLUMNS]


def _from_csv(path: Path, text: str) -> Records:
    lines = csv_rows(path, text)
    _, header = next(lines, (0, []))
    unused = _unused(path, header)
    places = [header.index(column) for column in COLUMNS]
    rows: list[tuple[str, str, str]] = []
    long: list[int] = []
    for line, cells in lines:
        if len(cells) > len(header):
            long.append(line)
        filled = cells + [""] * (len(header) - len(cells))
        story, sentence, formula = (filled[place].strip() for place in places)
        rows.append((story, sentence, formula))
    if long:
        others = f" and {len(long) - _NAMED} others" if len(long) > _NAMED else ""
        raise DatasetError(
            f"{path}: not a .csv table: more cells than the header's {len(header)} on line "
            f"{', '.join(map(str, long[:_NAMED]))}{others}; quote a text or formula that has a comma, "
            "without a space before the quotation mark"
        )
    return Records(rows, unused)


def csv_rows(path: Path, text: str) -> Iterator[tuple[int, list[str]]]:
    """Each row of a CSV file with the line on which it begins; the first is the header.

    Raises:
        DatasetError: if quotation marks do not match, or a cell is too long; names the line.
    """
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    while True:
        begin = reader.line_num + 1
        try:
            cells = next(reader, None)
        except csv.Error as error:
            if "field limit" in str(error):
                raise DatasetError(
                    f"{path}: line {begin}: a cell of more than {csv.field_size_limit():,} characters; shorten it, "
                    "or, if it is not so long, close the quotation mark with which a cell begins"
                ) from error
            raise DatasetError(
                f"{path}: line {begin}: not a .csv table: {error}; close a quotation mark at the end of its cell, and "
                "double those inside"
            ) from error
        if cells is None:
            return
        if any(cell.strip() for cell in cells) or len(cells) > 1:
            yield begin, cells


def _from_json_lines(path: Path, text: str) -> Records:
    names: dict[str, None] = {}
    rows: list[tuple[str, str, str]] = []
    for number, line in enumerate(text.split("\n"), 1):  # splitlines would cut at line separators inside texts
        if line.strip():
            place = f"{path}: line {number}"
            row = json_object(place, line)
            names |= dict.fromkeys(row)
            story, sentence, formula = (_text(place, column, row.get(column)) for column in COLUMNS)
            rows.append((story, sentence, formula))
    return Records(rows, _unused(path, list(names)))


def json_object(place: str, line: str) -> dict[str, Any]:
    """The object that a line holds as JSON.

    Raises:
        DatasetError: if it holds something else, or a key twice; names the place.
    """

    def distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        names = [name for name, _ in pairs]
        for name in names:
            if names.count(name) > 1:
                raise DatasetError(f"{place}: the key {name!r} occurs twice; keep one")
        return dict(pairs)

    try:
        row = json.loads(line, object_pairs_hook=distinct)
    except DatasetError:
        raise
    except (ValueError, RecursionError) as error:
        raise DatasetError(f"{place}: not JSON: {error}; write each row as one object on one line") from error
    if not isinstance(row, dict):
        raise DatasetError(f"{place}: not a JSON object; write each row as one object on one line")
    return row


def _text(place: str, column: str, value: Any) -> str:
    if value is None:
        return ""
    if column == "story" and isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        raise DatasetError(f"{place}: {column!r} holds {json.dumps(value)[:80]} where text is expected; quote it")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise DatasetError(f"{place}: {column!r} holds half a character, {value[error.start]!r}; correct it") from error
    return value.strip()


def read_frame(path: Path, ending: str, content: bytes) -> pl.DataFrame:
    """The table of a Parquet or Arrow file.

    Raises:
        DatasetError: if it is none.
    """
    source = io.BytesIO(content)
    try:
        if ending == ".parquet":
            return pl.read_parquet(source)
        return pl.read_ipc(source) if content.startswith(_ARROW_FILE) else pl.read_ipc_stream(source)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        raise DatasetError(f"{path}: not a {ending} table: {error}; write it again") from error


def _from_frame(path: Path, frame: pl.DataFrame) -> Records:
    unused = _unused(path, frame.columns)
    for column in COLUMNS:
        kind = frame.schema[column]
        if kind not in (pl.String, pl.Null) and not (column == "story" and kind.is_integer()):
            raise DatasetError(f"{path}: column {column!r} holds {kind} where text is expected; write it as text")
    texts = frame.select(pl.col(column).cast(pl.String).str.strip_chars().fill_null("") for column in COLUMNS)
    return Records(texts.rows(), unused)
