"""How many levels of lists a formula needs in a candidate.

With n levels, every connective of two places with fewer than n others above it in the syntax tree is a list on lines of
its own, whichever connective it is; what is below is said inline, and so is an item that joins two literals. So the
lists of a formula depend on the shape of its tree alone, which an edit does not change.
"""

from __future__ import annotations

from typing import NamedTuple

from nlfol.logic.syntax import (
    BINARY,
    And,
    Atom,
    Equality,
    ExclusiveOr,
    Formula,
    Iff,
    Implies,
    Not,
    Or,
    fold,
)


class _Inline(NamedTuple):
    """What a subformula is like inline.

    Attributes:
        literal: whether it is a literal.
        literals: whether it is a chain of literals.
        plain: whether it can stand between "if" and "then".
        free: how many levels it needs where its surroundings end it; none if it is clear inline.
        bound: how many it needs as an operand.
    """

    literal: bool
    literals: bool
    plain: bool
    free: int
    bound: int


_LITERAL = _Inline(literal=True, literals=True, plain=True, free=0, bound=0)


def levels_needed(formula: Formula) -> int:
    """The fewest levels of lists with which all that is said inline is clear."""
    return fold(formula, _inline).free


def _inline(node: Formula, parts: tuple[_Inline, ...]) -> _Inline:
    if not isinstance(node, BINARY):
        if isinstance(node, Atom | Equality):
            return _LITERAL
        (inner,) = parts
        if not isinstance(node, Not):
            return inner._replace(literal=False, literals=False)
        if isinstance(node.operand, Atom | Equality):
            return _LITERAL
        return _Inline(False, False, inner.plain, inner.bound, inner.bound)
    left, right = parts
    listed = 1 + max(left.free, right.free)
    literals = plain = clear_free = clear_bound = False
    match node:
        case And() | Or():
            chained = left.literal or (type(node.left) is type(node) and left.literals)
            literals = chained and right.literal
            plain = chained and right.plain
            clear_free = clear_bound = chained and not right.bound
        case Implies() | Iff():
            clear_free = clear_bound = left.plain and not right.free
        case ExclusiveOr():
            clear_free = left.literal and right.literal
    return _Inline(False, literals, plain, 0 if clear_free else listed, 0 if clear_bound else listed)
