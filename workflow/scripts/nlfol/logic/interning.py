"""One object for equal trees: what makes nodes of syntax immutable, interned and forgotten.

Equality and hashing of nodes cost nothing and never recurse, however deep a tree is.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, TypeVar
from weakref import ref

_T = TypeVar("_T")


_new: Callable[[type], Any] = object.__new__
_interned: dict[tuple[Any, ...], ref[Any]] = {}
"""The node of a class and constructor arguments. The entries of nodes that are no more go when there are many."""

_MIN_SWEPT = 50_000
_forgetting = threading.Lock()
_swept = _MIN_SWEPT


def forget() -> None:
    """Drop the entries of nodes that are no more.

    The key of a node holds its parts, which were entered before: from the last to the first, all go in one round.
    """
    global _swept  # noqa: PLW0603
    with _forgetting:
        entries = list(_interned.items())
        while entries:
            key, reference = entries.pop()
            if reference() is None and _interned.get(key) is reference:
                del _interned[key]
        _swept = len(_interned) + max(_MIN_SWEPT, len(_interned) // 4)


def _replaced(key: tuple[Any, ...], reference: ref[_T], node: _T) -> _T:
    """The node, in place of one that is no more; or the one that another thread has entered meanwhile."""
    with _forgetting:
        existing: _T | None = _interned.setdefault(key, reference)()
        if existing is not None:
            return existing
        _interned[key] = reference
    return node


class Interned(type):
    """Metaclass that returns the one existing object for equal constructor arguments."""

    _made_by: tuple[tuple[Callable[[Any, Any], None], ...], Callable[[Any], None] | None]
    """What sets the parts of a new node, and what checks it."""

    def __init__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> None:
        super().__init__(name, bases, namespace)
        slots = [slot for slot in namespace.get("__slots__", ()) if slot != "__weakref__"]
        # Past the dataclass's own __init__, which goes through object.__setattr__ by name: a node costs half as much.
        cls._made_by = tuple(cls.__dict__[slot].__set__ for slot in slots), namespace.get("__post_init__")

    def __call__(cls: type[_T], *values: Any) -> _T:
        """The node with these parts, one for each of the class's slots: a new one, or the one that there is."""
        key = (cls, *values)
        reference = _interned.get(key)
        if reference is not None:
            known: _T | None = reference()
            if known is not None:
                return known
        node: _T = _new(cls)
        setters, check = cls._made_by  # type: ignore[attr-defined]
        if len(values) != len(setters):
            raise TypeError(f"{cls.__name__} takes {len(setters)} arguments, not {len(values)}")
        for set_value, value in zip(setters, values):  # noqa: B905 - of equal length
            set_value(node, value)
        set_profile(node, None)
        if check is not None:
            check(node)
        entered = ref(node)
        if _interned.setdefault(key, entered) is not entered:
            return _replaced(key, entered, node)
        if len(_interned) > _swept:
            forget()
        return node


class Profiled:
    """Room for the profile (``profiles``) of a node, None until it is set, and forgotten with the node."""

    __slots__ = ("profile",)
    profile: Any


set_profile: Callable[[Any, Any], None] = vars(Profiled)["profile"].__set__
"""Nodes cannot be changed but for this."""
