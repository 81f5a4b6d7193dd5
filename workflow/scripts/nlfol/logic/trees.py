"""Profiles of trees: measures that every means of deciding needs.

A profile is taken when a node is made, by the profiles of its parts: as parts are shared, measuring a variant of a
formula costs the path to the change.
"""

from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from nlfol.interning import Measured, sweep

_T = TypeVar("_T")

Symbol = tuple[str, str, int]
"""A kind (``predicate``, ``function`` or ``constant``), a name and an arity, 0 for constants."""


class Profile(NamedTuple):
    """Measures of a term or formula; the weight is its atoms, doubled by each ↔, ⊕ and quantifier around them."""

    free: frozenset[str]
    symbols: frozenset[Symbol]  # without equality
    has_equality: bool
    occurrences: int  # of subformulas; a shared subtree counts as often as it occurs
    levels: int  # height of the tree, terms included
    weight: int

    def named(self, kind: str) -> tuple[tuple[str, int], ...]:
        """Return the symbols of one kind with their arities, by name."""
        return tuple(sorted((name, arity) for of_kind, name, arity in self.symbols if of_kind == kind))


_new_tuple = tuple.__new__
_NONE: frozenset[Any] = frozenset()


def of_variable(name: str) -> Profile:
    """Measure a variable."""
    return Profile(frozenset((name,)), _NONE, False, 0, 1, 0)


def of_constant(name: str) -> Profile:
    """Measure a constant."""
    return Profile(_NONE, _only("constant", name, 0), False, 0, 1, 0)


def of_function(name: str, arguments: tuple[Any, ...]) -> Profile:
    """Measure a function term."""
    free, symbols, levels = _of_terms(arguments)
    return Profile(free, united(symbols, _only("function", name, len(arguments))), False, 0, levels + 1, 0)


def of_atom(predicate: str, arguments: tuple[Any, ...]) -> Profile:
    """Measure an atom."""
    free, symbols, levels = _of_terms(arguments)
    symbols = united(symbols, _only("predicate", predicate, len(arguments)))
    return _new_tuple(Profile, (free, symbols, False, 1, levels + 1, 1))


def of_equation(left: Any, right: Any) -> Profile:
    """Measure an equation."""
    free, symbols, levels = _of_terms((left, right))
    return Profile(free, symbols, True, 1, levels + 1, 1)


def of_negation(operand: Any) -> Profile:
    """Measure a negation."""
    free, symbols, has_equality, occurrences, levels, weight = operand.profile
    return _new_tuple(Profile, (free, symbols, has_equality, occurrences + 1, levels + 1, weight))


def of_connective(left: Any, right: Any) -> Profile:
    """Measure a conjunction, disjunction or implication."""
    free, symbols, has_equality, occurrences, levels, weight = left.profile
    others, other_symbols, equality, more, other_levels, other_weight = right.profile
    if free is not others:
        free = _union(free, others)
    if symbols is not other_symbols:
        symbols = _union(symbols, other_symbols)
    levels = max(levels, other_levels)
    return _new_tuple(
        Profile, (free, symbols, has_equality or equality, occurrences + more + 1, levels + 1, weight + other_weight)
    )


def of_doubling(left: Any, right: Any) -> Profile:
    """Measure a biconditional or exclusive disjunction."""
    joined = of_connective(left, right)
    return joined._replace(weight=2 * joined.weight)


def of_quantified(variable: Any, body: Any) -> Profile:
    """Measure a quantified formula."""
    free, symbols, has_equality, occurrences, levels, weight = body.profile
    free = _without(free, variable.name)
    return _new_tuple(Profile, (free, symbols, has_equality, occurrences + 1, levels + 1, 2 * weight))


def _of_terms(arguments: tuple[Any, ...]) -> tuple[frozenset[str], frozenset[Symbol], int]:
    free, symbols, levels = _NONE, _NONE, 0
    for argument in arguments:
        more, others, _, _, height, _ = argument.profile
        free, symbols = united(free, more), united(symbols, others)
        levels = max(levels, height)
    return free, symbols, levels


def united(a: frozenset[_T], b: frozenset[_T]) -> frozenset[_T]:
    """Return the union; the same object for the same sets, mostly, so that what is known of it is found at once."""
    return a if a is b or not b else b if not a else _union(a, b)


@lru_cache(maxsize=20_000)
def _union(a: frozenset[_T], b: frozenset[_T]) -> frozenset[_T]:
    # Of equal sets, one: so the profiles of variants share theirs.
    return a if b <= a else b if a <= b else a | b


@lru_cache(maxsize=20_000)
def _without(names: frozenset[str], name: str) -> frozenset[str]:
    return names - {name}


@lru_cache(maxsize=20_000)
def _only(*symbol: Any) -> frozenset[Any]:
    return frozenset((symbol,))


class Profiled(Measured):
    """Room for the profile of a node, which is no part of it."""

    __slots__ = ()
    profile: Profile


def forget() -> None:
    """Drop the entries of nodes that are no more, and what is remembered of sets of symbols."""
    for remembered in (_union, _without, _only):
        remembered.cache_clear()
    sweep()
