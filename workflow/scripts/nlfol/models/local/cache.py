"""Key-value caches that are allocated once, and rows of several caches put together.

transformers' own grows by concatenation: each step copies all of it, which is nearly half of the time of a step with
16 prompts of 600 tokens on a CPU.
"""

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass
class States:
    """The states (keys and values) of what a model has read, row by row.

    ``mask``, bool (rows, places), tells the places of the cache that hold a token of the row and no padding.
    """

    cache: Any
    mask: Any


def droppable(config: Any) -> bool:
    """Return whether a model has full attention only.

    Sliding windows and recurrent states count places, not positions: they take no padding inside rows, and no new row.
    """
    from transformers.cache_utils import DynamicCache, DynamicLayer

    layers = DynamicCache(config=config).layers
    return bool(layers) and all(type(layer) is DynamicLayer for layer in layers)


def empty(config: Any, capacity: int) -> Any:
    """Return a cache for a model of full attention, with room for ``capacity`` tokens a row (more makes it grow)."""
    from transformers.cache_utils import Cache, DynamicCache

    return Cache(layers=[_layer()(capacity) for _ in DynamicCache(config=config).layers])


def plain(config: Any) -> Any:
    """Return the cache that transformers itself would use, for every model."""
    from transformers.cache_utils import DynamicCache

    return DynamicCache(config=config)


def packed(parts: Sequence[tuple[States, Sequence[int]]], room: int) -> States:
    """Return new states of rows of others, in order, each moved to the right end: padding is on the left alone.

    Each part, not all of them without a token, comes with the rows to take of it, any number of times. ``room`` is for
    further tokens, beyond those that the longest row has.
    """
    import torch
    from transformers.cache_utils import Cache

    taken = [(states, torch.tensor(rows, device=states.mask.device)) for states, rows in parts if len(rows)]
    masks = [states.mask[rows] for states, rows in taken]
    width = max(int(mask.sum(dim=1).max()) for mask in masks)
    places = [_last(mask, width) for mask in masks]
    layers = []
    for number in range(len(taken[0][0].cache.layers)):
        layer = _layer()(width + room)
        layer.gather(
            [(states.cache.layers[number], rows, at) for (states, rows), at in zip(taken, places, strict=True)]
        )
        layers.append(layer)
    counts = torch.cat([mask.sum(dim=1) for mask in masks])
    return States(Cache(layers=layers), torch.arange(width, device=counts.device) >= (width - counts).unsqueeze(1))


def _last(mask: Any, width: int) -> Any:
    """Return each row's places with a token, in order, behind others to fill up: int64 (rows, width)."""
    import torch

    order = mask.to(torch.uint8).argsort(dim=1, stable=True)[:, -width:]
    return torch.cat([order.new_zeros((len(order), width - order.shape[1])), order], dim=1)


def keep_rows(states: States, going: Sequence[bool]) -> list[int]:
    """Drop rows in place, the last ones moving to free places; return the former place of each row that stays."""
    import torch

    kept = [place for place, stays in enumerate(going) if stays]
    late = [place for place in kept if place >= len(kept)]
    places = [place if going[place] else late.pop() for place in range(len(kept))]
    for layer in states.cache.layers:
        layer.keep_rows(places)
    states.mask = states.mask[torch.tensor(places, device=states.mask.device)]
    return places


def cut(states: States, length: int) -> None:
    """Forget all but the first ``length`` places, in place."""
    for layer in states.cache.layers:
        layer.cut(length)
    states.mask = states.mask[:, :length]


@functools.cache
def _layer() -> Any:
    """Return the layer's class, made when transformers is first needed."""
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
            self._show(end)
            return self.keys, self.values

        def gather(self, parts: Sequence[tuple[Any, Any, Any]]) -> None:
            """Begin with rows of other layers: of each (layer, rows, places), int64 (rows,) and (rows, width)."""
            for layer, rows, places in parts:
                at = rows.to(layer.device).unsqueeze(1), slice(None), places.to(layer.device)
                # Indices on both sides of a slice come first in the result.
                keys, values = layer.keys[at].transpose(1, 2), layer.values[at].transpose(1, 2)
                if not self.is_initialized:
                    self.lazy_initialization(keys, values)
                    total = sum(len(rows) for _, rows, _ in parts)
                    self._allocate(*(states[:1].expand(total, -1, -1, -1) for states in (keys, values)))
                    start = 0
                stop = start + len(rows)
                self._keys[start:stop, :, : places.shape[1]] = keys
                self._values[start:stop, :, : places.shape[1]] = values
                start = stop
            self._show(places.shape[1])

        def keep_rows(self, places: Sequence[int]) -> None:
            """Keep these rows; in place, so each is its own or comes from behind all that are kept."""
            used = self.get_seq_length()
            for row, place in enumerate(places):
                if row != place:
                    self._keys[row, :, :used] = self._keys[place, :, :used]
                    self._values[row, :, :used] = self._values[place, :, :used]
            self._keys, self._values = self._keys[: len(places)], self._values[: len(places)]
            self._show(used)

        def cut(self, length: int) -> None:
            if self.is_initialized:
                self._show(length)

        def _show(self, used: int) -> None:
            self.keys, self.values = self._keys[..., :used, :], self._values[..., :used, :]

        def _allocate(self, keys: Any, values: Any) -> None:
            self._keys = keys.new_empty((*keys.shape[:-2], self.capacity, keys.shape[-1]))
            self._values = values.new_empty((*values.shape[:-2], self.capacity, values.shape[-1]))

    return Allocated
