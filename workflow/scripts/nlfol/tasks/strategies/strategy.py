"""What a strategy says of itself: how a model is asked for a program, and which of its answers counts.

A strategy is pure, as plans are: it tells from the replies so far what is asked next and what has come of them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from nlfol.problems.problem import Problem
from nlfol.programs.language import SolverLanguage
from nlfol.tasks.item import Item
from nlfol.tasks.plan import Reply, Step, Stop
from nlfol.tasks.program_answers import Attempt
from nlfol.tasks.program_gold import Translation

ANSWERED, FAILED = "answered", "failed"


@dataclass(frozen=True, slots=True)
class About:
    """What a program is asked for.

    Attributes:
        item: the problem as an item.
        language: of the program.
        line: characters of a line, at most.
        reasoning: characters of the reasoning in each answer; None for none.
        rounds: how often a program is corrected at most.
    """

    item: Item
    language: SolverLanguage
    line: int
    reasoning: int | None
    rounds: int

    @property
    def problem(self) -> Problem:
        """The problem."""
        return self.item.asked


class Text(Protocol):
    """The text of a prompt."""

    def __call__(self, part: str, **more: Any) -> str:
        """Of a template, by its name, with further names that it uses."""
        ...


class Strategy(ABC):
    """A way to ask for a program.

    Attributes:
        is_dialogue: whether it may ask more than once, so that it is said why it ended.
        has_rounds: whether programs are corrected.
        wants_words: whether the words for concepts matter: examples are in other words, and show their symbols.
    """

    is_dialogue: ClassVar[bool] = True
    has_rounds: ClassVar[bool] = False
    wants_words: ClassVar[bool] = False

    @abstractmethod
    def most_steps(self, about: About) -> int:
        """How many steps there are at most."""

    @abstractmethod
    def stop(self, about: About, replies: Sequence[Reply]) -> str | None:
        """Why the dialogue ends; None if it goes on."""

    @abstractmethod
    def step(self, about: About, replies: Sequence[Reply], text: Text) -> Step:
        """What is asked next, where it does not stop."""

    @abstractmethod
    def result(self, about: About, replies: Sequence[Reply]) -> Attempt | Reply:
        """What became of the program that counts; or the failed reply that leaves none.

        Raises:
            ValueError: if the dialogue is not at its end.
        """

    def counting(self, about: About, replies: Sequence[Reply]) -> Collection[int]:
        """The places of the steps, from 0, whose answers the program that counts is made of: all of them."""
        return range(len(replies))

    @abstractmethod
    def check(self, about: About, part: str, text: str) -> None:
        """See that an answer is of the form that its step agreed on.

        Raises:
            AnswerError: if it is not.
        """

    @abstractmethod
    def answer(self, translation: Translation, part: str, number: int) -> dict[str, Any]:
        """How a step is answered by who knows the program.

        Args:
            translation: the program.
            part: of the step.
            number: of the step, from 0.
        """

    def example(self, translation: Translation) -> Any:
        """A program as examples show it, in JSON values."""
        return translation.answer

    def following(self, about: About, replies: Sequence[Reply], text: Text) -> Step | Stop:
        """What is asked after some replies."""
        stop = self.stop(about, replies)
        return self.step(about, replies, text) if stop is None else Stop(stop)


def ended(replies: Sequence[Reply]) -> str | None:
    """How the last reply ended if it is no answer; None if it is one, or nothing was asked yet."""
    return replies[-1].outcome if replies and not is_answered(replies[-1]) else None


def is_answered(reply: Reply) -> bool:
    """Whether a reply has an answer."""
    return reply.outcome == ANSWERED and reply.text is not None


def unfinished() -> ValueError:
    """A dialogue that is not at its end."""
    return ValueError("the dialogue ends before its plan does; delete the responses and run again")
