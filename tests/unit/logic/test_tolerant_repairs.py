"""What is dropped, changed and supplied, and what is told of it."""

import pytest

from nlfol.logic.errors import FormulaSyntaxError
from nlfol.logic.reading import parse, read_tolerantly

CUBES = "∀x (Cube(x) → Small(x))"
REPAIRED = [
    # replies
    ("```\n∀x (Cube(x) → Small(x))\n```", CUBES, "code fence dropped"),
    ("```fol\n∀x (Cube(x) → Small(x))\n```", CUBES, "code fence dropped"),
    ("Here it is:\n```\n∀x (Cube(x) → Small(x))\n```\nDone.", CUBES, "outside the code fence dropped"),
    ("Answer: ∀x (Cube(x) → Small(x))", CUBES, "'Answer:' before the formula dropped"),
    ("Formula: ∀x (Cube(x) → Small(x))", CUBES, "'Formula:' before the formula dropped"),
    ("FOL: ∀x (Cube(x) → Small(x))", CUBES, "'FOL:' before the formula dropped"),
    ("First-order logic formula: ∀x (Cube(x) → Small(x))", CUBES, "before the formula dropped"),
    ("The translation is ∀x (Cube(x) → Small(x))", CUBES, "'The translation is' before the formula dropped"),
    ("Premise 2: ∀x (Cube(x) → Small(x))", CUBES, "'Premise 2:' before the formula dropped"),
    ("**∀x (Cube(x) → Small(x))**", CUBES, "'**' around the formula dropped"),
    ("**Answer:** `∀x (Cube(x) → Small(x))`.", CUBES, "'`' around the formula dropped"),
    ("`∀x (Cube(x) → Small(x))`", CUBES, "'`' around the formula dropped"),
    ('"∀x (Cube(x) → Small(x))"', CUBES, "around the formula dropped"),
    ("“∀x (Cube(x) → Small(x))”", CUBES, "around the formula dropped"),
    ("1. ∀x (Cube(x) → Small(x))", CUBES, "'1.' before the formula dropped"),
    ("(3) ∀x (Cube(x) → Small(x))", CUBES, "'(3)' before the formula dropped"),
    ("- ∀x (Cube(x) → Small(x))", CUBES, ""),
    ("* ∀x (Cube(x) → Small(x))", CUBES, "'*' before the formula dropped"),
    ("∀x (Cube(x) → Small(x)) ::: All cubes are small.", CUBES, "explanation after ':::' dropped"),
    ("∀x (Cube(x) → Small(x)).", CUBES, "'.' after the formula dropped"),
    ("∀x (Cube(x) → Small(x)),", CUBES, "',' after the formula dropped"),
    ("∀x (Cube(x) → Small(x));", CUBES, "';' after the formula dropped"),
    ("∀x (Cube(x) → Small(x))\n\nThis says: every cube is small.", CUBES, "line of prose dropped"),
    ("P(a)\n\nP(a)", "P(a)", "the same formula found 2 times"),
    ("P(a) or Q(a)?\nFinal answer: P(a)", "P(a)", "took what is marked as final, not the rest"),
    ("P(a)\n**Final answer:** Q(a)", "Q(a)", "took what is marked as final, not the rest"),
    ("*P(a)*", "P(a)", "'*' around the formula dropped"),
    # signs
    ("P(a) ⟶ Q(a)", "P(a) → Q(a)", "column 6: '⟶' read as '→'"),
    ("P(a) ⇒ Q(a)", "P(a) → Q(a)", "'⇒' read as '→'"),
    ("P(a) ⊃ Q(a)", "P(a) → Q(a)", "'⊃' read as '→'"),
    ("∼P(a)", "¬P(a)", "'∼' read as '¬'"),
    ("˜P(a)", "¬P(a)", "'˜' read as '¬'"),
    ("P(a) ⋀ Q(a)", "P(a) ∧ Q(a)", "'⋀' read as '∧'"),
    ("P(a) ⋁ Q(a)", "P(a) ∨ Q(a)", "'⋁' read as '∨'"),
    ("P(a) ≡ Q(a)", "P(a) ↔ Q(a)", "'≡' read as '↔'"),
    ("P(a) ⇔ Q(a)", "P(a) ↔ Q(a)", "'⇔' read as '↔'"),
    ("P(a) ⟷ Q(a)", "P(a) ↔ Q(a)", "'⟷' read as '↔'"),
    ("P(a) ⊻ Q(a)", "P(a) ⊕ Q(a)", "'⊻' read as '⊕'"),
    ("P（a） ∧ Q(a)", "P(a) ∧ Q(a)", "'（' read as '('"),
    ("P(a) v Q(a)", "P(a) ∨ Q(a)", "the letter 'v' read as '∨'"),
    # parentheses
    ("((P(a)))", "P(a)", ""),
    ("∀x (Cube(x) → Small(x)", CUBES, "closing parenthesis missing, added"),
    ("∀x (Cube(x) → Small(x)))", CUBES, "closing parenthesis too many, dropped"),
    # names
    ("Cost(yale, 42.3billion)", "Cost(yale, n42_3billion)", "'42.3billion' written 'n42_3billion'"),
    ("Sides(a, 4)", "Sides(a, n4)", "'4' written 'n4'"),
    ("Anti-abortion(a)", "Anti_abortion(a)", "'Anti-abortion' written 'Anti_abortion'"),
    ("P(O'Brien)", "P(OBrien)", '"O\'Brien" written'),
    ("P(jane’s)", "P(janes)", "written 'janes'"),
    ("P('bob')", "P(bob)", ""),
    ("P('x')", "P(x_)", "'x' written 'x_'"),
    ('In("New York", a)', "In(New_York, a)", "'New York' written 'New_York'"),
    ("P(c++)", "P(c_plus_plus)", "'c++' written"),
    ("Cost(gre, US$205)", "Cost(gre, US_205)", "'US$205' written"),
    ("P(josé)", "P(jose)", "'josé' written 'jose'"),
    ("∀α P(α)", "∀char3b1 P(char3b1)", "'α' written"),
    ("∀x' P(x')", "∀x P(x)", '"x\'" written'),
    ("∀x P(x) ∧ Q(x)", "∀x (P(x) ∧ Q(x))", "column 1: ∀x read with wide scope"),
    ("P(a) & ∀x P(x) & Q(x)", "P(a) ∧ ∀x (P(x) ∧ Q(x))", "column 8: ∀x read with wide scope"),
]
AMBIGUOUS = [
    ("caret", "P(a) ^ Q(a)", "P(a) ∧ Q(a)", ["P(a) ⊕ Q(a)"]),
    ("caret", "(P(a) & Q(a)) ^ R(a)", "(P(a) ∧ Q(a)) ⊕ R(a)", ["P(a) ∧ Q(a) ∧ R(a)"]),
    ("mixed_and_or", "P(a) ∧ Q(a) ∨ R(a)", "(P(a) ∧ Q(a)) ∨ R(a)", ["P(a) ∧ (Q(a) ∨ R(a))"]),
    ("mixed_and_or", "P(a) | Q(a) & R(a)", "P(a) ∨ (Q(a) ∧ R(a))", ["(P(a) ∨ Q(a)) ∧ R(a)"]),
    ("mixed_exclusive_or", "P(a) ⊕ Q(a) ∨ R(a)", "P(a) ⊕ (Q(a) ∨ R(a))", ["(P(a) ⊕ Q(a)) ∨ R(a)"]),
    ("implication_chain", "P(a) → Q(a) → R(a)", "P(a) → (Q(a) → R(a))", ["(P(a) → Q(a)) → R(a)"]),
    ("quantifier_scope", "∀x P(x) → Q(a)", "(∀x P(x)) → Q(a)", ["∀x (P(x) → Q(a))"]),
    ("quantifier_scope", "∀x. P(x) → Q(a)", "∀x (P(x) → Q(a))", ["(∀x P(x)) → Q(a)"]),
    ("quantifier_scope", "∀x P(x) → Q(x)", "∀x (P(x) → Q(x))", ["(∀x P(x)) → Q(x)"]),
    ("quantifier_scope", "¬∃x. P(x) ∧ Q(a)", "¬∃x (P(x) ∧ Q(a))", ["(¬∃x P(x)) ∧ Q(a)"]),
    ("leading_dash", "- P(a)", "¬P(a)", ["P(a)"]),
    ("leading_dash", "- ¬P(a)", "¬P(a)", ["¬¬P(a)"]),
    ("sort", "∀ x : Person, Tall x", "∀x Tall(x)", ["∀x (Person(x) → Tall(x))"]),
    ("prefix_application", "∀ x, Likes bob x", "∀x Likes(bob, x)", []),
    ("prefix_application", "(Cube a)", "Cube(a)", []),
    ("equality", "(= (f a) (f b))", "f(a) ↔ f(b)", ["f(a) = f(b)"]),
]
UNAMBIGUOUS = [
    "∀x P(x) ∧ Q(a)",
    "∀x P(x) ∧ ∃y Q(y) ∧ ∃z P(z)",
    "P(a) → Q(a) ∧ R(a)",
    "(P(a) ∧ Q(a)) ∨ R(a)",
    "P(a) ∨ Q(a) → P(b) ∧ Q(b)",
    "∀x. P(x) → Q(x)",
    "∀x (P(x) → ∃y R(x, y))",
    "![X]: p(X) => q(a)",
]


