"""Plans of several steps, and dialogues of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tests.unit.asking.single import ITEM
from tests.unit.models.conftest import request

from nlfol.asking.dialogue import Dialogue
from nlfol.models.request import ChatRequest
from nlfol.tasks.item import Item
from nlfol.tasks.plan import Reply, Step, Stop


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
    """What a step asks."""
    return f"{number}: {said}"


def put(step: Step, seed: int) -> ChatRequest:
    """A step as a request of a hundred tokens."""
    return request(text=step.user, max_tokens=100, seed=seed)


def talks(*texts: str, plan: Steps | None = None) -> list[Dialogue]:
    """A dialogue about an item of each text."""
    items = [replace(ITEM, item=f"w:{number}", text=text) for number, text in enumerate(texts)]
    return [Dialogue(plan or Steps(), put, item, "", 3) for item in items]
