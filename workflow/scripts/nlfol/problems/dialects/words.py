"""Writing sentences with mentions of concepts, and reading them in all ways."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, NoReturn, TypeVar

from nlfol.problems.dialects.references import OBJECTIVE, REFERENCES, possible
from nlfol.problems.lexicon import Category, Lexicon, Slot, Word
from nlfol.problems.problem import Mention, Statement

MAX_SENTENCE = 2_000
"""Characters of a sentence that is read."""

MAX_READINGS = 64
"""Readings of the beginning of a sentence; one with more is refused."""

WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")
"""A word, with its hyphens and apostrophes."""

TAILS = {"too": (",", "too"), "as_well": ("as well",), "either": (",", "either")}
"""End of a sentence, by turn, if the one before says the same of another or something else of the same one."""

_T = TypeVar("_T")


class DialectError(ValueError):
    """A text that is no sentence of a controlled English; ``place``, from 0, is where reading ended."""

    def __init__(self, text: str, position: int, problem: str) -> None:
        self.text = text
        self.place = position
        self.problem = problem
        super().__init__(f"{text[:200]!r}: column {position + 1}: {problem}")


class Writer:
    """A sentence in the making."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self._pieces: list[str] = []
        self._length = 0
        self._mentions: list[Mention] = []

    def add(self, text: str) -> None:
        """Add words of the grammar, or a mark of punctuation, with a blank before words."""
        if self._pieces and text not in (",", ":"):
            text = f" {text}"
        self._pieces.append(text)
        self._length += len(text)

    def mention(self, word: Word, *, plural: bool = False, objective: bool = False) -> None:
        """Add the words for a concept, "him" for "he" where it is objective."""
        words = self.lexicon.said(word, plural=plural)
        if objective and self.lexicon.form(word).slot is Slot.REFERENCE:
            words = OBJECTIVE.get(words, words)
        self.add(words)
        self._mentions.append(Mention(self._length - len(words), self._length, word.concept, word.form))

    def indefinite(self, word: Word) -> None:
        """Add the words for a concept behind "a" or "an"."""
        self.add(article(self.lexicon.said(word)))
        self.mention(word)

    def individual(self, word: Word, *, article: bool, plural: bool = False, objective: bool = False) -> None:
        """Add the words for an individual, behind "the" where its category has it and no reference stands there."""
        if article and self.lexicon.form(word).slot not in REFERENCES:
            self.add("the")
        self.mention(word, plural=plural, objective=objective)

    def tail(self, turn: str) -> None:
        """Add what ends a sentence of some turn, if anything does."""
        for words in TAILS.get(turn, ()):
            self.add(words)

    def says(self, word: Word, *, value: bool = True, plural: bool = False) -> None:
        """Add what says a quality or class of a subject, as "is not quiet" or "does not make noise"."""
        if self.lexicon.form(word).slot is Slot.VERB_PHRASE:
            if not value:
                self.add("do not" if plural else "does not")
            self.mention(word, plural=plural or not value)
            return
        self.add("are" if plural else "is")
        if not value:
            self.add("not")
        if self.lexicon.concepts[word.concept].category is Category.NOUN and not plural:
            self.indefinite(word)
        else:
            self.mention(word, plural=plural)

    def statement(self, line: str | None, end: str = ".") -> Statement:
        """Return the sentence with a capital and a full stop, and the line that it states."""
        text = "".join(self._pieces)
        return Statement(text[:1].upper() + text[1:] + end, line, tuple(self._mentions))


def tails(*, value: bool, same_subject: bool, same_said: bool) -> list[str]:
    """Return the turns with a tail that fit a sentence behind one that affirms, or denies, as it does."""
    return [turn for turn in TAILS if (turn == "either") is not value] if same_subject != same_said else []


def article(words: str) -> str:
    """Return the indefinite article before words."""
    return "an" if words[:1].lower() in "aeiou" else "a"


class Said(NamedTuple):
    """A concept at a position: its form, where the next words begin, and whether it is affirmed."""

    word: Word
    end: int
    value: bool = True


