"""One item under one presentation and seed, step by step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from nlfol.asking.asking import response_row
from nlfol.models.entries.prices import Price
from nlfol.models.request import ChatReply, ChatRequest, Ending
from nlfol.store.logs import LOGGER
from nlfol.tasks.item import Item
from nlfol.tasks.plan import Plan, Reply, Step, Stop

_RECORDED = (
    "thinking",
    "finish_reason",
    "prompt_tokens",
    "cached_tokens",
    "completion_tokens",
    "reasoning_tokens",
    "seconds",
    "attempts",
    "served_model",
    "fingerprint",
    "response_id",
    "batch",
    "error",
)


@dataclass(frozen=True, slots=True)
class Exchanged:
    """A step with its request and the reply to it."""

    step: Step
    request: ChatRequest
    reply: ChatReply


@dataclass(slots=True)
class Dialogue:
    """What was asked about one item, and what is asked next.

    Attributes:
        plan: of the task.
        put: a step of a seed as a request to the model.
        item: what it is about.
        presentation: how candidates are shown; "" for tasks without candidates.
        seed: the model's.
        exchanged: the steps that have their reply.
        asked: the step that waits for one, with its request; None before ``advance``, and at the end.
        error: why the plan failed after a reply; None where it did not.
    """

    plan: Plan
    put: Callable[[Step, int], ChatRequest]
    item: Item
    presentation: str
    seed: int
    exchanged: list[Exchanged] = field(default_factory=list)
    asked: tuple[Step, ChatRequest] | None = None
    error: str | None = None

    @property
    def pending(self) -> tuple[Step, ChatRequest]:
        """The step that waits for a reply, with its request.

        Raises:
            ValueError: if none waits.
        """
        if self.asked is None:
            raise ValueError(f"item {self.item.item!r}: no request waits for a reply")
        return self.asked

    def advance(self) -> ChatRequest | None:
        """The next request; None at the end: a plan stops, or fails, which then is an error of this dialogue alone.

        After a reply that failed nothing is asked either: a later run asks that request again.

        Raises:
            ValueError: if the plan stops before it asks: the item would be in no denominator.
        """
        replies = [
            Reply(each.step.part, each.reply.outcome.value, each.reply.text, each.step.order, each.reply.error)
            for each in self.exchanged
        ]
        self.asked = None
        if self.exchanged and self.exchanged[-1].reply.outcome is Ending.FAILED:
            return None
        try:
            following = self.plan.following(self.item, self.presentation, self.seed, replies)
        except Exception as error:
            if not replies:
                raise  # of nothing that a model wrote
            LOGGER.exception(f"item {self.item.item!r}, seed {self.seed}: no next step after {len(replies)}")
            self.error = f"{type(error).__name__}: {error}"
            return None
        if isinstance(following, Stop):
            if not replies:
                raise ValueError(f"item {self.item.item!r}: the plan stops before it asks; refuse such an item instead")
            return None
        request = self.put(following, self.seed)
        self.asked = following, request
        return request

    def replay(self, answered: Callable[[str], ChatReply | None]) -> ChatRequest | None:
        """Go on as far as replies are known.

        Args:
            answered: looks up the reply to a request's key; None if there is no reply.

        Returns:
            The request that waits for its reply; None where the dialogue has stopped.
        """
        while (request := self.advance()) is not None:
            if (reply := answered(request.key)) is None:
                return request
            self.take(reply)
        return None

    def take(self, reply: ChatReply) -> None:
        """Take the reply to the request that waits for one.

        Raises:
            ValueError: if it is to another request.
        """
        step, request = self.pending
        if request.key != reply.key:
            raise ValueError(f"item {self.item.item!r}: reply {reply.key} is not to request {request.key}")
        self.exchanged.append(Exchanged(step, request, reply))
        self.asked = None


def responses(dialogue: Dialogue, price: Price | None) -> list[dict[str, Any]]:
    """The rows of a RESPONSES file that a dialogue makes: one a step."""
    rows = [
        response_row(
            dialogue.item,
            dialogue.presentation,
            seed=dialogue.seed,
            step=number,
            part=each.step.part,
            order=list(each.step.order),
            **_answer(each.reply, price),
        )
        for number, each in enumerate(dialogue.exchanged, start=1)
    ]
    if dialogue.error is not None:
        # Where the plan failed, the last answer does not belong to its last step, and must not be judged as if it did.
        rows[-1] |= {"outcome": "internal_error", "error": dialogue.error}
    return rows


def _answer(reply: ChatReply, price: Price | None) -> dict[str, Any]:
    return {
        "request": reply.key,
        "outcome": reply.outcome.value,
        "answer": reply.text,
        "cost": None if price is None else price.of_reply(reply),
        **{name: getattr(reply, name) for name in _RECORDED},
    }
