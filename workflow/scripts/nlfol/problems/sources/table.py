"""Bring your own problems: JSON Lines, CSV or Parquet.

A row has ``statements`` (a list, or one a line), ``question``, ``options`` (the same, as ``A) True``; true, false and
unknown where there are none), ``answer`` (a letter) and, for a gold program, ``formulas``: one for each statement, and
the question's at the end. ``item`` names it; by default its number does.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

from nlfol.problems.errors import SourceError
from nlfol.problems.problem import TRUTHS, Evidence, Problem, Statement, plain
from nlfol.problems.sources.formulas import with_formulas
from nlfol.problems.sources.records import Published, Record, letter_of, options_of, read_lines, text_of

COLUMNS = ("item", "statements", "question", "options", "answer", "formulas")
"""What is read; ``item``, ``options`` and ``formulas`` may be missing."""

NEEDED = ("statements", "question", "answer")


def read_problem_table(path: Path) -> Published:
    """The problems of a table, with a note on columns that are not used.

    Raises:
        SourceError: if the file cannot be read or used; names the row and the remedy.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise SourceError(f"{path}: cannot be read ({error.strerror}); correct the key 'path'") from error
    records = _records(path, content)
    if not records:
        raise SourceError(f"{path}: no rows; add problems")
    problems = [_problem(f"{path}: row {row}", row, record) for row, record in enumerate(records, 1)]
    name, count = Counter(problem.name for problem in problems).most_common(1)[0]
    if count > 1:
        raise SourceError(f"{path}: {count} rows have the item {name!r}; give each a name of its own")
    unused = sorted({key for record in records for key in record} - set(COLUMNS))
    return Published(tuple(problems), (f"{path}: the columns {unused} are not used",) if unused else ())


def _records(path: Path, content: bytes) -> Sequence[Record]:
    ending = path.suffix.lower()
    try:
        match ending:
            case ".jsonl" | ".ndjson":
                return read_lines(str(path), content)
            case ".csv":
                return pl.read_csv(io.BytesIO(content), infer_schema=False).to_dicts()
            case ".parquet":
                return pl.read_parquet(io.BytesIO(content)).to_dicts()
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        raise SourceError(f"{path}: not a {ending} table: {error}; write it again") from error
    raise SourceError(f"{path}: unknown file type {ending!r}; use .jsonl, .csv or .parquet")


def _problem(place: str, row: int, record: Record) -> Problem:
    for key in NEEDED:
        if record.get(key) in (None, "", []):
            raise SourceError(f"{place}: no {key!r}; needed are {', '.join(NEEDED)}")
    answer = text_of(place, record, "answer")
    texts = _texts(place, record, "options")
    options = options_of(place, {"options": texts}, answer) if texts else TRUTHS
    letter_of(place, answer, [chr(ord("A") + number) for number in range(len(options))])
    name = str(row) if record.get("item") is None else text_of(place, record, "item")
    statements = plain(_texts(place, record, "statements"))
    question = Statement(text_of(place, record, "question"))
    problem = Problem(name, "free", None, statements, question, options, answer, Evidence.PUBLISHED)
    formulas = _texts(place, record, "formulas")
    return with_formulas(problem, formulas[:-1], formulas[-1]) if formulas else problem


def _texts(place: str, record: Record, key: str) -> list[str]:
    value: Any = record.get(key)
    if value is None:
        return []
    if isinstance(value, str):
        value = [text for text in value.split("\n") if text.strip()]
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise SourceError(f"{place}: {key!r} is neither a list of texts nor text with one a line")
    return [text.strip() for text in value]
