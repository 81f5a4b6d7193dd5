"""Texts that are no formulas, with the reason."""

import pytest
from tests.unit.logic.corpora import read_or_refused
from tests.unit.logic.hostile_texts import HOSTILE

from nlfol.logic.errors import FormulaSyntaxError
from nlfol.logic.reading import read_tolerantly
from nlfol.logic.syntax import distinct_subformulas

REFUSED = [
    ("y ≈ 9", "infix comparisons"), ("P(x > 3)", "infix comparisons"), ("x > y > (z)(y)", "infix comparisons"),
    ("y > -5", "infix comparisons"), ("y > 9 is true", "infix comparisons"), ("∀x>0 P(x)", "infix comparisons"),
    ("(a + b)", "arithmetic"), ("x+y", "arithmetic"), ("P(AC/DC)", "arithmetic"),
    ("P(x_1) ∧ Q(x1)", "both be written 'x1'"), ("", "there is no formula"), (" \n ", "there is no formula"),
    ("```\n```", "there is no formula"), ("A ⊆ B", "sets and membership"),
    ("∀x ∈ parents(a) (P(x))", "restricted quantifier"), (r"\forall x \in \{a, b\}, P(x)", "restricted quantifier"),
    ("forall x in A: P(x) & (exists x: Q(x))", "bound twice"), ("∀ x : A, ∀ y : B, R x y", "several types"),
    ("∀ (x : Person), Person x", "is a predicate, too"),
    ("¬Feud(imperium, ∃y (Stable(y)))", "a formula cannot be an argument"),
    ("Believes(bob, ¬P(a))", "a formula cannot be an argument"),
    ("Believes(bob, P(a) ∧ Q(a))", "a formula cannot be an argument"),
    ("P(a = b)", "a formula cannot be an argument"), ("P(a) ∧ ... ∧ Q(a)", "ellipsis"),
    ("P(a) ∧ … ∧ Q(a)", "ellipsis"), ("P(a1, ..., an)", "ellipsis"), ("λx.P(x)", "lambda"),
    (r"\lambda x. P(x)", "lambda"), ("Organize(yale, {a, b})", "a list or a set"),
    ("List(a, [b, c])", "a list or a set"), ("□P(a)", "modal"), ("◇P(a) → P(a)", "modal"), (r"\Box P(a)", "modal"),
    ("∀x ∀y (Left(x, y) → ¬(x plays for y))", "two names in a row"), ("P(plays for y)", "blanks in an argument"),
    ("Superhero(captain america)", "blanks in an argument"), ("James ∧ P(james)", "nullary"),
    ("P() ∧ Q(a)", "nullary"), ("P", "nullary"), ("True", "truth value"), ("Uncertain", "truth value"),
    ("P(a) ∧ ⊥(b)", "truth constants"), ("P(x^1)", "'^' in an argument: a power has no place in the notation"),
    ("P(a) === Q(a)", "'===': it is either = between terms or ↔ between formulas"),
    (r"\F x.F(x)", "a lambda abstraction is not first-order"),
    (r"\x.P(x)", "a lambda abstraction is not first-order"), ("p → q", "--propositions reads it as a letter"),
    ("P(a), Q(b)", "a list of formulas"), ("∀x (P(x)), ∀x (Q(x))", "a list of formulas"),
    ("P(a). Q(b).", "more follows"), ("P(a) <= Q(a)", "reversed implication"),
    ("P(a) ← Q(a)", "reversed implication"), ("Γ ⊢ P(a)", "statement about formulas"), ("P(1,200)", "a comma in it"),
    ("P(a, $1,200)", "a comma in it"), ("P(1,000.5)", "a comma in it"), ("P(a, _)", "'_' names nothing"),
    ("Rate(a, <0.5%)", "a comparison cannot be an argument"), ("A and B", "--propositions reads it as a letter"),
    ("P(a) Q(a)", "expected a connective"), (r"P(\text{a ∧ b})", "signs of logic"), ('P("Q(a)")', "signs of logic"),
    ("P(bo", "not closed"), ("∀x, Long,er(x) → P(x)", "a variable"), ("P(a) → Q R(a))", "two names in a row"),
    ("P[x]", "round parentheses"), ("If P(a) → Q(a)", "English word"), ("P(a) if Q(a)", "English word"),
    (r"\forall x ~P(x)", "blank in LaTeX"), (r"\foo{P(a)}", "not known here"),
    ("∃!x,y R(x, y)", "∃! binds one variable"), ("∃1x P(x)", "counting quantifier"),
    ("∃₁x P(x)", "counting quantifier"), ("∃2 x P(x)", "counting quantifier"), ("(∃₂x)(P(x))", "counting quantifier"),
    ("exists 2x.P(x)", "counting quantifier"), ("(P(a)]", "expected"),
    ("(forall ((x U) (y V)) (=> (P x) (Q y)))", "expected a variable"),
    ("(x)(P(x) → Q(x))", "nullary"),
]  # fmt: skip
PROSE = [
    "All cats are mammals.", "Every dog barks.", "Some dogs bark loudly.", "No cat is a dog.",
    "If it rains, then the ground is wet.", "Socrates is a man.", "Socrates is mortal",
    "The statement is true.", "The answer is true.", "I cannot translate this sentence.",
    "I'm sorry, but I can't help with that.", "There is no formula.", "Not all birds can fly.",
    "For all x, if x is a cat then x is a mammal.", "for all x x is a mammal",
    "There exists x such that x is a dog.", "Bob likes Mary and Mary likes Bob.", "Bob and Mary",
    "Either it rains or it snows.", "James works in the lab (or at home).",
    "James works in the lab (part-time) and studies.", "Let Cube(x) mean that x is a cube.",
    "Cube(x) means that x is a cube.", "x is a cube", "not happy", "not a formula", "All of them.",
    "Some people say (and I agree) that this is hard.", "People who perform in talent shows attend events.",
    "None of the above", "Unknown", "The formula cannot be expressed in first-order logic.", "Yes.", "No",
    "N/A", "True or false?", "A cube is small, but a ball is large.",
    "Yale has an endowment of 42.3 billion dollars.", "Here is the translation:",
    "Step 1: identify the predicates. Step 2: write the formula.",
    "This is a long explanation without any formula in it; it only says what one would do.",
    "In logic, the symbol ∀ means 'for all'.", "The sign → is an implication.",
    "∀x: x is a cat → x is a mammal", "All men (mortal) are (human)", "Exists a cat", "All x are P",
    "The GRE costs US$205.", "P implies Q", "(Bob is happy)", "For every x there is a y.",
]  # fmt: skip


