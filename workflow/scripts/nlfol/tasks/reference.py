"""References: what is no language model, and answers a task as one would.

The ``reader`` parses English by its grammar and decides by proof: it is the ceiling. The ``echo`` says in English what
it is shown, and back. Floors are the ``constant``, which says the same of everything, and ``surface``, which goes by
the look of candidates. Of programs, ``drifting`` has a new name for a concept now and then, and ``merging`` one for
all. They are asked by the plan of the task, and judged, as dialogue models are; what a step says in words they do not
read.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from nlfol.tasks.item import Item
from nlfol.tasks.plan import Plan, Reply, Step


@dataclass(frozen=True, slots=True)
class Asked:
    """What a reference is asked.

    Attributes:
        item: what it is about.
        presentation: under which it is asked.
        step: of the task's plan.
        replies: to the steps before.
    """

    item: Item
    presentation: str
    step: Step
    replies: tuple[Reply, ...]


@dataclass(frozen=True, slots=True)
class Manner:
    """What an entry says of how a reference answers.

    Attributes:
        answer: of a ``constant``, what it always answers.
        probability: of one that is ``drifting``, that a mention has a name of its own.
        labels: of draws.
    """

    answer: str | None = None
    probability: float = 0.0
    labels: tuple[str | int, ...] = ()


PLAIN = Manner()
"""Where nothing is said."""

Reference = Callable[[Asked], str]
"""The answer to a step, as JSON of the form that it agrees on.

It raises ``ReaderError`` where what it was told does not settle the answer.
"""


class ReaderError(ValueError):
    """Texts that leave the question open, such as one that cannot be read."""


def said(reasoning: str, answered: int | str | list[int]) -> str:
    """An answer with reasoning before it as JSON."""
    return answer_json({"reasoning": reasoning, "answer": answered})


def answer_json(answer: Mapping[str, Any]) -> str:
    """An answer of any form as JSON."""
    return json.dumps(answer, ensure_ascii=False)


def dialogue(plan: Plan, reference: Reference, item: Item, presentation: str, seed: int) -> list[tuple[Step, Reply]]:
    """The steps of a plan with a reference's answers; the last has failed where it has none.

    Args:
        plan: of the task.
        reference: who answers.
        item: what is asked about.
        presentation: under which it is asked.
        seed: in whose order candidates are shown.
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
