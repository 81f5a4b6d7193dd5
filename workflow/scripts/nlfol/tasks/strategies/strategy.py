"""The interface of a strategy, and the strategies that ask once, as Logic-LM does (Pan et al., Findings of EMNLP 2023).

A strategy says how a model is asked for a program, and which of its answers counts. It is pure, as plans are: all
follows from the replies so far. ``tuned`` adds an instruction on one symbol for one concept, with examples that show
it. ``concept_table`` has the table of concepts first: MenTaL in context. Both are of "Are LLMs Stable Formal Logic
Translators in Logical Reasoning Across Linguistically Diversified Texts?"; the words are ours.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from typing_extensions import override

from nlfol.mappings import JsonDict
from nlfol.problems.problem import Problem
from nlfol.problems.programs.language import SolverLanguage
from nlfol.tasks.answers import AnswerError
from nlfol.tasks.item import Item
from nlfol.tasks.plan import Reply, Step
from nlfol.tasks.program_answers import Attempt, attempt, program_schema, read_program, unread
from nlfol.tasks.program_gold import Translation

ANSWERED, FAILED, COMPLETED = "answered", "failed", "completed"

UNFINISHED = "the dialogue ends before its plan does; delete the responses and run again"


@dataclass(frozen=True, slots=True)
class About:
    """A request for a program; ``line`` is in characters, ``reasoning`` in tokens.

    There are so many ``corrections`` in each of so many ``rounds``; where it ``refines_all``, of executable programs,
    too. Of ``drafts`` one is made.
    """

    item: Item
    language: SolverLanguage
    line: int
    reasoning: int
    rounds: int
    corrections: int = 1
    refines_all: bool = False
    drafts: int = 1

    @property
    def problem(self) -> Problem:
        """Return the item's problem."""
        return self.item.asked


Text = Callable[..., str]
"""Returns the text of a template, by its name, with further names that it uses."""


class Strategy(ABC):
    """A way to ask for a program.

    Where it ``is_dialogue``, it may ask more than once and says why it ended. ``keys`` of an entry are for it alone;
    ``drafts`` is the default of one. With ``wants_words``, the words for concepts matter: examples are in other words,
    and show their symbols.
    """

    is_dialogue: ClassVar[bool] = True
    keys: ClassVar[frozenset[str]] = frozenset()
    drafts: ClassVar[int] = 1
    wants_words: ClassVar[bool] = False

    @abstractmethod
    def most_steps(self, about: About) -> int:
        """Return the largest number of steps."""

    @abstractmethod
    def stop(self, about: About, replies: Sequence[Reply]) -> str | None:
        """Return why the dialogue ends; None if it goes on."""

    @abstractmethod
    def step(self, about: About, replies: Sequence[Reply], text: Text) -> Step:
        """Return the next step of a dialogue that goes on."""

    @abstractmethod
    def result(self, about: About, replies: Sequence[Reply]) -> Attempt | Reply:
        """Return the program that counts, or the failed reply; raises ``ValueError`` before the dialogue's end."""

    def counting(self, about: About, replies: Sequence[Reply]) -> Collection[int]:
        """Return the numbers of the steps, from 0, whose answers make the program that counts: all of them."""
        return range(len(replies))

    @abstractmethod
    def agreed(self, about: About, part: str) -> JsonDict:
        """Return the schema of an answer to a part, as far as it does not hang on earlier replies."""

    @abstractmethod
    def check(self, about: About, part: str, text: str) -> None:
        """Raise ``AnswerError`` unless an answer is of the form that its step agreed on."""

    @abstractmethod
    def answer(self, translation: Translation, part: str, number: int) -> JsonDict:
        """Return the answer of a reference, which knows the program, to a step."""

    def example(self, translation: Translation) -> Any:
        """Return a program as examples show it, in JSON values."""
        return translation.answer


