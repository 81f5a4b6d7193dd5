"""A key-value cache that is allocated once.

transformers' own grows by concatenation: each step copies all of it, which is nearly half of the time of a step with
16 prompts of 600 tokens on a CPU.
"""

from __future__ import annotations

import functools
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

        def batch_select_indices(self, indices: Any) -> None:
            used = self.get_seq_length()
            rows = indices.to(self.device)
            self._keys, self._values = self._keys[rows], self._values[rows]
            self.keys, self.values = self._keys[..., :used, :], self._values[..., :used, :]

        def _allocate(self, keys: Any, values: Any) -> None:
            self._keys = keys.new_empty((*keys.shape[:-2], self.capacity, keys.shape[-1]))
            self._values = values.new_empty((*values.shape[:-2], self.capacity, values.shape[-1]))

    return Allocated
