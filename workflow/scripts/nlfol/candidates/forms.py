"""Forms of one formula that say the same with the same operators but for negations.

∧, ∨ and → are said by one another, ∀ and ∃ as well, with negations around and inside; operands may change places. So
all forms have the same atoms, as many connectives and quantifiers, and the same brackets: they differ in length by
their number of negations alone, in formulas and in English of the style ``even``.
"""

from collections.abc import Callable
from functools import reduce
from random import Random

from nlfol.english.even import parts_of
from nlfol.logic.rewriting import complement
from nlfol.logic.syntax import (
    And,
    Atomic,
    Exists,
    ForAll,
    Formula,
    Implies,
    Not,
    Or,
    Quantified,
    replace,
    subformulas,
)

_Said = Callable[[Formula, Formula], Formula]

_AND: tuple[_Said, ...] = (
    And,
    lambda a, b: And(b, a),
    lambda a, b: Not(Or(complement(a), complement(b))),
    lambda a, b: Not(Or(complement(b), complement(a))),
    lambda a, b: Not(Implies(a, complement(b))),
    lambda a, b: Not(Implies(b, complement(a))),
)


def form(formula: Formula, draw: Random, *, splits: bool = False, is_governed: bool = False) -> Formula:
    """Draw a form of a formula.

    One that ``splits`` chains takes them for connectives of two places; ``is_governed`` says that a quantifier stands
    in front (``even``).
    """
    if isinstance(formula, Atomic):
        return formula
    if isinstance(formula, Not):
        return complement(form(formula.operand, draw, splits=splits, is_governed=is_governed))
    governs = isinstance(formula, Quantified)
    parts = [
        form(part, draw, splits=splits, is_governed=governs)
        for part in parts_of(formula, is_governed=splits or is_governed)
    ]
    if isinstance(formula, Quantified):
        if draw.random() < 0.5:
            return type(formula)(formula.variable, parts[0])
        other = Exists if isinstance(formula, ForAll) else ForAll
        return Not(other(formula.variable, complement(parts[0])))
    if len(parts) > 2:
        assert isinstance(formula, And | Or)
        draw.shuffle(parts)
        if draw.random() < 0.5:
            return reduce(type(formula), parts)
        dual = Or if isinstance(formula, And) else And
        return Not(reduce(dual, map(complement, parts)))
    a, b = parts
    match formula:
        case And():
            return draw.choice(_AND)(a, b)
        case Or():
            return complement(draw.choice(_AND)(complement(a), complement(b)))
        case Implies():
            return complement(draw.choice(_AND)(a, complement(b)))
        case _:
            # ↔ and ⊕: both sides, or one and the whole.
            if draw.random() < 0.5:
                a, b = b, a
            negated = draw.choice(((a, b), (complement(a), complement(b)), (complement(a), b), (a, complement(b))))
            said = type(formula)(*negated)
            return said if (negated[0] is a) is (negated[1] is b) else Not(said)


def doubled(formula: Formula, number: int) -> tuple[Formula, Formula]:
    """Return the formula with its atomic part of a number, from the left, said twice: ¬A → A for A, and A ∧ A."""
    atomic = [(path, node) for path, node in subformulas(formula) if isinstance(node, Atomic)]
    path, atom = atomic[number]
    return replace(formula, path, Implies(Not(atom), atom)), replace(formula, path, And(atom, atom))
