"""One normal form for what is the same but for names, order and repetitions, and for nothing that differs."""

from collections import defaultdict
from itertools import product

import pytest

from nlfol.logic.decision.normal_form import Numbering, same_normal_form
from nlfol.logic.decision.random_families import RandomFamily
from nlfol.logic.measuring import free_variables
from nlfol.logic.reading import parse
from nlfol.logic.syntax import And, Atom, Exists, ForAll, Formula, Iff, Implies, Or, Variable


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("∀x P(x)", "∀y P(y)"),
        ("∀x ∃y R(x, y)", "∀y ∃x R(y, x)"),
        ("∀x ∀z P(x)", "∀x P(x)"),
        ("∃x (P(x) ∧ ∀z ∀x Q(x))", "∃y (P(y) ∧ ∀v ∀u Q(u))"),
        ("P(a) ∧ Q(a) ∧ P(a)", "Q(a) ∧ P(a)"),
        ("P(a) ∨ (Q(a) ∨ S(a))", "S(a) ∨ P(a) ∨ Q(a)"),
        ("f(a) = b", "b = f(a)"),
        ("P(a) → Q(a)", "¬P(a) ∨ Q(a)"),
        ("P(a) ↔ Q(a)", "Q(a) ↔ P(a)"),
        ("¬(P(a) ⊕ Q(a))", "P(a) ↔ Q(a)"),
        ("∀x P(f(x, a))", "∀z P(f(z, a))"),
    ],
)
def test_formulas_that_differ_on_the_surface_have_one_normal_form(first: str, second: str) -> None:
    assert same_normal_form(parse(first), parse(second))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("∀x ∃y R(x, y)", "∀x ∃y R(y, x)"),
        ("∀x ∀y R(x, y)", "∀x ∀y R(x, x)"),
        ("∀x P(x)", "∃x P(x)"),
        ("P(a) ∧ Q(a)", "P(a) ∨ Q(a)"),
        ("P(f(a))", "P(a)"),
        ("∀x P(f(x, a))", "∀x P(f(a, x))"),
        ("P(x)", "P(y)"),
    ],
)
def test_formulas_that_differ_in_meaning_have_two(first: str, second: str) -> None:
    assert not same_normal_form(parse(first), parse(second))


def test_a_tree_that_grows_too_large_has_none() -> None:
    formula: Formula = parse("P(a)")
    for number in range(20):
        formula = Iff(formula, parse(f"Q{number}(a)"))
    assert same_normal_form(formula, formula)
    assert Numbering(limit=50).of(formula) is None
    x, y = Variable("x"), Variable("y")
    formula = Atom("R", (x, y))
    for number in range(40):
        formula = ForAll(x, Iff(Exists(y, formula), Atom(f"R{number}", (x, y))))
    assert not same_normal_form(ForAll(y, formula), Exists(y, formula))


def test_every_small_formula_is_true_where_others_of_its_normal_form_are() -> None:
    x, y = Variable("x"), Variable("y")
    atoms = [Atom("R", (x, y)), Atom("R", (y, x)), Atom("R", (x, x)), Atom("P", (x,)), Atom("P", (y,))]
    bodies: list[Formula] = list(atoms)
    for one, other in product(atoms, atoms):
        bodies += [And(one, other), Or(one, other), Implies(one, other)]
    sentences: list[Formula] = []
    for first, second, body in product((x, y), (x, y), bodies):
        for inner in (ForAll(second, body), Exists(second, body)):
            sentences += [ForAll(first, inner), Exists(first, inner)]
    sentences = [sentence for sentence in sentences if not free_variables(sentence)]
    family = RandomFamily(3, 512, "small formulas")
    numbering = Numbering()
    truths = defaultdict(set)
    for sentence in sentences:
        truths[numbering.of(sentence)].add(family.truth(sentence))
    assert len(truths) < len(sentences)
    assert all(len(bits) == 1 for bits in truths.values())
