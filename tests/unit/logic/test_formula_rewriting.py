"""Negation normal form and the laws."""

import pytest

from nlfol.logic.printing import to_unicode
from nlfol.logic.reading import parse
from nlfol.logic.rewriting import Law, complement, is_negation_normal_form, negation_normal_form, rewrites

CASES = [
    (Law.DE_MORGAN, "¬(P(a) ∧ Q(a))", (), "¬P(a) ∨ ¬Q(a)"),
    (Law.DE_MORGAN, "¬(P(a) ∨ ¬Q(a))", (), "¬P(a) ∧ Q(a)"),
    (Law.DE_MORGAN, "¬∀x P(x)", (), "∃x ¬P(x)"),
    (Law.DE_MORGAN, "¬∃x ¬P(x)", (), "∀x P(x)"),
    (Law.DE_MORGAN, "P(a) ∧ Q(a)", (), "¬(¬P(a) ∨ ¬Q(a))"),
    (Law.DE_MORGAN, "∀x (¬P(x) ∨ Q(x))", (0,), "∀x ¬(P(x) ∧ ¬Q(x))"),
    (Law.DOUBLE_NEGATION, "¬¬P(a) → Q(a)", (0,), "P(a) → Q(a)"),
    (Law.DOUBLE_NEGATION, "P(a) → Q(a)", (1,), "P(a) → ¬¬Q(a)"),
    (Law.COMMUTATIVITY, "P(a) ∧ Q(a)", (), "Q(a) ∧ P(a)"),
    (Law.COMMUTATIVITY, "P(a) ∨ Q(a)", (), "Q(a) ∨ P(a)"),
    (Law.COMMUTATIVITY, "P(a) ⊕ Q(a)", (), "Q(a) ⊕ P(a)"),
    (Law.COMMUTATIVITY, "¬(P(a) ↔ Q(a))", (0,), "¬(Q(a) ↔ P(a))"),
    (Law.DISTRIBUTIVITY, "P(a) ∧ (Q(a) ∨ S(a))", (), "P(a) ∧ Q(a) ∨ P(a) ∧ S(a)"),
    (Law.DISTRIBUTIVITY, "P(a) ∧ Q(a) ∨ S(a)", (), "(P(a) ∨ S(a)) ∧ (Q(a) ∨ S(a))"),
    (Law.DISTRIBUTIVITY, "P(a) ∧ Q(a) ∨ P(a) ∧ S(a)", (), "P(a) ∧ (Q(a) ∨ S(a))"),
    (Law.DISTRIBUTIVITY, "(Q(a) ∨ P(a)) ∧ (S(a) ∨ P(a))", (), "Q(a) ∧ S(a) ∨ P(a)"),
    (Law.IMPLICATION_EXPANSION, "∀x (P(x) → Q(x))", (0,), "∀x (¬P(x) ∨ Q(x))"),
    (Law.IMPLICATION_EXPANSION, "¬P(a) → Q(a)", (), "P(a) ∨ Q(a)"),
    (Law.IMPLICATION_EXPANSION, "P(a) ↔ Q(a)", (), "(P(a) → Q(a)) ∧ (Q(a) → P(a))"),
]


@pytest.mark.parametrize(("law", "text", "path", "rewritten"), CASES)
def test_each_law_rewrites_as_the_textbook_says(law: Law, text: str, path: tuple[int, ...], rewritten: str) -> None:
    found = {(one.law, one.path, to_unicode(one.formula)) for one in rewrites(parse(text))}
    assert (law, path, rewritten) in found


def test_every_law_has_an_example() -> None:
    assert {law for law, *_ in CASES} == set(Law)


def test_rewrites_are_all_of_them_in_preorder() -> None:
    assert [(one.law.value, one.path, to_unicode(one.formula)) for one in rewrites(parse("P(a) → ¬Q(a)"))] == [
        ("double_negation", (), "¬¬(P(a) → ¬Q(a))"),
        ("implication_expansion", (), "¬P(a) ∨ ¬Q(a)"),
        ("double_negation", (0,), "¬¬P(a) → ¬Q(a)"),
        ("double_negation", (1, 0), "P(a) → ¬¬¬Q(a)"),
    ]


def test_equal_sides_are_not_exchanged() -> None:
    assert Law.COMMUTATIVITY not in {one.law for one in rewrites(parse("P(a) ∧ P(a)"))}


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("P(a)", "P(a)"),
        ("¬¬¬P(a)", "¬P(a)"),
        ("¬(a = b)", "a ≠ b"),
        ("¬a ≠ b", "a = b"),
        ("¬(P(a) ∧ ¬Q(a))", "¬P(a) ∨ Q(a)"),
        ("¬(P(a) ∨ Q(a))", "¬P(a) ∧ ¬Q(a)"),
        ("¬(P(a) → Q(a))", "P(a) ∧ ¬Q(a)"),
        ("P(a) → Q(a)", "¬P(a) ∨ Q(a)"),
        ("P(a) ↔ Q(a)", "(¬P(a) ∨ Q(a)) ∧ (¬Q(a) ∨ P(a))"),
        ("P(a) ⊕ Q(a)", "P(a) ∧ ¬Q(a) ∨ ¬P(a) ∧ Q(a)"),
        ("¬(P(a) ⊕ Q(a))", "(¬P(a) ∨ Q(a)) ∧ (¬Q(a) ∨ P(a))"),
        ("¬(P(a) ↔ Q(a))", "P(a) ∧ ¬Q(a) ∨ ¬P(a) ∧ Q(a)"),
        ("¬∀x ∃y R(x, y)", "∃x ∀y ¬R(x, y)"),
    ],
)
def test_negation_normal_form_of_each_operator(text: str, normal: str) -> None:
    assert to_unicode(negation_normal_form(parse(text))) == normal
    assert is_negation_normal_form(parse(normal))
    assert is_negation_normal_form(parse(text)) == (parse(text) is parse(normal))


def test_complement_does_not_pile_up_negations() -> None:
    formula = parse("P(a) ∧ Q(a)")
    assert to_unicode(complement(formula)) == "¬(P(a) ∧ Q(a))"
    assert complement(complement(formula)) is formula
    assert to_unicode(complement(parse("¬¬P(a)"))) == "¬P(a)"
