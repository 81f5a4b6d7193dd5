"""What every means of deciding asks of a formula first, computed once for each distinct subformula.

Subformulas are shared between a formula and its variants, so that profiling a variant costs the path to the change.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from nlfol.logic.errors import SignatureError
from nlfol.logic.measuring import Signature
from nlfol.logic.syntax import (
    BINARY,
    Atom,
    Constant,
    Equality,
    ExclusiveOr,
    Formula,
    Function,
    Iff,
    Not,
    Term,
    Variable,
    set_profile,
    terms,
)

Symbol = tuple[str, str, int]
"""A kind (``predicate``, ``function`` or ``constant``), a name and an arity, 0 for constants."""

_BINARY = frozenset(BINARY)
_DOUBLING = frozenset((Iff, ExclusiveOr))


class Profile(NamedTuple):
    """Measures of one formula.

    Attributes:
        free: names of the variables with a free occurrence.
        symbols: the symbols, equality not among them.
        has_equality: whether an equation occurs.
        occurrences: number of occurrences of subformulas; a shared subtree counts as often as it occurs.
        levels: height of the tree, terms included.
        weight: bounds the work of normal forms: atoms, doubled by each ↔ and ⊕ around them and by each quantifier.
    """

    free: frozenset[str]
    symbols: frozenset[Symbol]
    has_equality: bool
    occurrences: int
    levels: int
    weight: int

    def named(self, kind: str) -> tuple[tuple[str, int], ...]:
        """The symbols of one kind with their arities, by name."""
        return tuple(sorted((name, arity) for of_kind, name, arity in self.symbols if of_kind == kind))


_new_tuple = tuple.__new__


def profile(formula: Formula) -> Profile:
    """The profile of a formula, open or closed."""
    known: Profile | None = formula.profile
    return _profiled(formula) if known is None else known


def _profiled(formula: Formula) -> Profile:
    stack: list[Any] = [formula]
    while stack:
        node = stack.pop()
        if node.profile is not None:
            continue
        kind = type(node)
        if kind in _BINARY:
            a, b = node.left.profile, node.right.profile
            if a is None or b is None:
                stack += (node, node.left, node.right)
                continue
            set_profile(node, _joined(a, b, kind in _DOUBLING))
        elif kind is Atom or kind is Equality:
            set_profile(node, _of_atomic(node))
        else:
            is_negation = kind is Not
            part = node.operand if is_negation else node.body
            if part.profile is None:
                stack += (node, part)
                continue
            free, symbols, has_equality, occurrences, levels, weight = part.profile
            if not is_negation:
                free = _without(free, node.variable.name)
                weight *= 2
            set_profile(node, _new_tuple(Profile, (free, symbols, has_equality, occurrences + 1, levels + 1, weight)))
    known: Profile = formula.profile
    return known


@lru_cache(maxsize=20_000)
def _union(a: frozenset[Any], b: frozenset[Any]) -> frozenset[Any]:
    return a | b


@lru_cache(maxsize=20_000)
def _without(names: frozenset[str], name: str) -> frozenset[str]:
    return names - {name}


def _joined(a: Profile, b: Profile, doubling: bool) -> Profile:
    free, symbols, has_equality, occurrences, levels, weight = a
    others, other_symbols, equality, more, other_levels, other_weight = b
    return _new_tuple(
        Profile,
        (
            free if free is others else _union(free, others),
            symbols if symbols is other_symbols else _union(symbols, other_symbols),
            has_equality or equality,
            occurrences + more + 1,
            (levels if levels > other_levels else other_levels) + 1,
            (weight + other_weight) << doubling,
        ),
    )


def _of_atomic(node: Formula) -> Profile:
    free: set[str] = set()
    symbols: set[Symbol] = set()
    deepest = 0
    stack: list[tuple[Term, int]] = [(term, 1) for term in terms(node)]
    while stack:
        term, depth = stack.pop()
        deepest = max(deepest, depth)
        match term:
            case Variable(name):
                free.add(name)
            case Constant(name):
                symbols.add(("constant", name, 0))
            case Function(name, arguments):
                symbols.add(("function", name, len(arguments)))
                stack.extend((argument, depth + 1) for argument in arguments)
    if isinstance(node, Atom):
        symbols.add(("predicate", node.predicate, len(node.arguments)))
    return Profile(frozenset(free), frozenset(symbols), isinstance(node, Equality), 1, deepest + 1, 1)


@lru_cache(maxsize=8_192)
def signature_of(symbols: frozenset[Symbol]) -> Signature:
    """The signature of some symbols.

    Raises:
        SignatureError: if a predicate or function has two arities.
    """
    arities: dict[str, dict[str, int]] = {"predicate": {}, "function": {}}
    for kind, name, arity in sorted(symbols):
        if kind != "constant" and arities[kind].setdefault(name, arity) != arity:
            problem = f"{kind} {name!r} is used with {arities[kind][name]} and with {arity} arguments"
            raise SignatureError(problem, name)
    constants = frozenset(name for kind, name, _ in symbols if kind == "constant")
    return Signature(arities["predicate"], arities["function"], constants)
