"""Interning of syntax trees: nodes are immutable, compare by identity, and are forgotten when nothing holds them.

Equality and hashing cost nothing and never recurse, however deep a tree is.
"""

import threading
from collections.abc import Callable
from typing import Any, TypeVar
from weakref import ref

_T = TypeVar("_T")
_nodes: dict[tuple[Any, ...], ref[Any]] = {}
"""Nodes by their class and arguments."""
_lock = threading.Lock()
_LEAST_SWEEP = 5_000
_sweep_at = _LEAST_SWEEP


def _sweep() -> None:
    """Drop the entries of nodes that are no more; a key holds the node's parts, which were entered before it."""
    global _sweep_at  # noqa: PLW0603
    with _lock:
        entries = list(_nodes.items())
        while entries:
            key, reference = entries.pop()  # no longer held here: the parts of a node go in the same round
            if reference() is None and _nodes.get(key) is reference:
                del _nodes[key]
        _sweep_at = max(_LEAST_SWEEP, 2 * len(_nodes))


class Interned(type):
    """Metaclass of nodes: equal arguments, one for each of the class's own slots, give the one existing node."""

    _made_by: tuple[tuple[Callable[[Any, Any], None], ...], Callable[[Any], None] | None]
    """What sets the slots of a new node, past the slow ``__init__`` of a frozen dataclass, and what checks it."""

    def __init__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> None:
        super().__init__(name, bases, namespace)
        own = [slot for slot in namespace.get("__slots__", ()) if slot != "__weakref__"]
        cls._made_by = tuple(cls.__dict__[slot].__set__ for slot in own), namespace.get("__post_init__")

    def __call__(cls: type[_T], *made_of: Any) -> _T:
        """Return the node made of this: a new one, or the one that there is."""
        key = (cls, *made_of)
        reference = _nodes.get(key)
        if reference is not None:
            known: _T | None = reference()
            if known is not None:
                return known
        node: _T = object.__new__(cls)
        slots, check = cls._made_by  # type: ignore[attr-defined]
        if len(made_of) != len(slots):
            raise TypeError(f"{cls.__name__} takes {len(slots)} arguments, not {len(made_of)}")
        for set_slot, value in zip(slots, made_of):  # noqa: B905 - of equal length
            set_slot(node, value)
        if check is not None:
            check(node)
        if reference is None:
            entered = ref(node)
            if _nodes.setdefault(key, entered) is entered:
                if len(_nodes) > _sweep_at:
                    _sweep()
                return node
        with _lock:
            reference = _nodes.get(key)
            other: _T | None = reference() if reference is not None else None
            if other is not None:
                return other
            _nodes[key] = ref(node)
        return node
