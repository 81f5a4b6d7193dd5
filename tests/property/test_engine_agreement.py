"""A random sample of mixed pairs, each put to an engine of other make: no answer contradicts the verdict."""

from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random

import pytest
from tests.property.generated import pairs
from tests.unit.logic.corpora import CORPORA, SHARED, closed, has_one_arity_a_symbol

from nlfol.logic.decision.engines import ENGINES
from nlfol.logic.decision.satisfiability import Question
from nlfol.logic.decision.solver import Answer
from nlfol.logic.editing import edits
from nlfol.logic.equivalence import Outcome, equivalence
from nlfol.logic.rewriting import rewrites
from nlfol.logic.syntax import ExclusiveOr, Formula, Not

Pair = tuple[Formula, Formula]

WRITTEN = 14
"""Formulas that people wrote, each compared with an edit, a rewrite and its negation."""

GENERATED = {"prenex": 1, "nested": 3, "terms": 3}
"""Formulas of each kind, each compared with four others."""


def of_written(formulas: Iterable[Formula], draw: Random) -> Iterator[Pair]:
    for formula in formulas:
        yield formula, draw.choice(list(edits(formula))).formula
        yield formula, draw.choice(list(rewrites(formula))).formula
        yield formula, Not(formula)


@pytest.fixture(scope="module")
def sample() -> list[Pair]:
    """Half of the written formulas from FOLIO where it is at hand, all of them from Tarski's World where not."""
    draw = Random("second opinion")
    at_hand = ["tarski", "folio"] if (SHARED / "folio").exists() else ["tarski"]
    judgeable = {name: list(filter(has_one_arity_a_symbol, closed(CORPORA[name]()))) for name in at_hand}
    written = [f for name in at_hand for f in draw.sample(judgeable[name], WRITTEN // len(at_hand))]
    generated = [pair for kind, count in GENERATED.items() for pair in pairs(draw, kind, count)]
    return [*of_written(written, draw), *((pair.first, pair.second) for pair in generated)]


@pytest.mark.parametrize("name", sorted(ENGINES))
def test_an_engine_contradicts_no_verdict(name: str, sample: list[Pair]) -> None:
    engine = ENGINES[name]
    if engine.command() is None:
        pytest.skip(f"{name} is not installed: package {engine.package}")
    found: Counter[tuple[Outcome, Answer]] = Counter()
    for first, second in sample:
        differ = engine.ask(Question((ExclusiveOr(first, second),)), seconds=1).answer
        outcome = equivalence(first, second).outcome
        assert (outcome, differ) not in (
            (Outcome.EQUIVALENT, Answer.YES),
            (Outcome.NOT_EQUIVALENT, Answer.NO),
        ), f"{first} and {second}"
        found[outcome, differ] += 1
    assert sum(found.values()) == 3 * WRITTEN + 4 * sum(GENERATED.values()) >= 60
    assert found[Outcome.EQUIVALENT, Answer.NO] >= 16
    assert found[Outcome.NOT_EQUIVALENT, Answer.YES] >= 32
    assert sum(found[outcome, Answer.UNKNOWN] for outcome in Outcome) <= 8
