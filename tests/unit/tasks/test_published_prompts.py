"""The papers' grids ask as the papers ask: the checklist, read against each first request."""

from collections.abc import Sequence

import pytest
from pydantic import ValidationError
from tests.examples import item
from tests.unit.tasks.published_prompts import GRIDS, SETTING, Check, checklist, requests_of

from nlfol.tasks.plan import Step
from nlfol.tasks.program import ProgramEntry
from nlfol.tasks.round_trip import RoundTrip, RoundTripEntry

OUR_OWN = ("question_answering",), ("divide", "concept_table_stepwise")
"""Tasks and strategies of SoLT's grid whose prompts it does not print."""


@pytest.mark.parametrize("grid", GRIDS)
def test_first_requests_of_grid_say_what_paper_prints(grid: str) -> None:
    found = {
        f"{request.name}, {check.appendix}": faults
        for request in requests_of(grid)
        for check in request.checks([GRIDS[grid]])
        if (faults := check.faults(request.text))
    }
    assert not found


@pytest.mark.parametrize("grid", GRIDS)
def test_every_request_of_grid_is_on_checklist(grid: str) -> None:
    unchecked = {
        request.name
        for request in requests_of(grid)
        if not request.checks([GRIDS[grid]])
        if GRIDS[grid] != "solt" or (request.about["task"], request.about["strategy"]) not in own_prompts()
    }
    assert not unchecked


def own_prompts() -> Sequence[tuple[str, str | None]]:
    tasks, strategies = OUR_OWN
    return [*((task, None) for task in tasks), *(("program", strategy) for strategy in strategies)]


def test_every_check_is_about_request_of_some_grid() -> None:
    met = [check for grid, paper in GRIDS.items() for request in requests_of(grid) for check in request.checks([paper])]
    assert [check for check in checklist() if check not in met] == []


def test_check_finds_missing_misplaced_and_forbidden_words() -> None:
    check = Check("", "", {}, ["one", "two"], ["three"])
    assert check.faults("one two") == []
    assert check.faults("two one three") == ["does not say 'two', or says it too early", "says 'three'"]


def test_published_round_trip_shows_symbols_of_formula_alone() -> None:
    about = item("Cube(a)", "It is a cube.", ontology=item("Cube(a) ∧ Larger(a, b) ∧ a = next(a)").ontology)
    step = RoundTrip(RoundTripEntry(prompt="published", given="symbols")).plan(SETTING).following(about, "", 1, [])
    assert isinstance(step, Step)
    assert "Predicates:\n- Cube(x)\nObjects:\n- a\nVariables" in step.system


@pytest.mark.parametrize("given", ["symbols", "glosses", "none"])
def test_one_key_decides_vocabulary_of_both_steps(given: str) -> None:
    with pytest.raises(ValidationError):
        RoundTripEntry.model_validate({"glosses": False})
    assert RoundTripEntry.model_validate({"given": given}).given == given


@pytest.mark.parametrize("strategy", ["divide", "concept_table_stepwise"])
def test_strategies_without_published_prompt_refuse_it(strategy: str) -> None:
    with pytest.raises(ValidationError, match="has no published prompt"):
        ProgramEntry.model_validate({"strategy": strategy, "prompt": "published"})
