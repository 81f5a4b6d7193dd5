"""A task as a dialogue: what is asked next, given the replies so far.

A plan is pure: it has no clock, no network and no state, so that a job that was stopped replays its dialogues from the
journal, and asks only what is missing there.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from typing_extensions import override

from nlfol.tasks.item import Item
from nlfol.tasks.prompts import Prompts


@dataclass(frozen=True, slots=True)
class Turn:
    """An earlier turn of a dialogue that a step goes on with."""

    role: Literal["user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Step:
    """A question of a dialogue.

    Attributes:
        part: the part of the plan that it is, in a word; "" in plans of one step.
        system: the instructions.
        user: the question.
        schema: what an answer must look like, as a neutral JSON schema (``nlfol.models.request``).
        order: which candidate is shown at each place; empty where none are shown.
        earlier: turns between the instructions and the question; none for a fresh context.
        draw: which answer to a request it takes where a dialogue can ask the same again: each number is a draw of its
            own where answers are sampled.
    """

    part: str
    system: str
    user: str
    schema: Mapping[str, Any]
    order: tuple[int, ...] = ()
    earlier: tuple[Turn, ...] = ()
    draw: int = 0


@dataclass(frozen=True, slots=True)
class Stop:
    """The end of a dialogue, with the reason in a snake_case word."""

    reason: str = "completed"


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply to a step.

    Attributes:
        part: of the step.
        outcome: ``answered``, ``truncated``, ``empty``, ``blank``, ``refused`` or ``failed``.
        text: the answer as it was written; None if there is none.
        order: of the step.
        error: why there is no answer.
    """

    part: str
    outcome: str
    text: str | None
    order: tuple[int, ...] = ()
    error: str | None = None


class Plan(Protocol):
    """The dialogues of a task with one model over one dataset."""

    def most_steps(self, item: Item) -> int:
        """Return the largest number of steps of a dialogue about an item."""
        ...

    def following(self, item: Item, presentation: str, seed: int, replies: Sequence[Reply]) -> Step | Stop:
        """Return what is asked after some replies.

        Args:
            item: what it is about.
            presentation: how candidates are shown; "" for tasks without candidates.
            seed: one of the model's.
            replies: to all steps so far, in their order.
        """
        ...


@dataclass(frozen=True, slots=True)
class OneStep(Plan):
    """The plan of a task that asks once."""

    step: Callable[[Item, str, int], Step]
    """Returns the step for an item, a presentation and a seed."""

    @override
    def most_steps(self, item: Item) -> int:
        return 1

    @override
    def following(self, item: Item, presentation: str, seed: int, replies: Sequence[Reply]) -> Step | Stop:
        return Stop() if replies else self.step(item, presentation, seed)


@dataclass(frozen=True, slots=True)
class Setting:
    """The job of a plan.

    Attributes:
        dataset: its name in the configuration.
        seed: the experiment's.
        model_seeds: the model's, in the order of its entry.
        prompts: the templates.
    """

    dataset: str
    seed: int
    model_seeds: tuple[int, ...]
    prompts: Prompts
