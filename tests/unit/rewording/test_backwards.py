"""Labels that hold for readers who conclude backwards are those that classical entailment gives."""

import pytest
from tests.unit.problems.published import problems

from nlfol.logic import Label, entails, parse
from nlfol.problems import Problem
from nlfol.problems.gold import gold_lines, program
from nlfol.problems.programs import LANGUAGES
from nlfol.problems.programs.clauses import read_clauses
from nlfol.problems.rewording.backwards import _have_model, holds_backwards

LABELS = {Label.TRUE: "True", Label.FALSE: "False", Label.UNCERTAIN: "Unknown"}


def classical(problem: Problem) -> bool:
    gold = gold_lines(problem)
    write = gold.language.writer(LANGUAGES["formulas"])
    assert write is not None
    premises = [parse(write(line)) for lines in gold.lines.values() for line in lines]
    found = entails(premises, parse(write(problem.question.line or "")))
    return not found.inconsistent and LABELS.get(found.label) == problem.answer_text


@pytest.mark.parametrize("family", ["rules", "taxonomy"])
def test_backward_reading_preserves_entailment_labels(family: str, drawn: dict[str, list[Problem]]) -> None:
    assert [holds_backwards(each) for each in drawn[family]] == [classical(each) for each in drawn[family]]


def test_backward_reading_preserves_published_labels() -> None:
    some = problems("proofwriter", "problems/logic_lm/ProofWriter_dev.json")[::30]
    found = [holds_backwards(each) for each in some]
    assert found == [classical(each) for each in some]
    quick = [_have_model(read.clauses, read.query) for read in (read_clauses(program(each)) for each in some)]
    assert any(quick)
