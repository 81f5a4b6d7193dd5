"""Interned trees: one object for equal trees, forgotten when nothing holds it.

Equality and hashing of nodes cost nothing and never recurse, however deep a tree is.
"""

import threading
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any, TypeVar
from weakref import ref

_T = TypeVar("_T")
_Item = TypeVar("_Item", bound=Hashable)
_Setter = Callable[[Any, Any], None]


class Measured:
    """Room for what is measured of a node when it is made, which is no part of it."""

    __slots__ = ("profile",)
    profile: Any


_set_profile: _Setter = vars(Measured)["profile"].__set__

_new: Callable[[type], Any] = object.__new__
interned: dict[tuple[Any, ...], ref[Any]] = {}
"""The node of a class and constructor arguments, None for a second that it does not take.

The entries of nodes that are no more go when there are many.
"""

_MIN_SWEPT = 50_000
_forgetting = threading.Lock()
_swept = _MIN_SWEPT


def sweep() -> None:
    """Drop the entries of nodes that are no more."""
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
    """Metaclass of ``Measured`` nodes: equal constructor arguments, one or two, give the one existing object."""

    _made_by: tuple[_Setter, _Setter | None, Callable[..., Any], Callable[[Any], None] | None]
    """Sets the parts of a new node, measures it and checks it."""
    measure: Callable[..., Any]
    """Measures of a node by its parts, by class."""

    def __init__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> None:
        super().__init__(name, bases, namespace)
        slots = [slot for slot in namespace.get("__slots__", ()) if slot != "__weakref__"]
        if slots:
            # Past the dataclass's own __init__, which goes through object.__setattr__ by name: it takes twice as long.
            setters = [cls.__dict__[slot].__set__ for slot in slots]
            first, second = setters if len(setters) == 2 else (*setters, None)
            cls._made_by = first, second, cls.measure, namespace.get("__post_init__")

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
            sweep()
        return node


def bottom_up(
    root: _Item,
    parts_of: Callable[[_Item], Sequence[_Item]],
    step: Callable[[_Item, tuple[_T, ...]], _T],
    done: dict[_Item, _T],
) -> _T:
    """Return the result of an item, made by ``step(item, results of its parts)`` unless it is done; never recurses."""
    stack = [root]
    while stack:
        item = stack[-1]
        if item in done:
            stack.pop()
            continue
        parts = parts_of(item)
        missing = [part for part in parts if part not in done]
        if missing:
            stack += missing
            continue
        stack.pop()
        done[item] = step(item, tuple([done[part] for part in parts]))
    return done[root]


def preorder(root: _Item, parts_of: Callable[[_Item], Sequence[_Item]]) -> Iterator[tuple[tuple[int, ...], _Item]]:
    """Yield every occurrence of a part with its path, the whole first."""
    stack: list[tuple[tuple[int, ...], _Item]] = [((), root)]
    while stack:
        path, item = stack.pop()
        yield path, item
        parts = parts_of(item)
        stack.extend(((*path, index), parts[index]) for index in reversed(range(len(parts))))


def distinct_parts(root: _Item, parts_of: Callable[[_Item], Sequence[_Item]]) -> Iterator[_Item]:
    """Yield each distinct part once, in preorder of first occurrence: linear where ``preorder`` is not."""
    seen: set[_Item] = set()
    stack = [root]
    while stack:
        item = stack.pop()
        if item not in seen:
            seen.add(item)
            yield item
            stack.extend(reversed(parts_of(item)))


def replaced_at(
    path: tuple[int, ...],
    root: _Item,
    new: _Item,
    parts_of: Callable[[_Item], tuple[_Item, ...]],
    with_parts: Callable[[_Item, Sequence[_Item]], _Item],
) -> _Item:
    """Return the whole with another part at a path."""
    spine: list[tuple[_Item, tuple[_Item, ...], int]] = []
    for index in path:
        spine.append((root, parts_of(root), index))
        root = spine[-1][1][index]
    for parent, parts, index in reversed(spine):
        new = with_parts(parent, (*parts[:index], new, *parts[index + 1 :]))
    return new
