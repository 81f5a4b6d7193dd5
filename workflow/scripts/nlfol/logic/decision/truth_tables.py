"""Propositional equivalence: two formulas over the same atomic and quantified parts, by their truth tables.

Bit i of a part's integer says whether it is true under assignment i of truth values to the parts that no connective
makes, so that all assignments are evaluated at once.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import and_, or_, xor

from nlfol.logic.decision.finite_models import column
from nlfol.logic.syntax import BINARY, And, ExclusiveOr, Formula, Iff, Implies, Not, Or, children

MAX_PARTS = 10
"""Parts that no connective makes, above which no table is made."""

MAX_NODES = 200
"""Subformulas above which none is made either."""

_CONNECTIVES = frozenset((Not, *BINARY))
_SIMPLE: dict[type[Formula], Callable[[int, int], int]] = {And: and_, Or: or_, ExclusiveOr: xor}


def have_one_truth_table(first: Formula, second: Formula, opposed: bool = False) -> bool:
    """Whether a formula, open or closed, is propositionally equivalent to another or, where opposed, to its negation.

    False also where there is too much to look at.
    """
    nodes = _connected(first, second)
    if nodes is None:
        return False
    parts = [node for node in nodes if type(node) not in _CONNECTIVES]
    if len(parts) > MAX_PARTS:
        return False
    full = (1 << (1 << len(parts))) - 1
    truth = {part: column(place, len(parts)) for place, part in enumerate(parts)}
    for node in nodes:
        if node not in truth:
            truth[node] = _joined(node, [truth[part] for part in children(node)], full)
    return truth[first] == truth[second] ^ (full if opposed else 0)


def _connected(*formulas: Formula) -> list[Formula] | None:
    """The subformulas that only connectives are around, each after those it is made of; None if too many."""
    found: dict[Formula, None] = {}
    stack = list(formulas)
    while stack:
        node = stack[-1]
        missing = [part for part in children(node) if part not in found] if type(node) in _CONNECTIVES else []
        if missing and node not in found:
            stack += missing
            continue
        found[stack.pop()] = None
        if len(found) + len(stack) > MAX_NODES:
            return None
    return list(found)


def _joined(node: Formula, parts: list[int], full: int) -> int:
    kind = type(node)
    if kind is Not:
        return parts[0] ^ full
    a, b = parts
    if kind is Implies:
        return (a ^ full) | b
    if kind is Iff:
        return a ^ b ^ full
    return _SIMPLE[kind](a, b)