class Text:
    """A sentence that may be read in several ways, and the words that may stand in it.

    Behind words that do not stand in it the position is None, and nothing stands there.
    """

    def __init__(self, text: str, lexicon: Lexicon) -> None:
        if len(text) > MAX_SENTENCE:
            raise DialectError(text, MAX_SENTENCE, f"{len(text)} characters; at most {MAX_SENTENCE} are read")
        self.source = text
        self.lexicon = lexicon
        first = WORD.match(text)
        is_name = first is not None and first[0] in lexicon.names
        small = text[:1].lower()
        # Positions stay those of the source: no word of a grammar begins with a letter that is two in lower case.
        self._text = text if is_name or len(small) != 1 else small + text[1:]
        self._furthest = 0
        self._needed: dict[str, None] = {}

    def after(self, words: str, at: int | None) -> int | None:
        """Return the position behind these words; None if others stand here."""
        if at is None:
            return None
        if at >= self._furthest:
            self._look(at, repr(words))
        end = at + len(words)
        if not self._text.startswith(words, at) or (end < len(self._text) and self._text[end] not in " ,.:"):
            return None
        return end + 1 if self._text.startswith(" ", end) else end

    def ends(self, at: int | None) -> bool:
        """Return whether the final full stop stands here."""
        if at is None:
            return False
        if at >= self._furthest:
            self._look(at, "the full stop")
        return self._text[at:] == "."

    def end(self, at: int | None) -> str | None:
        """Return the turn of a sentence that ends here, by its tail; None if it goes on."""
        if self.ends(at):
            return ""
        for turn, words in TAILS.items():
            end = at
            for word in words:
                end = self.after(word, end)
            if self.ends(end):
                return turn
        return None

    def words(
        self, category: Category, at: int | None, *, plural: bool = False, slot: Slot = Slot.WORD
    ) -> Iterator[Said]:
        """Yield the concepts of a category that may stand here."""
        if at is None:
            return
        if at >= self._furthest:
            self._look(at, f"{article(category)} {category} of the lexicon{' in the plural' if plural else ''}")
        first = WORD.match(self._text, at)
        if first is not None:
            for words, meant in self.lexicon.beginning(category, first[0], plural=plural, slot=slot).items():
                if (end := self.after(words, at)) is not None:
                    for word in meant:
                        yield Said(word, end)

    def reference(
        self, before: Sequence[str], at: int | None, *, plural: bool = False, objective: bool = False
    ) -> Iterator[Said]:
        """Yield the references that may stand here, to concepts that were named before."""
        for concept, form, words in possible(before, self.lexicon, plural=plural, objective=objective):
            if (end := self.after(words, at)) is not None:
                yield Said(Word(concept.symbol, form.key), end)

    def individual(self, category: Category, at: int | None, *, article: bool, plural: bool = False) -> Iterator[Said]:
        """Yield the individuals that may stand here."""
        yield from self.words(category, self.after("the", at) if article else at, plural=plural)

    def qualities(self, at: int | None, *, plural: bool = False) -> Iterator[Said]:
        """Yield the qualities that may stand here, behind "is" or "are"."""
        for value, start in self.negated("not", at):
            for slot in (Slot.WORD, Slot.COMPLEMENT):
                for match in self.words(Category.ADJECTIVE, start, plural=plural, slot=slot):
                    yield match._replace(value=value)

    def says(self, at: int | None, *, plural: bool = False, classes: bool = False) -> Iterator[Said]:
        """Yield the qualities, and the classes if wanted, that may be predicated of a subject here."""
        if at is None:
            return
        start = self.after("are" if plural else "is", at)
        yield from self.qualities(start, plural=plural)
        for value, noun in self.negated("not", start) if classes else ():
            for begin in [noun] if plural else [self.after("a", noun), self.after("an", noun)]:
                for match in self.words(Category.NOUN, begin, plural=plural):
                    yield match._replace(value=value)
        for value, verb in self.negated("do not" if plural else "does not", at):
            for category in (Category.ADJECTIVE, Category.NOUN) if classes else (Category.ADJECTIVE,):
                for match in self.words(category, verb, plural=plural or not value, slot=Slot.VERB_PHRASE):
                    yield match._replace(value=value)

    def negated(self, words: str, at: int | None) -> Iterator[tuple[bool, int]]:
        """Yield True and this position, and False and the position behind a negation that stands here."""
        if at is None:
            return
        yield True, at
        if (start := self.after(words, at)) is not None:
            yield False, start

    def few(self, readings: Iterable[_T]) -> list[_T]:
        """Return the readings as a list; raises ``DialectError`` if there are too many."""
        kept = []
        for reading in readings:
            kept.append(reading)
            if len(kept) > MAX_READINGS:
                raise DialectError(self.source, self._furthest, f"more than {MAX_READINGS} readings up to here")
        return kept

    def fail(self) -> NoReturn:
        """Raise ``DialectError``: the sentence is refused at the furthest position read, with what may stand there."""
        at = min(self._furthest, len(self._text))
        shown = repr(self._text[at : at + 40]) if at < len(self._text) else "the end"
        raise DialectError(self.source, at, f"{shown} where {' or '.join(self._needed)} is needed")

    def _look(self, at: int, needed: str) -> None:
        if at > self._furthest:
            self._furthest, self._needed = at, {}
        self._needed[needed] = None
