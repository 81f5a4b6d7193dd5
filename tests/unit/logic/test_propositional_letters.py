"""Propositional letters: where a name alone is one, and what they are to every part of the logic."""

from collections.abc import Iterable
from functools import reduce
from itertools import pairwise

import pytest

from nlfol.logic import entails, equivalence, parse, read_tolerantly, relation
from nlfol.logic.decision.satisfiability import Question, by_model_search, by_small_budget, by_truth_table
from nlfol.logic.decision.solver import Answer, satisfiable
from nlfol.logic.diagnosis import Fault, diagnose
from nlfol.logic.equivalence import Contingency, contingency
from nlfol.logic.errors import FormulaError, FormulaSyntaxError, SignatureError
from nlfol.logic.measuring import Signature, count_operators, letters, predicates, signature
from nlfol.logic.printing import to_latex, to_tptp, to_unicode
from nlfol.logic.relations import smallest_counter_model
from nlfol.logic.rewriting import negation_normal_form
from nlfol.logic.structures import Conditions, Structure, holds
from nlfol.logic.syntax import And, Atom, Constant, Exists, ForAll, Formula, Iff, Implies, Not, Or, Variable

P, Q = Atom("p", ()), Atom("q", ())
X = Variable("x")
LONG: list[Formula] = [Atom(f"p{number}", ()) for number in range(20)]


def letter_formula(text: str) -> Formula:
    return parse(text, propositions=True)


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("p", P), (" ( p ) ", P), ("¬p ∧ q → p", Implies(And(Not(P), Q), P)), ("∀x p", ForAll(X, P)),
        ("∀ x p∨q", Or(ForAll(X, P), Q)), ("∀x (P(x) → p)", ForAll(X, Implies(Atom("P", (X,)), P))),
        ("∃person (P(person) ∧ p)", Exists(Variable("person"), And(Atom("P", (Variable("person"),)), P))),
        ("P(p) ∧ p", And(Atom("P", (Constant("p"),)), P)), ("x ↔ R(x)", Iff(Atom("x", ()), Atom("R", (X,)))),
        ("p(p) ∧ P", And(Atom("p", (Constant("p"),)), Atom("P", ()))),
    ],
)  # fmt: skip
def test_bare_name_kind_follows_position(text: str, formula: Formula) -> None:
    assert parse(text, propositions=True) is formula
    assert parse(text, signature=Signature({"p": 0, "q": 0, "x": 0, "P": 0})) is formula
    reading = read_tolerantly(text, propositions=True)
    assert (reading.formula, reading.repairs) == (formula, ())


@pytest.mark.parametrize("text", ["p", "¬p ∧ P(a)", "∀x (P(x) → p)"])
def test_bare_name_is_error_unless_declared_letter(text: str) -> None:
    for known in (None, Signature({"q": 0, "P": 1})):
        with pytest.raises(FormulaSyntaxError) as caught:
            parse(text, signature=known)
        assert caught.value.problem == "'p' stands alone: a predicate needs arguments, an equation needs '='"
        with pytest.raises(FormulaSyntaxError, match="'p' stands alone: nullary predicates are not supported"):
            read_tolerantly(text, signature=known)


@pytest.mark.parametrize("text", ["∀x (P(x) → x)", "∃p p", "p ∧ ∀p P(p)"])
def test_bound_variable_is_rejected_as_letter(text: str) -> None:
    for read in (parse, read_tolerantly):
        with pytest.raises(FormulaSyntaxError, match="a quantifier binds it: a variable is no formula"):
            read(text, propositions=True)


def test_printers_refuse_letter_named_like_bound_variable() -> None:
    formula = ForAll(X, Or(Atom("P", (X,)), Atom("x", ())))
    for printer in (to_unicode, to_latex):
        with pytest.raises(FormulaError, match="'x' names a letter and a variable"):
            printer(formula)
    assert str(formula) == "∀x (P(x) ∨ x)"
    assert to_tptp(formula) == "![X]: (p(X) | x)"


def test_empty_letter_parentheses_are_dropped_only_by_tolerant_reader() -> None:
    with pytest.raises(FormulaSyntaxError, match=r"expected a term, found '\)'"):
        parse("p() ∧ q", propositions=True)
    reading = read_tolerantly("p() ∧ q", propositions=True)
    assert reading.formula is And(P, Q)
    assert reading.repairs == ("column 2: the empty parentheses after 'p' dropped",)


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("(p or q)", "p ∨ q"), ("p v q", "p ∨ q"), ("not p and q", "¬p ∧ q"), ("And(p, Not(q))", "p ∧ ¬q"),
        ("ForAll(x, p)", "∀x p"), ("ForAll(x, p) ∧ q", "∀x p ∧ q"), ("forall x p and q", "∀x p ∧ q"),
        ("∀ x, Cube x → p", "∀x (Cube(x) → p)"), (r"$\neg \text{it rains} \to \mathrm{wet}$", "¬it_rains → wet"),
        ("p & q -> ~r.", "p ∧ q → ¬r"), ("The formula is: p => q", "p → q"),
        ("fof(a, axiom, (p => ~x)).", "p → ¬x"),
    ],
)  # fmt: skip
def test_tolerant_reader_accepts_letter_notations_from_models(text: str, formula: str) -> None:
    assert str(read_tolerantly(text, propositions=True).formula) == formula


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("True", "truth value"), ("false", "truth value"), ("It is raining", "English word"),
        ("p q", "two names in a row"), ("p[1]", "round parentheses"), ("p <= q", "reversed implication"),
        ("p ≈ q", "comparisons"),
    ],
)  # fmt: skip
def test_tolerant_reader_refuses_invalid_letters(text: str, problem: str) -> None:
    with pytest.raises(FormulaSyntaxError, match=problem):
        read_tolerantly(text, propositions=True)


