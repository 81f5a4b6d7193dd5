"""What every means of deciding asks of a formula first, computed once for each distinct subformula.

Subformulas are shared between a formula and its variants, so that profiling a variant costs the path to the change.
"""

from __future__ import annotations

from enum import Enum, auto
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from nlfol.logic.errors import SignatureError
from nlfol.logic.interning import set_profile
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
    terms,
)

_T = TypeVar("_T")

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
                stack.append(node)
                if a is None:
                    stack.append(node.left)
                if b is None:
                    stack.append(node.right)
                continue
            free, symbols, has_equality, occurrences, levels, weight = a
            others, other_symbols, equality, more, other_levels, other_weight = b
            if free is not others:
                free = _union(free, others)
            if symbols is not other_symbols:
                symbols = _union(symbols, other_symbols)
            has_equality = has_equality or equality
            occurrences += more
            levels = max(levels, other_levels)
            weight += other_weight
            if kind in _DOUBLING:
                weight *= 2
        elif kind is Atom or kind is Equality:
            set_profile(node, _of_atomic(node))
            continue
        else:
            part = node.operand if kind is Not else node.body
            if part.profile is None:
                stack += (node, part)
                continue
            free, symbols, has_equality, occurrences, levels, weight = part.profile
            if kind is not Not:
                free = _without(free, node.variable.name)
                weight *= 2
        set_profile(node, _new_tuple(Profile, (free, symbols, has_equality, occurrences + 1, levels + 1, weight)))
    known: Profile = formula.profile
    return known


def united(a: frozenset[_T], b: frozenset[_T]) -> frozenset[_T]:
    """The union; the same object for the same sets, mostly, so that what is known of it is found at once."""
    return a if a is b else _union(a, b)


@lru_cache(maxsize=20_000)
def _union(a: frozenset[_T], b: frozenset[_T]) -> frozenset[_T]:
    # Of equal sets, one: so the profiles of variants share theirs.
    return a if b <= a else b if a <= b else a | b


@lru_cache(maxsize=20_000)
def _without(names: frozenset[str], name: str) -> frozenset[str]:
    return names - {name}


def _of_atomic(node: Formula) -> Profile:
    free: set[str] = set()
    symbols: set[Symbol] = set()
    # Each distinct term once: shared ones may stand for more occurrences than could ever be counted one by one.
    heights: dict[Term, int] = {}
    stack = list(terms(node))
    while stack:
        term = stack.pop()
        if term in heights:
            continue
        match term:
            case Variable(name):
                free.add(name)
                heights[term] = 1
            case Constant(name):
                symbols.add(("constant", name, 0))
                heights[term] = 1
            case Function(name, arguments):
                missing = [argument for argument in arguments if argument not in heights]
                if missing:
                    stack += (term, *missing)
                    continue
                symbols.add(("function", name, len(arguments)))
                heights[term] = 1 + max(heights[argument] for argument in arguments)
    deepest = max(heights.values(), default=0)
    if isinstance(node, Atom):
        symbols.add(("predicate", node.predicate, len(node.arguments)))
    return Profile(frozenset(free), frozenset(symbols), isinstance(node, Equality), 1, deepest + 1, 1)


class Usage(Enum):
    """What the symbols of some formulas are, as far as it decides what is done first."""

    CLASH = auto()
    """A predicate or function has two arities, of which ``signature_of`` tells more."""
    LETTERS = auto()
    """All are propositional letters."""
    OTHER = auto()


@lru_cache(maxsize=8_192)
def usage(symbols: frozenset[Symbol]) -> Usage:
    """What some symbols are."""
    if len({(kind, name) for kind, name, _ in symbols}) < len(symbols):
        return Usage.CLASH
    return Usage.LETTERS if all(kind == "predicate" and not arity for kind, _, arity in symbols) else Usage.OTHER


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


def forget() -> None:
    """Drop what is remembered of sets of symbols: after many formulas that have few symbols in common."""
    for remembered in (_union, _without, usage, signature_of):
        remembered.cache_clear()