@pytest.mark.parametrize(("text", "reason"), REFUSED)
def test_tolerant_reader_states_refusal_reason(text: str, reason: str) -> None:
    with pytest.raises(FormulaSyntaxError) as caught:
        read_tolerantly(text)
    assert reason in caught.value.problem


@pytest.mark.parametrize("text", PROSE)
def test_tolerant_reader_refuses_prose(text: str) -> None:
    with pytest.raises(FormulaSyntaxError):
        read_tolerantly(text)


@pytest.mark.parametrize("propositions", [False, True])
@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_tolerant_reader_survives_arbitrary_text(text: str, propositions: bool) -> None:
    _, error = read_or_refused(text, propositions=propositions)
    assert error is None or (5 < len(error.problem) < 300 and 1 <= error.line <= text.count("\n") + 1)


@pytest.mark.parametrize("unit", ["P(a) & ", "(", "¬", "∀x ", "word ", "\n", "\0", "```\n"])
def test_tolerant_reader_refuses_megabyte_by_length(unit: str) -> None:
    text = unit * (1_000_000 // len(unit))
    with pytest.raises(FormulaSyntaxError, match=f"{len(text)} characters; at most 20000 are read"):
        read_tolerantly(text)


@pytest.mark.parametrize(
    ("opening", "middle", "closing"),
    [
        ("~", "P(a)", ""), ("¬", "P(a)", ""), ("(", "P(a)", ")"), ("[", "P(a)", "]"), ("P(", "a", ")"),
        ("∀x", "P(x)", ""),
    ],
)  # fmt: skip
def test_tolerant_reader_survives_deep_nesting(opening: str, middle: str, closing: str) -> None:
    depth = 10_000 if not closing else 9_990 // len(opening + closing) * 2
    text = opening * depth + middle + closing * depth
    reading, error = read_or_refused(text)
    if reading is None:
        assert "at most" in str(error) or "argument" in str(error)
    else:
        assert len(list(distinct_subformulas(reading.formula))) in (1, depth + 1)
