"""FOLIO's conclusions (Han et al., arXiv 2209.00840; CC-BY-SA-4.0): premises, a conclusion, formulas and a label.

The files of v0.0 have lists of premises and formulas; those of the second version have them one a line. The training
file of v0.0 has no formulas of conclusions: there are some of our own (``conclusions``), and premises are published or
corrected ones, as their reader mends them; each problem says what follows from either, and with one correction alone.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Literal

from pydantic import Field
from typing_extensions import override

from nlfol.data.annotations import read_annotations
from nlfol.data.entries.block import PathText, shipped
from nlfol.data.entries.folio import FolioEntry
from nlfol.data.entries.problems import PinnedEntry, Problems, Record, letter_of, text_of, with_formulas
from nlfol.data.patches import read_patches, text_digest
from nlfol.problems.problem import Evidence, Follows, Problem, Reason, Statement, plain
from nlfol.store.records import SourceError, json_lines, read_content

OPTIONS = ("True", "False", "Uncertain")

# The authors take a year, such as y1995, for a constant; to the reader of formulas, u to z with digits are variables.
_YEAR = re.compile(r"(?<![∀∃\w])([u-z])(\d{4})\b")

PUBLISHED, CORRECTED = "published", "corrected"
_FROM = {(True, True): "both", (True, False): PUBLISHED, (False, True): CORRECTED, (False, False): "neither"}
_Premises = dict[str, list[str]]
_Given = tuple[str, Mapping[str, _Premises], Mapping[tuple[str, str], str]]
"""The gold; formulas of premises by story and gold, or the item that alone is corrected; conclusions by digest."""

QUESTION = "Based on the above information, is the following statement true, false, or uncertain? "


class FolioQuestionsEntry(PinnedEntry):
    """A split of FOLIO, or the pinned training file, whose conclusions are formalized in ``conclusions``.

    Or people's annotations of the validation split, with formulas and labels as first published or as corrected.
    """

    reader: Literal["folio_questions"]
    gold: Literal["published", "corrected"] = "published"
    """Formulas of premises in problems of the training file; all formulas, and labels, of annotations."""
    unproven: Literal["refuse", "keep"] = "refuse"
    """Questions whose label does not follow from formulas that can be read: refused, or kept as published."""
    conclusions: PathText = Field(default_factory=lambda: shipped("resources/datasets/folio/conclusions.jsonl"))
    patches: PathText = Field(default_factory=lambda: shipped("resources/datasets/folio/patches.jsonl"))

    @property
    @override
    def read_from(self) -> list[str]:
        return [*super().read_from, self.conclusions, self.patches]

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
        rows: Iterable[tuple[int, Record]] = [*json_lines(path, content)]
        if any("NL_sentence" in record for _, record in rows):
            blocks = read_annotations(Path(path), content)
            rows = enumerate(chain.from_iterable(block.questions(self.gold) for block in blocks), 1)
        lines = list(enumerate(rows))
        records = [record for _, (_, record) in lines]
        given = None
        if all(
            "story_id" in record and "premises-FOL" in record and "conclusion-FOL" not in record for record in records
        ):
            given = self._given(Path(path))
        problems = [_problem(f"{path}: line {line}", number, record, given) for number, (line, record) in lines]
        return Problems([*map(_kept, problems)] if self.unproven == "keep" else problems)

    def _given(self, path: Path) -> _Given:
        """Read the formulas of premises and conclusions that the training file leaves out, or has with faults."""
        premises: defaultdict[str, _Premises] = defaultdict(lambda: {PUBLISHED: [], CORRECTED: []})
        about = {"reader": "folio", "path": str(path), "patches": self.patches, "exclusive_or": "include"}
        for gold in (PUBLISHED, CORRECTED):
            for sentence in FolioEntry.model_validate({**about, "gold": gold}).read().sentences:
                premises[sentence.story][gold].append(sentence.formula or "")
        for patch in read_patches(Path(self.patches)).by_item.values():
            of_story, other = premises[patch.story], patch.index if patch.other is None else patch.other.index
            if patch.other is None or other != patch.index:  # swapped formulas are one correction
                of_story[patch.item] = [
                    corrected if index in (patch.index, other) else published
                    for index, (published, corrected) in enumerate(
                        zip(of_story[PUBLISHED], of_story[CORRECTED], strict=True)
                    )
                ]
        source = Path(self.conclusions)
        conclusions = {
            (str(row.get("story")), str(row.get("text_sha256"))): text_of(f"{source}: line {line}", row, "formula")
            for line, row in json_lines(source, read_content(source, "conclusions"))
        }
        return self.gold, premises, conclusions


def _problem(location: str, number: int, record: Record, given: _Given | None) -> Problem:
    name = str(record.get("example_id", number))
    label = text_of(location, record, "label")
    answer = letter_of(location, "Uncertain" if label == "Unknown" else label, OPTIONS)
    statements = plain([text.strip() for text in _texts(location, record, "premises")])
    question = Statement(QUESTION + text_of(location, record, "conclusion"))
    problem = Problem(name, "free", None, statements, question, plain(OPTIONS), answer, Evidence.PUBLISHED)
    if given is not None:
        gold, premises, conclusions = given
        story = str(record.get("story_id"))
        conclusion = conclusions.get((story, text_digest(text_of(location, record, "conclusion").strip())))
        return problem if conclusion is None else _solved(problem, story, gold, premises[story], conclusion)
    if "conclusion-FOL" not in record:
        return problem
    formulas = [_YEAR.sub(r"\1_\2", text) for text in _texts(location, record, "premises-FOL")]
    return with_formulas(problem, formulas, _YEAR.sub(r"\1_\2", text_of(location, record, "conclusion-FOL")))


def _solved(problem: Problem, story: str, gold: str, premises: _Premises, conclusion: str) -> Problem:
    """Return the problem with the formulas of one gold, and what follows from those of each."""
    known: dict[tuple[str, ...], tuple[Problem, str]] = {}
    for formulas in map(tuple, premises.values()):
        if formulas not in known:
            known[formulas] = _answered(problem, formulas, conclusion)
    solved = {name: known[tuple(formulas)] for name, formulas in premises.items()}
    published, corrected, *alone = ({"item": name, "answer": answer} for name, (_, answer) in solved.items())
    both, label = (published["answer"], corrected["answer"]), problem.answer_text
    source = _FROM[both[0] == label, both[1] == label]
    return replace(solved[gold][0], follows=Follows(story, source, *both, alone))


def _answered(problem: Problem, formulas: Sequence[str], conclusion: str) -> tuple[Problem, str]:
    """Return the problem with formulas, and the option that follows, or why none does."""
    solved = with_formulas(problem, formulas, conclusion)
    if solved.reason is not Reason.LABEL_NOT_DERIVED:
        return solved, solved.reason or solved.answer_text
    others = (replace(problem, answer=letter) for letter in problem.by_letter if letter != problem.answer)
    answers = (with_formulas(other, formulas, conclusion) for other in others)
    return solved, next(answer.answer_text for answer in answers if answer.is_usable)


def _kept(problem: Problem) -> Problem:
    """Return the problem with its published label for evidence, whatever its formulas say."""
    if problem.reason in (None, Reason.EMPTY):
        return problem
    return replace(problem, evidence=Evidence.PUBLISHED, reason=None, detail=None)


def _texts(location: str, record: Record, key: str) -> list[str]:
    value = record.get(key)
    if isinstance(value, str):
        return value.strip().split("\n")
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise SourceError(f"{location}: {key!r} is not a list of texts; download the file again")
    return value
