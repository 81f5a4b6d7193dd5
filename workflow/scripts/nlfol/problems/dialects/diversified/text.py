"""A sentence that may be read in several ways: what can come next, at each place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, NoReturn, TypeVar

from nlfol.problems.dialects.words import WORD, Scanner
from nlfol.problems.errors import DialectError
from nlfol.problems.lexicon import Category, Lexicon, Slot, Word
from nlfol.problems.problem import Statement

MAX_READINGS = 64
"""Readings of the beginning of a sentence; one with more is refused."""

_T = TypeVar("_T")


class Said(NamedTuple):
    """A concept that stands at a place.

    Attributes:
        word: the concept in its form.
        end: where what follows begins.
        value: whether it is affirmed.
    """

    word: Word
    end: int
    value: bool = True


class Text:
    """A sentence and the words that may stand in it."""

    def __init__(self, text: str, lexicon: Lexicon) -> None:
        self._scanner = Scanner(text, lexicon)
        self.lexicon = lexicon
        self._furthest = 0

    def after(self, words: str, at: int) -> int | None:
        """Where what follows these words begins; none if others stand here."""
        self._furthest = max(self._furthest, at)
        self._scanner.at = at
        return self._scanner.at if self._scanner.take(words) else None

    def ends(self, at: int) -> bool:
        """Whether the full stop stands here, at the end."""
        self._furthest = max(self._furthest, at)
        return self._scanner.text[at:] == "."

    def words(self, category: Category, at: int, *, plural: bool = False, slot: Slot = Slot.WORD) -> Iterator[Said]:
        """All concepts of a category that may stand here."""
        self._furthest = max(self._furthest, at)
        first = WORD.match(self._scanner.text, at)
        if first is not None:
            for words, meant in self.lexicon.beginning(category, first[0], plural=plural, slot=slot).items():
                if (end := self.after(words, at)) is not None:
                    for word in meant:
                        yield Said(word, end)

    def reference(self, concept: str | None, at: int, *, plural: bool = False) -> Iterator[Said]:
        """The references to an individual that may stand here."""
        if concept is not None:
            for form in self.lexicon.concepts[concept].forms.values():
                words = form.plural if plural else form.singular
                if form.slot is Slot.REFERENCE and (end := self.after(words, at)) is not None:
                    yield Said(Word(concept, form.key), end)

    def individual(self, category: Category, at: int, *, article: bool, plural: bool = False) -> Iterator[Said]:
        """All individuals that may stand here."""
        start = self.after("the", at) if article else at
        if start is not None:
            yield from self.words(category, start, plural=plural)

    def qualities(self, at: int, *, plural: bool = False) -> Iterator[Said]:
        """All qualities that may stand here, behind "is" or "are"."""
        for value, start in self.negated("not", at):
            for slot in (Slot.WORD, Slot.COMPLEMENT):
                for said in self.words(Category.ADJECTIVE, start, plural=plural, slot=slot):
                    yield said._replace(value=value)

    def says(self, at: int, *, plural: bool = False, classes: bool = False) -> Iterator[Said]:
        """All qualities, and classes if wanted, that may be said of a subject here."""
        start = self.after("are" if plural else "is", at)
        if start is not None:
            yield from self.qualities(start, plural=plural)
            for value, noun in self.negated("not", start) if classes else ():
                starts = [noun] if plural else [self.after("a", noun), self.after("an", noun)]
                for each in starts:
                    if each is not None:
                        for said in self.words(Category.NOUN, each, plural=plural):
                            yield said._replace(value=value)
        for value, verb in self.negated("do not" if plural else "does not", at):
            for category in (Category.ADJECTIVE, Category.NOUN) if classes else (Category.ADJECTIVE,):
                for said in self.words(category, verb, plural=plural or not value, slot=Slot.VERB_PHRASE):
                    yield said._replace(value=value)

    def negated(self, words: str, at: int) -> Iterator[tuple[bool, int]]:
        """The value and the place behind a negation that may stand here."""
        yield True, at
        if (start := self.after(words, at)) is not None:
            yield False, start

    def few(self, readings: Iterable[_T]) -> list[_T]:
        """The readings as a list.

        Raises:
            DialectError: if there are too many.
        """
        found = []
        for reading in readings:
            found.append(reading)
            if len(found) > MAX_READINGS:
                raise DialectError(
                    self._scanner.source, self._furthest, f"more than {MAX_READINGS} readings up to here"
                )
        return found

    def exact(self, written: Iterable[tuple[Any, Statement]]) -> list[tuple[Any, Statement]]:
        """The readings that are written as this sentence."""
        return [(tree, statement) for tree, statement in written if statement.text == self._scanner.source]

    def fail(self) -> NoReturn:
        """Refuse the sentence where no reading goes on.

        Raises:
            DialectError: always.
        """
        self._scanner.at = self._furthest
        self._scanner.fail("something else")
