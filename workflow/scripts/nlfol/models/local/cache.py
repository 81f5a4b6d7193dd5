"""Key-value caches of transformers, whose rows are dropped, and put together with rows of others."""

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


def empty(config: Any) -> Any:
    """Return the cache that transformers itself would use, for every model."""
    from transformers.cache_utils import DynamicCache

    return DynamicCache(config=config)


def droppable(config: Any) -> bool:
    """Return whether a model has full attention only.

    Sliding windows and recurrent states count places, not positions: they take no padding inside rows, and no new row.
    """
    from transformers.cache_utils import DynamicLayer

    layers = empty(config).layers
    return bool(layers) and all(type(layer) is DynamicLayer for layer in layers)


def packed(parts: Sequence[tuple[States, Sequence[int]]]) -> States:
    """Return new states of rows of others, in order, each moved to the right end: padding is on the left alone.

    Each part, not all of them without a token, comes with the rows to take of it, any number of times.
    """
    import torch
    from transformers.cache_utils import DynamicCache

    taken = [(states, torch.tensor(rows, device=states.mask.device)) for states, rows in parts if len(rows)]
    masks = [states.mask[rows] for states, rows in taken]
    width = max(int(mask.sum(dim=1).max()) for mask in masks)
    positions = [
        (rows.unsqueeze(1), slice(None), _last(mask, width)) for (_, rows), mask in zip(taken, masks, strict=True)
    ]
    result = DynamicCache()
    for number, layers in enumerate(zip(*(states.cache.layers for states, _ in taken), strict=True)):
        # Indices on both sides of a slice come first in the result.
        keys = [layer.keys[at].transpose(1, 2) for layer, at in zip(layers, positions, strict=True)]
        values = [layer.values[at].transpose(1, 2) for layer, at in zip(layers, positions, strict=True)]
        result.update(torch.cat(keys), torch.cat(values), number)
    counts = torch.cat([mask.sum(dim=1) for mask in masks])
    return States(result, torch.arange(width, device=counts.device) >= (width - counts).unsqueeze(1))


def _last(mask: Any, width: int) -> Any:
    """Return each row's places with a token, in order, behind others to fill up: int64 (rows, width)."""
    import torch

    order = mask.to(torch.uint8).argsort(dim=1, stable=True)[:, -width:]
    return torch.cat([order.new_zeros((len(order), width - order.shape[1])), order], dim=1)


def keep_rows(states: States, going: Sequence[bool]) -> None:
    """Drop the other rows, in place."""
    import torch

    kept = torch.tensor(going).nonzero().squeeze(1)
    states.cache.batch_select_indices(kept)
    states.mask = states.mask[kept]


def cut(states: States, length: int) -> None:
    """Forget all but the first ``length`` places, in place."""
    states.cache.crop(length - states.cache.get_seq_length())
    states.mask = states.mask[:, :length]
