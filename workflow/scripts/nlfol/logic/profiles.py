"""What every means of deciding asks of a formula first, computed once for each distinct subformula.

Subformulas are shared between a formula and its variants, so that profiling a variant costs the path to the change.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from nlfol.logic.errors import SignatureError
from nlfol.logic.measuring import Signature
from nlfol.logic.syntax import (
    Atom,
    Constant,
    Equality,
    Exists,
    ForAll,
    Formula,
    Function,
    Term,
    Variable,
    children,
    terms,
)

Symbol = tuple[str, str, int]
"""A kind (``predicate``, ``function`` or ``constant``), a name and an arity, 0 for constants."""

_MAX_REMEMBERED = 100_000


@dataclass(frozen=True, slots=True)
class Profile:
    """Measures of one formula.

    Attributes:
        free: names of the variables with a free occurrence.
        symbols: the symbols, equality not among them.
        has_equality: whether an equation occurs.
        occurrences: number of occurrences of subformulas; a shared subtree counts as often as it occurs.
        levels: height of the tree, terms included.
    """

    free: frozenset[str]
    symbols: frozenset[Symbol]
    has_equality: bool
    occurrences: int
    levels: int

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
        if not parts:
            _profiles[node] = _of_atomic(node)
            stack.pop()
            continue
        missing = [part for part in parts if part not in _profiles]
        if missing:
            stack.extend(missing)
            continue
        stack.pop()
        below = _profiles[parts[0]]
        if len(parts) == 2:
            _profiles[node] = _joined(below, _profiles[parts[1]])
        elif isinstance(node, ForAll | Exists):
            free = below.free - {node.variable.name}
            _profiles[node] = Profile(
                free, below.symbols, below.has_equality, below.occurrences + 1, below.levels + 1
            )
        else:
            _profiles[node] = Profile(
                below.free, below.symbols, below.has_equality, below.occurrences + 1, below.levels + 1
            )
    return _profiles[formula]


def _joined(a: Profile, b: Profile) -> Profile:
    return Profile(
        a.free if a.free == b.free else a.free | b.free,
        a.symbols if a.symbols == b.symbols else a.symbols | b.symbols,
        a.has_equality or b.has_equality,
        a.occurrences + b.occurrences + 1,
        (a.levels if a.levels > b.levels else b.levels) + 1,
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
    return Profile(frozenset(free), frozenset(symbols), isinstance(node, Equality), 1, deepest + 1)


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
