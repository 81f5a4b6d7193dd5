"""JSON Lines in, JSON Lines out: one output line for each input line, in order, whatever the input holds."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, TextIO

MAX_LINE = 4_000_000
"""Bytes of a line that are read as JSON."""


class LineError(ValueError):
    """An input line that is no record of the form needed."""


@contextmanager
def opened(path: Path | None) -> Iterator[BinaryIO]:
    """A file, or standard input where there is no path or it is ``-``."""
    if path is None or str(path) == "-":
        if sys.stdin.isatty():
            say(
                'Reading JSON Lines from the terminal; end with Ctrl-D. "nlfol COMMAND --help" shows examples.',
                sys.stderr,
            )
        yield sys.stdin.buffer
        return
    with path.open("rb") as file:
        yield file


def records(file: BinaryIO) -> Iterator[dict[str, Any] | LineError]:
    """Each line as an object, or what is wrong with it."""
    for line in file:
        try:
            yield _record(line)
        except LineError as error:
            yield error


def _record(line: bytes) -> dict[str, Any]:
    if len(line) > MAX_LINE:
        raise LineError(f"the line has {len(line)} bytes; the maximum is {MAX_LINE}")
    try:
        value = json.loads(line, parse_constant=_refused, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise LineError(f"not JSON: {error}; each line is an object, as in docs/console.md") from error
    if not isinstance(value, dict):
        raise LineError("not a JSON object")
    return value


def _refused(name: str) -> float:
    raise ValueError(f"{name} is not a JSON number")


def _finite(digits: str) -> float:
    number = float(digits)
    return number if math.isfinite(number) else _refused(digits)


def text_of(record: dict[str, Any], key: str) -> str:
    """A text field.

    Raises:
        LineError: if it is missing or no text.
    """
    if key not in record:
        raise LineError(f"missing key {key!r}; found {', '.join(map(repr, record)) or 'none'}")
    value = record[key]
    if not isinstance(value, str):
        raise LineError(f"{key!r} must be a text")
    return value


def write(rows: Iterable[dict[str, Any]]) -> tuple[int, int]:
    """Write rows to standard output, each as one line of JSON, at once: whoever asks line by line gets his answer.

    Returns:
        How many rows there were, and how many of them have an ``error``.
    """
    count = failed = 0
    for row in rows:
        count += 1
        failed += bool(row.get("error"))
        # Lone surrogates, which JSON input may hold, have no UTF-8 form: they stay escaped.
        text = json.dumps(row, ensure_ascii=False)
        sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace") + b"\n")
        sys.stdout.buffer.flush()
    return count, failed


def say(text: str, file: TextIO | None = None) -> None:
    """Write lines for people, by default to standard output; of untrusted text nothing steers a terminal."""
    shown = "".join(sign if sign.isprintable() or sign == "\n" else repr(sign)[1:-1] for sign in text)
    out = (file or sys.stdout).buffer
    out.write(f"{shown}\n".encode("utf-8", "backslashreplace"))
    out.flush()
