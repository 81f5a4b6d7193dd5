import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from tests.examples import CATS, COLD, ROW, family
from tests.unit.tasks.problem_items import PROMPTS, around, item, items, lines, rows, said

from nlfol.candidates.sets import CandidateError
from nlfol.problems.families import FAMILIES
from nlfol.problems.problem import Problem, Statement
from nlfol.programs import CLAUSES, FORMULAS
from nlfol.tasks.plan import Reply, Setting, Step, Stop
from nlfol.tasks.program import Program, ProgramEntry, exemplars
from nlfol.tasks.program_answers import attempt
from nlfol.tasks.program_gold import gold_answer
from nlfol.tasks.reference import Asked, ReaderError
from nlfol.tasks.strategies import STRATEGIES
from nlfol.tasks.task import Judgement

SETTING = Setting("toy", 7, (1,), PROMPTS)
DIRECT = STRATEGIES["direct"]
RULE = "Cold($x, True) >>> Sad($x, True)"


def task(**keys: Any) -> Program:
    return Program(ProgramEntry(**{"shots": 0, **keys}))


def judged(problem: Problem, answer: Mapping[str, Any], asked: Program | None = None) -> Judgement:
    asked = asked or task()
    return asked.judge(item(problem, asked), [said(answer)])


@pytest.mark.parametrize(
    ("problem", "answer", "outcome", "fault"),
    [
        (COLD, lines("Cold(bob, True)", "Cold($x True >>> Sad", query="Sad(bob, True)"), "unparsable", None),
        (COLD, lines("Cold(bob, True)", RULE, query="Glad(bob, True)"), "answered", "undefined_symbol"),
        (COLD, lines("Cold(bob, now, True)", RULE, query="Sad(bob, True)"), "answered", "arity"),
        (
            COLD,
            lines("Cold(bob, True)", "Cold($x, True) >>> Sad($y, True)", query="Sad(bob, True)"),
            "answered",
            "open",
        ),
        (COLD, lines("Sad(bob, True)", "Sad(bob, False)", query="Sad(bob, True)"), "answered", "contradictory"),
        (CATS, lines("∀x (Cat(x) →", "Cat(tom)", query="Purrs(tom)"), "unparsable", None),
        (CATS, lines("Cat(tom)", "¬Cat(tom)", query="Purrs(tom)"), "answered", "contradictory"),
        (CATS, lines("Cat(tom, it)", "Cat(tom)", query="Purrs(tom)"), "answered", "arity"),
    ],
)
def test_a_program_that_gives_no_answer_has_its_fault(
    problem: Problem, answer: Mapping[str, Any], outcome: str, fault: str | None
) -> None:
    found = judged(problem, answer)
    assert (found.outcome, found.fault) == (outcome, fault)
    assert found.scores == {"right": 0, "executable": 0}
    assert found.detail
    assert found.formula


def _arranged(*conditions: str, values: str = "[1, 2, 3]", names: str = "red blue green") -> dict[str, Any]:
    return {
        "variables": [{"name": name, "values": values} for name in names.split()],
        "lines": [{"sentence": 2, "line": condition} for condition in conditions],
        "options": [{"option": letter, "line": f"{name} == 2"} for letter, name in (("A", "red"), ("B", "blue"))],
    }


def test_constraints_and_their_faults() -> None:
    different = "AllDifferentConstraint([red, blue, green])"
    right = judged(ROW, _arranged(different, "red < blue", "green == 1"))
    assert (right.scores, right.answer) == ({"right": 1, "executable": 1}, "A")
    for answer, fault in (
        (_arranged(different), "no_answer"),
        (_arranged(different, "red > 3"), "contradictory"),
        (_arranged(different, "pink == 1"), "undefined_symbol"),
        (_arranged("red == 2", "blue == 2"), "no_answer"),
    ):
        found = judged(ROW, answer)
        assert (found.fault, found.scores["executable"]) == (fault, 0)


def test_a_budget_that_is_spent_is_a_fault() -> None:
    bodies = " && ".join(f"P($x{number}, True)" for number in range(12))
    facts = [f"P(a{number}, True)" for number in range(60)]
    # Whatever is bound, the last condition fails.
    program = (*facts, "R(a1, True)", f"{bodies} && R($x0, True) >>> Sad($x0, True)")
    answer = {"lines": [{"sentence": 1, "line": line} for line in program], "query": "Sad(bob, True)"}
    assert judged(COLD, answer).fault == "budget"


