"""Backends that are scripted, requests that are dialogues of one step, and plans of several."""

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from tests.unit.models.conftest import request

from nlfol.asking.dialogue import Conversation, Dialogue, Report
from nlfol.logic.ontology.derivation import derive
from nlfol.logic.reading import parse
from nlfol.models.journal.journal import Journal
from nlfol.models.request import ChatBackend, ChatReply, ChatRequest, Ending, Feed
from nlfol.tasks.item import Item
from nlfol.tasks.plan import OneStep, Reply, Step, Stop

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


@dataclass(frozen=True, slots=True)
class Steps:
    """So many steps, each of which repeats the reply before it; fewer where one is "enough"."""

    steps: int = 2

    def most_steps(self, item: Item) -> int:
        return self.steps

    def following(self, item: Item, presentation: str, seed: int, replies: Sequence[Reply]) -> Step | Stop:
        number = len(replies) + 1
        if number > self.steps:
            return Stop()
        said = replies[-1].text if replies else item.text
        return Stop("enough") if said == "enough" else Step(f"step {number}", "", asked(number, said), {})


def asked(number: int, said: str | None) -> str:
    """Return the question of a step."""
    return f"{number}: {said}"


def put(step: Step, seed: int) -> ChatRequest:
    """A step as a request of a hundred tokens."""
    return request(text=step.user, max_tokens=100, seed=seed)


def talks(*texts: str, plan: Steps | None = None) -> list[Dialogue]:
    """A dialogue about an item of each text."""
    items = [replace(ITEM, item=f"w:{number}", text=text) for number, text in enumerate(texts)]
    return [Dialogue(plan or Steps(), put, item, "", 3) for item in items]
