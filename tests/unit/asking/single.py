"""Requests asked through the loop by themselves: each is a dialogue of one step."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterable, Iterator, Sequence

from nlfol.asking.dialogue import Conversation, Dialogue, Report
from nlfol.logic.reading import parse
from nlfol.models.journal.journal import Journal
from nlfol.models.request import ChatBackend, ChatReply, ChatRequest, Ending, Feed
from nlfol.ontology.derivation import derive
from nlfol.tasks.item import Item
from nlfol.tasks.plan import OneStep, Step

ITEM = Item("w:0", "w", "A is P.", "P(a)", derive([parse("P(a)")]), ())


class OneByOne(ABC):
    """Takes all requests that wait and hands out each reply by itself."""

    identity = "test:model"

    @abstractmethod
    def answer(self, requests: Sequence[ChatRequest]) -> Iterator[ChatReply]: ...

    def answer_feed(self, feed: Feed[ChatRequest]) -> Generator[Sequence[ChatReply], None, None]:
        for reply in self.answer(feed.drain()):
            yield (reply,)


class Scripted(OneByOne):
    """Answers every request with its text, or with the outcome scripted for it."""

    def __init__(self, outcomes: dict[str, Ending] | None = None) -> None:
        self.outcomes = outcomes or {}
        self.asked: list[str] = []

    def answer(self, requests: Sequence[ChatRequest]) -> Iterator[ChatReply]:
        for each in reversed(requests):
            text = each.messages[-1].content
            self.asked.append(text)
            outcome = self.outcomes.get(text, Ending.ANSWERED)
            yield ChatReply(each.key, outcome, text=text if outcome is Ending.ANSWERED else None, seconds=0.5)


def dialogues(requests: Iterable[ChatRequest]) -> list[Dialogue]:
    """One dialogue a request."""
    return [_dialogue(request) for request in requests]


def ask(
    backend: ChatBackend, requests: Sequence[ChatRequest], journal: Journal, progress: Report | None = None
) -> dict[str, ChatReply]:
    """The reply to each request key, in the order of the requests; equal requests are asked once."""
    conversation = Conversation(dialogues(requests), journal, progress)
    conversation.ask(backend)
    return {each.request.key: each.reply for dialogue in conversation.dialogues for each in dialogue.exchanged}


def _dialogue(request: ChatRequest) -> Dialogue:
    plan = OneStep(lambda item, presentation, seed: Step("", "", "", request.answer_schema))
    return Dialogue(plan, lambda step, seed: request, ITEM, "", request.seed)
