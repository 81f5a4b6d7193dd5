"""Verdicts on pairs whose relation is known from how they are made, tens of thousands of them: none is wrong.

Equivalent by construction are a formula, its negation normal form and what one law makes of it. Different are a formula
and a single edit of it between which a structure tells, by the plain definition of truth; and then what one law makes
of the formula, and that edit.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from random import Random

import pytest
from tests.property.generated import formula_with_terms, nested_formula, prenex_formula
from tests.unit.logic.corpora import CORPORA, closed, has_one_arity_a_symbol

from nlfol.logic.equivalence import Outcome
from nlfol.logic.judging import judge_pairs
from nlfol.logic.measuring import Signature, signature
from nlfol.logic.rewriting import edits, negation_normal_form, rewrites
from nlfol.logic.structures import Structure, holds
from nlfol.logic.syntax import Formula, Not

Pair = tuple[Formula, Formula]

MOST = 12
"""Rewrites, and edits, that are taken of one formula."""

AGAINST_EDITS = 6
"""Rewrites of a formula that are compared with each edit of it."""


def some(found: Iterable[Formula], most: int, label: str) -> list[Formula]:
    listed = list(found)
    return Random(label).sample(listed, min(most, len(listed)))


@cache
def laws_applied(formula: Formula, most: int) -> list[Formula]:
    """Some of what one law at one place makes of the formula."""
    return some((rewrite.formula for rewrite in rewrites(formula)), most, f"laws {formula}")


def equivalent_pairs(formula: Formula) -> Iterator[Pair]:
    normal = negation_normal_form(formula)
    yield formula, normal
    yield Not(formula), negation_normal_form(Not(formula))
    for rewritten in laws_applied(formula, MOST):
        yield formula, rewritten
        yield rewritten, normal


def different_pairs(formula: Formula) -> Iterator[Pair]:
    for edited in some((edit.formula for edit in edits(formula)), MOST, f"edits {formula}"):
        yield formula, edited


def random_structure(symbols: Signature, draw: Random) -> Structure:
    """Drawn here, not by the library's families."""
    size = draw.randint(1, 2)
    elements = range(size)
    return Structure(
        size,
        {name: draw.choice(elements) for name in sorted(symbols.constants)},
        {
            name: {row: draw.choice(elements) for row in product(elements, repeat=arity)}
            for name, arity in sorted(symbols.functions.items())
        },
        {
            name: frozenset(row for row in product(elements, repeat=arity) if draw.random() < 0.5)
            for name, arity in sorted(symbols.predicates.items())
        },
    )


def told_apart(first: Formula, second: Formula, tries: int = 20) -> bool:
    """Tell if one of some random structures separates the two."""
    draw, symbols = Random(f"{first} {second}"), signature(Not(first))
    structures = (random_structure(symbols, draw) for _ in range(tries))
    return any(holds(first, structure) != holds(second, structure) for structure in structures)


def written(source: str) -> list[Formula]:
    """All formulas of Tarski's World, a third of FOLIO's."""
    found = list(filter(has_one_arity_a_symbol, closed(CORPORA[source]())))
    return found[:: 3 if source == "folio" else 1]


def generated() -> list[Formula]:
    makers = {prenex_formula: 2, nested_formula: 2, formula_with_terms: 35}
    return [make(Random(f"labels {number}")) for make, count in makers.items() for number in range(count)]


@dataclass(frozen=True)
class Expected:
    """Expectations of one source: its least number of pairs, the unknown verdicts allowed, the share of neutral edits.

    An edit that no structure tells from its original has no label.
    """

    pairs: int
    unknown: int = 0
    alike: float = 0.01


EXPECTED = {"tarski": Expected(13_000), "folio": Expected(17_000), "generated": Expected(3_000, unknown=4, alike=0.4)}


@pytest.mark.parametrize("source", EXPECTED)
def test_verdicts_agree_with_constructed_labels(source: str) -> None:
    expected = EXPECTED[source]
    formulas = generated() if source == "generated" else written(source)
    edited = [pair for formula in formulas for pair in different_pairs(formula)]
    different, alike, unknown = [], 0, 0
    for pair, verdict in zip(edited, judge_pairs(edited), strict=True):
        model = verdict.counter_model
        if model is not None:
            assert verdict.outcome is Outcome.NOT_EQUIVALENT
            assert holds(pair[0], model) != holds(pair[1], model)
            different.append(pair)
        elif verdict.outcome is Outcome.EQUIVALENT:
            alike += 1
            assert not told_apart(*pair), pair
        else:
            unknown += 1
    assert alike <= expected.alike * len(edited)
    different += [(other, pair[1]) for pair in different for other in laws_applied(pair[0], AGAINST_EDITS)]
    equivalent = [pair for formula in formulas for pair in equivalent_pairs(formula)]
    for label, pairs in ((Outcome.EQUIVALENT, equivalent), (Outcome.NOT_EQUIVALENT, different)):
        found = Counter(verdict.outcome for verdict in judge_pairs(pairs))
        assert set(found) <= {label, Outcome.UNKNOWN}
        unknown += found[Outcome.UNKNOWN]
    assert len(equivalent) + len(different) >= expected.pairs
    assert unknown <= expected.unknown
