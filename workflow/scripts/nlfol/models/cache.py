"""A key-value cache that is allocated once.

transformers' own grows by concatenation: each step copies all of it, which is nearly half of the time of a step with
16 prompts of 600 tokens on a CPU.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any


def empty(config: Any, capacity: int) -> Any | None:
    """A cache for a model, with room for ``capacity`` tokens a row (more makes it grow).

    Returns:
        The cache; None for a model that has other layers than full attention: sliding windows and recurrent states
        count places, not positions, and cannot take padding after a shared prefix nor lose rows.
    """
    from transformers.cache_utils import Cache, DynamicCache, DynamicLayer

    layers = DynamicCache(config=config).layers
    if not layers or any(type(layer) is not DynamicLayer for layer in layers):
        return None
    return Cache(layers=[_layer()(capacity) for _ in layers])


def plain(config: Any) -> Any:
    """The cache that transformers itself would use, for every model."""
    from transformers.cache_utils import DynamicCache

    return DynamicCache(config=config)


def repeated(cache: Any, rows: int, capacity: int) -> Any:
    """A cache of ``rows`` rows, each a copy of the one row of ``cache``."""
    from transformers.cache_utils import Cache

    layers = []
    for layer in cache.layers:
        copy = _layer()(capacity)
        copy.update(layer.keys.expand(rows, -1, -1, -1), layer.values.expand(rows, -1, -1, -1))
        layers.append(copy)
    return Cache(layers=layers)


def keep_rows(cache: Any, going: Sequence[bool]) -> list[int]:
    """Drop the rows that are not going, moving as few others as possible: the last take the places that fall free.

    Args:
        cache: one made by this module.
        going: for each row, whether it stays.

    Returns:
        For each row of the smaller batch, its place in the larger one.
    """
    kept = [place for place, stays in enumerate(going) if stays]
    late = [place for place in kept if place >= len(kept)]
    places = [place if going[place] else late.pop() for place in range(len(kept))]
    for layer in cache.layers:
        layer.keep_rows(places)
    return places


@functools.cache
def _layer() -> Any:
    """The layer's class, made when transformers is first needed."""
    from transformers.cache_utils import DynamicLayer

    class Allocated(DynamicLayer):  # type: ignore[misc]
        """``keys`` and ``values`` are views of the used part of larger tensors."""

        keys: Any
        values: Any
        _keys: Any
        _values: Any

        def __init__(self, capacity: int) -> None:
            super().__init__()
            self.capacity = capacity

        def update(self, key_states: Any, value_states: Any, *_: Any, **__: Any) -> tuple[Any, Any]:
            if not self.is_initialized:
                self.lazy_initialization(key_states, value_states)
                self.capacity = max(self.capacity, key_states.shape[-2])
                self._allocate(key_states, value_states)
            used = self.get_seq_length()
            end = used + key_states.shape[-2]
            if end > self.capacity:
                self.capacity = max(end, 2 * self.capacity)
                keys, values = self.keys, self.values
                self._allocate(keys, values)
                self._keys[..., :used, :], self._values[..., :used, :] = keys, values
            self._keys[..., used:end, :] = key_states
            self._values[..., used:end, :] = value_states
            self.keys, self.values = self._keys[..., :end, :], self._values[..., :end, :]
            return self.keys, self.values

        def keep_rows(self, places: Sequence[int]) -> None:
            """Keep these rows; in place, so each is its own or comes from behind all that are kept."""
            used = self.get_seq_length()
            for row, place in enumerate(places):
                if row != place:
                    self._keys[row, :, :used] = self._keys[place, :, :used]
                    self._values[row, :, :used] = self._values[place, :, :used]
            self._keys, self._values = self._keys[: len(places)], self._values[: len(places)]
            self.keys, self.values = self._keys[..., :used, :], self._values[..., :used, :]

        def _allocate(self, keys: Any, values: Any) -> None:
            self._keys = keys.new_empty((*keys.shape[:-2], self.capacity, keys.shape[-1]))
            self._values = values.new_empty((*values.shape[:-2], self.capacity, values.shape[-1]))

    return Allocated