def test_signature_allows_operator_words_as_letters() -> None:
    known = Signature({"true": 0, "not": 0, "P": 1})
    assert str(read_tolerantly("true & P(a)", signature=known).formula) == "true ∧ P(a)"
    assert str(read_tolerantly("(not ∧ true)", signature=known).formula) == "not ∧ true"


def test_letters_are_measured_as_nullary_predicates() -> None:
    formula = letter_formula("p ∧ (q → P(a))")
    assert letters(formula) == {"p", "q"}
    assert predicates(formula) == {"P": 1, "p": 0, "q": 0}
    assert signature(formula).letters == {"p", "q"}
    assert formula.profile.symbols >= {("predicate", "p", 0), ("constant", "a", 0)}
    assert count_operators(formula) == 2
    with pytest.raises(SignatureError, match="predicate 'p' has 1 arguments, not 0"):
        Signature({"p": 1}).check(P)
    assert equivalence(P, Atom("p", (Constant("a"),))).means == "arity"
    assert negation_normal_form(letter_formula("¬(p → q)")) is And(P, Not(Q))


def test_structures_interpret_letters_as_nullary_relations() -> None:
    structure = Structure(2, {}, {}, {"P": frozenset({(1,)}), "p": frozenset({()}), "q": frozenset()})
    assert structure.to_json() == '{"size":2,"constants":{},"functions":{},"predicates":{"P":[[1]],"p":[[]],"q":[]}}'
    assert Structure.from_json(structure.to_json()) == structure
    assert structure.describe() == "universe {0, 1}; P = {1}; p is true; q = {}"
    for text, truth in {"p": True, "q": False, "∃x (P(x) ∧ p)": True, "∀x (p → P(x))": False}.items():
        assert holds(letter_formula(text), structure) is truth
        assert Conditions()[letter_formula(text)](structure, {}) is truth


@pytest.mark.parametrize(
    ("first", "second", "outcome", "means"),
    [
        ("(p ↔ q) ↔ r", "p ↔ (q ↔ r)", "equivalent", "truth_table"),
        ("p ∧ q", "∃x (q ∧ p)", "equivalent", "normal_form"),
        ("p → q", "q → p", "not_equivalent", "truth_table"),
        ("∀x (P(x) → p)", "∃x P(x) → p", "equivalent", None),
        ("∀x (P(x) → p)", "∀x P(x) → p", "not_equivalent", "finite_structure"),
        ("p ∧ a = b", "p ∧ b = a", "equivalent", None),
        ("p ∨ a = a", "q ∨ b = b", "equivalent", None),
    ],
)
def test_equivalence_decides_letter_formulas(first: str, second: str, outcome: str, means: str | None) -> None:
    verdict = equivalence(letter_formula(first), letter_formula(second))
    assert verdict.outcome == outcome
    assert means in (None, verdict.means)


def _all(formulas: Iterable[Formula]) -> Formula:
    return reduce(And, formulas)


def test_formulas_with_many_letters_are_decided() -> None:
    chain: Formula = reduce(Iff, LONG)
    backwards: Formula = reduce(Iff, reversed(LONG))
    ring = _all(Implies(one, other) for one, other in pairwise([*LONG, LONG[0]]))
    all_same = _all(Iff(one, other) for one, other in pairwise(LONG))
    assert equivalence(chain, backwards).outcome == "equivalent"
    assert equivalence(ring, all_same).outcome == "equivalent"
    assert equivalence(ring, And(ring, Or(LONG[0], Not(LONG[5])))).outcome == "equivalent"
    verdict = equivalence(chain, ring)
    assert verdict.outcome == "not_equivalent"
    assert verdict.counter_model is not None


def test_satisfiability_stages_handle_letters() -> None:
    formula = letter_formula("(p ∨ q) ∧ ¬(p ∧ q) ∧ (p → r)")
    question = Question((formula,))
    for stage in (by_truth_table, by_small_budget, by_model_search):
        found = stage(question)
        assert found is not None
        assert found.answer is Answer.YES
        assert found.model is not None
        assert holds(formula, found.model)
    assert by_truth_table(Question((P, Not(P)))) is not None
    assert satisfiable(And(P, Not(P))).answer is Answer.NO
    assert contingency(Or(P, Not(P))) is Contingency.VALID
    assert contingency(And(P, Not(P))) is Contingency.UNSATISFIABLE
    assert contingency(letter_formula("∀x (P(x) → p)")) is Contingency.CONTINGENT


def test_relation_and_entailment_handle_letters() -> None:
    assert relation(letter_formula("p → q"), Q).kind == "stronger"
    assert relation(P, Not(P)).kind == "contradictory"
    assert entails([letter_formula("p → q"), P], Q).label == "true"
    assert entails([letter_formula("p → q"), Not(Q)], P).label == "false"
    assert entails([letter_formula("p → q")], Q).label == "uncertain"
    assert entails([letter_formula("∀x (P(x) → p)"), letter_formula("P(a)")], P).label == "true"
    assert entails([P, Not(P)], Q).inconsistent


def test_counter_models_and_diagnoses_handle_letters() -> None:
    found = smallest_counter_model(letter_formula("p ∨ P(a)"), letter_formula("p"))
    assert found is not None
    assert found.describe() == "universe {0}; a = 0; P = {0}; p = {}"
    diagnosis = diagnose(letter_formula("p → q"), letter_formula("q → p"))
    assert diagnosis is not None
    assert diagnosis.fault is Fault.DIRECTION
    missing = diagnose(letter_formula("p ∧ q → r"), letter_formula("p → r"))
    assert missing is not None
    assert missing.fault is Fault.MISSING
