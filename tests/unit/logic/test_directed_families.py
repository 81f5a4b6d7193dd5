"""Structures made for two formulas: what they tell apart, and that it is so."""

from random import Random

from hypothesis import given
from tests.property.generated import pairs
from tests.property.strategies import closed_formulas

from nlfol.logic.decision.random_families import telling_apart
from nlfol.logic.decision.satisfiability import FIRST_FAMILY, FURTHER_FAMILIES
from nlfol.logic.editing import edits
from nlfol.logic.reading import parse
from nlfol.logic.structures import holds
from nlfol.logic.syntax import Formula


@given(closed_formulas(leaves=8))
def test_a_structure_that_is_found_tells_the_two_apart(formula: Formula) -> None:
    for edit in edits(formula):
        witness = telling_apart(formula, edit.formula)
        if witness is not None:
            structure = witness.structure()
            assert holds(formula, structure) != holds(edit.formula, structure)


def test_a_difference_deep_inside_a_large_formula_is_found() -> None:
    hidden = " ∧ ".join(f"{'¬' * (number % 2)}Q{number}(a)" for number in range(30))
    text = f"∀x ∃y (R(x, y) ∧ P(x) ∨ ¬({hidden}))"
    first, second = parse(text), parse(text.replace("R(x, y) ∧ P(x)", "R(x, y) ∨ P(x)"))
    assert all(family.truth(first) == family.truth(second) for family in (FIRST_FAMILY, *FURTHER_FAMILIES))
    assert telling_apart(first, second) is not None
    assert telling_apart(first, parse(text.replace("∃y", "∀y"))) is not None


def test_the_same_structure_is_found_again() -> None:
    changed = [pair for pair in pairs(Random(3), "prenex", 10) if pair.equivalent is None]
    found = [telling_apart(pair.first, pair.second) for pair in changed]
    assert any(found)
    assert found == [telling_apart(pair.first, pair.second) for pair in changed]
