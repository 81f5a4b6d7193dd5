"""Several corrections of a program, and several drafts: what is asked, and what counts."""

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import product

import pytest
from tests.examples import COLD, family
from tests.unit.tasks.problem_items import (
    BROKEN,
    RULE,
    SAD,
    SETTING,
    WHOLE,
    Answer,
    Talk,
    item,
    items,
    lines,
    replied,
    talk,
    task,
)

from nlfol.problems.programs import CONSTRAINTS
from nlfol.tasks.plan import Reply, Step
from nlfol.tasks.reference import dialogue

OTHER = lines("Cold(bob, True)", "Cold($x, True) >>> Sad($x, False)", query=SAD)
OPEN = lines("Cold(bob, True)", "Sad($x, True) >>> Cold($x, True)", query=SAD)
NONE = lines("Cold(bob, True)", RULE, query="Kind(bob, True)")
ANSWERS: list[Answer] = [WHOLE, OTHER, OPEN, NONE, BROKEN, "nonsense", None]
"""Programs of ``COLD`` that say true, false, unknown and nothing, and what is no program."""

UNITS = {"units": [{"place": "1", "unit": "Bob is cold"}, {"place": "query", "unit": "Bob is sad"}]}
SAID = {"units": [{"unit": 1, "line": "Cold(bob, True)"}, {"unit": 2, "line": "Sad(bob, True)"}]}


def judged(found: Talk) -> tuple[str, float, str | None, str | None, str | None]:
    judgement = found.task.judge(found.item, found.replies)
    return (
        *(judgement.outcome, judgement.scores["right"], judgement.formula),
        *(judgement.fault, judgement.answer),
    )


def direct(answer: Answer) -> Talk:
    return talk(task("direct"), COLD, answer)


def majority(*answers: Answer) -> Talk:
    return talk(task("majority", drafts=len(answers)), COLD, *answers)


def divided(*answers: Answer) -> Talk:
    return talk(task("divide", drafts=len(answers)), COLD, UNITS, SAID, *answers)


# What always returns its draft, or draws the same again, is worth as much as the draft.


@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize(
    ("strategy", "keys"),
    [
        ("refine", {}),
        ("refine_pairwise", {}),
        ("refine_pairwise", {"corrections": 3}),
        ("refine_pairwise", {"corrections": 2, "refines": "all"}),
        ("majority", {"drafts": 4}),
    ],
)
def test_repeated_draft_scores_as_single_draft(answer: Answer, strategy: str, keys: dict[str, object]) -> None:
    assert judged(talk(task(strategy, **keys), COLD, by=lambda _: answer)) == judged(direct(answer))


@pytest.mark.parametrize("answer", ANSWERS)
def test_equal_compositions_score_as_single_composition(answer: Answer) -> None:
    assert judged(divided(*[answer] * 3)) == judged(direct(answer))


@pytest.mark.parametrize("drafted", [majority, divided])
def test_random_drafts_gain_nothing(drafted: Callable[..., Talk]) -> None:
    """All triples of three programs that say true, false and unknown: whatever is right, a third of them are."""
    counts = dict.fromkeys(("true", "false", "unknown"), 0)
    for answers in product((WHOLE, OTHER, OPEN), repeat=3):
        found = drafted(*answers)
        counts[str(judged(found)[-1])] += 1
        # Which program counts does not hang on the label.
        for letter in "ABC":
            other = replace(found.item, problem=replace(found.item.asked, answer=letter))
            assert found.task.written(other, found.replies) == found.task.written(found.item, found.replies)
    assert set(counts.values()) == {9}


def test_majority_vote_judges_first_draft_with_commonest_answer() -> None:
    found = majority(OTHER, WHOLE, "nonsense", BROKEN, None, NONE, WHOLE)
    assert found.verdict == ("answered", "completed", 1)
    assert judged(found) == judged(direct(WHOLE))
    assert [lesson.step for lesson in found.task.lessons(found.item, found.replies)] == [1]
    # Of as many votes those count that were drawn first; without any vote it is the first draft.
    assert judged(majority(OTHER, WHOLE)) == judged(direct(OTHER))
    assert judged(majority(BROKEN, None)) == judged(direct(BROKEN))
    assert judged(majority(None, BROKEN)) == judged(direct(None))
    once = direct(WHOLE).steps[0]
    assert [step.draw for step in found.steps] == list(range(7))
    assert {(step.system, step.user, json.dumps(step.schema)) for step in found.steps} == {
        (once.system, once.user, json.dumps(once.schema))
    }


@pytest.mark.parametrize(("strategy", "before"), [("majority", []), ("divide", [UNITS, SAID])])
def test_failed_draft_ends_dialogue_and_truncated_draft_continues(
    strategy: str, before: list[dict[str, object]]
) -> None:
    asked = task(strategy, drafts=3)
    about = item(COLD, asked)
    replies = [*map(replied, before), replied(WHOLE)]
    with pytest.raises(ValueError, match="ends before its plan does"):
        asked.judge(about, replies)
    failed = asked.judge(about, [*replies, Reply("", "failed", None, error="gone")])
    assert (failed.outcome, failed.stop, failed.detail) == ("failed", "failed", "gone")
    cut = [*replies, Reply("", "truncated", None)]
    assert isinstance(asked.plan(SETTING).following(about, "", 0, cut), Step)
    assert asked.judge(about, [*cut, Reply("", "blank", None)]).scores["right"] == 1