@pytest.mark.parametrize(("text", "expected", "repair"), REPAIRED)
def test_repairs(text: str, expected: str, repair: str) -> None:
    reading = read_tolerantly(text)
    assert reading.formula is parse(expected)
    assert any(repair in told for told in reading.repairs) or not repair


@pytest.mark.parametrize(("kind", "text", "expected", "others"), AMBIGUOUS)
def test_ambiguities(kind: str, text: str, expected: str, others: list[str]) -> None:
    reading = read_tolerantly(text)
    assert reading.formula is parse(expected)
    assert [a.kind for a in reading.ambiguities] == [kind]
    assert reading.ambiguous
    assert list(reading.alternatives) == [parse(other) for other in others]


@pytest.mark.parametrize("text", UNAMBIGUOUS)
def test_equivalent_groupings_are_no_ambiguity(text: str) -> None:
    assert not read_tolerantly(text).ambiguous


def test_scope_warnings_of_the_strict_reader_are_repairs_and_ambiguities() -> None:
    reading = read_tolerantly("∀x P(x) → Q(x)")
    assert len(reading.repairs) == 1
    assert [a.kind for a in reading.ambiguities] == ["quantifier_scope"]


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("∀x (P(x) ∧ Q(x) R(x))", 1, 17),
        ("Answer: P(a) ∧ y > 9", 1, 18),
        ("```\nP(a) ∧\n  λx.P(x)\n```", 3, 3),
        (r"\forall x (P(x) \land \leq x)", 1, 23),
        ("P(a) & Q(b, )", 1, 13),
        ("(and (P a)\n  (not (or)))", 2, 8),
    ],
)
def test_errors_are_placed_in_the_original(text: str, line: int, column: int) -> None:
    with pytest.raises(FormulaSyntaxError) as caught:
        read_tolerantly(text)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert caught.value.text == text


