"""Drawing next tokens so that a row's draws depend on its request alone.

A shared random generator would give a row other numbers whenever its neighbours change. Here every request has its own
stream of words, seeded from its key, and the word of a step is hashed with each token's number into Gumbel noise. The
token whose logarithmic probability plus noise is largest is drawn (Gumbel-max), which follows the softmax exactly.

Not the inverse of the cumulative distribution: that has a boundary at every token, and arithmetic batched differently,
or on another device, moves them all a little. With SmolLM2 at temperature 1.2 two answers in 16 then changed with the
size of the batch. Here only the gap between the best two counts.
"""

import random
from typing import Any

_NUCLEUS = 256
_GOLDEN = 0x9E3779B97F4A7C15
_MIX = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1))


def stream(key: str) -> random.Random:
    """Return the random stream of a request, from its key (hexadecimal)."""
    return random.Random(int(key, 16))  # noqa: S311 - sampling, not cryptography


def word(source: random.Random) -> int:
    """Draw the next word of a stream: a signed integer of 64 bits."""
    return _signed(source.getrandbits(64))


def draw(logits: Any, temperatures: Any, masses: Any, words: Any) -> Any:
    """Draw one token a row: int64 (rows,).

    ``logits``, float32 (rows, vocabulary), are minus infinity for forbidden tokens, one at least is not;
    ``temperatures``, float32 (rows,), are 0 for greedy rows; ``masses``, float64 (rows,) in (0, 1], are of the nuclei
    sampled from; ``words``, int64 (rows,), are of the rows' streams.
    """
    import torch

    tokens = logits.argmax(dim=-1)
    sampled = temperatures > 0
    if not bool(sampled.any()):
        return tokens
    likelihoods = torch.log_softmax(logits / torch.where(sampled, temperatures, 1.0).unsqueeze(1), dim=-1)
    # Which way a row goes depends on that row alone, so that ties fall alike in every batch.
    unrestricted = sampled & (masses >= 1)
    if bool(unrestricted.any()):
        every = torch.arange(logits.shape[1], device=logits.device)
        tokens[unrestricted] = _likeliest(likelihoods[unrestricted], every, words[unrestricted])
    nucleus = sampled & ~unrestricted
    if bool(nucleus.any()):
        # Sorting a whole vocabulary costs more than the rest of the draw; the first few hold the nucleus nearly always.
        first, order = likelihoods.topk(min(_NUCLEUS, logits.shape[1]), dim=-1)
        enough = nucleus & (first.double().exp().sum(dim=-1) >= masses)
        if bool(enough.any()):
            inside = _cut(first[enough], masses[enough])
            tokens[enough] = _likeliest(inside, order[enough], words[enough])
        wide = nucleus & ~enough
        if bool(wide.any()):
            ordered, order = likelihoods[wide].sort(dim=-1, descending=True, stable=True)
            tokens[wide] = _likeliest(_cut(ordered, masses[wide]), order, words[wide])
    return tokens


def _cut(likelihoods: Any, masses: Any) -> Any:
    """Set likelihoods, in descending order, to minus infinity outside the nucleus."""
    # float64, or the sum over a vocabulary of 150,000 loses the smallest probabilities.
    probabilities = likelihoods.double().exp()
    # A token is in the nucleus while the mass before it is less than what was asked for; the likeliest always is.
    before = probabilities.cumsum(dim=-1) - probabilities
    return likelihoods.masked_fill(before >= masses.unsqueeze(1), float("-inf"))


def _likeliest(likelihoods: Any, tokens: Any, words: Any) -> Any:
    """Return the token whose likelihood plus noise is largest, in each row."""
    best = (likelihoods.double() + _gumbel(tokens, words)).argmax(dim=-1)
    return tokens.expand(likelihoods.shape).gather(1, best.unsqueeze(1)).squeeze(1)


def _gumbel(tokens: Any, words: Any) -> Any:
    """Gumbel noise, float64, for each row's word and each token: the n-th output of SplitMix64 seeded with the word."""
    import torch

    mixed = words.unsqueeze(1) + (tokens + 1) * _signed(_GOLDEN)
    for shift, factor in _MIX:
        mixed = (mixed ^ _shifted(mixed, shift)) * _signed(factor)
    # In (0, 1), both ends excluded.
    uniform = (_shifted(mixed, 11).double() + 0.5) * 2.0**-53
    return -torch.log(-torch.log(uniform))


def _shifted(values: Any, bits: int) -> Any:
    # torch shifts arithmetically; SplitMix64 wants zeros from the left.
    return (values >> bits) & ((1 << (64 - bits)) - 1)


def _signed(value: int) -> int:
    return value - (1 << 64) if value >= 1 << 63 else value
