"""How far apart two formulas are as trees.

The distance of S. M. Selkow (*The tree-to-tree editing problem*, 1977): the least cost of turning one tree into the
other by renaming nodes, at 1 each, and by inserting or deleting whole subtrees, at their number of nodes. An atomic
formula is one node.
"""

from __future__ import annotations

from nlfol.logic.syntax import Atom, Equality, Exists, ForAll, Formula, children, fold


def size(formula: Formula) -> int:
    """Occurrences of subformulas."""
    return fold(formula, lambda _, parts: 1 + sum(parts))


def distance(first: Formula, second: Formula) -> int:
    """Selkow's distance; 0 for the same tree, and at most the sum of the sizes."""
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
    """The least cost of turning a list of subtrees into another, in order."""
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
