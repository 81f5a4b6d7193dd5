"""Distances between formulas as trees: Selkow's, and in the elementary edits of the paper.

The distance of S. M. Selkow (*The tree-to-tree editing problem*, 1977) is the least cost of turning one tree into the
other by renaming nodes, at 1 each, and by inserting or deleting whole subtrees, at their number of nodes. An atomic
formula is one node.
"""

import re
from collections.abc import Sequence

from nlfol.logic.syntax import BINARY, Atom, Atomic, Equality, Exists, ForAll, Formula, Not, Quantified, children, fold

TOKEN = re.compile(r"\w+|[^\w\s]")


def size(formula: Formula) -> int:
    """Return the number of occurrences of subformulas."""
    return fold(formula, lambda _, parts: 1 + sum(parts))


def distance(first: Formula, second: Formula) -> int:
    """Return Selkow's distance; 0 for the same tree, and at most the sum of the sizes."""
    done: dict[tuple[Formula, Formula], int] = {}
    stack = [(first, second)]
    while stack:
        pair = stack[-1]
        a, b = pair
        missing = [(x, y) for x in children(a) for y in children(b) if (x, y) not in done] if a is not b else []
        if missing:
            stack += missing
            continue
        stack.pop()
        done[pair] = 0 if a is b else (_label(a) != _label(b)) + _aligned(children(a), children(b), done)
    return done[first, second]


def _aligned(left: tuple[Formula, ...], right: tuple[Formula, ...], done: dict[tuple[Formula, Formula], int]) -> int:
    costs = [0]
    for b in right:
        costs.append(costs[-1] + size(b))
    for a in left:
        above, costs = costs, [costs[0] + size(a)]
        for place, b in enumerate(right):
            costs.append(min(above[place] + done[a, b], above[place + 1] + size(a), costs[place] + size(b)))
    return costs[-1]


def _label(node: Formula) -> object:
    match node:
        case Atom() | Equality():
            return node
        case ForAll(variable) | Exists(variable):
            return type(node), variable
        case _:
            return type(node)


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
    signs = 0
    while isinstance(formula, Not):
        signs, formula = signs + 1, formula.operand
    return signs, formula


def _toggles(before: int, after: int) -> int | None:
    """Return the edits between numbers of ¬ before an atom: each takes one away, or puts one where none is."""
    if after <= before:
        return before - after
    return 1 if (before, after) == (0, 1) else None


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
