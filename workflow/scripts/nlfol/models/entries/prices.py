"""Prices of tokens, and budgets."""

import json
from collections.abc import Iterable
from datetime import date
from typing import Annotated, Self

from pydantic import Field, NonNegativeFloat, PositiveFloat, model_validator

from nlfol.mappings import JsonObject
from nlfol.models.entries.base import Part
from nlfol.models.request import ChatReply, Ending

_MILLION = 1_000_000
_A_MESSAGE = 16
"""Tokens that a chat template may put around a message, or a tokenizer around a text."""
Currency = Annotated[str, Field(pattern=r"^[A-Z]{3}$")]
"""Three letters, as in ISO 4217."""


class StatedPrice(Part):
    """Price per million tokens; reasoning counts as completion."""

    currency: Currency
    prompt: NonNegativeFloat
    cached: NonNegativeFloat | None = None
    """Price of cached tokens of a prompt; None is that of the others."""
    completion: NonNegativeFloat
    batch: Annotated[float, Field(gt=0, le=1)] = 1.0
    """Factor of the price of an answer that came in a batch."""


class Price(StatedPrice):
    """A price, and what costs by it."""

    currency: Currency = "USD"
    read: date | None = None
    """Day on which the price was read, if it comes from a table."""
    source: str | None = None
    """The source of the price."""

    @property
    def charges(self) -> bool:
        """Return whether anything costs more than nothing."""
        return self.prompt > 0 or self.completion > 0

    def of(self, prompt: int, cached: int, completion: int, *, batch: bool) -> float:
        """Return the cost of so many tokens, those cached being part of the prompt's."""
        kept = self.prompt if self.cached is None else self.cached
        cost = ((prompt - cached) * self.prompt + cached * kept + completion * self.completion) / _MILLION
        return cost * self.batch if batch else cost

    def of_reply(self, reply: ChatReply) -> float | None:
        """Return what a reply cost; None if its tokens are not known."""
        if reply.prompt_tokens is None or reply.completion_tokens is None:
            return None
        cached = min(reply.cached_tokens or 0, reply.prompt_tokens)
        return self.of(reply.prompt_tokens, cached, reply.completion_tokens, batch=reply.batch is not None)

    def bound(self, request: JsonObject, *, batch: bool) -> float:
        """Return what a request costs at most: no token of a prompt is shorter than a byte, the limit bounds the rest.

        The request is as canonical JSON has it, see ``ChatRequest.canonical``.
        """
        prompt = sum(len(message["content"].encode()) + _A_MESSAGE for message in request["messages"])
        # Interfaces may count the schema as part of the prompt.
        prompt += len(json.dumps(request["answer_schema"], ensure_ascii=False).encode())
        dearer = max(self.prompt, self.cached or 0.0)
        cost: float = (prompt * dearer + int(request["max_tokens"]) * self.completion) / _MILLION
        return cost * self.batch if batch else cost

    def bound_of_following(self, request: JsonObject, steps: int, *, batch: bool) -> float:
        """Return what so many steps after a request cost at most, if each adds no more than the answers before it."""
        answers = sum(range(1, steps + 1)) * int(request["max_tokens"]) * max(self.prompt, self.cached or 0.0)
        return steps * self.bound(request, batch=batch) + answers / _MILLION * (self.batch if batch else 1.0)

    def bound_of_texts(self, texts: Iterable[str]) -> float:
        """Return what it costs at most to encode some texts, given with the prompts of their roles."""
        return most_tokens(texts) * self.prompt / _MILLION

    def at_most(self, request: JsonObject, reply: ChatReply) -> float:
        """Return what a request with its reply cost, or the bound if the interface did not say how many tokens.

        Attempts that brought no reply count with what they ``perhaps`` cost.
        """
        cost = self.of_reply(reply)
        if cost is None:
            # A provider that declines charges nothing, as far as any of them says.
            unanswered = reply.outcome in (Ending.FAILED, Ending.REFUSED)
            cost = 0.0 if unanswered else self.bound(request, batch=reply.batch is not None)
        return cost + self.perhaps(request, reply)

    def perhaps(self, request: JsonObject, reply: ChatReply) -> float:
        """Return what the attempts that brought no reply cost at most, should the provider charge them."""
        return reply.lost * self.bound(request, batch=False) if reply.lost else 0.0


def most_tokens(texts: Iterable[str]) -> int:
    """Return the most tokens that some texts have, given with the prompts of their roles."""
    return sum(len(text.encode()) + _A_MESSAGE for text in texts)


FREE = Price(prompt=0, completion=0)
"""Price of a model that runs here."""


class Budget(Part):
    """Budget of an experiment."""

    currency: Currency = "USD"
    total: PositiveFloat | None = None
    """For the whole experiment."""
    models: dict[Annotated[str, Field(min_length=1)], PositiveFloat] = Field(default_factory=dict)
    """For single models."""

    @model_validator(mode="after")
    def _some(self) -> Self:
        if self.total is None and not self.models:
            raise ValueError("a budget has a total, or amounts for models, or both")
        return self

    def covers(self, model: str) -> bool:
        """Return whether a model's requests count against an amount."""
        return self.total is not None or model in self.models
