"""ProntoQA's English (Saparov and He, ICLR 2023): classes, their classes and qualities, and individuals.

    statement  = universal | membership
    universal  = ( "Each" | "Every" ) noun "is" said "." | nouns "are" [ "not" ] ( nouns | adjective ) "."
    membership = name "is" said "."
    said       = [ "not" ] ( ( "a" | "an" ) noun | adjective )

With all forms of its concepts, it has further sentences:

    universal  = ... | ( "Each" | "Every" ) "individual that" verb phrase said "."
               | "Individuals that" verb phrase said "."
    membership = ... | reference said "."
    said       = ... | verb phrase | ( "does" | "do" ) "not" verb phrase

A reference is the subject of a membership if the sentence before is a membership of the same individual.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from typing_extensions import override

from nlfol.problems.dialects.dialect import CLASS, NAMED, QUALITY, REFERRED, GrammarDialect, Place
from nlfol.problems.dialects.words import Said, Scanner, Text, Writer
from nlfol.problems.lexicon import Category, Lexicon, Slot, Word
from nlfol.problems.problem import Statement
from nlfol.programs.clauses import Clause, Literal

VARIABLE = "$x"

QUANTIFIERS = ("each", "every", "")
"""Of a universal sentence; the plural has none."""

ONES = ("individual that", "individuals that")
"""What stands before a verb phrase in place of a noun."""


class Sentence(NamedTuple):
    """A quality or class of a class or an individual; the quantifier is empty in the plural, None of an individual."""

    subject: Word
    predicate: Word
    value: bool = True
    quantifier: str | None = None

    @property
    def literal(self) -> Literal:
        """The literal that the sentence states of its subject."""
        argument = self.subject.concept if self.quantifier is None else VARIABLE
        return Literal(self.predicate.concept, (argument,), self.value)


def clause(sentence: Sentence, line: int = 0) -> Clause:
    """Return the clause that a sentence states."""
    body = () if sentence.quantifier is None else (Literal(sentence.subject.concept, (VARIABLE,), True),)
    return Clause(line, body, (sentence.literal,))


def write(sentence: Sentence, lexicon: Lexicon) -> Statement:
    """Write the sentence in English."""
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
    """Read a sentence; return its tree and its statement with mentions; raises ``DialectError`` if it is none."""
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
    return sentence, scanner.exact(write(sentence, lexicon))


def _said(scanner: Scanner, *, plural: bool) -> Word:
    if plural:
        return scanner.word(Category.NOUN, plural=True) or scanner.need_word(Category.ADJECTIVE)
    if scanner.take("a") or scanner.take("an"):
        return scanner.need_word(Category.NOUN)
    return scanner.need_word(Category.ADJECTIVE)


@dataclass(frozen=True, slots=True)
class Taxonomy(GrammarDialect):
    """The dialect with all forms of its concepts."""

    lexicon: Lexicon

    @override
    def write(self, sentence: Sentence) -> Statement:
        return write(sentence, self.lexicon)

    @override
    def topic(self, sentence: Sentence) -> str | None:
        return sentence.subject.concept if sentence.quantifier is None else None

    @override
    def trees(self, source: Text, topic: str | None) -> Iterator[Sentence]:
        for quantifier, subject in source.few(self._subjects(source, topic)):
            for said in source.says(subject.end, plural=quantifier == "", classes=True):
                if source.ends(said.end):
                    yield Sentence(subject.word, said.word, said.value, quantifier)

    @override
    def places(self, sentence: Sentence, topic: str | None) -> list[Place]:
        is_class = self.lexicon.concepts[sentence.predicate.concept].category is Category.NOUN
        slots = REFERRED if topic == sentence.subject.concept else NAMED
        subject = Place(sentence.subject, slots if sentence.quantifier is None else CLASS)
        return [subject, Place(sentence.predicate, CLASS if is_class else QUALITY)]

    @override
    def saying(self, sentence: Sentence, words: Sequence[Word]) -> Sentence:
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
