import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from tests.examples import CATS, COLD, ROW, family
from tests.unit.tasks.problem_items import (
    BROKEN,
    RULE,
    SAD,
    SETTING,
    WHOLE,
    around,
    examples_of,
    item,
    items,
    lines,
    next_step,
    replied,
    rows,
    task,
)

from nlfol.problems.families import FAMILIES
from nlfol.problems.problem import Problem, Statement
from nlfol.problems.programs import CLAUSES, FORMULAS
from nlfol.sets.sets import CandidateError
from nlfol.tasks.item import labels
from nlfol.tasks.plan import Reply, Stop
from nlfol.tasks.program import Program, exemplars
from nlfol.tasks.program_answers import attempt
from nlfol.tasks.program_gold import gold_answer
from nlfol.tasks.reference import Asked, ReaderError
from nlfol.tasks.solved import solved
from nlfol.tasks.strategies import STRATEGIES
from nlfol.tasks.task import Judgement

DIRECT = STRATEGIES["direct"]


def judged(problem: Problem, answer: Mapping[str, Any], asked: Program | None = None) -> Judgement:
    asked = asked or task()
    return asked.judge(item(problem, asked), [replied(answer)])


@pytest.mark.parametrize(
    ("problem", "answer", "outcome", "fault"),
    [
        (COLD, lines("Cold(bob, True)", "Cold($x True >>> Sad", query=SAD), "unparsable", None),
        (COLD, lines("Cold(bob, True)", RULE, query="Glad(bob, True)"), "answered", "undefined_symbol"),
        (COLD, lines("Cold(bob, now, True)", RULE, query=SAD), "answered", "arity"),
        (COLD, lines("Cold(bob, True)", "Cold($x, True) >>> Sad($y, True)", query=SAD), "answered", "open"),
        (COLD, lines("Sad(bob, True)", "Sad(bob, False)", query=SAD), "answered", "contradictory"),
        (CATS, lines("∀x (Cat(x) →", "Cat(tom)", query="Purrs(tom)"), "unparsable", None),
        (CATS, lines("Cat(tom)", "¬Cat(tom)", query="Purrs(tom)"), "answered", "contradictory"),
        (CATS, lines("Cat(tom, it)", "Cat(tom)", query="Purrs(tom)"), "answered", "arity"),
    ],
)
def test_failing_program_records_fault(
    problem: Problem, answer: Mapping[str, Any], outcome: str, fault: str | None
) -> None:
    found = judged(problem, answer)
    assert (found.outcome, found.fault) == (outcome, fault)
    assert found.scores == {"right": 0, "executable": 0}
    assert found.detail
    assert found.formula


def _arranged(*conditions: str) -> dict[str, Any]:
    return {
        "variables": [{"name": name, "values": "[1, 2, 3]"} for name in ("red", "blue", "green")],
        "lines": [{"sentence": 2, "line": condition} for condition in conditions],
        "options": [{"option": letter, "line": f"{name} == 2"} for letter, name in (("A", "red"), ("B", "blue"))],
    }


DIFFERENT = "AllDifferentConstraint([red, blue, green])"


def test_constraint_program_is_answered() -> None:
    right = judged(ROW, _arranged(DIFFERENT, "red < blue", "green == 1"))
    assert (right.scores, right.answer) == ({"right": 1, "executable": 1}, "A")


@pytest.mark.parametrize(
    ("conditions", "fault"),
    [
        ([DIFFERENT], "no_answer"),
        ([DIFFERENT, "red > 3"], "contradictory"),
        ([DIFFERENT, "pink == 1"], "undefined_symbol"),
        (["red == 2", "blue == 2"], "no_answer"),
    ],
)
def test_failing_constraint_program_records_fault(conditions: list[str], fault: str) -> None:
    found = judged(ROW, _arranged(*conditions))
    assert (found.fault, found.scores["executable"]) == (fault, 0)


def test_exhausted_solver_budget_is_fault() -> None:
    bodies = " && ".join(f"P($x{number}, True)" for number in range(12))
    facts = [f"P(a{number}, True)" for number in range(60)]
    # Whatever is bound, the last condition fails.
    program = (*facts, "R(a1, True)", f"{bodies} && R($x0, True) >>> Sad($x0, True)")
    answer = {"lines": [{"sentence": 1, "line": line} for line in program], "query": "Sad(bob, True)"}
    assert judged(COLD, answer).fault == "budget"


