"""JSON Lines in, JSON Lines out: one output line for each input line, in order, in one process or several."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TextIO

import typer

from nlfol.mappings import JsonDict, JsonObject

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

MAX_LINE = 4_000_000
"""Bytes of a line that are read as JSON."""

_CHUNK = 25
_AHEAD = 400
_CHUNKS = 16


class LineError(ValueError):
    """An input line that is no record of the form needed."""


Line = JsonDict | LineError
"""A line of input: an object with whatever keys its user wrote, or the error that the line raises."""

Judged = Callable[[Any], Mapping[str, object]]
"""Functions from a line of input to its row of output."""


@contextmanager
def opened(path: Path | None) -> Iterator[BinaryIO]:
    """Open a file, or standard input if there is no path or it is ``-``."""
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


def records(file: BinaryIO) -> Iterator[Line]:
    """Yield each line as an object, or the error that it raises."""
    for line in file:
        try:
            yield _record(line)
        except LineError as error:
            yield error


def _record(line: bytes) -> JsonDict:
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


def id_of(record: Line) -> Any:
    """Return the id of a record, if it has one."""
    return None if isinstance(record, LineError) else record.get("id")


def usable(record: Line) -> JsonDict:
    """Return a record, or raise the error that its line has."""
    if isinstance(record, LineError):
        raise record
    return record


def text_of(record: JsonObject, key: str) -> str:
    """Return a text field; raises ``LineError`` if it is missing or no text."""
    if key not in record:
        raise LineError(f"missing key {key!r}; found {', '.join(map(repr, record)) or 'none'}")
    value = record[key]
    if not isinstance(value, str):
        raise LineError(f"{key!r} must be a text")
    return value


def write(rows: Iterable[Mapping[str, object]]) -> tuple[int, int]:
    """Write rows to standard output, a line of JSON each; return their number, and that of those with an ``error``."""
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
    """Write lines for people, by default to standard output, with control characters of untrusted text escaped."""
    shown = "".join(sign if sign.isprintable() or sign == "\n" else repr(sign)[1:-1] for sign in text)
    out = (file or sys.stdout).buffer
    out.write(f"{shown}\n".encode("utf-8", "backslashreplace"))
    out.flush()


def judge(file: Path | None, judged: Judged, jobs: int) -> None:
    """Write a row for each line of a file of JSON Lines; see ``judge_lines``."""
    with opened(file) as source:
        judge_lines(records(source), judged, jobs)


def judge_lines(lines: Iterator[Any], judged: Judged, jobs: int) -> None:
    """Write a row for each line; exit with status 1 if one has an ``error``."""
    if jobs == 1:
        end(*write(map(judged, lines)))
        return
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        try:
            counts = write(_in_order(pool, judged, lines))
        except BaseException:
            # The output is closed: finish what is under way, start nothing more.
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    end(*counts)


def end(rows: int, failed: int) -> None:
    """Report how many lines failed; raises ``typer.Exit`` with status 1 if one did."""
    if failed:
        sys.stderr.write(f"{failed} of {rows} lines failed: see 'error' in their rows\n")
        raise typer.Exit(1)


def _in_order(pool: ProcessPoolExecutor, judged: Judged, lines: Iterator[Any]) -> Iterator[Mapping[str, object]]:
    """Yield results in the order of the lines, with a bounded number of lines read ahead."""
    while ahead := list(islice(lines, _CHUNK * _AHEAD)):
        yield from pool.map(judged, ahead, chunksize=min(_CHUNK, 1 + len(ahead) // _CHUNKS))
