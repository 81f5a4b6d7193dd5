"""Log-probability of an answer: the sum over those of its tokens that carry it, in nats, and their number.

The tokens are those of the model's own distribution, before sampling parameters and grammars, as vLLM and llama.cpp
give them; OpenAI does not say. An answer's value alone counts: neither a thought, nor the reasoning before it, nor the
names of JSON that a grammar writes. In plain text it begins after the last ``Answer:``, or where the text does.

Servers cut tokens within a character, and write halves as they like. So places are counted in the visible ASCII
characters of text and tokens, which is enough to find the first token of a value.

A choice by likelihood is, of the answers that a schema allows, the one that a model finds likeliest after the prompt.
An option is the whole JSON answer, as the grammar of generation writes it: ``{"answer":3}``. Its score is the sum of
the log-probabilities of its tokens, in nats, each given the prompt and those before it: the probability that the model,
left free, writes just this. It is not divided by the number of tokens, so a model may prefer short options; what that
comes to, the same choice shows with the text withheld (presentations ``blind_...``).
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from nlfol.facts import OPTIONED, AnswerForm
from nlfol.models.entries.base import Entry
from nlfol.models.request import ChatError, ChatReply, ChatRequest, Ending, Message
from nlfol.store.canonical import canonical

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


def refuse_no_choice(entry: Entry, model: str, task: str, form: AnswerForm, reasoning: int) -> None:
    """Raise ``ValueError`` if a model that only chooses is asked a task of this form, or for tokens of reasoning."""
    if getattr(entry, "answer", None) != "likelihood" or (form in OPTIONED and not reasoning):
        return
    fault = "asks for reasoning, and no option has any: set its reasoning to 0" if form in OPTIONED else "is none"
    raise ValueError(
        f"models.{model}.answer: likelihood is a choice among options; tasks.{task} {fault}; or name other models in "
        f"tasks.{task}.models"
    )


def options_of(schema: Mapping[str, object]) -> tuple[str, ...]:
    """Return the answers that a schema allows, in its order; raises ``ChatError`` if they are no lone choice."""
    properties = schema.get("properties")
    answer = properties.get("answer") if isinstance(properties, Mapping) and len(properties) == 1 else None
    options = answer.get("enum") if isinstance(answer, Mapping) else None
    if not isinstance(options, list):
        raise ChatError(
            "answer: likelihood chooses among the values of one field, without reasoning; an answer of this schema has "
            f"others: {canonical(schema)[:200]}"
        )
    return tuple(canonical({"answer": value}) for value in options)


def told_apart(request: ChatRequest) -> list[ChatRequest]:
    """Return a request for each option, as its last turn; nothing is to be written but one token, which is ignored."""
    messages = [(*request.messages, Message("assistant", option)) for option in options_of(request.answer_schema)]
    return [replace(request, messages=each, max_tokens=1, bounds=(), logprobs=False) for each in messages]


def chosen(request: ChatRequest, scores: Sequence[float], **more: int | float | str | None) -> ChatReply:
    """Return the reply that names the likeliest option, the first of equal ones, by the log-probability of each.

    Its own log-probability is that among the options, whose probabilities sum to 1, and it counts as one token.
    """
    best = max(range(len(scores)), key=lambda place: (scores[place], -place))
    total = math.fsum(math.exp(score - scores[best]) for score in scores)
    return ChatReply(
        request.key,
        Ending.ANSWERED,
        text=options_of(request.answer_schema)[best],
        logprob=-math.log(total),
        logprob_tokens=1,
        **more,  # type: ignore[arg-type]
    )
