"""The base of dialects, and the positions of a sentence that name concepts."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from typing_extensions import override

from nlfol.problems.dialects.words import Text
from nlfol.problems.lexicon import Lexicon, Slot, Word
from nlfol.problems.problem import Statement

QUALITY = frozenset({Slot.WORD, Slot.COMPLEMENT, Slot.VERB_PHRASE})
CLASS = frozenset({Slot.WORD, Slot.VERB_PHRASE})
NAMED = frozenset({Slot.WORD})
REFERRED = frozenset({Slot.WORD, Slot.REFERENCE})


class Place(NamedTuple):
    """A position of a sentence that names a concept, and the slots whose forms can stand there."""

    word: Word
    slots: frozenset[Slot]


class Dialect(ABC):
    """The controlled English of one problem; its sentences are trees of the family's own.

    A reference at the beginning of a sentence means the topic of the sentence before.
    """

    __slots__ = ()

    lexicon: Lexicon

    @abstractmethod
    def topic(self, sentence: Any) -> str | None:
        """Return the individual that a reference at the beginning of the next sentence means, if any."""

    @abstractmethod
    def readings(self, text: str, topic: str | None) -> list[tuple[Any, Statement]]:
        """Return all trees of a sentence with their statements; ``DialectError`` says where reading ended."""

    @abstractmethod
    def places(self, sentence: Any, topic: str | None) -> list[Place]:
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
    def readings(self, text: str, topic: str | None) -> list[tuple[Any, Statement]]:
        source = Text(text, self.lexicon)
        written = [(tree, self.write(tree)) for tree in dict.fromkeys(self.trees(source, topic))]
        return [(tree, statement) for tree, statement in written if statement.text == text] or source.fail()

    @abstractmethod
    def trees(self, source: Text, topic: str | None) -> Iterable[Any]:
        """Yield trees of a sentence; one that is written otherwise is no reading."""
