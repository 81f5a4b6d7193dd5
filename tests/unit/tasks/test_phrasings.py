"""Right answers are read in the dress that models give them, and nothing else is taken for right."""

import pytest
from benchmarks.phrasings import negatives
from tests.unit.tasks.answered import CASES, Case
from tests.unit.tasks.later_phrasings import MODES
from tests.unit.tasks.phrasings import Phrasing

LEAST = 0.97

by_task = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
by_mode = pytest.mark.parametrize("mode", MODES)


@by_mode
def test_phrasing_modes_have_sixty_phrasings(mode: str) -> None:
    assert len(MODES[mode]) == 60


@by_task
@by_mode
def test_right_answers_are_scored_right_in_most_phrasings(case: Case, mode: str) -> None:
    phrasings = MODES[mode]
    unread = [name for name, phrasing in phrasings.items() if case.scored(phrasing(case.right))[0] != "right"]
    assert len(unread) <= (1 - LEAST) * len(phrasings), unread


@by_task
@by_mode
def test_wrong_answers_never_score_right_in_any_phrasing(case: Case, mode: str) -> None:
    assert [name for name, phrasing in MODES[mode].items() if case.scored(phrasing(case.wrong))[0] == "right"] == []


@by_task
def test_refused_or_contradictory_answers_score_wrong(case: Case) -> None:
    assert [name for name, text in negatives(case).items() if case.scored(text)[0] == "right"] == []


@by_task
def test_object_in_thought_is_ignored(case: Case) -> None:
    as_agreed: Phrasing = MODES["json_object"]["as agreed"]
    for right, said in ((True, case.right), (False, case.wrong)):
        thought = as_agreed(case.wrong if right else case.right)
        outcome, liberties = case.scored(f"<think>{thought}</think>{as_agreed(said)}")
        assert (outcome == "right") is right
        assert liberties == (["thought"] if case.asks_reasoning else ["key", "thought"])


@by_task
def test_agreed_form_is_read_without_liberties(case: Case) -> None:
    for name in ("as agreed", "over several lines", "reasoning last") if case.asks_reasoning else ("no reasoning",):
        assert case.scored(MODES["json_object"][name](case.right)) == ("right", [])


@by_task
def test_strict_envelope_reads_agreed_form_only(case: Case) -> None:
    strict = case.with_envelope("strict")
    assert strict.scored(MODES["json_object"]["as agreed"](case.right)) == ("right", [])
    for name in ("a fence", "a thought", "a sentence after"):
        assert strict.scored(MODES["json_schema ignored"][name](case.right)) == ("unread", [])
