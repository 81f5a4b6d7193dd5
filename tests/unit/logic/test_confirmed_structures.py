"""No part of the library says that two formulas differ on the word of a structure that the plain evaluator denies.

The double here is a family of structures that writes out another structure than the one whose bits it computed: what a
mistake in the bit-parallel evaluation would look like.
"""

import json
import pickle
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from nlfol.cli.formula_rows import Judging, compared, entailed
from nlfol.logic.decision.families import Family
from nlfol.logic.decision.satisfiability import FIRST_FAMILY, Question, by_model_search
from nlfol.logic.equivalence import contingency, equivalence
from nlfol.logic.judging import judge_pairs
from nlfol.logic.measuring import Signature
from nlfol.logic.ontology.derivation import derive
from nlfol.logic.reading import parse
from nlfol.logic.relations import entails, relation, smallest_counter_model
from nlfol.logic.structures import Structure
from nlfol.randomness import generator
from nlfol.sets.audited import Plan, most_similar_set, ranking_set
from nlfol.tasks.item import Item
from nlfol.tasks.logical_translation import LogicalTranslation

GOLD, OTHER = "∀x (Cube(x) → Small(x))", "∀x (Small(x) → Cube(x))"
RECORD = {"id": 1, "reference": GOLD, "candidate": OTHER}
PREMISES = {"id": 1, "premises": [GOLD], "conclusion": OTHER}
DENIED = "bit-parallel and plain truth differ"


def translated() -> object:
    gold = parse(GOLD)
    item = Item("w1:0", "w1", "Every cube is small.", GOLD, derive([gold]), ())
    return LogicalTranslation().judge_answer(item, [], json.dumps({"reasoning": "", "answer": OTHER}))


def set_of(make: Callable[..., Any]) -> object:
    gold = parse(GOLD)
    return make(gold, derive([gold]), Plan(3), generator(1, "set"))


CONSUMERS: Mapping[str, Callable[[], object]] = {
    "a counter-model is asked for": lambda: equivalence(parse(GOLD), parse(OTHER)).counter_model,
    "a verdict is shown": lambda: repr(equivalence(parse(GOLD), parse(OTHER))),
    "a verdict goes to another process": lambda: pickle.dumps(equivalence(parse(GOLD), parse(OTHER))),
    "many pairs are judged": lambda: judge_pairs([(parse(GOLD), parse(OTHER))])[0].counter_model,
    "the smallest counter-model": lambda: smallest_counter_model(parse(GOLD), parse(OTHER)),
    "a relation": lambda: relation(parse(GOLD), parse(OTHER)),
    "an entailment": lambda: entails([parse(GOLD)], parse(OTHER)),
    "a contingency": lambda: contingency(parse(GOLD)),
    "nlfol compare": lambda: compared(RECORD, Judging()),
    "nlfol entails": lambda: entailed(PREMISES, Judging()),
    "scoring of a translation": translated,
    "a most-similar set": lambda: set_of(most_similar_set),
    "a ranking set": lambda: set_of(ranking_set),
}


def nothing_holds(family: Family, index: int, symbols: Signature) -> Structure:
    """One element of which nothing holds: the two formulas above are both true there."""
    return Structure(
        1,
        dict.fromkeys(symbols.constants, 0),
        {name: {(0,) * arity: 0} for name, arity in symbols.functions.items()},
        {name: frozenset() for name in symbols.predicates},
    )


@pytest.fixture
def wrong_structures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Family, "structure", nothing_holds)


@pytest.mark.parametrize("consumer", CONSUMERS)
def test_structure_consumers_accept_true_structures(consumer: str) -> None:
    assert CONSUMERS[consumer]() is not None


@pytest.mark.usefixtures("wrong_structures")
@pytest.mark.parametrize("consumer", CONSUMERS)
def test_structure_consumers_reject_false_structures(consumer: str) -> None:
    with pytest.raises(AssertionError, match=f"{DENIED}|no difference between"):
        CONSUMERS[consumer]()


@pytest.mark.usefixtures("wrong_structures")
def test_ranking_negation_needs_confirmed_structure() -> None:
    formulas = (parse(f"Cube{number}(a) ∨ Small(a)") for number in range(100))
    gold = next(formula for formula in formulas if (FIRST_FAMILY.truth(formula) or 0) & 1)
    with pytest.raises(AssertionError, match=DENIED):
        ranking_set(gold, derive([gold]), Plan(1), generator(1, "set"))


def test_false_solver_model_is_discarded(monkeypatch: pytest.MonkeyPatch) -> None:
    question = Question((parse("∃x (Cube(x) ∧ f(x) ≠ x)"),))
    found = by_model_search(question)
    assert found is not None
    assert found.model is not None
    wrong = nothing_holds(FIRST_FAMILY, 0, question.symbols)
    monkeypatch.setattr("nlfol.logic.decision.grounding.model", lambda *_: wrong)
    assert by_model_search(question) is None
