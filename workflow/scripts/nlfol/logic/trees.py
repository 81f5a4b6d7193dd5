"""Interned trees: one object for equal trees, forgotten when nothing holds it, and the profile of each.

Equality and hashing of nodes cost nothing and never recurse, however deep a tree is. A profile holds measures that
every means of deciding needs. It is taken when a node is made, by the profiles of its parts: as parts are shared,
measuring a variant of a formula costs the path to the change.
"""

import threading
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar
from weakref import ref

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


Measure = Callable[..., Profile]
_Setter = Callable[[Any, Any], None]


class Profiled:
    """Room for the profile of a node, which is no part of it."""

    __slots__ = ("profile",)
    profile: Profile


_set_profile: _Setter = vars(Profiled)["profile"].__set__

_new: Callable[[type], Any] = object.__new__
interned: dict[tuple[Any, ...], ref[Any]] = {}
"""The node of a class and constructor arguments, None for a second that it does not take.

The entries of nodes that are no more go when there are many.
"""

_MIN_SWEPT = 50_000
_forgetting = threading.Lock()
_swept = _MIN_SWEPT


def forget() -> None:
    """Drop the entries of nodes that are no more, and what is remembered of sets of symbols."""
    for remembered in (_union, _without, _only):
        remembered.cache_clear()
    _sweep()


def _sweep() -> None:
    # The key of a node holds its parts, which were entered before: from the last to the first, all go in one round.
    global _swept  # noqa: PLW0603
    with _forgetting:
        # Copied at once: a collection of garbage amid a loop lets other threads enter nodes.
        entries = list(interned.copy().items())
        while entries:
            key, reference = entries.pop()
            if reference() is None and interned.get(key) is reference:
                del interned[key]
        _swept = len(interned) + max(_MIN_SWEPT, len(interned) // 4)


def _replaced(key: tuple[Any, ...], reference: ref[_T], node: _T) -> _T:
    # Another thread may have entered one meanwhile.
    with _forgetting:
        existing: _T | None = interned.setdefault(key, reference)()
        if existing is not None:
            return existing
        interned[key] = reference
    return node


class Interned(type):
    """Metaclass that returns the one existing object for equal constructor arguments, of which there are one or two."""

    _made_by: tuple[_Setter, _Setter | None, Measure, Callable[[Any], None] | None]
    """What sets the parts of a new node, measures it and checks it."""

    def __init__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> None:
        super().__init__(name, bases, namespace)
        slots = [slot for slot in namespace.get("__slots__", ()) if slot != "__weakref__"]
        if slots:
            # Past the dataclass's own __init__, which goes through object.__setattr__ by name: it takes twice as long.
            setters = [cls.__dict__[slot].__set__ for slot in slots]
            first, second = setters if len(setters) == 2 else (*setters, None)
            cls._made_by = first, second, namespace["measure"].__func__, namespace.get("__post_init__")

    def __call__(cls: type[_T], first: Any, second: Any = None, /) -> _T:
        """Return the node with these parts, one for each of the class's slots: a new one, or the one that there is."""
        key = (cls, first, second)
        reference = interned.get(key)
        if reference is not None:
            known: _T | None = reference()
            if known is not None:
                return known
        set_first, set_second, measure, check = cls._made_by  # type: ignore[attr-defined]
        if (second is None) is not (set_second is None):
            takes, given = (1, 2) if set_second is None else (2, 1)
            raise TypeError(f"{cls.__name__} takes {takes} arguments, not {given}")
        node: _T = _new(cls)
        set_first(node, first)
        if set_second is None:
            _set_profile(node, measure(first))
        else:
            set_second(node, second)
            _set_profile(node, measure(first, second))
        if check is not None:
            check(node)
        entered = ref(node)
        if interned.setdefault(key, entered) is not entered:
            return _replaced(key, entered, node)
        if len(interned) > _swept:
            _sweep()
        return node
