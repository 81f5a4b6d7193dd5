"""Four notations of one formula, and valid names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.logic.examples import EXAMPLES, Example

from nlfol.logic.errors import FormulaError
from nlfol.logic.naming import valid_name
from nlfol.logic.printing import to_latex, to_smtlib, to_tptp, to_unicode
from nlfol.logic.reading import parse
from nlfol.logic.syntax import FREE_VARIABLE, NAME, And, Atom, Constant, ForAll, Formula, Not, Variable


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: e.text)
def test_examples_print_in_unicode_latex_and_tptp(example: Example) -> None:
    formula = parse(example.text)
    assert to_unicode(formula) == example.canonical
    assert to_latex(formula) == example.latex
    assert to_tptp(formula) == example.tptp


def test_terms_print_in_source_notation() -> None:
    equation = parse("f(a, g(x)) = b")
    assert to_unicode(equation.left) == "f(a, g(x))"  # type: ignore[union-attr]


def test_printer_parenthesizes_quantifier_shadowing_free_name() -> None:
    x = Variable("x")
    p, q = Atom("P", (x,)), Atom("Q", (x,))
    assert to_unicode(And(ForAll(x, p), q)) == "(∀x P(x)) ∧ Q(x)"
    assert to_unicode(And(Not(ForAll(x, p)), q)) == "¬(∀x P(x)) ∧ Q(x)"
    assert to_unicode(ForAll(x, And(ForAll(x, p), q))) == "∀x (∀x P(x) ∧ Q(x))"


@pytest.mark.parametrize(
    ("formula", "problem"),
    [
        (
            And(Atom("P", (Constant("b"),)), ForAll(Variable("b"), Atom("P", (Variable("b"),)))),
            "'b' names a constant and a variable",
        ),
        (Atom("P", (Variable("b"),)), "free variable 'b' would be read as a constant"),
    ],
)
def test_printers_refuse_unprintable_trees(formula: Formula, problem: str) -> None:
    for printer in (to_unicode, to_latex):
        with pytest.raises(FormulaError, match=problem):
            printer(formula)


def test_free_variable_prints_where_name_is_bound_elsewhere() -> None:
    formula = parse("P(b) ∧ ∀b Q(b)")
    assert parse(to_unicode(formula)) is formula


def test_tptp_separates_names_differing_in_case_or_kind() -> None:
    assert to_tptp(parse("∀x ∃X (P(x) ∧ p(X) ∧ q(q) = q)")) == "![X_2]: ?[X]: ((p(X_2) & p_2(X)) & (q(q_2) = q_2))"


def test_smtlib_declares_symbols_and_asserts_formula() -> None:
    assert to_smtlib(parse("∀x (P(x) → x = f(a, x)) ⊕ R(a, b)")) == (
        "(set-logic UF)\n"
        "(declare-sort U 0)\n"
        "(declare-fun |c.a| () U)\n"
        "(declare-fun |c.b| () U)\n"
        "(declare-fun |f.f| (U U) U)\n"
        "(declare-fun |p.P| (U) Bool)\n"
        "(declare-fun |p.R| (U U) Bool)\n"
        "(assert (xor (forall ((|v.x| U)) (=> (|p.P| |v.x|) (= |v.x| (|f.f| |c.a| |v.x|)))) (|p.R| |c.a| |c.b|)))\n"
    )


def test_smtlib_refuses_open_formulas() -> None:
    with pytest.raises(FormulaError, match="free variables x, y: close the formula"):
        to_smtlib(parse("R(x, y)"))


@pytest.mark.parametrize(
    ("name", "valid"),
    [
        ("Anti-abortion", "Anti_abortion"), ("mr.smith", "mr_smith"), ("captain america", "captain_america"),
        ("c++", "c_plus_plus"), ("a+", "a_plus"), ("2000", "n2000"),
        ("GrowthCompanies’Stocks", "GrowthCompaniesStocks"), ("LostToIgaŚwiątek", "LostToIgaSwiatek"),
        ("Łódź", "Lodz"), ("Æsop", "AEsop"), ("α", "char3b1"), ("anU.SGovernmentOfficial", "anU_SGovernmentOfficial"),
        ("plain_Name1", "plain_Name1"),
    ],
)  # fmt: skip
def test_valid_name_repairs_names(name: str, valid: str) -> None:
    assert valid_name(name) == valid


def test_constant_names_avoid_variable_pattern() -> None:
    assert valid_name("y1976", constant=True) == "y_1976"
    assert valid_name("y1976") == "y1976"


def test_empty_name_is_refused() -> None:
    with pytest.raises(FormulaError, match="'--'"):
        valid_name("--")


@given(st.text(min_size=1, max_size=20), st.booleans())
def test_valid_name_is_idempotent_on_any_text(name: str, constant: bool) -> None:
    try:
        valid = valid_name(name, constant=constant)
    except FormulaError:
        assert not any(c.isascii() and c.isalnum() for c in name)
        return
    assert NAME.fullmatch(valid)
    assert not (constant and FREE_VARIABLE.fullmatch(valid))
    assert valid_name(valid, constant=constant) == valid
