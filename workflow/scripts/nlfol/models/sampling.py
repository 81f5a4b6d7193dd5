"""Drawing next tokens so that a row's draws do not depend on the other rows of its batch.

A shared random generator would give a row other numbers whenever its neighbours change. Here every request has its own
stream of uniform numbers, seeded from its key, and a token is the inverse of the cumulative distribution at the next
one: the same numbers on every device, and one vectorised step for the whole batch.
"""

from __future__ import annotations

import random
from typing import Any

_NUCLEUS = 256


def stream(key: str) -> random.Random:
    """The uniform numbers of one request, from its key (hexadecimal)."""
    return random.Random(int(key, 16))  # noqa: S311 - sampling, not cryptography


def draw(logits: Any, temperatures: Any, masses: Any, uniforms: Any) -> Any:
    """Draw one token a row.

    Args:
        logits: float32 (rows, vocabulary); forbidden tokens are minus infinity, one at least is not.
        temperatures: float32 (rows,); 0 is greedy.
        masses: float64 (rows,); mass of the nucleus sampled from, in (0, 1].
        uniforms: float64 (rows,); in [0, 1).

    Returns:
        An integer tensor (rows,).
    """
    import torch

    tokens = logits.argmax(dim=-1)
    sampled = temperatures > 0
    if not bool(sampled.any()):
        return tokens
    probabilities = torch.softmax(logits / torch.where(sampled, temperatures, 1.0).unsqueeze(1), dim=-1)
    # Which way a row goes depends on that row alone, so that ties fall alike in every batch.
    whole = sampled & (masses >= 1)
    if bool(whole.any()):
        tokens[whole] = _invert(probabilities[whole], masses[whole], uniforms[whole])
    nucleus = sampled & ~whole
    if bool(nucleus.any()):
        # Sorting a whole vocabulary costs more than the rest of the draw; the first few hold the nucleus nearly always.
        first, order = probabilities.topk(min(_NUCLEUS, probabilities.shape[1]), dim=-1)
        enough = nucleus & (first.double().sum(dim=-1) >= masses)
        if bool(enough.any()):
            places = _invert(first[enough], masses[enough], uniforms[enough])
            tokens[enough] = order[enough].gather(1, places.unsqueeze(1)).squeeze(1)
        wide = nucleus & ~enough
        if bool(wide.any()):
            ordered, order = probabilities[wide].sort(dim=-1, descending=True, stable=True)
            places = _invert(ordered, masses[wide], uniforms[wide])
            tokens[wide] = order.gather(1, places.unsqueeze(1)).squeeze(1)
    return tokens


def _invert(probabilities: Any, masses: Any, uniforms: Any) -> Any:
    """The places where the cumulative distribution, cut off at the masses, passes the uniform numbers."""
    import torch

    # float64, or the sum over a vocabulary of 150,000 loses the smallest probabilities.
    cumulative = probabilities.double().cumsum(dim=-1)
    # A token is in the nucleus while the mass before it is less than what was asked for; the likeliest always is.
    inside = (cumulative - probabilities < masses.unsqueeze(1)) | (masses >= 1).unsqueeze(1)
    total = torch.where(inside, cumulative, 0.0).amax(dim=-1)
    # Rounding must not reach the total itself, beyond which no token is.
    points = torch.minimum(uniforms * total, torch.nextafter(total, torch.zeros_like(total)))
    return torch.searchsorted(cumulative, points.unsqueeze(1), right=True).squeeze(1)
