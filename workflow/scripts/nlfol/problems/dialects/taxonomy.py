"""ProntoQA's English (Saparov and He, ICLR 2023): classes, what they are, and what is said of them.

statement = universal | membership
universal = ( "Each" | "Every" ) noun "is" said "." | nouns "are" [ "not" ] ( nouns | adjective ) "."
membership = name "is" said "."
said      = [ "not" ] ( ( "a" | "an" ) noun | adjective )
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from nlfol.problems.dialects.dialect import CLASS, NAMED, QUALITY, REFERRED, Place
from nlfol.problems.dialects.words import Said, Scanner, Text, Writer
from nlfol.problems.errors import DialectError
from nlfol.problems.lexicon import Category, Lexicon, Slot, Word
from nlfol.problems.problem import Statement
from nlfol.programs.clauses import Clause, Literal

VARIABLE = "$x"

QUANTIFIERS = ("each", "every", "")
"""Of a universal sentence; the plural has none."""

ONES = ("individual that", "individuals that")
"""What stands before a verb phrase in place of a noun."""


class Sentence(NamedTuple):
    """What is said of a class, or of one individual.

    Attributes:
        subject: a noun, or a name.
        predicate: a noun or an adjective.
        value: whether it is affirmed.
        quantifier: ``each``, ``every``, or nothing for the plural; none of an individual.
    """

    subject: Word
    predicate: Word
    value: bool = True
    quantifier: str | None = None

    @property
    def literal(self) -> Literal:
        """What it says of its subject."""
        argument = self.subject.concept if self.quantifier is None else VARIABLE
        return Literal(self.predicate.concept, (argument,), self.value)


def clause(sentence: Sentence, line: int = 0) -> Clause:
    """What a sentence says."""
    body = () if sentence.quantifier is None else (Literal(sentence.subject.concept, (VARIABLE,), True),)
    return Clause(line, body, (sentence.literal,))


def write(sentence: Sentence, lexicon: Lexicon) -> Statement:
    """The sentence in English."""
    writer = Writer(lexicon)
    plural = sentence.quantifier == ""
    if sentence.quantifier:
        writer.add(sentence.quantifier)
    if lexicon.form(sentence.subject).slot is Slot.VERB_PHRASE:
        writer.add(ONES[plural])
    writer.mention(sentence.subject, plural=plural)
    writer.says(sentence.predicate, value=sentence.value, plural=plural)
    return writer.statement(str(clause(sentence)))


def read(text: str, lexicon: Lexicon) -> tuple[Sentence, Statement]:
    """Read a sentence: its tree, and the statement with its mentions.

    Raises:
        DialectError: if it is none; it names the place and what is needed there.
    """
    scanner = Scanner(text, lexicon)
    subject = scanner.word(Category.NAME)
    quantifier = None
    if subject is None:
        quantifier = next((word for word in QUANTIFIERS if word and scanner.take(word)), "")
        subject = scanner.need_word(Category.NOUN, plural=not quantifier)
    plural = quantifier == ""
    scanner.need("are" if plural else "is")
    value = not scanner.take("not")
    sentence = Sentence(subject, _said(scanner, plural=plural), value, quantifier)
    scanner.end()
    statement = write(sentence, lexicon)
    if statement.text != text:
        raise DialectError(text, 0, f"read as {statement.text!r}; write it so")
    return sentence, statement


def _said(scanner: Scanner, *, plural: bool) -> Word:
    if plural:
        return scanner.word(Category.NOUN, plural=True) or scanner.need_word(Category.ADJECTIVE)
    if scanner.take("a") or scanner.take("an"):
        return scanner.need_word(Category.NOUN)
    return scanner.need_word(Category.ADJECTIVE)


@dataclass(frozen=True, slots=True)
class Taxonomy:
    """The English of ``taxonomy``.

    Attributes:
        lexicon: has the forms.
    """

    lexicon: Lexicon

    def write(self, sentence: Sentence) -> Statement:
        """The sentence in English."""
        return write(sentence, self.lexicon)

    def topic(self, sentence: Sentence) -> str | None:
        """The individual that a membership is of."""
        return sentence.subject.concept if sentence.quantifier is None else None

    def readings(self, text: str, topic: str | None) -> list[tuple[Sentence, Statement]]:
        """All trees of a sentence; see :class:`~nlfol.problems.dialects.dialect.Dialect`."""
        source = Text(text, self.lexicon)
        found: dict[Sentence, None] = {}
        for quantifier, subject in source.few(self._subjects(source, topic)):
            for said in source.says(subject.end, plural=quantifier == "", classes=True):
                if source.ends(said.end):
                    found[Sentence(subject.word, said.word, said.value, quantifier)] = None
        trees = source.exact((tree, self.write(tree)) for tree in found)
        return trees or source.fail()

    def places(self, sentence: Sentence, topic: str | None) -> list[Place]:
        """Where concepts are said."""
        is_class = self.lexicon.concepts[sentence.predicate.concept].category is Category.NOUN
        slots = REFERRED if topic == sentence.subject.concept else NAMED
        subject = Place(sentence.subject, slots if sentence.quantifier is None else CLASS)
        return [subject, Place(sentence.predicate, CLASS if is_class else QUALITY)]

    def saying(self, sentence: Sentence, words: Sequence[Word]) -> Sentence:
        """The tree with these words at its places."""
        subject, predicate = words
        return sentence._replace(subject=subject, predicate=predicate)

    def _subjects(self, source: Text, topic: str | None) -> Iterator[tuple[str | None, Said]]:
        for said in (*source.reference(topic, 0), *source.words(Category.NAME, 0)):
            yield None, said
        for quantifier in QUANTIFIERS:
            plural = not quantifier
            start = source.after(quantifier, 0) if quantifier else 0
            if start is not None:
                for said in source.words(Category.NOUN, start, plural=plural):
                    yield quantifier, said
                verb = source.after(ONES[plural], start)
                for said in source.words(Category.NOUN, verb, plural=plural, slot=Slot.VERB_PHRASE) if verb else ():
                    yield quantifier, said
