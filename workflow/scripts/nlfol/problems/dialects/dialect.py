"""The places of a sentence where concepts are said."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from nlfol.problems.lexicon import Slot, Word
from nlfol.problems.problem import Statement

QUALITY = frozenset({Slot.WORD, Slot.COMPLEMENT, Slot.VERB_PHRASE})
CLASS = frozenset({Slot.WORD, Slot.VERB_PHRASE})
NAMED = frozenset({Slot.WORD})
REFERRED = frozenset({Slot.WORD, Slot.REFERENCE})


class Place(NamedTuple):
    """A place of a sentence.

    Attributes:
        word: what is said there.
        slots: of the forms that can stand there.
    """

    word: Word
    slots: frozenset[Slot]


class Dialect(Protocol):
    """The controlled English of one problem.

    A sentence is a tree of the family's own kind. To whom a reference at its beginning refers is the topic of the
    sentence before.
    """

    def topic(self, sentence: Any) -> str | None:
        """The one individual that a sentence is about, if the next can refer to it."""

    def readings(self, text: str, topic: str | None) -> list[tuple[Any, Statement]]:
        """All trees of a sentence, each with its statement.

        Raises:
            DialectError: if there is none, with the place where reading ended.
        """

    def places(self, sentence: Any, topic: str | None) -> list[Place]:
        """Where concepts are said."""

    def saying(self, sentence: Any, words: Sequence[Word]) -> Any:
        """The tree with these words at its places."""

    def write(self, sentence: Any) -> Statement:
        """The sentence in English."""
