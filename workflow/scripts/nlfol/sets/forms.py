"""Forms of one formula that say the same with the same operators but for negations.

∧, ∨ and → are said by one another, ∀ and ∃ as well, with negations around and inside; operands may change places. So
all forms have the same atoms, as many connectives and quantifiers, and the same brackets: they differ in length by
their number of negations alone, in formulas and in English of the style ``even``.
"""

from collections.abc import Callable
from functools import reduce
from random import Random

from nlfol.logic import syntax as fol
from nlfol.logic.english.even import parts_of
from nlfol.logic.rewriting import complement

_Said = Callable[[fol.Formula, fol.Formula], fol.Formula]

_AND: tuple[_Said, ...] = (
    fol.And,
    lambda a, b: fol.And(b, a),
    lambda a, b: fol.Not(fol.Or(complement(a), complement(b))),
    lambda a, b: fol.Not(fol.Or(complement(b), complement(a))),
    lambda a, b: fol.Not(fol.Implies(a, complement(b))),
    lambda a, b: fol.Not(fol.Implies(b, complement(a))),
)


def form(formula: fol.Formula, draw: Random, *, splits: bool = False, is_governed: bool = False) -> fol.Formula:
    """Draw a form of a formula.

    One that ``splits`` chains takes them for connectives of two places; ``is_governed`` says that a quantifier stands
    in front (``even``).
    """
    if isinstance(formula, fol.Atomic):
        return formula
    if isinstance(formula, fol.Not):
        return complement(form(formula.operand, draw, splits=splits, is_governed=is_governed))
    governs = isinstance(formula, fol.Quantified)
    parts = [
        form(part, draw, splits=splits, is_governed=governs)
        for part in parts_of(formula, is_governed=splits or is_governed)
    ]
    if isinstance(formula, fol.Quantified):
        if draw.random() < 0.5:
            return type(formula)(formula.variable, parts[0])
        other = fol.Exists if isinstance(formula, fol.ForAll) else fol.ForAll
        return fol.Not(other(formula.variable, complement(parts[0])))
    if len(parts) > 2:
        assert isinstance(formula, fol.And | fol.Or)
        draw.shuffle(parts)
        if draw.random() < 0.5:
            return reduce(type(formula), parts)
        dual = fol.Or if isinstance(formula, fol.And) else fol.And
        return fol.Not(reduce(dual, map(complement, parts)))
    a, b = parts
    match formula:
        case fol.And():
            return draw.choice(_AND)(a, b)
        case fol.Or():
            return complement(draw.choice(_AND)(complement(a), complement(b)))
        case fol.Implies():
            return complement(draw.choice(_AND)(a, complement(b)))
        case _:
            # ↔ and ⊕: both sides, or one and the whole.
            if draw.random() < 0.5:
                a, b = b, a
            negated = draw.choice(((a, b), (complement(a), complement(b)), (complement(a), b), (a, complement(b))))
            result = type(formula)(*negated)
            return result if (negated[0] is a) is (negated[1] is b) else fol.Not(result)


def doubled(formula: fol.Formula, number: int) -> tuple[fol.Formula, fol.Formula]:
    """Return the formula with its atomic part of a number, from the left, said twice: ¬A → A for A, and A ∧ A."""
    atomic = [(path, node) for path, node in fol.subformulas(formula) if isinstance(node, fol.Atomic)]
    path, atom = atomic[number]
    return fol.replace(formula, path, fol.Implies(fol.Not(atom), atom)), fol.replace(formula, path, fol.And(atom, atom))
