"""References: answerers without a language model, which follow a task's plan and are judged as dialogue models are.

The ``reader`` parses English by its grammar and decides by proof: it is the ceiling. The ``echo`` repeats what it is
shown. Floors are the ``constant``, which gives one answer to everything, and ``surface``, which goes by the look of
candidates. Of programs, ``drifting`` has a new name for a concept now and then, and ``merging`` one for all.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from nlfol.tasks.item import Item
from nlfol.tasks.plan import Plan, Reply, Step


@dataclass(frozen=True, slots=True)
class Asked:
    """A step of a task's plan that a reference is asked, with the replies to the steps before."""

    item: Item
    presentation: str
    step: Step
    replies: tuple[Reply, ...]


@dataclass(frozen=True, slots=True)
class Manner:
    """Settings of a reference from its entry.

    Attributes:
        answer: of a ``constant``, what it always answers.
        probability: of one that is ``drifting``, that a mention has a name of its own.
        labels: of draws.
    """

    answer: str | None = None
    probability: float = 0.0
    labels: tuple[str | int, ...] = ()


PLAIN = Manner()
"""The settings of an entry that has none."""

Reference = Callable[[Asked], str]
"""The answer to a step, as JSON of the form that it agrees on.

It raises ``ReaderError`` where the question does not settle the answer.
"""


class ReaderError(ValueError):
    """Texts that leave the question open, such as one that cannot be read."""


def reasoned(reasoning: str, answered: int | str | list[int]) -> str:
    """Return an answer with reasoning before it as JSON."""
    return answer_json({"reasoning": reasoning, "answer": answered})


def answer_json(answer: Mapping[str, Any]) -> str:
    """Return an answer of any form as JSON."""
    return json.dumps(answer, ensure_ascii=False)


def dialogue(plan: Plan, reference: Reference, item: Item, presentation: str, seed: int) -> list[tuple[Step, Reply]]:
    """Return the steps of a plan with a reference's answers; the last has failed if it has none.

    Args:
        plan: of the task.
        reference: the answerer.
        item: the item that is asked about.
        presentation: under which it is asked.
        seed: the seed in whose order candidates are shown.
    """
    exchanged: list[tuple[Step, Reply]] = []
    while True:
        replies = tuple(reply for _, reply in exchanged)
        step = plan.following(item, presentation, seed, replies)
        if not isinstance(step, Step):
            return exchanged
        try:
            answer = reference(Asked(item, presentation, step, replies))
        except ReaderError as error:
            return [*exchanged, (step, Reply(step.part, "failed", None, step.order, str(error)))]
        exchanged.append((step, Reply(step.part, "answered", answer, step.order)))
