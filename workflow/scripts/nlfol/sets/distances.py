"""Distances between formulas in the elementary edits of the paper, and between texts in edits of tokens."""

import re
from collections.abc import Sequence

from nlfol.logic.syntax import BINARY, Atomic, Formula, Not, Quantified, children

TOKEN = re.compile(r"\w+|[^\w\s]")


def edit_distance(first: Formula, second: Formula) -> int | None:
    """Return the least number of elementary edits that turn the first formula into the second; None if none do.

    An edit swaps one connective for another of ∧ ∨ ⊕ → ↔, switches one quantifier, or toggles the negation of one
    literal (section 4 of the paper; ``logic.editing``, which draws no ⊕). No edit touches another's place, so the
    numbers of the places add up.
    """
    edits = 0
    stack = [(first, second)]
    while stack:
        (before, a), (after, b) = map(_without_negations, stack.pop())
        if isinstance(a, Atomic) or isinstance(b, Atomic):
            # An edit takes one ¬ before an atom away, or puts one where none is.
            if a is not b or (before < after and (before, after) != (0, 1)):
                return None
            edits += abs(before - after)
        elif before == after and _same_shape(a, b):
            edits += type(a) is not type(b)
            stack += zip(children(a), children(b), strict=True)
        else:
            return None
    return edits


def _without_negations(formula: Formula) -> tuple[int, Formula]:
    signs = 0
    while isinstance(formula, Not):
        signs, formula = signs + 1, formula.operand
    return signs, formula


def _same_shape(a: Formula, b: Formula) -> bool:
    if isinstance(a, BINARY):
        return isinstance(b, BINARY)
    assert isinstance(a, Quantified)
    return isinstance(b, Quantified) and a.variable is b.variable


def nearness(texts: Sequence[str]) -> list[int]:
    """Return the sum of each text's distances to the others, in edits of tokens."""
    from rapidfuzz.distance import Levenshtein

    tokens = [TOKEN.findall(text) for text in texts]
    return [sum(Levenshtein.distance(one, other) for other in tokens) for one in tokens]
