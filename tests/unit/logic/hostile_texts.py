"""Texts that a reader may choke on: long, deep, full of brackets, and formulas after slips of the pen."""

import random
from collections.abc import Iterator, Sequence
from contextlib import suppress

from tests.property.test_tolerant_round_trips import PLAIN

from nlfol.logic.errors import FormulaError, FormulaSyntaxError
from nlfol.logic.reading import parse

UNITS = [
    "(", ")", "~", "¬", "'", '"', "`", "*", "$", "“", "\n", "λ", "Ɐ", "ä", "∀x ", "∀x. ", "∃!x ", "all x ", "![X]: ",
    "f(", "(not ", "∀ x, P x → ", "P(a) & ", "P(a) → ", "∀x. P(x) → ", "And(", "ForAll(x, ", "(∀x)", "```", "the ",
    "Answer: ", "Final answer: ", "- P(a)\n", "P(a) ^ ", "::: ", "\\_",
]  # fmt: skip
HOSTILE = [
    *(unit * (19_990 // len(unit)) for unit in UNITS), "~" * 10_000 + "P(a)", "[" * 9_990 + "P(a)" + "]" * 9_990,
    "(not " * 3_000 + "(P a)" + ")" * 3_000, "∀ x, P " + "(f " * 4_000 + "x" + ")" * 4_000,
    "~P(" + "f(" * 5_000 + "x" + ")" * 5_000 + ")", "(" * 10_000 + "P(a)" + ")" * 10_000, "P(a) & " * 150_000,
    "∀x (" + " & ".join(["P(x)"] * 60), "(" * 30 + " & ".join(f"P(a{i})" for i in range(30)) + ")" * 29,
    ("(P(a) ∧ (Q(a) ∨ R(a))) ∧ " * 9 + "((P(a)\n") * 60, "".join(f"∀x{i}. P(x{i}) → " for i in range(150)) + "Q(a)",
    "".join(f"∃!x{i} " for i in range(6)) + "R(x0, x5)", "All dogs bark at the moon.\n" * 99 + "∀x P(x)",
]  # fmt: skip


def mutated(text: str, random_: random.Random) -> str:
    alphabet = "()[]{},.:;!?~&|<->=^∀∃∧∨¬→↔⊕≠≤…λ$\\`*'\"xyzPQa1 \n"
    for _ in range(random_.randint(1, 4)):
        at = random_.randrange(len(text) + 1)
        match random_.randrange(4):
            case 0:
                text = text[:at] + random_.choice(alphabet) + text[at:]
            case 1:
                text = text[:at] + text[at + random_.randint(1, 5) :]
            case 2:
                text = text[:at] + random_.choice(alphabet) + text[at + 1 :]
            case _:
                to = random_.randrange(len(text) + 1)
                text = text[:at] + text[to:]
    return text


def slips(texts: Sequence[str], count: int, seed: int) -> Iterator[str]:
    """Formulas as given and in other notations by turns, each with up to four slips."""
    draw = random.Random(seed)
    writers = list(PLAIN.values())
    given = [text for text in texts if text.strip()]
    for number in range(count):
        text = draw.choice(given)
        if number % 2:
            with suppress(FormulaError, FormulaSyntaxError):
                text = draw.choice(writers)(parse(text))
        yield mutated(text, draw)


PARTS = [
    *"()[]{},.:;!?~¬&|^=≠<>+-–*'\"`$_…≤∈λäα₁9 \n",
    *(
        "∀x ", "∃y. ", "∀ x, ", "∃!x ", "![X]: ", "forall x. ", "∀ x : ", "exists ", "all ", "->", "→ ", "<->",
        "∧ ", "∨",
    ),
    *("P(x)", "P x ", "x ", "a ", "f(", "P", "not ", "and ", "v ", "the ", "x_1", "y > 9", "x₁", "P(a)\n", "1. ", "- "),
    *(
        "```", "```\n", "**", ":::", "Final answer: ", "Answer: ", "\\(", "\\land ", "\\text{a b}",
        "\\mathcal{P}", "\\_",
    ),
    *("(and ", "(forall ((x A)) ", "(= ", "(assert ", "|a|", "fof(a, axiom, ", "And(", "ForAll(x, ", "Not("),
]  # fmt: skip
"""Signs, words and beginnings of all notations."""


def pasted(count: int, seed: int) -> Iterator[str]:
    """Texts pasted of ``PARTS``, some repeated often, and formulas into which such are pasted."""
    draw = random.Random(seed)
    formulas = ["∀x (Cube(x) → Small(x))", "∀ x, Cube x → Small x ", "all x (P(x) -> exists y R(x,y)).", "(not (P a))"]
    for _ in range(count):
        few = "".join(draw.choices(PARTS, k=draw.randint(1, 8)))
        match draw.randrange(20):
            case 0:
                yield (few * 250)[: draw.choice([300, 1_000])]
            case 1 | 2 | 3 | 4 | 5 | 6 | 7:
                formula = draw.choice(formulas)
                at = draw.randrange(len(formula) + 1)
                yield formula[:at] + few + formula[at + draw.randrange(3) :]
            case _:
                yield few