def test_a_right_program_a_wrong_one_and_one_that_decides_nothing() -> None:
    right = judged(CATS, lines("∀x (Cat(x) → Purrs(x))", "Cat(tom)", query="Purrs(tom)"))
    assert (right.scores, right.answer, right.dialect) == ({"right": 1, "executable": 1}, "true", "formulas")
    wrong = judged(CATS, lines("∀x (Cat(x) → ¬Purrs(x))", "Cat(tom)", query="Purrs(tom)"))
    assert (wrong.scores, wrong.answer) == ({"right": 0, "executable": 1}, "false")
    unknown = judged(COLD, lines("Cold(ann, True)", RULE, query="Sad(bob, True)"))
    assert (unknown.scores, unknown.answer) == ({"right": 0, "executable": 1}, "unknown")
    assert "derived" in (judged(COLD, lines("Cold(bob, True)", RULE, query="Sad(bob, True)")).detail or "")


@pytest.mark.parametrize(
    "text",
    [
        "Facts:\nCold(bob, True)",
        '{"lines": [], "query": 3}',
        json.dumps(lines("Cold(bob, True)\nQuery:\nSad(bob, True)", query="Sad(bob, True)")),
        json.dumps(lines("Query:", query="Sad(bob, True)")),
        json.dumps(lines("Answer: A", query="Sad(bob, True)")),
        json.dumps(lines("```", query="Sad(bob, True)")),
        json.dumps(lines("Cold(bob, True) ::: a gloss", query="Sad(bob, True)")),
        json.dumps(lines("", query="Sad(bob, True)")),
        json.dumps(lines("a", "b", "c", query="Sad(bob, True)")),
        json.dumps({"lines": [{"sentence": 0, "line": "Cold(bob, True)"}], "query": "Sad(bob, True)"}),
        "[" * 100_000,
    ],
)
def test_answers_of_another_form_are_unparsable(text: str) -> None:
    asked = task()
    found = asked.judge(item(COLD, asked), [Reply("", "answered", text)])
    assert (found.outcome, found.formula) == ("unparsable", None)
    with pytest.raises(ValueError, match=r"."):
        asked.check(item(COLD, asked), "program", text)


def test_a_predicate_that_no_statement_has_is_unknown_if_the_problem_asks_of_such_a_one() -> None:
    unsaid = replace(COLD, question=Statement("Is Bob glad?", "Glad(bob, True)"), answer="C")
    assert judged(unsaid, lines("Cold(bob, True)", RULE, query="Happy(bob, True)")).scores["right"] == 1


@pytest.mark.parametrize("name", ["rules", "taxonomy"])
def test_clauses_become_formulas_that_give_the_same_answer(name: str) -> None:
    for problem in family(name, 3):
        found = attempt(FORMULAS, problem, json.dumps(gold_answer(problem, FORMULAS)))
        assert found.execution is not None
        assert found.execution.answer == problem.answer


def test_no_other_language_becomes_another() -> None:
    assert gold_answer(CATS, CLAUSES) is None
    asked = task(language="clauses")
    about = item(CATS, asked)
    step = asked.plan(SETTING).following(about, "", 1, [])
    assert isinstance(step, Step)
    with pytest.raises(ReaderError, match="no gold program of clauses"):
        asked.reference("reader", [about])(Asked(about, "", step, ()))


@pytest.mark.parametrize("name", FAMILIES)
def test_exemplars_are_executed_and_are_no_items(name: str) -> None:
    problems = family(name)
    shown = [exemplars(problem, task().language_of(problem), 5, around(problems), DIRECT) for problem in problems]
    assert all(each == shown[0] for each in shown)
    assert len(shown[0]) == 5
    assert not {each["text"] for each in shown[0]} & {each.text for each in items(problems, task())}
    from tests.examples import lexicon

    from nlfol.problems.families import generate
    from nlfol.randomness import label_digest

    seed = int.from_bytes(label_digest(7, "toy", "exemplars")[:8])
    for problem, example in zip(generate(name, seed=seed, count=5, lexicon=lexicon()), shown[0], strict=True):
        found = attempt(task().language_of(problem), problem, example["formula"])
        assert found.execution is not None
        assert found.execution.answer == problem.answer


@pytest.mark.parametrize("name", FAMILIES)
def test_as_many_examples_are_shown_as_are_asked_for(name: str) -> None:
    problem = family(name)[0]
    language = task().language_of(problem)
    every = exemplars(problem, language, 5, around([problem]), DIRECT)
    for shots in range(6):
        assert exemplars(problem, language, shots, around([problem]), DIRECT) == every[:shots]


DOGS = replace(CATS, name="dogs", statements=(Statement("Rex barks.", "Barks(rex)"),))
SIBLING = replace(CATS, name="sibling", question=Statement("Does Tom not purr?", "¬Purrs(tom)"), answer="B")


def test_other_problems_of_the_dataset_are_examples_where_there_is_no_family() -> None:
    same = replace(CATS, name="same", question=Statement("Is Tom a cat?", "Cat(tom)"))
    found = exemplars(CATS, FORMULAS, 5, around([CATS, same, DOGS]), DIRECT)
    assert [each["text"].splitlines()[0] for each in found] == ["1. Rex barks."]
    with pytest.raises(CandidateError, match="no other problem") as error:
        exemplars(CATS, FORMULAS, 1, around([CATS, same]), DIRECT)
    assert error.value.reason == "no_exemplar"


