"""Measures of a formula's contents."""

import pytest
from tests.unit.logic.examples import EXAMPLES, Example

from nlfol.logic.errors import SignatureError
from nlfol.logic.measuring import (
    Signature,
    bound_variables,
    constants,
    count_operators,
    count_quantifiers,
    free_variables,
    functions,
    predicates,
    signature,
)
from nlfol.logic.reading import parse
from nlfol.logic.syntax import Atom, Constant, Function


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: e.text)
def test_example_counts_and_free_variables_match(example: Example) -> None:
    formula = parse(example.text)
    assert count_operators(formula) == example.operators
    assert count_quantifiers(formula) == example.quantifiers
    assert sorted(variable.name for variable in free_variables(formula)) == list(example.free)


def test_symbols_are_classified_by_position() -> None:
    formula = parse("∀x ∃y (R(x, f(a)) ∧ g(y, z) = b → P(x))")
    assert predicates(formula) == {"P": 1, "R": 2}
    assert functions(formula) == {"f": 1, "g": 2}
    assert constants(formula) == {"a", "b"}
    assert {v.name for v in bound_variables(formula)} == {"x", "y"}
    assert {v.name for v in free_variables(formula)} == {"z"}


def test_variable_may_be_bound_and_free_in_same_formula() -> None:
    formula = parse("P(x) ∧ ∃x Q(x)")
    assert free_variables(formula) == bound_variables(formula)


def test_vacuous_quantifier_binds_its_variable() -> None:
    assert {v.name for v in bound_variables(parse("∀x ∃y P(x)"))} == {"x", "y"}


@pytest.mark.parametrize(
    ("text", "symbol", "message"),
    [
        ("P(a) ∧ P(a, b)", "P", "predicate 'P' is used with 1 and with 2 arguments"),
        ("f(a) = f(a, b)", "f", "function 'f' is used with 1 and with 2 arguments"),
    ],
)
def test_signature_rejects_name_with_two_arities(text: str, symbol: str, message: str) -> None:
    with pytest.raises(SignatureError, match=message) as caught:
        signature(parse(text))
    assert caught.value.symbol == symbol


def test_signature_rejects_arity_conflict_between_formulas() -> None:
    assert signature(parse("P(a)"), parse("Q(a, f(b))")) == Signature({"P": 1, "Q": 2}, {"f": 1}, frozenset({"a", "b"}))
    with pytest.raises(SignatureError, match="predicate 'P' is used with 1 and with 2"):
        signature(parse("P(a)"), parse("P(a, b)"))
    assert signature() == Signature({})


@pytest.mark.parametrize(
    ("text", "symbol", "message"),
    [
        ("Q(a)", "Q", "predicate 'Q' is not in the signature"),
        ("R(a)", "R", "predicate 'R' has 2 arguments, not 1"),
        ("g(a) = a", "g", "function 'g' is not in the signature"),
        ("f(a, a) = a", "f", "function 'f' has 1 arguments, not 2"),
        ("P(d)", "d", "constant 'd' is not in the signature"),
        ("Z(d) ∧ S(d) ∧ g(d) = c", "S", "predicate 'S' is not in the signature"),
    ],
)
def test_signature_check_names_missing_symbol(text: str, symbol: str, message: str) -> None:
    known = Signature({"P": 1, "R": 2}, {"f": 1}, frozenset({"a"}))
    known.check(parse("∀x (P(x) → R(f(x), a))"))
    with pytest.raises(SignatureError, match=message) as caught:
        known.check(parse(text))
    assert caught.value.symbol == symbol


def test_signature_allows_same_name_across_symbol_kinds() -> None:
    formula = Atom("n", (Function("n", (Constant("n"),)),))
    assert signature(formula) == Signature({"n": 1}, {"n": 1}, frozenset({"n"}))
