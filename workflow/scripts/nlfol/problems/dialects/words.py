"""Writing sentences with mentions of concepts, and reading them word by word."""

from __future__ import annotations

import re
from typing import NoReturn

from nlfol.problems.errors import DialectError
from nlfol.problems.lexicon import Category, Lexicon, Slot, Word
from nlfol.problems.problem import Mention, Statement

MAX_SENTENCE = 2_000
"""Characters of a sentence that is read."""

WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")
"""A word, with its hyphens and apostrophes."""


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

    def mention(self, word: Word, *, plural: bool = False) -> None:
        """Add the words for a concept."""
        said = self.lexicon.said(word, plural=plural)
        self.add(said)
        self._mentions.append(Mention(self._length - len(said), self._length, word.concept, word.form))

    def indefinite(self, word: Word) -> None:
        """Add the words for a concept behind "a" or "an"."""
        self.add(article(self.lexicon.said(word)))
        self.mention(word)

    def individual(self, word: Word, *, article: bool, plural: bool = False) -> None:
        """Add the words for an individual, behind "the" where its category has it and no reference stands there."""
        if article and self.lexicon.form(word).slot is not Slot.REFERENCE:
            self.add("the")
        self.mention(word, plural=plural)

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
        """The sentence with a capital and a full stop, and what it says."""
        text = "".join(self._pieces)
        return Statement(text[:1].upper() + text[1:] + end, line, tuple(self._mentions))


def article(words: str) -> str:
    """The indefinite article before words."""
    return "an" if words[:1].lower() in "aeiou" else "a"


class Scanner:
    """A sentence that is read from left to right."""

    def __init__(self, text: str, lexicon: Lexicon) -> None:
        if len(text) > MAX_SENTENCE:
            raise DialectError(text, MAX_SENTENCE, f"{len(text)} characters; at most {MAX_SENTENCE} are read")
        self.source = text
        self.lexicon = lexicon
        self.at = 0
        first = WORD.match(text)
        is_name = first is not None and first[0] in lexicon.names
        small = text[:1].lower()
        # Places stay those of the source: a letter that is two in lower case begins no word of a grammar.
        self.text = text if is_name or len(small) != 1 else small + text[1:]

    def fail(self, needed: str) -> NoReturn:
        """Refuse the sentence here.

        Raises:
            DialectError: always.
        """
        found = repr(self.text[self.at : self.at + 40]) if self.at < len(self.text) else "the end"
        raise DialectError(self.source, min(self.at, len(self.text)), f"{found} where {needed} is needed")

    def take(self, words: str) -> bool:
        """Whether these words come next; they are passed then."""
        end = self.at + len(words)
        if not self.text.startswith(words, self.at) or (end < len(self.text) and self.text[end] not in " ,.:"):
            return False
        self._pass(end)
        return True

    def need(self, words: str) -> None:
        """Pass these words.

        Raises:
            DialectError: if others come next.
        """
        if not self.take(words):
            self.fail(repr(words))

    def word(self, category: Category, *, plural: bool = False) -> Word | None:
        """The concept of a category that comes next, in its longest form; it is passed then.

        Raises:
            DialectError: if its words stand for several concepts.
        """
        first = WORD.match(self.text, self.at)
        if first is not None:
            for words, meant in self.lexicon.beginning(category, first[0], plural=plural).items():
                if len({word.concept for word in meant}) > 1 and self.take(words):
                    names = " and ".join(word.concept for word in meant)
                    raise DialectError(self.source, self.at, f"{words!r} stands for {names}; use words for one of them")
                if self.take(words):
                    return meant[0]
        return None

    def need_word(self, category: Category, *, plural: bool = False) -> Word:
        """The concept of a category that must come next.

        Raises:
            DialectError: if there is none.
        """
        word = self.word(category, plural=plural)
        if word is None:
            self.fail(f"{article(category)} {category} of the lexicon{' in the plural' if plural else ''}")
        return word

    def end(self) -> None:
        """Pass the full stop at the end.

        Raises:
            DialectError: if the sentence goes on.
        """
        if self.text[self.at :] != ".":
            self.fail("the full stop at the end")

    def _pass(self, end: int) -> None:
        self.at = end + 1 if self.text.startswith(" ", end) else end
