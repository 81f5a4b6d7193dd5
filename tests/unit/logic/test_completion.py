"""Completion of equations: what it proves of groups and the like, and that it proves no more."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.strategies import families

from nlfol.logic.decision.completion import completed
from nlfol.logic.decision.random_families import RandomFamily
from nlfol.logic.reading import parse
from nlfol.logic.syntax import And, Constant, Equality, ForAll, Formula, Function, Not, Term, Variable

GROUP = "∀x0 ∀x1 ∀x2 m(m(x0, x1), x2) = m(x0, m(x1, x2)) ∧ ∀x0 m(e, x0) = x0 ∧ ∀x0 m(i(x0), x0) = e"


@pytest.mark.parametrize(
    "denied",
    [
        "m(a, e) ≠ a",
        "m(a, i(a)) ≠ e",
        "i(i(a)) ≠ a",
        "i(m(a, b)) ≠ m(i(b), i(a))",
        "m(a, i(a)) ≠ e ∨ i(e) ≠ e",
    ],
)
def test_theorems_of_groups_are_proven(denied: str) -> None:
    assert completed(parse(f"{GROUP} ∧ ({denied})")).contradictory


@pytest.mark.parametrize("denied", ["m(a, b) ≠ m(b, a)", "m(a, a) ≠ e", "i(e) ≠ e ∨ a ≠ b", "a ≠ e"])
def test_what_groups_do_not_entail_is_not_proven(denied: str) -> None:
    assert not completed(parse(f"{GROUP} ∧ ({denied})")).contradictory


def test_equations_that_no_order_directs_rewrite_where_terms_become_smaller() -> None:
    commutative = "∀x0 ∀x1 m(x0, x1) = m(x1, x0)"
    assert completed(parse(f"{commutative} ∧ m(m(a, b), c) ≠ m(c, m(b, a))")).contradictory
    assert not completed(parse(f"{commutative} ∧ m(m(a, b), c) ≠ m(m(c, b), a)")).contradictory


def test_other_conjuncts_are_left_out_and_the_rules_are_consequences() -> None:
    found = completed(parse(f"{GROUP} ∧ (P(a) ∨ e = a) ∧ ¬P(m(a, e))"))
    assert not found.contradictory
    assert parse("∀x0 m(x0, e) = x0") in found.equations
    assert completed(parse("P(a) ∧ ¬P(b)")) == (False, ())


def test_terms_that_grow_and_terms_that_share_their_parts_end() -> None:
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
def test_what_has_a_model_is_not_contradictory_and_the_rules_hold_in_it(
    equations: list[tuple[Term, Term]], family: RandomFamily
) -> None:
    formula: Formula = Not(Equality(Function("m", (Constant("a"), Constant("b"))), Constant("a")))
    for left, right in equations:
        formula = And(ForAll(Variable("x0"), ForAll(Variable("x1"), Equality(left, right))), formula)
    truth = family.truth(formula)
    with pytest.MonkeyPatch.context() as patch:
        # Equations without end would use up all steps; what is wrong shows in the first ones.
        patch.setattr("nlfol.logic.decision.completion.MAX_STEPS", 2_000)
        found = completed(formula)
    assert truth is not None
    assert not (truth and found.contradictory)
    for equation in found.equations:
        assert not truth & ~(family.truth(equation) or 0)
