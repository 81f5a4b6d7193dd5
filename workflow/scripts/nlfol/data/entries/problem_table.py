"""Your own problems: a table in any format of ``nlfol.store.records``.

A row has ``statements`` (a list, or one a line), ``question``, ``options`` (the same, as ``A) True``; by default true,
false and unknown), ``answer`` (a letter) and, for a gold program, ``formulas``: one for each statement, and then the
question's. ``item`` names it; by default its number does. Records of Logic-LM have ``id`` and ``context`` for ``item``
and ``statements``.
"""

from collections import Counter
from pathlib import Path
from typing import Any, Literal

from typing_extensions import override

from nlfol.data.entries.problems import (
    FileEntry,
    Problems,
    Record,
    letter_of,
    options_of,
    sentences,
    text_of,
    with_formulas,
)
from nlfol.mappings import JsonDict
from nlfol.problems.problem import TRUTHS, Evidence, Problem, Statement, plain
from nlfol.store.records import SourceError, Table, read_table

COLUMNS = ("item", "statements", "question", "options", "answer", "formulas")
"""The columns that are used; ``item``, ``options`` and ``formulas`` may be missing."""

_RECORDS = {"id": "item", "context": "statements"}

NEEDED = ("statements", "question", "answer")


class ProblemTableEntry(FileEntry):
    """A table of your own problems."""

    reader: Literal["problems"]

    @override
    def read(self, seed: int) -> Problems:
        path, content = self.content()
        table = read_table(Path(path), content)
        if not table.rows:
            raise SourceError(f"{path}: no rows; add problems")
        if "context" in table.columns and "statements" not in table.columns:
            table = Table([_RECORDS.get(name, name) for name in table.columns], [*map(_of_record, table.rows)])
        problems = [
            _problem(f"{path}: {location}", number, row) for number, (location, row) in enumerate(table.rows, 1)
        ]
        name, count = Counter(problem.name for problem in problems).most_common(1)[0]
        if count > 1:
            raise SourceError(f"{path}: {count} rows have the item {name!r}; give each a name of its own")
        unused = sorted(set(table.columns) - set(COLUMNS))
        return Problems(problems, (f"{path}: the columns {unused} are not used",) if unused else ())


def _of_record(row: tuple[str, Record]) -> tuple[str, JsonDict]:
    """Return a row of the columns above for a record of Logic-LM."""
    location, record = row
    named = {_RECORDS.get(name, name): value for name, value in record.items()}
    context = named.get("statements")
    return location, {**named, "statements": sentences(context) if isinstance(context, str) else context}


def _problem(location: str, number: int, record: Record) -> Problem:
    for key in NEEDED:
        if record.get(key) in (None, "", []):
            raise SourceError(f"{location}: no {key!r}; needed are {', '.join(NEEDED)}")
    answer = text_of(location, record, "answer")
    texts = _texts(location, record, "options")
    options = options_of(location, {"options": texts}, answer) if texts else TRUTHS
    letter_of(location, answer, [chr(ord("A") + number) for number in range(len(options))])
    name = text_of(location, record, "item") if record.get("item") not in (None, "") else str(number)
    statements = plain(_texts(location, record, "statements"))
    question = Statement(text_of(location, record, "question"))
    problem = Problem(name, "free", None, statements, question, options, answer, Evidence.PUBLISHED)
    formulas = _texts(location, record, "formulas")
    return with_formulas(problem, formulas[:-1], formulas[-1]) if formulas else problem


def _texts(location: str, record: Record, key: str) -> list[str]:
    value: Any = record.get(key)
    if value is None:
        return []
    if isinstance(value, str):
        value = [text for text in value.split("\n") if text.strip()]
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise SourceError(f"{location}: {key!r} is neither a list of texts nor text with one a line")
    return [text.strip() for text in value]
