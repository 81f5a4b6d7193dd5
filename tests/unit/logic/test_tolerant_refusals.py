"""What is no formula, and why."""

import time
from contextlib import suppress

import pytest

from nlfol.logic.errors import FormulaSyntaxError
from nlfol.logic.notations.tolerant import read_tolerantly

REFUSED = [
    ("", "there is no formula"),
    (" \n ", "there is no formula"),
    ("```\n```", "there is no formula"),
    ("y > 9", "infix comparisons"),
    ("∀x (Rating(x, y) ∧ y > 9 → Listed(x))", "infix comparisons"),
    ("P(a) → y ≤ 42.3billion", "infix comparisons"),
    (r"P(a) \land y \geq 3", "infix comparisons"),
    ("∀x (x ∈ y → P(x))", "sets and membership"),
    ("A ⊆ B", "sets and membership"),
    ("∀x ∈ D (P(x))", "restricted quantifier"),
    (r"\forall x \in D, P(x)", "restricted quantifier"),
    ("forall x in D: P(x)", "restricted quantifier"),
    ("∀ x : A, ∀ y : B, R x y", "several types"),
    ("∀ (x : Person), Person x", "is a predicate, too"),
    ("¬Feud(imperium, ∃y (Stable(y)))", "a formula cannot be an argument"),
    ("Believes(bob, ¬P(a))", "a formula cannot be an argument"),
    ("Believes(bob, P(a) ∧ Q(a))", "a formula cannot be an argument"),
    ("P(a = b)", "a formula cannot be an argument"),
    ("P(a) ∧ ... ∧ Q(a)", "ellipsis"),
    ("P(a) ∧ … ∧ Q(a)", "ellipsis"),
    ("P(a1, ..., an)", "ellipsis"),
    ("λx.P(x)", "lambda"),
    (r"\lambda x. P(x)", "lambda"),
    ("Organize(yale, {a, b})", "a list or a set"),
    ("List(a, [b, c])", "a list or a set"),
    ("P(x + 1)", "arithmetic"),
    ("P(x-1)", "arithmetic"),
    ("P(x, y - 1)", "arithmetic"),
    ("P(a+b)", "arithmetic"),
    ("x * y = z", "arithmetic"),
    ("□P(a)", "modal"),
    ("◇P(a) → P(a)", "modal"),
    (r"\Box P(a)", "modal"),
    ("∀x ∀y (Left(x, y) → ¬(x plays for y))", "two names in a row"),
    ("P(plays for y)", "blanks in an argument"),
    ("Superhero(captain america)", "blanks in an argument"),
    ("James ∧ P(james)", "nullary"),
    ("P() ∧ Q(a)", "nullary"),
    ("P", "nullary"),
    ("True", "truth value"),
    ("Uncertain", "truth value"),
    ("P(a) ∧ ⊥", "truth constants"),
    ("P(a), Q(b)", "a list of formulas"),
    ("∀x (P(x)), ∀x (Q(x))", "a list of formulas"),
    ("P(a). Q(b).", "more follows"),
    ("P(a) <= Q(a)", "reversed implication"),
    ("P(a) ← Q(a)", "reversed implication"),
    ("Γ ⊢ P(a)", "statement about formulas"),
    ("P(1,000)", "a comma in it"),
    ("P(a) Q(a)", "expected a connective"),
    (r"P(\text{a ∧ b})", "signs of logic"),
    ('P("Q(a)")', "signs of logic"),
    ("P(bo", "not closed"),
    ("∀x, Long,er(x) → P(x)", "a variable"),
    ("P(a) → Q R(a))", "two names in a row"),
    ("P[x]", "round parentheses"),
    ("If P(a) → Q(a)", "English word"),
    ("P(a) if Q(a)", "English word"),
    (r"\forall x ~P(x)", "blank in LaTeX"),
    (r"\foo{P(a)}", "not known here"),
    ("∃!x,y R(x, y)", "∃! binds one variable"),
    ("(P(a)]", "expected"),
    ("(let ((y a)) (P y))", "local definitions"),
    ("(ite (P a) (Q a) (R a))", "case distinctions"),
    ("(forall ((x A) (y B)) (R x y))", "several sorts"),
    ("(assert (P a)) (assert (Q a))", "2 formulas found"),
    ("(and (P a))", "with 1 arguments"),
    ("(P (and (Q a) (Q b)))", "a formula cannot be an argument"),
]
PROSE = [
    "All cats are mammals.",
    "Every dog barks.",
    "Some dogs bark loudly.",
    "No cat is a dog.",
    "If it rains, then the ground is wet.",
    "Socrates is a man.",
    "Socrates is mortal",
    "The statement is true.",
    "The answer is true.",
    "I cannot translate this sentence.",
    "I'm sorry, but I can't help with that.",
    "There is no formula.",
    "Not all birds can fly.",
    "For all x, if x is a cat then x is a mammal.",
    "for all x x is a mammal",
    "There exists x such that x is a dog.",
    "Bob likes Mary and Mary likes Bob.",
    "Bob and Mary",
    "Either it rains or it snows.",
    "James works in the lab (or at home).",
    "James works in the lab (part-time) and studies.",
    "Let Cube(x) mean that x is a cube.",
    "Cube(x) means that x is a cube.",
    "x is a cube",
    "not happy",
    "not a formula",
    "All of them.",
    "Some people say (and I agree) that this is hard.",
    "People who perform in talent shows attend events.",
    "None of the above",
    "Unknown",
    "The formula cannot be expressed in first-order logic.",
    "Yes.",
    "No",
    "N/A",
    "True or false?",
    "A cube is small, but a ball is large.",
    "Yale has an endowment of 42.3 billion dollars.",
    "Here is the translation:",
    "Step 1: identify the predicates. Step 2: write the formula.",
    "This is a long explanation without any formula in it; it only says what one would do.",
    "In logic, the symbol ∀ means 'for all'.",
    "The sign → is an implication.",
    "∀x: x is a cat → x is a mammal",
    "All men (mortal) are (human)",
    "Exists a cat",
    "All x are P",
    "The GRE costs US$205.",
    "P implies Q",
    "(Bob is happy)",
    "For every x there is a y.",
]