def ended(replies: Sequence[Reply], drafts: int | None = None) -> str | None:
    """Return how the last reply ended if it is no answer; None if it is one, or nothing was asked yet.

    From place ``drafts`` on a reply is one of several drafts, and ends nothing unless it failed.
    """
    if not replies or is_answered(replies[-1]):
        return None
    is_draft = drafts is not None and len(replies) > drafts
    return replies[-1].outcome if not is_draft or replies[-1].outcome == FAILED else None


def read_attempt(about: About, reply: Reply, *, table: bool = False) -> Attempt:
    """Put the answer of a reply together."""
    try:
        text = reply.answer
    except AnswerError as error:
        return unread(error)
    return attempt(about.language, about.problem, text, table=table, exemplars=about.item.exemplars)


def is_answered(reply: Reply) -> bool:
    """Return whether a reply has an answer."""
    return reply.outcome == ANSWERED and reply.text is not None


class Staged(Strategy):
    """A fixed number of requests, of which later ones are made from the answers to earlier ones."""

    def first_draft(self, about: About) -> int | None:
        """Return the number of the first step, from 0, of which there are several drafts; None if there are none."""
        return None

    @abstractmethod
    def check_answers(self, about: About, replies: Sequence[Reply]) -> None:
        """Raise ``AnswerError`` unless the answers that others are made from are of the agreed form."""

    @abstractmethod
    def whole(self, about: About, replies: Sequence[Reply]) -> Attempt | Reply:
        """Return the result of a dialogue at its end; raises ``AnswerError`` if there is no program."""

    @override
    def stop(self, about: About, replies: Sequence[Reply]) -> str | None:
        if ending := ended(replies, self.first_draft(about)):
            return ending
        try:
            self.check_answers(about, replies)
        except AnswerError:
            return "unparsable"
        return COMPLETED if len(replies) == self.most_steps(about) else None

    @override
    def result(self, about: About, replies: Sequence[Reply]) -> Attempt | Reply:
        if ended(replies, self.first_draft(about)):
            return replies[-1]
        try:
            self.check_answers(about, replies)
            if len(replies) < self.most_steps(about):
                raise ValueError(UNFINISHED)
            return self.whole(about, replies)
        except AnswerError as error:
            return unread(error)


class Once(Strategy):
    """One request for the whole program."""

    is_dialogue = False
    has_table: ClassVar[bool] = False

    @override
    def most_steps(self, about: About) -> int:
        return 1

    @override
    def stop(self, about: About, replies: Sequence[Reply]) -> str | None:
        return (ended(replies) or COMPLETED) if replies else None

    @override
    def step(self, about: About, replies: Sequence[Reply], text: Text) -> Step:
        return Step("program", text("system"), text("user"), self.schema(about))

    def schema(self, about: About) -> JsonDict:
        """Return the schema of a program."""
        return program_schema(about.language, about.problem, about.line, about.reasoning, table=self.has_table)

    def attempt(self, about: About, reply: Reply) -> Attempt:
        """Return the program of an answer."""
        return read_attempt(about, reply, table=self.has_table)

    @override
    def result(self, about: About, replies: Sequence[Reply]) -> Attempt | Reply:
        last = replies[-1]
        return self.attempt(about, last) if is_answered(last) else last

    @override
    def agreed(self, about: About, part: str) -> JsonDict:
        return self.schema(about)

    @override
    def check(self, about: About, part: str, text: str) -> None:
        read_program(about.language, about.problem, text, table=self.has_table, exemplars=about.item.exemplars)

    @override
    def answer(self, translation: Translation, part: str, number: int) -> JsonDict:
        before = {"table": translation.table} if self.has_table else {}
        return {**before, **translation.answer}

    @override
    def example(self, translation: Translation) -> Any:
        return self.answer(translation, "program", 0)


class Tuned(Once):
    """One symbol for one concept is asked for."""

    wants_words = True


class ByTable(Once):
    """The table of concepts comes first."""

    wants_words = True
    has_table = True
