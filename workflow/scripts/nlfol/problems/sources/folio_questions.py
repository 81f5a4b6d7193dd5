"""FOLIO's conclusions (Han et al., arXiv 2209.00840; CC-BY-SA-4.0): premises, a conclusion, formulas and a label.

The files of v0.0 have lists of premises and formulas; those of the second version have them one a line.
"""

from __future__ import annotations

import re

from nlfol.problems.errors import SourceError
from nlfol.problems.problem import Evidence, Problem, Statement, plain
from nlfol.problems.sources.formulas import OPTIONS, with_formulas
from nlfol.problems.sources.records import Published, Record, letter_of, read_lines, text_of

# A year, such as y1995, is a constant to the authors; for the reader u to z with digits are variables.
_YEAR = re.compile(r"(?<![∀∃\w])([u-z])(\d{4})\b")

QUESTION = "Based on the above information, is the following statement true, false, or uncertain? "


def read_folio_questions(path: str, content: bytes) -> Published:
    """The problems of a split of FOLIO; formulas that the publisher leaves out make them answerable, and no more.

    Raises:
        SourceError: if the file is not FOLIO's.
    """
    records = read_lines(path, content)
    return Published(tuple(_problem(f"{path}: line {row}", row - 1, each) for row, each in enumerate(records, 1)))


def _problem(place: str, row: int, record: Record) -> Problem:
    name = str(record.get("example_id", row))
    label = text_of(place, record, "label")
    answer = letter_of(place, "Uncertain" if label == "Unknown" else label, OPTIONS)
    statements = plain([text.strip() for text in _texts(place, record, "premises")])
    question = Statement(QUESTION + text_of(place, record, "conclusion"))
    problem = Problem(name, "free", None, statements, question, plain(OPTIONS), answer, Evidence.PUBLISHED)
    if "conclusion-FOL" not in record:
        return problem
    formulas = [_YEAR.sub(r"\1_\2", text) for text in _texts(place, record, "premises-FOL")]
    return with_formulas(problem, formulas, _YEAR.sub(r"\1_\2", text_of(place, record, "conclusion-FOL")))


def _texts(place: str, record: Record, key: str) -> list[str]:
    value = record.get(key)
    if isinstance(value, str):
        return value.strip().split("\n")
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise SourceError(f"{place}: {key!r} is no list of texts; get the file from its publisher again")
    return value
