"""Solved examples before questions that are answered without a solver."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from tests.examples import ROOT, family, forms
from tests.unit.tasks.problem_items import around, item, items, next_step, rows, task

from nlfol.problems.families import FAMILIES
from nlfol.problems.problem import Problem, plain
from nlfol.problems.rewording import Settings, diversify
from nlfol.tasks.answers import CHARACTERS_A_TOKEN
from nlfol.tasks.entry import REASONING
from nlfol.tasks.item import labels
from nlfol.tasks.plan import Prompts, Setting, Step
from nlfol.tasks.question_answering import QuestionAnswering, QuestionAnsweringEntry
from nlfol.tasks.shown import EXAMPLES, pieces_of
from nlfol.tasks.solved import reasonings, solved

FREE = [replace(each, name=f"own {each.name}", statements=each.statements[1:]) for each in solved("free", varied=False)]
"""Problems in free English other than those shown."""

YES_OR_NO = [replace(each, options=plain(("Yes", "No")), answer="B", language=None) for each in FREE]


def answering(**keys: Any) -> QuestionAnswering:
    return QuestionAnswering(QuestionAnsweringEntry(**keys))


def asked_of(asked: QuestionAnswering, problem: Problem, *, plain_text: bool = False) -> str:
    setting = Setting(7, Prompts(ROOT / "resources/prompts", plain=plain_text))
    step = asked.plan(setting).following(item(problem, asked), "english", 1, [])
    assert isinstance(step, Step)
    return step.system


@pytest.mark.parametrize("name", [*FAMILIES, "free"])
def test_answer_examples_reuse_program_examples_with_same_options(name: str) -> None:
    problem = FREE[0] if name == "free" else family(name)[0]
    about, other = (item(problem, each) for each in (answering(shots=4), task(shots=5)))
    texts = [each.text for each in other.exemplars]
    # The solved example with clauses can be unknown, which questions about taxonomies cannot.
    kept = [text for text in texts if name != "taxonomy" or text != texts[1]]
    assert [each.text for each in about.exemplars] == kept[:4]
    assert len(item(problem, answering(shots=1)).exemplars) == 1
    assert item(problem, answering()).exemplars == ()


@pytest.mark.parametrize("name", FAMILIES)
def test_reworded_problems_share_original_examples(name: str) -> None:
    originals, asked = family(name), answering(shots=3)
    reworded = [diversify(each, forms(), Settings(), 7).problem for each in originals]
    around_reworded = replace(around(reworded), originals={each.name: each for each in originals})
    for each, other in zip(originals, reworded, strict=True):
        assert asked.exemplars(other, around_reworded) == asked.exemplars(each, around(originals)) != []


def test_answer_examples_are_correct_and_cite_existing_sentences() -> None:
    given = solved("free", varied=False)
    assert reasonings().keys() == {each.context for each in given}
    for problem in given:
        cited = {
            int(number)
            for group in re.findall(r"\(([\d, ]+)\)", reasonings()[problem.context])
            for number in group.split(", ")
        }
        assert cited <= set(range(1, len(problem.statements) + 1))
        assert cited
        assert len(reasonings()[problem.context]) <= REASONING * CHARACTERS_A_TOKEN
    asked = answering(shots=5)
    about = item(FREE[0], asked)
    for problem, example in zip(given, about.exemplars, strict=True):
        answer = json.loads(example.formula)
        assert answer == {"reasoning": reasonings()[problem.context], "answer": labels(problem)[problem.answer]}
        asked.check(about, "", example.formula)


def test_examples_show_reasoning_only_when_requested_and_complete() -> None:
    reasons, free = list(reasonings().values()), asked_of(answering(shots=2), FREE[0])
    assert [each in free for each in reasons] == [True, True, False, False, False]
    assert "\n\nExamples:\n\n1." in free
    direct = asked_of(answering(shots=2, reasoning=0), FREE[0])
    assert not any(each in direct for each in reasons)
    assert "\n\nExamples:\n\n1." in direct
    assert 'Answer: {"answer": "true"}' in direct
    controlled = asked_of(answering(shots=2), family("rules")[0])
    assert "\n\nExamples, without the reasoning:\n\n1." in controlled
    text = asked_of(answering(shots=1), FREE[0], plain_text=True)
    assert f"{reasons[0]}\nAnswer: true\n" in text
    assert "{" not in text
    for each in (free, direct, controlled, text):
        assert "\n\n\n" not in each


def test_examples_form_separate_prompt_component() -> None:
    few, zero = (
        next_step(asked, item(FREE[0], asked), presentation="english") for asked in (answering(shots=3), answering())
    )
    rest = "".join(text for part, text in pieces_of(few.system) if part != EXAMPLES)
    assert rest.split() == zero.system.split()
    assert (few.user, few.schema) == (zero.user, zero.schema)
    assert "Example" not in zero.system


def test_answer_examples_fall_back_to_other_problems() -> None:
    asked = answering(shots=2)
    for about in items(YES_OR_NO, asked):
        assert len(about.exemplars) == 2
        assert about.text not in {each.text for each in about.exemplars}
        assert {each.formula for each in about.exemplars} == {'{"answer": "no"}'}
    (alone,) = rows(YES_OR_NO[:1], asked)
    assert (alone["status"], alone["reason"]) == ("refused", "no_exemplar")


def test_answer_examples_are_rejected_for_formula_presentation() -> None:
    with pytest.raises(ValueError, match="remove formula from presentations, or the key shots"):
        QuestionAnsweringEntry(shots=1, presentations=("english", "formula"))