def test_program_scores_right_wrong_and_undecided_answers() -> None:
    right = judged(CATS, lines("∀x (Cat(x) → Purrs(x))", "Cat(tom)", query="Purrs(tom)"))
    assert (right.scores, right.answer, right.dialect) == ({"right": 1, "executable": 1}, "true", "formulas")
    wrong = judged(CATS, lines("∀x (Cat(x) → ¬Purrs(x))", "Cat(tom)", query="Purrs(tom)"))
    assert (wrong.scores, wrong.answer) == ({"right": 0, "executable": 1}, "false")
    unknown = judged(COLD, lines("Cold(ann, True)", RULE, query=SAD))
    assert (unknown.scores, unknown.answer) == ({"right": 0, "executable": 1}, "unknown")
    assert "derived" in (judged(COLD, lines("Cold(bob, True)", RULE, query=SAD)).detail or "")


@pytest.mark.parametrize(
    "text",
    [
        "Facts:\nCold(bob, True)",
        '{"lines": [], "query": 3}',
        json.dumps(lines("Cold(bob, True)\nQuery:\nSad(bob, True)", query=SAD)),
        json.dumps(lines("Query:", query=SAD)),
        json.dumps(lines("Answer: A", query=SAD)),
        json.dumps(lines("```", query=SAD)),
        json.dumps(lines("Cold(bob, True) ::: a gloss", query=SAD)),
        json.dumps(lines("", query=SAD)),
        json.dumps(lines("a", "b", "c", query=SAD)),
        json.dumps({"lines": [{"sentence": 0, "line": "Cold(bob, True)"}], "query": "Sad(bob, True)"}),
        "[" * 100_000,
    ],
)
def test_malformed_program_answer_is_unparsable(text: str) -> None:
    asked = task()
    found = asked.judge(item(COLD, asked), [Reply("", "answered", text)])
    assert (found.outcome, found.formula) == ("unparsable", None)
    with pytest.raises(ValueError, match=r"."):
        asked.check(item(COLD, asked), "program", text)


def test_unseen_predicate_in_query_is_unknown() -> None:
    unsaid = replace(COLD, question=Statement("Is Bob glad?", "Glad(bob, True)"), answer="C")
    assert judged(unsaid, lines("Cold(bob, True)", RULE, query="Happy(bob, True)")).scores["right"] == 1


@pytest.mark.parametrize("name", ["rules", "taxonomy"])
def test_clauses_convert_to_formulas_with_same_answer(name: str) -> None:
    for problem in family(name, 3):
        found = attempt(FORMULAS, problem, json.dumps(gold_answer(problem, FORMULAS)))
        assert found.execution is not None
        assert found.execution.answer == problem.answer


def test_conversion_from_formulas_to_clauses_is_refused() -> None:
    assert gold_answer(CATS, CLAUSES) is None
    asked = task(language="clauses")
    about = item(CATS, asked)
    step = next_step(asked, about)
    with pytest.raises(ReaderError, match="no gold program of clauses"):
        asked.reference("reader", [about])(Asked(about, "", step, ()))


@pytest.mark.parametrize("name", FAMILIES)
def test_program_exemplars_execute_and_are_disjoint_from_items(name: str) -> None:
    problems = family(name)
    shown = [exemplars(problem, task().language_of(problem), 5, around(problems), DIRECT) for problem in problems]
    assert all(each == shown[0] for each in shown)
    for shots in range(6):
        asked = exemplars(problems[0], task().language_of(problems[0]), shots, around(problems), DIRECT)
        assert asked == shown[0][:shots]
    assert len(shown[0]) == 5
    assert not {each["text"] for each in shown[0]} & {each.text for each in items(problems, task())}
    for problem, example in zip(examples_of(name), shown[0], strict=True):
        found = attempt(task().language_of(problems[0]), problem, example["formula"])
        assert found.execution is not None
        assert found.execution.answer == problem.answer


BARKS = replace(COLD, name="barks", statements=(Statement("Rex barks.", "Barks(rex, True)"),))
DOGS = replace(CATS, name="dogs", statements=(Statement("Rex barks.", "Barks(rex)"),))
SIBLING = replace(CATS, name="sibling", question=Statement("Does Tom not purr?", "¬Purrs(tom)"), answer="B")


def test_exemplars_fall_back_to_other_problems_in_dataset() -> None:
    same = replace(COLD, name="same", question=Statement("Is Bob cold?", "Cold(bob, True)"))
    found = exemplars(COLD, CLAUSES, 5, around([COLD, same, BARKS]), DIRECT)
    assert [each["text"].splitlines()[0] for each in found] == ["1. Rex barks."]
    with pytest.raises(CandidateError, match="no other problem") as error:
        exemplars(COLD, CLAUSES, 1, around([COLD, same]), DIRECT)
    assert error.value.reason == "no_exemplar"


