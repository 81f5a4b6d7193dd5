"""Formulas read for a verdict: one meaning, or none."""

import pickle

import pytest

from nlfol.logic import AmbiguousFormulaError, Signature, parse, read_decided, read_tolerantly, to_unicode, variants

CUBES = "∀x (Cube(x) → Small(x))"


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("- P(a)", "¬P(a)"),
        ("-P(a)", "¬P(a)"),
        ("- all x (P(x) -> -Q(x))", "¬∀x (P(x) → ¬Q(x))"),
        ("- exists x. (P(x) & Q(x))", "¬∃x (P(x) ∧ Q(x))"),
        ("```\n- P(a)\n```", "¬P(a)"),
        ("- P(a)\n- P(a)", "P(a)"),
        ("1. P(a)\n2. P(a)", "P(a)"),
        ("— P(a)", "P(a)"),
        # conventions decide
        ("P(a) ∧ Q(a) ∨ R(a)", "(P(a) ∧ Q(a)) ∨ R(a)"),
        ("P(a) → Q(a) → R(a)", "P(a) → (Q(a) → R(a))"),
        ("∀x P(x) → Q(a)", "(∀x P(x)) → Q(a)"),
        # another sign or the letters tell
        ("P(a) ^ (Q(a) v R(a))", "P(a) ∧ (Q(a) ∨ R(a))"),
        ("P(a) ⊕ (Q(a) ^ R(a))", "P(a) ⊕ (Q(a) ∧ R(a))"),
        ("Not(P(a))", "¬P(a)"),
        ("ForAll(x, p(x))", "∀x p(x)"),
        ("fof(ax, axiom, p(a))", "p(a)"),
        ("∀ x, P x", "∀x P(x)"),
        ("(P(a) & Q(a)) == ~R(a)", "(P(a) ∧ Q(a)) ↔ ¬R(a)"),
    ],
)
def test_read_decided_accepts_texts_with_single_meaning(text: str, formula: str) -> None:
    assert read_decided(text).formula is parse(formula)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"- {CUBES}", "the dash before the formula"),
        ("- ¬P(a)", "the dash before the formula"),
        ("- ~P(a)", "the dash before the formula"),
        ("– P(a) & ~Q(a)", "the dash before the formula"),
        ("This is it.\n- P(a)", "the dash before the formula"),
        ("P(a) ^ Q(a)", "'^' taken as ∧"),
        ("(P(a) & Q(a)) ^ R(a)", "'^' taken as ⊕"),
        ("∀x (P(x), Q(x) → R(x))", "a comma between formulas"),
        ("P(a) ∧ (P(b) = Q(b) ∨ Q(a))", "'=' between predicates"),
        ("P(a) == Q(a)", "'==' taken as ↔"),
        (r"\mathcal{P}(a) \land P(a)", "typefaces"),
        ("∀ x : Person, Tall x", "the type 'Person'"),
        ("∀ x, Likes bob x", "taken as the first argument"),
        ("not(p(a))", "'not' taken as an operator"),
    ],
)
def test_read_decided_refuses_texts_with_multiple_meanings(text: str, reason: str) -> None:
    with pytest.raises(AmbiguousFormulaError, match="ambiguous: ") as caught:
        read_decided(text)
    assert reason in caught.value.problem
    assert caught.value.reading.formula is read_tolerantly(text).formula
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.reading) == (str(caught.value), caught.value.reading)


@pytest.mark.parametrize("text", ["P(a) ^ P(b) → P(a) ∨ P(b)", "∀ x : Person, Tall x → Tall x"])
def test_equivalent_readings_are_decided(text: str) -> None:
    reading = read_tolerantly(text)
    assert reading.ambiguous
    assert read_decided(text) == reading


def test_long_ambiguous_formula_is_refused() -> None:
    with pytest.raises(AmbiguousFormulaError):
        read_decided(" ^ ".join(f"P(a{number})" for number in range(700)))


def test_signature_rules_out_readings() -> None:
    signature = Signature({"Tall": 1, "Likes": 2, "P": 1}, {}, frozenset({"a", "bob"}))
    assert to_unicode(read_decided("∀ x : Person, Tall x", signature=signature).formula) == "∀x Tall(x)"
    assert to_unicode(read_decided("∀ x, Likes bob x", signature=signature).formula) == "∀x Likes(bob, x)"
    with pytest.raises(AmbiguousFormulaError):
        read_decided("P(a) ^ Tall(a)", signature=signature)


def test_variants_vary_ambiguities_singly_then_jointly() -> None:
    readings = [read_tolerantly(text) for text in ("P(a) ^ Q(a)", "P(a)", "P(b) ^ Q(b)")]
    found = [(each.place, [to_unicode(formula) for formula in each.formulas]) for each in variants(readings)]
    assert found == [
        (0, ["P(a) ⊕ Q(a)", "P(a)", "P(b) ∧ Q(b)"]),
        (2, ["P(a) ∧ Q(a)", "P(a)", "P(b) ⊕ Q(b)"]),
        (0, ["P(a) ⊕ Q(a)", "P(a)", "P(b) ⊕ Q(b)"]),
    ]
    assert variants(readings[1:2]) == []