@pytest.mark.parametrize("text", ["P(a)\nQ(a)", "1. P(a)\n2. Q(a)", "```\nP(a)\n```\n```\nQ(a)\n```", "- P(a)\n- Q(a)"])
def test_several_formulas_are_refused(text: str) -> None:
    with pytest.raises(FormulaSyntaxError, match="2 different formulas found"):
        read_tolerantly(text)


def test_a_line_that_should_be_a_formula_is_not_passed_over() -> None:
    with pytest.raises(FormulaSyntaxError, match="infix comparisons"):
        read_tolerantly("∀x P(x)\n∀x (Q(x) → x > y)")


@pytest.mark.parametrize("text", ["It is not the case that\nP(a)", "P(a)\nif it rains", "It is false that:\n\nP(a)"])
def test_a_sentence_that_goes_on_into_the_formula_is_not_passed_over(text: str) -> None:
    with pytest.raises(FormulaSyntaxError):
        read_tolerantly(text)


@pytest.mark.parametrize("text", ["P(a) ∧ (Q(a) ∨ R(a)", "¬(P(a) ∧ Q(a)", "∀x ((P(x) ∨ Q(x)) ∧ R(x)) → S(x))"])
def test_a_parenthesis_that_could_stand_elsewhere_is_not_supplied(text: str) -> None:
    with pytest.raises(FormulaSyntaxError, match="parenthesis"):
        read_tolerantly(text)


@pytest.mark.parametrize("text", ["∀x (P(x) ∧ P(x'))", "P(a-b) ∧ P(a_b)", "P(josé) ∨ P(jose)"])
def test_names_that_would_meet_are_refused(text: str) -> None:
    with pytest.raises(FormulaSyntaxError, match="would both be written"):
        read_tolerantly(text)
