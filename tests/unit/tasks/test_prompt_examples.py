"""Models that repeat the examples of their prompt, and stop there or go on to the answer."""

import json
from dataclasses import replace

import pytest
from tests.examples import CATS, family
from tests.unit.tasks.problem_items import item, task

import nlfol
from nlfol.problems.problem import Problem
from nlfol.tasks.item import ASKED, Exemplar, Item
from nlfol.tasks.judging import judgements
from nlfol.tasks.plan import Reply
from nlfol.tasks.program_gold import gold_answer
from nlfol.tasks.task import Judgement

PROGRAM = task(shots=2)
PROBLEMS = [CATS, *(family(name, 1)[0] for name in ("rules", "order"))]
CLAUSES = PROBLEMS[1]


def _judged(about: Item, text: str) -> Judgement:
    (judged,) = judgements(PROGRAM, about, [Reply("program", "answered", text)])
    return judged


def _own(problem: Problem) -> str:
    return json.dumps(gold_answer(problem, PROGRAM.language_of(problem)), ensure_ascii=False)


def _whole(about: Item, answer: str) -> str:
    """Return an answer as Logic-LM writes it."""
    language, found = PROGRAM.language_of(about.asked), json.loads(answer)
    asked = [(each["option"], each["line"]) for each in found.get("options", ())] or [("", found["query"])]
    lines = [(str(each["sentence"]), each["line"]) for each in found["lines"]]
    variables = [("", f"{each['name']} [IN] {each['values']}") for each in found.get("variables", ())]
    sections = language.sections(lines, language.lettered(asked), variables)
    return "\n".join(line for name, placed in sections.items() for line in (f"{name}:", *(line for _, line in placed)))


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: str(problem.language))
def test_repeated_example_is_no_answer(problem: Problem) -> None:
    about = item(problem, PROGRAM)
    own = _own(problem)
    assert _judged(about, own).scores["right"] == 1
    for example in about.exemplars:
        alone = _judged(about, example.formula)
        assert (alone.outcome, alone.scores["right"]) == ("unparsable", 0)
        assert "repeats an example" in (alone.detail or "")
        after = _judged(about, f"Problem:\n{example.text}\n{example.formula}\n\nProblem:\n{own}")
        assert (after.outcome, after.scores["right"], "example" in after.liberties) == ("answered", 1, True)


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: str(problem.language))
def test_repeated_example_in_text_is_no_answer(problem: Problem) -> None:
    about = item(problem, PROGRAM)
    own = _whole(about, _own(problem))
    assert _judged(about, json.dumps({"program": own})).scores["right"] == 1
    for example in about.exemplars:
        shown = _whole(about, example.formula)
        assert _judged(about, json.dumps({"program": shown})).outcome == "unparsable"
        for text in (f"{shown}\n{own}", f"Example 1:\n{shown}\n------\nProblem:\n{own}"):
            found = _judged(about, json.dumps({"program": text}))
            assert (found.outcome, found.scores["right"], found.forgiven[-1:]) == ("answered", 1, ("block",))
            assert PROGRAM.from_text(about, "program", text) == {"program": text}


def test_example_that_asks_the_same_is_no_reason_to_drop_an_answer() -> None:
    about = item(CLAUSES, PROGRAM)
    same = json.dumps({"lines": [], "query": json.loads(_own(CLAUSES))["query"]})
    asks_the_same = replace(about, exemplars=(Exemplar(f"1. Bob is sad.\n{ASKED}Is he?", same), *about.exemplars))
    own = _whole(about, _own(CLAUSES))
    assert _judged(asks_the_same, json.dumps({"program": own})).scores["right"] == 1


def test_score_refuses_repeated_example() -> None:
    about = item(CLAUSES, PROGRAM)
    row = {"task": {"task": "program", "reasoning": 0}, **about.to_row()}
    assert nlfol.score(row, about.exemplars[0].formula).outcome == "unparsable"