def test_one_example_is_of_the_same_story_and_never_the_item() -> None:
    problems = [CATS, SIBLING, DOGS]
    for problem, other in ((CATS, SIBLING), (SIBLING, CATS)):
        first, *others = exemplars(problem, FORMULAS, 2, around(problems), DIRECT)
        assert first == {"text": f"Question: {other.question.text}", "formula": f'{{"query": "{other.question.line}"}}'}
        assert [each["text"].splitlines()[0] for each in others] == ["1. Rex barks."]
        assert exemplars(problem, FORMULAS, 1, around(problems), DIRECT) == [first]
    asked = task(shots=2)
    step = asked.plan(SETTING).following(items(problems, asked)[0], "", 1, [])
    assert isinstance(step, Step)
    assert 'Its query: {"query": "¬Purrs(tom)"}' in step.system
    # Nothing of the problem itself is in the prompt before it is asked.
    assert not any(each.text in step.system or (each.line or "") in step.system for each in CATS.statements)
    assert json.dumps(gold_answer(DOGS, FORMULAS), ensure_ascii=False) in step.system


def test_problems_that_cannot_be_asked_about_are_refused() -> None:
    (row,) = rows([replace(CATS, language=None)], task())
    assert row["reason"] == "no_language"
    (row,) = rows([replace(ROW, language=None)], task(language="formulas"))
    assert row["reason"] == "options"
    (row,) = rows([CATS], task(shots=1))
    assert row["reason"] == "no_exemplar"


def test_prompts_show_the_notation_the_problem_and_the_examples() -> None:
    asked = task(shots=2)
    for name, notation in (("rules", ">>>"), ("proofs", "∀x"), ("order", "AllDifferentConstraint")):
        about = items(family(name), asked)[0]
        step = asked.plan(SETTING).following(about, "", 1, [])
        assert isinstance(step, Step)
        assert notation in step.system
        assert all(each.formula in step.system for each in about.exemplars)
        assert step.user == about.text
        assert about.asked.statements[0].text in step.user
    bare = task().plan(SETTING).following(item(CATS, task()), "", 1, [])
    assert isinstance(bare, Step)
    assert "Example" not in bare.system


BROKEN = lines("Cold(bob, True)", "Cold($x, True >>> Sad($x, True)", query="Sad(bob, True)")
MISSPELT = lines("Cold(bob, True)", RULE, query="Saad(bob, True)")
WHOLE = lines("Cold(bob, True)", RULE, query="Sad(bob, True)")


def _following(asked: Program, *replies: Reply) -> Step | Stop:
    return asked.plan(SETTING).following(item(COLD, asked), "", 1, replies)


def test_the_solver_s_message_goes_back_until_the_program_runs() -> None:
    asked = task(strategy="refine", rounds=2)
    assert asked.plan(SETTING).most_steps(item(COLD, asked)) == 3
    first = _following(asked)
    assert isinstance(first, Step)
    second = _following(asked, said(BROKEN))
    assert isinstance(second, Step)
    assert [turn.role for turn in second.earlier] == ["user", "assistant"]
    assert second.earlier[0].content == first.user
    assert second.earlier[1].content == json.dumps(BROKEN)
    assert (second.system, second.schema) == (first.system, first.schema)
    assert "4. Cold($x, True >>> Sad($x, True)" in second.user
    assert "line 4" in second.user
    third = _following(asked, said(BROKEN), said(MISSPELT))
    assert isinstance(third, Step)
    assert "'Saad'" in third.user
    assert third.earlier[1].content == json.dumps(MISSPELT)
    assert _following(asked, said(BROKEN), said(MISSPELT), said(BROKEN)) == Stop("rounds")
    assert _following(asked, said(BROKEN), said(WHOLE)) == Stop("executed")
    assert _following(asked, Reply("", "truncated", "{")) == Stop("truncated")
    garbled = _following(asked, Reply("", "answered", "nonsense"))
    assert isinstance(garbled, Step)
    assert "There is no program to execute: the answer is not of the agreed form" in garbled.user


def test_the_last_program_counts_with_the_reason_why_the_dialogue_ended() -> None:
    asked = task(strategy="refine", rounds=2)
    about = item(COLD, asked)
    for replies, stop, right in (
        ([said(WHOLE)], "executed", 1),
        ([said(BROKEN), said(WHOLE)], "executed", 1),
        ([said(BROKEN), said(MISSPELT), said(MISSPELT)], "rounds", 0),
        ([said(BROKEN), Reply("", "truncated", "{")], "truncated", 0),
    ):
        found = asked.judge(about, replies)
        assert (found.stop, found.scores["right"]) == (stop, right)
    assert asked.judge(about, [said(BROKEN), Reply("", "truncated", "{")]).outcome == "truncated"
    assert task().judge(about, [said(WHOLE)]).stop is None
