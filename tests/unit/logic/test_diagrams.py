"""Decision diagrams: one diagram means one truth, and all that is propositional is found."""

import pytest
from hypothesis import given
from tests.property.strategies import closed_formulas, families

from nlfol.logic.decision.diagrams import MAX_ATOMS, have_one_diagram
from nlfol.logic.decision.random_families import RandomFamily
from nlfol.logic.reading import parse
from nlfol.logic.rewriting import negation_normal_form, rewrites
from nlfol.logic.syntax import And, Atom, Formula, Iff, Not


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("P(a) ∧ (Q(a) ∨ R(a))", "P(a) ∧ Q(a) ∨ P(a) ∧ R(a)", True),
        ("P(a) ⊕ Q(a)", "¬(P(a) ↔ Q(a))", True),
        ("P(a) → Q(a)", "Q(a) → P(a)", False),
        ("∀x (P(x) ∨ Q(a) ∧ S(a))", "(∀y P(y) ∨ Q(a)) ∧ (S(a) ∨ ∀z P(z))", True),
        ("∀x ∃y (P(x) ∧ Q(a) → R(x, y))", "¬∃u ∀z (Q(a) ∧ P(u) ∧ ¬R(u, z))", True),
        ("∀x ∃y R(x, y)", "∀x ∃y R(y, x)", False),
        ("∃y ∀x R(x, y)", "∀x ∃y R(x, y)", False),
        ("∀x ∀x P(x)", "∀y P(y)", True),
        ("∀x x = x", "a = a", True),
        ("a = b → P(a)", "b = a → P(a)", True),
    ],
)
def test_known_pairs(first: str, second: str, same: bool) -> None:
    assert have_one_diagram(parse(first), parse(second)) is same
    assert have_one_diagram(parse(second), parse(first)) is same


@given(closed_formulas(leaves=8), closed_formulas(leaves=3), families())
def test_one_diagram_means_one_truth(first: Formula, second: Formula, family: RandomFamily) -> None:
    for other in (second, Not(first), negation_normal_form(first), *(rewrite.formula for rewrite in rewrites(first))):
        if have_one_diagram(first, other):
            assert family.truth(first) == family.truth(other)
    assert have_one_diagram(first, negation_normal_form(first)) is not False
    assert have_one_diagram(first, Not(first)) is False


def test_what_is_too_large_has_no_diagram() -> None:
    wide = parse("P(a)")
    for number in range(MAX_ATOMS):
        wide = Iff(wide, Atom(f"P{number}", ()))
    assert have_one_diagram(wide, Not(wide)) is None
    shared = parse("P(a)")
    for _ in range(60):
        shared = And(shared, shared)
    assert have_one_diagram(shared, shared) is None
