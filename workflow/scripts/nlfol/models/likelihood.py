"""Log-probability of an answer: the sum over those of its tokens that carry it, in nats, and their number.

The tokens are those of the model's own distribution, before sampling parameters and grammars, as vLLM and llama.cpp
give them; OpenAI does not say. An answer's value alone counts: neither a thought, nor the reasoning before it, nor the
names of JSON that a grammar writes. In plain text it begins after the last ``Answer:``, or where the text does.

Servers cut tokens within a character, and write halves as they like. So places are counted in the visible ASCII
characters of text and tokens, which is enough to find the first token of a value.
"""

import math
import re
from collections.abc import Iterable
from typing import NamedTuple

_VISIBLE = bytes(range(33, 127))
_OTHERS = bytes(set(range(256)) - set(_VISIBLE))
_REASONING = re.compile(r'\{"reasoning":"')
_STRING = re.compile(r'[^"\\]*(?:\\.[^"\\]*)*"')
_NAME = re.compile(r'[{,]"\w{1,64}":')
_PLAIN = "Answer:"


class Likelihood(NamedTuple):
    """The sum of the log-probabilities of an answer's tokens, at most 0, and how many they are, at least 1."""

    logprob: float
    tokens: int


def visible(content: bytes) -> str:
    """Return the visible ASCII characters of a token, or of a text, in UTF-8."""
    return content.translate(None, _OTHERS).decode("ascii")


def likelihood(text: str | None, tokens: Iterable[tuple[str, float | None]]) -> Likelihood | None:
    """Return the likelihood of an answer, from its visible tokens in order; None where they do not tell it.

    A thought may come before the answer, and the end of the turn after it. A token whose log-probability is None left
    no choice to the model, and is not counted. None of a text that ends before its answer begins, of tokens that are
    not those of the text, and of numbers that are no log-probabilities.
    """
    listed = list(tokens)
    said, written = visible((text or "").encode(errors="ignore")), "".join(token for token, _ in listed)
    first = written.rfind(said)
    if not said or first < 0 or (start := _start(said)) is None:
        return None
    begin, end, place, counted = first + start, first + len(said), 0, list[float]()
    for token, logprob in listed:
        if logprob is not None and begin <= place < end:
            counted.append(logprob)
        place += len(token)
    if not counted or not all(math.isfinite(logprob) and logprob <= 0 for logprob in counted):
        return None
    return Likelihood(math.fsum(counted), len(counted))


def _start(said: str) -> int | None:
    """Return where the value of an answer's visible characters begins; None if it does not."""
    if not said.startswith("{"):
        found = said.rfind(_PLAIN)
        start = 0 if found < 0 else found + len(_PLAIN)
    else:
        place = 0
        if (reasoning := _REASONING.match(said)) is not None:
            if (closed := _STRING.match(said, reasoning.end())) is None:
                return None
            place = closed.end()
        if (name := _NAME.match(said, place)) is None:
            return None
        start = name.end()
    return start if start < len(said) else None