@pytest.mark.parametrize(("text", "reason"), REFUSED)
def test_refusals_say_why(text: str, reason: str) -> None:
    with pytest.raises(FormulaSyntaxError) as caught:
        read_tolerantly(text)
    assert reason in caught.value.problem


@pytest.mark.parametrize("text", PROSE)
def test_prose_is_no_formula(text: str) -> None:
    with pytest.raises(FormulaSyntaxError):
        read_tolerantly(text)


HOSTILE = [
    *(unit * (19_990 // len(unit)) for unit in ["(", ")", "~", "¬", "'", '"', "`", "*", "$", "“", "\n", "λ", "Ɐ", "ä"]),
    *(
        unit * (19_990 // len(unit))
        for unit in ["∀x ", "∀x. ", "∃!x ", "all x ", "![X]: ", "f(", "(not ", "∀ x, P x → "]
    ),
    *(
        unit * (19_990 // len(unit))
        for unit in ["P(a) & ", "P(a) → ", "∀x. P(x) → ", "And(", "ForAll(x, ", "(∀x)", "```"]
    ),
    *(
        unit * (19_990 // len(unit))
        for unit in ["the ", "Answer: ", "Final answer: ", "- P(a)\n", "P(a) ^ ", "::: ", "\\_"]
    ),
    "~" * 10_000 + "P(a)",
    "[" * 9_990 + "P(a)" + "]" * 9_990,
    "(not " * 3_000 + "(P a)" + ")" * 3_000,
    "∀ x, P " + "(f " * 4_000 + "x" + ")" * 4_000,
    "~P(" + "f(" * 5_000 + "x" + ")" * 5_000 + ")",
    "(" * 10_000 + "P(a)" + ")" * 10_000,
    "P(a) & " * 150_000,
    "∀x (" + " & ".join(["P(x)"] * 60),
    "(" * 30 + " & ".join(f"P(a{i})" for i in range(30)) + ")" * 29,
    ("(P(a) ∧ (Q(a) ∨ R(a))) ∧ " * 9 + "((P(a)\n") * 60,
    "".join(f"∀x{i}. P(x{i}) → " for i in range(150)) + "Q(a)",
    "".join(f"∃!x{i} " for i in range(6)) + "R(x0, x5)",
    "All dogs bark at the moon.\n" * 99 + "∀x P(x)",
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_no_text_is_slow_or_crashes(text: str) -> None:
    start = time.process_time()
    with suppress(FormulaSyntaxError):
        read_tolerantly(text)
    assert time.process_time() - start < 1
