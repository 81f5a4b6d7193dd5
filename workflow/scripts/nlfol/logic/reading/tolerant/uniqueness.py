"""``∃!x φ`` written out as ``∃x (φ ∧ ∀y (φ[y/x] → y = x))``."""

from collections.abc import Collection, Iterator
from itertools import count

from nlfol.logic.measuring import bound_variables, constants, free_variables
from nlfol.logic.syntax import (
    And,
    Atom,
    Equality,
    Exists,
    ForAll,
    Formula,
    Implies,
    Term,
    Variable,
    fold,
    map_term,
    with_children,
)

MAX_UNIQUE = 6
"""Quantifiers ∃! of one formula that are written out: each one inside another doubles the formula."""


def expand(formula: Formula, markers: Collection[str]) -> Formula:
    """Write out every ``∃x ∃m φ`` whose ``m`` is one of the markers, with fresh variables that nothing captures."""
    names = {v.name for v in bound_variables(formula) | free_variables(formula)} | constants(formula)
    fresh = (name for name in _variables() if name not in names)

    def step(node: Formula, parts: tuple[Formula, ...]) -> Formula:
        if isinstance(node, Exists) and isinstance(inner := node.body, Exists) and inner.variable.name in markers:
            # parts[0] is ∃m over what the body became.
            (marked,) = parts
            assert isinstance(marked, Exists)
            body, other = marked.body, Variable(next(fresh))
            only = Implies(_renamed(body, node.variable, other), Equality(other, node.variable))
            return Exists(node.variable, And(body, ForAll(other, only)))
        return with_children(node, parts)

    return fold(formula, step)


def _variables() -> Iterator[str]:
    yield from "yzwuvx"
    for number in count(1):
        yield f"y{number}"


def _renamed(formula: Formula, old: Variable, new: Variable) -> Formula:
    """Return the formula with the free occurrences of a variable replaced by one that does not occur in it."""

    def leaf(term: Term) -> Term:
        return new if term is old else term

    def step(node: Formula, parts: tuple[Formula, ...]) -> Formula:
        match node:
            case Atom(predicate, arguments):
                return Atom(predicate, tuple(map_term(argument, leaf) for argument in arguments))
            case Equality(left, right):
                return Equality(map_term(left, leaf), map_term(right, leaf))
            case ForAll(variable) | Exists(variable) if variable is old:
                return node
            case _:
                return with_children(node, parts)

    return fold(formula, step)
