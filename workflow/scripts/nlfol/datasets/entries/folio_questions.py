"""FOLIO's conclusions (Han et al., arXiv 2209.00840; CC-BY-SA-4.0): premises, a conclusion, formulas and a label.

The files of v0.0 have lists of premises and formulas; those of the second version have them one a line.
"""

import re
from typing import Literal

from typing_extensions import override

from nlfol.datasets.entries.block import shipped
from nlfol.datasets.entries.problems import PinnedEntry, Problems, Record, letter_of, text_of, with_formulas
from nlfol.problems.problem import Evidence, Problem, Statement, plain
from nlfol.store.records import SourceError, json_lines

OPTIONS = ("True", "False", "Uncertain")

# The authors take a year, such as y1995, for a constant; to the reader of formulas, u to z with digits are variables.
_YEAR = re.compile(r"(?<![∀∃\w])([u-z])(\d{4})\b")

QUESTION = "Based on the above information, is the following statement true, false, or uncertain? "


class FolioQuestionsEntry(PinnedEntry):
    """A split of FOLIO, or the pinned training file; without published formulas, its problems have no gold program."""

    reader: Literal["folio_questions"]

    @property
    @override
    def pin_file(self) -> str:
        return self.pin or shipped("resources/datasets/folio/pin.json")

    @property
    @override
    def published_as(self) -> str:
        return "folio"

    @override
    def read(self, seed: int) -> Problems:
        path, content = self.content()
        lines = enumerate(json_lines(path, content))
        return Problems([_problem(f"{path}: line {line}", number, record) for number, (line, record) in lines])


def _problem(place: str, number: int, record: Record) -> Problem:
    name = str(record.get("example_id", number))
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
        raise SourceError(f"{place}: {key!r} is not a list of texts; download the file again")
    return value
