"""The interface of a strategy: how a model is asked for a program, and which of its answers counts.

A strategy is pure, as plans are: it tells from the replies so far what is asked next and what has come of them.
"""

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
    """A request for a program.

    ``line`` and ``reasoning`` are limits in characters, ``rounds`` one of corrections; no reasoning is None.
    """

    item: Item
    language: SolverLanguage
    line: int
    reasoning: int | None
    rounds: int

    @property
    def problem(self) -> Problem:
        """Return the item's problem."""
        return self.item.asked


class Text(Protocol):
    """The text of a prompt."""

    def __call__(self, part: str, **more: Any) -> str:
        """Return the text of a template, by its name, with further names that it uses."""
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
        """Return how many steps there are at most."""

    @abstractmethod
    def stop(self, about: About, replies: Sequence[Reply]) -> str | None:
        """Return why the dialogue ends; None if it goes on."""

    @abstractmethod
    def step(self, about: About, replies: Sequence[Reply], text: Text) -> Step:
        """Return the next step of a dialogue that goes on."""

    @abstractmethod
    def result(self, about: About, replies: Sequence[Reply]) -> Attempt | Reply:
        """Return the program that counts; or the failed reply that leaves none.

        Raises:
            ValueError: if the dialogue is not at its end.
        """

    def counting(self, about: About, replies: Sequence[Reply]) -> Collection[int]:
        """Return the numbers of the steps, from 0, whose answers make the program that counts: all of them."""
        return range(len(replies))

    @abstractmethod
    def check(self, about: About, part: str, text: str) -> None:
        """Check that an answer is of the form that its step agreed on.

        Raises:
            AnswerError: if it is not.
        """

    @abstractmethod
    def answer(self, translation: Translation, part: str, number: int) -> dict[str, Any]:
        """Return the answer of a reference, which knows the program, to a step."""

    def example(self, translation: Translation) -> Any:
        """Return a program as examples show it, in JSON values."""
        return translation.answer

    def following(self, about: About, replies: Sequence[Reply], text: Text) -> Step | Stop:
        """Return what is asked after some replies."""
        stop = self.stop(about, replies)
        return self.step(about, replies, text) if stop is None else Stop(stop)


def ended(replies: Sequence[Reply]) -> str | None:
    """Return how the last reply ended if it is no answer; None if it is one, or nothing was asked yet."""
    return replies[-1].outcome if replies and not is_answered(replies[-1]) else None


def is_answered(reply: Reply) -> bool:
    """Return whether a reply has an answer."""
    return reply.outcome == ANSWERED and reply.text is not None


def unfinished() -> ValueError:
    """Return the error of a dialogue that is not at its end."""
    return ValueError("the dialogue ends before its plan does; delete the responses and run again")