def test_sibling_example_shares_story_but_differs_from_item() -> None:
    problems = [CATS, SIBLING, DOGS]
    for problem, other in ((CATS, SIBLING), (SIBLING, CATS)):
        first, *others = exemplars(problem, FORMULAS, 2, around(problems), DIRECT, siblings=True)
        assert first == {"text": f"Question: {other.question.text}", "formula": f'{{"query": "{other.question.line}"}}'}
        assert others == exemplars(problem, FORMULAS, 1, around(problems), DIRECT)
        assert exemplars(problem, FORMULAS, 1, around(problems), DIRECT, siblings=True) == [first]
    asked = task(shots=2, siblings=True)
    step = next_step(asked, items(problems, asked)[0])
    assert 'Its query: {"query": "¬Purrs(tom)"}' in step.system
    # Nothing of the problem itself is in the prompt before it is asked.
    assert not any(each.text in step.system or (each.line or "") in step.system for each in CATS.statements)
    assert "this other question" not in next_step(task(shots=2), items(problems, task(shots=2))[0]).system


def test_free_english_problems_show_five_shipped_examples() -> None:
    for problem in (CATS, DOGS):
        shown = exemplars(problem, FORMULAS, 5, around([CATS, DOGS]), DIRECT)
        assert len(shown) == 5
        for given, example in zip(solved("free", varied=False), shown, strict=True):
            found = attempt(FORMULAS, given, example["formula"])
            assert found.execution is not None
            assert found.execution.answer == given.answer
    assert {labels(given)[given.answer] for given in solved("free", varied=False)} == {"true", "false", "uncertain"}


BACKWARDS = replace(
    COLD,
    statements=(Statement("Bob is not sad.", "Sad(bob, False)"), COLD.statements[1]),
    question=Statement("Is Bob cold?", "Cold(bob, True)"),
    answer="C",
)
"""Forwards nothing says whether Bob is cold; as formulas, the rule says that he is not."""


@pytest.mark.parametrize(
    ("problem", "keys", "reason"),
    [
        (replace(CATS, language=None), {}, "no_language"),
        (replace(ROW, language=None), {"language": "formulas"}, "options"),
        (COLD, {"shots": 1}, "no_exemplar"),
        (BACKWARDS, {"language": "formulas"}, "label_differs"),
        (BACKWARDS, {}, None),
        (COLD, {"language": "formulas"}, None),
    ],
)
def test_unaskable_problems_are_refused_with_reason(problem: Problem, keys: dict[str, Any], reason: str | None) -> None:
    (row,) = rows([problem], task(**keys))
    assert row["reason"] == reason


def test_program_prompt_shows_notation_problem_and_examples() -> None:
    asked = task(shots=2)
    for name, notation in (("rules", ">>>"), ("proofs", "∀x"), ("order", "AllDifferentConstraint")):
        about = items(family(name), asked)[0]
        step = next_step(asked, about)
        assert notation in step.system
        assert all(each.formula in step.system for each in about.exemplars)
        assert step.user == about.text
        assert about.asked.statements[0].text in step.user
    assert "Example" not in next_step(task(), item(CATS, task())).system


MISSPELT = lines("Cold(bob, True)", RULE, query="Saad(bob, True)")


def test_refine_strategy_returns_solver_message_until_program_runs() -> None:
    asked = task("refine", rounds=2)
    about, plan = item(COLD, asked), asked.plan(SETTING)
    assert plan.most_steps(about) == 3
    first, second = next_step(asked, about), next_step(asked, about, replied(BROKEN))
    assert [turn.role for turn in second.earlier] == ["user", "assistant"]
    assert [turn.content for turn in second.earlier] == [first.user, json.dumps(BROKEN)]
    assert (second.system, second.schema) == (first.system, first.schema)
    assert "4. Cold($x, True >>> Sad($x, True)" in second.user
    assert "line 4" in second.user
    third = next_step(asked, about, replied(BROKEN), replied(MISSPELT))
    assert "'Saad'" in third.user
    assert third.earlier[1].content == json.dumps(MISSPELT)
    garbled = next_step(asked, about, Reply("", "answered", "nonsense"))
    assert "There is no program to execute: the answer is not of the agreed form" in garbled.user


@pytest.mark.parametrize(
    ("replies", "stop", "right"),
    [
        ([replied(WHOLE)], "executed", 1),
        ([replied(BROKEN), replied(WHOLE)], "executed", 1),
        ([replied(BROKEN), replied(MISSPELT), replied(MISSPELT)], "rounds", 0),
        ([Reply("", "truncated", "{")], "truncated", 0),
        ([replied(BROKEN), Reply("", "truncated", "{")], "truncated", 0),
    ],
)
def test_refine_strategy_judges_last_program_with_stop_reason(replies: list[Reply], stop: str, right: int) -> None:
    asked = task("refine", rounds=2)
    about = item(COLD, asked)
    assert asked.plan(SETTING).following(about, "", 1, replies) == Stop(stop)
    found = asked.judge(about, replies)
    assert (found.stop, found.scores["right"]) == (stop, right)
    assert found.outcome == ("truncated" if stop == "truncated" else "answered")
    assert task().judge(about, [replied(WHOLE)]).stop is None