def test_composition_vote_selects_most_common_lines() -> None:
    drafts = [
        lines("Cold(bob, True)", RULE, query="Sad(bob, False)"),
        lines("Cold(bob, False)", RULE, query=SAD),
        lines("Cold(bob, True)", "Sad($x, True) >>> Cold($x, True)", query=SAD),
    ]
    assert [judged(direct(each))[1] for each in drafts] == [0, 0, 0]
    found = divided(*drafts)
    assert found.parts == ["division", "translation", "composition", "composition", "composition"]
    assert judged(found) == judged(direct(WHOLE))
    assert [step.draw for step in found.steps] == [0, 0, 0, 1, 2]
    assert [step.earlier for step in found.steps[2:]] == [found.steps[2].earlier] * 3
    assert "three steps" in found.steps[0].system
    assert "check" not in found.steps[0].system
    # No draft is the program: nothing is learnt from the compositions.
    assert [lesson.step for lesson in found.task.lessons(found.item, found.replies)] == [0, 1]
    one = divided(OTHER, "nonsense", WHOLE, WHOLE)
    assert judged(one) == judged(direct(WHOLE))
    assert [lesson.step for lesson in one.task.lessons(one.item, one.replies)] == [0, 1, 4]
    assert judged(divided("nonsense", None)) == judged(direct("nonsense"))


def test_composition_vote_treats_equivalent_lines_as_equal() -> None:
    asked = task("divide", drafts=3, language="formulas")
    about = item(family("proofs")[0], asked)
    answers = []
    for _, reply in dialogue(asked.plan(SETTING), asked.reference("reader", [about]), about, "", 0):
        answers.append(json.loads(reply.text or ""))
    whole = answers[-1]
    doubled = {**whole, "lines": [{**each, "line": f"¬¬({each['line']})"} for each in whole["lines"]]}
    wrong = {**whole, "lines": [{**each, "line": f"¬({each['line']})"} for each in whole["lines"]]}
    found = talk(asked, about, *answers[:2], wrong, doubled, whole)
    written = found.task.written(about, found.replies)
    assert found.verdict[2] == 1
    assert written is not None
    assert set(written.program.lines["1"]) == {doubled["lines"][0]["line"]}


def test_conditions_are_composed_with_variables_and_options() -> None:
    asked = task("divide", drafts=3)
    about = items(family("order"), asked)[-1]
    talked = dialogue(asked.plan(SETTING), asked.reference("reader", [about]), about, "", 0)
    *before, whole = [json.loads(reply.text or "") for _, reply in talked][:3]

    def composed(*drafts: Answer) -> tuple[str, float, str | None, str | None, str | None]:
        return judged(talk(asked, about, *before, *drafts))

    wrong, name = [], whole["variables"][0]["name"]
    for place in range(3):
        given = [dict(each) for each in whole["lines"]]
        given[place]["line"] = f"{name} != {name}"
        wrong.append({**whole, "lines": given})
        assert composed(*[wrong[-1]] * 3)[1] == 0
    assert composed(*wrong) == composed(*[whole] * 3)
    assert composed(*wrong)[:2] == ("answered", 1)


def test_conditions_comparison_handles_unbounded_row() -> None:
    assert not CONSTRAINTS.same(("a == 1",), ("a == 2",))
    assert CONSTRAINTS.same(("a < b",), ("b > a",))


# Several corrections a round


def corrected(*answers: Answer, best: Answer, **keys: object) -> Talk:
    """Have a judge choose one program wherever it is shown, or else the program that was there before."""
    left = iter(answers)

    def script(step: Step) -> Answer:
        if step.part != "comparison":
            return next(left)
        assert isinstance(best, dict)
        first, second = (all(each["line"] in text for each in best["lines"]) for text in step.user.split("Program 2:"))
        return {"answer": 2 if second and not first else 1 if first else 3}

    found = talk(task("refine_pairwise", **keys), COLD, by=script)
    assert not list(left)
    return found


def test_refinement_round_keeps_best_correction() -> None:
    found = corrected(BROKEN, OTHER, WHOLE, OPEN, best=WHOLE, rounds=2, corrections=3)
    assert found.parts == ["program", *["refinement", "comparison"] * 3]
    assert judged(found) == judged(direct(WHOLE))
    corrections = found.steps[1::2]
    assert [step.draw for step in corrections] == [0, 1, 2]
    assert "one of which corrects the other" not in found.steps[2].system
    assert {(step.earlier, step.user) for step in corrections} == {(corrections[0].earlier, corrections[0].user)}
    # The second correction is judged against what was kept before it, the third against the second.
    assert all(
        OPEN["lines"][1]["line"] in step.user or WHOLE["lines"][1]["line"] in step.user for step in found.steps[4::2]
    )
    none = corrected(BROKEN, OTHER, OPEN, OTHER, OPEN, best=BROKEN, rounds=2, corrections=2)
    assert judged(none) == judged(direct(BROKEN))
    assert "2 corrections were made already and dropped" in none.steps[5].user
    assert [step.draw for step in none.steps[1::2]] == [0, 1, 2, 3]


def test_refines_all_refines_executable_programs() -> None:
    assert len(corrected(OTHER, best=WHOLE, rounds=2).steps) == 1
    found = corrected(OTHER, WHOLE, OTHER, best=WHOLE, rounds=2, refines="all")
    assert found.verdict == ("answered", "rounds", 1)
    assert "The solver executes it." in found.steps[1].user
    assert "Does each line say what its sentence says" in found.steps[1].user
    assert "reports" not in found.steps[1].user
    kept = corrected(WHOLE, OTHER, OTHER, best=WHOLE, rounds=2, refines="all")
    assert kept.verdict == ("answered", "rounds", 1)
