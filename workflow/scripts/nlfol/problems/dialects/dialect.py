"""The base of dialects, and the positions of a sentence that name concepts."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from typing_extensions import override

from nlfol.problems.dialects.words import DialectError, Text
from nlfol.problems.lexicon import Lexicon, Slot, Word
from nlfol.problems.problem import Statement

QUALITY = frozenset({Slot.WORD, Slot.COMPLEMENT, Slot.VERB_PHRASE})
CLASS = frozenset({Slot.WORD, Slot.VERB_PHRASE})
NAMED = frozenset({Slot.WORD})

CONTRAPOSED, THERE = "no", "there"
BACKWARDS = frozenset({CONTRAPOSED, THERE})
"""Turns whose sentences invite the reader to conclude backwards, as "Nothing that is red is blue"."""


class Place(NamedTuple):
    """A position of a sentence that names a concept, and the slots whose forms can stand there."""

    word: Word
    slots: frozenset[Slot]


class Dialect(ABC):
    """The controlled English of one problem; its sentences are trees of the family's own.

    A reference means one of the concepts that the sentence before names, where it is plain which.
    """

    __slots__ = ()

    lexicon: Lexicon

    @abstractmethod
    def named(self, sentence: Any) -> tuple[str, ...]:
        """Return the concepts that references in the next sentence may mean, in the order of this one."""

    @abstractmethod
    def turns(self, sentence: Any, before: Any) -> list[Any]:
        """Return the sentence in other syntax, with the same line; ``before`` is the sentence before, if any.

        One whose turn is empty is plainer than the sentence, which is said otherwise wherever syntax is changed.
        """

    @abstractmethod
    def readings(self, text: str, before: Sequence[str]) -> list[tuple[Any, Statement]]:
        """Return all trees of a sentence with their statements; ``DialectError`` says where reading ended."""

    @abstractmethod
    def places(self, sentence: Any, before: Sequence[str]) -> list[Place]:
        """Return the positions that name concepts."""

    @abstractmethod
    def saying(self, sentence: Any, words: Sequence[Word]) -> Any:
        """Return the tree with these words at its positions."""

    @abstractmethod
    def write(self, sentence: Any) -> Statement:
        """Write the sentence in English."""


class GrammarDialect(Dialect):
    """The base of dialects with a grammar of their own."""

    __slots__ = ()

    @override
    def readings(self, text: str, before: Sequence[str]) -> list[tuple[Any, Statement]]:
        source = Text(text, self.lexicon)
        # Trees that say the same of the same words are one reading.
        by_statement: dict[Statement, Any] = {}
        for tree in dict.fromkeys(self.trees(source, before)):
            by_statement.setdefault(self.write(tree), tree)
        if not by_statement:
            source.fail()
        exact = [(tree, statement) for statement, tree in by_statement.items() if statement.text == text]
        if not exact:
            raise DialectError(text, 0, f"read as {next(iter(by_statement)).text!r}; write it so")
        return exact

    def read(self, text: str) -> tuple[Any, Statement]:
        """Return the one reading of a sentence by itself, in the syntax of the published set.

        Raises ``DialectError`` if there is none, or several.
        """
        readings = [reading for reading in self.readings(text, ()) if not getattr(reading[0], "turn", "")]
        if len(readings) != 1:
            lines = " and as ".join(statement.line or "" for _, statement in readings)
            several = f"reads as {lines}; use words for one of them"
            raise DialectError(text, 0, several if readings else "the published set has no such syntax")
        return readings[0]

    @abstractmethod
    def trees(self, source: Text, before: Sequence[str]) -> Iterable[Any]:
        """Yield trees of a sentence; one that is written otherwise is no reading."""
