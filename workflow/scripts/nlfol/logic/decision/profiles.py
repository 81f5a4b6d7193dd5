"""What every means of deciding asks of a formula first, computed once for each distinct subformula.

Subformulas are shared between a formula and its variants, so that profiling a variant costs the path to the change.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from nlfol.logic.errors import SignatureError
from nlfol.logic.measuring import Signature
from nlfol.logic.syntax import (
    Atom,
    Constant,
    Equality,
    ExclusiveOr,
    Exists,
    ForAll,
    Formula,
    Function,
    Iff,
    Term,
    Variable,
    children,
    terms,
)

Symbol = tuple[str, str, int]
"""A kind (``predicate``, ``function`` or ``constant``), a name and an arity, 0 for constants."""

_MAX_REMEMBERED = 100_000


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


_profiles: dict[Formula, Profile] = {}


def profile(formula: Formula) -> Profile:
    """The profile of a formula, open or closed."""
    known = _profiles.get(formula)
    if known is not None:
        return known
    if len(_profiles) > _MAX_REMEMBERED:
        _profiles.clear()
    stack = [formula]
    while stack:
        node = stack[-1]
        if node in _profiles:
            stack.pop()
            continue
        parts = children(node)
        missing = [part for part in parts if part not in _profiles]
        if missing:
            stack += missing
            continue
        stack.pop()
        if len(parts) == 2:
            _profiles[node] = _joined(_profiles[parts[0]], _profiles[parts[1]], isinstance(node, Iff | ExclusiveOr))
        elif parts:
            free, symbols, has_equality, occurrences, levels, weight = _profiles[parts[0]]
            if isinstance(node, ForAll | Exists):
                free -= {node.variable.name}
                weight *= 2
            _profiles[node] = Profile(free, symbols, has_equality, occurrences + 1, levels + 1, weight)
        else:
            _profiles[node] = _of_atomic(node)
    return _profiles[formula]


def _joined(a: Profile, b: Profile, doubling: bool) -> Profile:
    return Profile(
        a.free if a.free == b.free else a.free | b.free,
        a.symbols if a.symbols == b.symbols else a.symbols | b.symbols,
        a.has_equality or b.has_equality,
        a.occurrences + b.occurrences + 1,
        (a.levels if a.levels > b.levels else b.levels) + 1,
        (a.weight + b.weight) << doubling,
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
