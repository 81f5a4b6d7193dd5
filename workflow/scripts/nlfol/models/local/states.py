"""Key-value caches: transformers' own, and one with room for further tokens.

transformers' own grows by concatenation: each step copies all of it, which with long prompts is a third of the time on
a CPU.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

_ROOM = 1024
"""Tokens of each row that there is room for from the start: few thoughts are as long as they may be."""


def plain(config: Any) -> Any:
    """The cache that transformers itself would use, for every model."""
    from transformers.cache_utils import DynamicCache

    return DynamicCache(config=config)


def shareable(config: Any) -> bool:
    """Whether a model has full attention only.

    Sliding windows and recurrent states count places, not positions: they cannot take padding between what rows share
    and their own tokens.
    """
    from transformers.cache_utils import DynamicLayer

    layers = plain(config).layers
    return bool(layers) and all(type(layer) is DynamicLayer for layer in layers)


def spread(states: Any, rows: Sequence[int], room: int) -> Any:
    """A cache that begins with rows of another, of full attention, each any number of times.

    Args:
        states: the other one, not changed.
        rows: for each row, its place there.
        room: for further tokens; more than that makes it grow.
    """
    from transformers.cache_utils import Cache

    layers = []
    for layer in states.layers:
        layers.append(_layer()(layer.get_seq_length() + min(room, _ROOM)))
        if layer.get_seq_length():
            layers[-1].update(layer.keys[list(rows)], layer.values[list(rows)])
    return Cache(layers=layers)


@functools.cache
def _layer() -> Any:
    """The layer's class, made when transformers is first needed."""
    from transformers.cache_utils import DynamicLayer

    class Roomy(DynamicLayer):  # type: ignore[misc]
        """``keys`` and ``values`` are views of the used part of larger tensors."""

        def __init__(self, capacity: int) -> None:
            super().__init__()
            self._capacity = capacity

        def update(self, key_states: Any, value_states: Any, *_: Any, **__: Any) -> tuple[Any, Any]:
            if not self.is_initialized:
                self.lazy_initialization(key_states, value_states)
                self._allocated = [
                    more.new_empty((*more.shape[:2], 0, more.shape[3])) for more in (key_states, value_states)
                ]
            used = self.get_seq_length()
            end = used + key_states.shape[2]
            if end > self._allocated[0].shape[2]:
                self._grow(used, end)
            for states, more in zip(self._allocated, (key_states, value_states), strict=True):
                states[:, :, used:end] = more
            self.keys, self.values = (states[:, :, :end] for states in self._allocated)
            return self.keys, self.values

        def _grow(self, used: int, end: int) -> None:
            self._capacity = max(end, self._capacity if not used else 2 * self._capacity)
            for place, states in enumerate(self._allocated):
                larger = states.new_empty((*states.shape[:2], self._capacity, states.shape[3]))
                larger[:, :, :used] = states[:, :, :used]
                self._allocated[place] = larger

    return Roomy
