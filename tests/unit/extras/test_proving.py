"""Completion and models over the integers: what they prove, and that they prove no more."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.strategies import families
from tests.unit.logic.test_propositional_letters import letter_formula

from nlfol.logic.decision.random_families import RandomFamily
from nlfol.logic.decision.satisfiability import solving
from nlfol.logic.measuring import signature
from nlfol.logic.reading import parse
from nlfol.logic.syntax import And, Constant, Equality, ForAll, Formula, Function, Not, Term, Variable
from nlfol_extras.proving import arithmetic
from nlfol_extras.proving.completion import completed


def test_registered_proofs_stand_behind_the_means_that_they_name() -> None:
    assert [stage.__name__ for stage in solving()] == [
        *("by_small_budget", "by_completion", "by_model_search", "by_full_budget", "by_larger_model_search"),
        *("by_arithmetic", "by_formulas_as_given"),
    ]


GROUP = "∀x0 ∀x1 ∀x2 m(m(x0, x1), x2) = m(x0, m(x1, x2)) ∧ ∀x0 m(e, x0) = x0 ∧ ∀x0 m(i(x0), x0) = e"


@pytest.mark.parametrize(
    "denied",
    [
        "m(a, e) ≠ a", "m(a, i(a)) ≠ e", "i(i(a)) ≠ a", "i(m(a, b)) ≠ m(i(b), i(a))",
        "m(a, i(a)) ≠ e ∨ i(e) ≠ e",
    ],
)  # fmt: skip
def test_completion_proves_group_theorems(denied: str) -> None:
    assert completed(parse(f"{GROUP} ∧ ({denied})")).contradictory


@pytest.mark.parametrize("denied", ["m(a, b) ≠ m(b, a)", "m(a, a) ≠ e", "i(e) ≠ e ∨ a ≠ b", "a ≠ e"])
def test_completion_proves_only_entailed_group_equations(denied: str) -> None:
    assert not completed(parse(f"{GROUP} ∧ ({denied})")).contradictory


def test_unorientable_equations_rewrite_toward_smaller_terms() -> None:
    commutative = "∀x0 ∀x1 m(x0, x1) = m(x1, x0)"
    assert completed(parse(f"{commutative} ∧ m(m(a, b), c) ≠ m(c, m(b, a))")).contradictory
    assert not completed(parse(f"{commutative} ∧ m(m(a, b), c) ≠ m(m(c, b), a)")).contradictory


def test_completion_ignores_other_conjuncts_and_derives_consequences() -> None:
    found = completed(parse(f"{GROUP} ∧ (P(a) ∨ e = a) ∧ ¬P(m(a, e))"))
    assert not found.contradictory
    assert parse("∀x0 m(x0, e) = x0") in found.equations
    assert completed(parse("P(a) ∧ ¬P(b)")) == (False, ())


def test_completion_terminates_on_growing_and_shared_terms() -> None:
    assert not completed(parse("∀x0 f(g(x0)) = g(g(f(f(x0)))) ∧ f(g(g(g(a)))) ≠ a")).contradictory
    shared: Term = Constant("a")
    for _ in range(60):
        shared = Function("m", (shared, shared))
    assert completed(And(Equality(shared, Constant("a")), Not(Equality(shared, Constant("b"))))) == (False, ())


_TERMS = st.recursive(
    st.sampled_from([Variable("x0"), Variable("x1"), Constant("a"), Constant("b")]),
    lambda inner: (
        st.builds(lambda one: Function("f", (one,)), inner)
        | st.builds(lambda one, other: Function("m", (one, other)), inner, inner)
    ),
    max_leaves=4,
)


@given(st.lists(st.tuples(_TERMS, _TERMS), min_size=1, max_size=3), families())
def test_completion_is_sound_in_random_structures(equations: list[tuple[Term, Term]], family: RandomFamily) -> None:
    formula: Formula = Not(Equality(Function("m", (Constant("a"), Constant("b"))), Constant("a")))
    for left, right in equations:
        formula = And(ForAll(Variable("x0"), ForAll(Variable("x1"), Equality(left, right))), formula)
    truth = family.truth(formula)
    with pytest.MonkeyPatch.context() as patch:
        # Equations without end would use up all steps; what is wrong shows in the first ones.
        patch.setattr("nlfol_extras.proving.completion.MAX_STEPS", 2_000)
        found = completed(formula)
    assert truth is not None
    assert not (truth and found.contradictory)
    for equation in found.equations:
        assert not truth & ~(family.truth(equation) or 0)


@pytest.mark.parametrize(
    ("text", "described"),
    [
        ("∀x ∃y R(x, y) ∧ ∀x ¬R(x, x)", "universe of the integers; R(x, y) iff x < y"),
        ("∀x f(x) ≠ o ∧ ∀x ∀y (f(x) = f(y) → x = y)", "universe of the natural numbers; o = 0; f(x) = x + 1"),
        ("∀x ∀y m(x, y) = m(y, x) ∧ ∀x m(x, e) = x", "universe of the integers; e = 0; m(x, y) = x + y"),
        ("∃x P(x) ∧ ∃x ¬P(x)", "universe of the integers; P(x) iff x > 0"),
    ],
)
def test_arithmetic_interpretation_is_found(text: str, described: str) -> None:
    formula = parse(text)
    symbols = signature(formula)
    found = arithmetic.interpretation(formula, symbols, 50_000)
    assert found is not None
    assert found.describe() == described
    assert arithmetic.is_true(formula, found, 50_000)


def test_arithmetic_interpretation_is_absent_for_contradiction() -> None:
    formula = parse("∃x (P(x) ∧ ¬P(x))")
    assert arithmetic.interpretation(formula, signature(formula), 50_000) is None
    wide = parse("∃x W(x, x, x, x)")
    assert arithmetic.interpretation(wide, signature(wide), 50_000) is None


def test_integer_models_interpret_letters() -> None:
    formula = letter_formula("¬p ∧ q ∧ ∀x ∃y L(x, y) ∧ ∀x ¬L(x, x) ∧ ∀x ∀y ∀z (L(x, y) ∧ L(y, z) → L(x, z))")
    found = arithmetic.interpretation(formula, signature(formula), 500_000)
    assert found is not None
    assert found.describe() == "universe of the integers; L(x, y) iff x < y; p iff false; q iff true"
