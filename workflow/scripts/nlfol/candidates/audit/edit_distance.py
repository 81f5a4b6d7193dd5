"""How many elementary edits lead from one syntax tree to another, without listing them."""

from __future__ import annotations

from nlfol.logic.syntax import BINARY, Atom, Equality, Exists, ForAll, Formula, Not, children


def edit_distance(first: Formula, second: Formula) -> int | None:
    """The least number of elementary edits that turn the first formula into the second; None where none do.

    An edit swaps one connective for another of ∧ ∨ ⊕ → ↔, switches one quantifier, or toggles the negation of one
    literal (section 4 of the paper; ``logic.editing``, which draws no ⊕). No edit touches another's place, so the
    numbers of the places add up.
    """
    edits = 0
    stack = [(first, second)]
    while stack:
        (before, a), (after, b) = map(_without_negations, stack.pop())
        if isinstance(a, Atom | Equality) or isinstance(b, Atom | Equality):
            toggles = _toggles(before, after)
            if a is not b or toggles is None:
                return None
            edits += toggles
        elif before == after and _same_shape(a, b):
            edits += type(a) is not type(b)
            stack += zip(children(a), children(b), strict=True)
        else:
            return None
    return edits


def _without_negations(formula: Formula) -> tuple[int, Formula]:
    """The number of signs ¬ in front, and what they stand before."""
    signs = 0
    while isinstance(formula, Not):
        signs, formula = signs + 1, formula.operand
    return signs, formula


def _toggles(before: int, after: int) -> int | None:
    """Edits between an atom under some signs ¬ and under others: each takes one away, or puts one where none is."""
    if after <= before:
        return before - after
    return 1 if (before, after) == (0, 1) else None


def _same_shape(a: Formula, b: Formula) -> bool:
    if isinstance(a, BINARY):
        return isinstance(b, BINARY)
    assert isinstance(a, ForAll | Exists)
    return isinstance(b, ForAll | Exists) and a.variable is b.variable
