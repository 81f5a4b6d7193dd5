"""ProntoQA's English (Saparov and He, ICLR 2023): classes, their classes and qualities, and individuals.

    statement  = universal | membership
    universal  = ( "Each" | "Every" ) noun "is" said "." | nouns "are" [ "not" ] ( nouns | adjective ) "."
    membership = name "is" said "."
    said       = [ "not" ] ( ( "a" | "an" ) noun | adjective )

With all forms of its concepts, it has further sentences:

    universal  = ... | ( "Each" | "Every" ) "person who" verb phrase said "."
               | "People who" verb phrase said "."
    membership = ... | reference said "."
    said       = ... | verb phrase | ( "does" | "do" ) "not" verb phrase

    turned     = ( "Anything that" | "Whatever" ) said said "." | "If something" said ", then it" said "."
               | "All" nouns said "." | "No" noun said "." | ( "A" | "An" ) noun "is a kind of" noun "."
               | "There is no" noun ( "that" | "who" ) said "." | "It is not true that" membership
               | ( membership | universal ) ( ", too." | "as well." | ", either." )

A reference means the individual of the sentence before. "They" means its class, if it says nothing of another one;
"each one of them" does where there is a quantifier.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from typing_extensions import override

from nlfol.problems.dialects.dialect import BACKWARDS, CLASS, CONTRAPOSED, NAMED, QUALITY, THERE, GrammarDialect, Place
from nlfol.problems.dialects.references import referring
from nlfol.problems.dialects.words import TAILS, Said, Text, Writer, tails
from nlfol.problems.lexicon import Category, Lexicon, Slot, Word
from nlfol.problems.problem import Statement
from nlfol.problems.programs.clauses import Clause, Literal

VARIABLE = "$x"

QUANTIFIERS = ("each", "every", "")
"""Quantifiers of a universal sentence; the plural has none."""

ONES = (("individual that", "individuals that"), ("person who", "people who"))
"""Words before a verb phrase in place of a noun, for anything and for people."""


THAT = ("that", "who")

OPENINGS = {
    "any": ("anything that", "anyone who"),
    "whatever": ("whatever", "whoever"),
    "if": ("if something",),
    "all": ("all",),
    CONTRAPOSED: ("no",),
    THERE: ("there is no",),
    "not_true": ("it is not true that",),
}
"""Beginnings of sentences, by turn; for people, if they have another."""

KIND = "is a kind of"


class Sentence(NamedTuple):
    """A quality or class of a class or an individual; the quantifier is empty in the plural, None of an individual."""

    subject: Word
    predicate: Word
    value: bool = True
    quantifier: str | None = None
    turn: str = ""

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
    subject, predicate, value, quantifier, turn = sentence
    plural = quantifier == "" and turn in ("", "all", *TAILS)
    match turn:
        case "any" | "whatever":
            writer.add(OPENINGS[turn][_is_person(subject, lexicon)])
            writer.says(subject)
            writer.says(predicate, value=value)
        case "if":
            writer.add(OPENINGS[turn][0])
            writer.says(subject)
            writer.add(",")
            writer.add("then it")
            writer.says(predicate, value=value)
        case "kind":
            writer.indefinite(subject)
            writer.add(KIND)
            writer.mention(predicate)
        case _:
            if opening := quantifier or OPENINGS.get(turn, ("",))[0]:
                writer.add(opening)
            if lexicon.form(subject).slot is Slot.VERB_PHRASE:
                writer.add(ONES[_is_person(subject, lexicon)][plural])
            writer.mention(subject, plural=plural)
            if turn == THERE:
                writer.add(THAT[_is_person(subject, lexicon)])
            writer.says(predicate, value=value is not (turn in BACKWARDS or turn == "not_true"), plural=plural)
            writer.tail(turn)
    return writer.statement(str(clause(sentence)))


@dataclass(frozen=True, slots=True)
class Taxonomy(GrammarDialect):
    """The dialect with all forms of its concepts."""

    lexicon: Lexicon

    @override
    def write(self, sentence: Sentence) -> Statement:
        return write(sentence, self.lexicon)

    @override
    def named(self, sentence: Sentence) -> tuple[str, ...]:
        is_class = self.lexicon.concepts[sentence.predicate.concept].category is Category.NOUN
        is_plain = sentence.turn in ("", "all", *TAILS) and not is_class
        return (sentence.subject.concept,) if sentence.quantifier is None or is_plain else ()

    @override
    def turns(self, sentence: Sentence, before: Sentence | None) -> list[Sentence]:
        value, quantifier = sentence.value, sentence.quantifier
        turned: list[Sentence] = []
        if before is not None and (before.value, before.quantifier is None) == (value, quantifier is None):
            same = before.subject == sentence.subject, before.predicate == sentence.predicate
            ends = tails(value=value, same_subject=same[0], same_said=same[1]) if value or not quantifier else []
            turned = [sentence._replace(turn=turn) for turn in ends]
        if quantifier is None:
            return turned if value else [*turned, sentence._replace(turn="not_true")]
        is_class = self.lexicon.concepts[sentence.predicate.concept].category is Category.NOUN
        is_person = _is_person(sentence.subject, self.lexicon)
        turns = ["whatever"] if is_person else ["whatever", "if"]
        turns += ["any", "all", THERE] if value else [CONTRAPOSED]
        turns += ["kind"] if value and is_class and not is_person else []
        # "Every wumpus is not shy" may mean that not every one is.
        turns += [""] if quantifier and not value else []
        return [*turned, *(sentence._replace(quantifier="", turn=turn) for turn in turns)]

    @override
    def trees(self, source: Text, before: Sequence[str]) -> Iterator[Sentence]:
        for quantifier, subject in source.few(self._subjects(source, 0, before)):
            for match in source.says(subject.end, plural=quantifier == "", classes=True):
                if (turn := source.end(match.end)) is not None:
                    yield Sentence(subject.word, match.word, match.value, quantifier, turn)
        for turn in ("any", "whatever", "if"):
            for opening in OPENINGS[turn]:
                yield from self._whatever(source, source.after(opening, 0), turn)
        for turn, plural in (("all", True), (CONTRAPOSED, False)):
            start = source.after(OPENINGS[turn][0], 0)
            for subject in source.few(self._classes(source, start, plural=plural)):
                for match in source.says(subject.end, plural=plural, classes=True):
                    if source.ends(match.end):
                        value = match.value if plural else not match.value
                        yield Sentence(subject.word, match.word, value, "", turn)
        for subject in self._classes(source, source.after(OPENINGS[THERE][0], 0), plural=False):
            for that in THAT:
                for match in source.says(source.after(that, subject.end), classes=True):
                    if source.ends(match.end) and not match.value:
                        yield Sentence(subject.word, match.word, quantifier="", turn=THERE)
        for start in (source.after("a", 0), source.after("an", 0)):
            for subject in source.words(Category.NOUN, start):
                for match in source.words(Category.NOUN, source.after(KIND, subject.end)):
                    if source.ends(match.end):
                        yield Sentence(subject.word, match.word, quantifier="", turn="kind")
        for quantifier, subject in self._subjects(source, source.after(OPENINGS["not_true"][0], 0), before):
            for match in source.says(subject.end, classes=True) if quantifier is None else ():
                if source.ends(match.end) and match.value:
                    yield Sentence(subject.word, match.word, False, None, "not_true")

    @override
    def places(self, sentence: Sentence, before: Sequence[str]) -> list[Place]:
        is_class = self.lexicon.concepts[sentence.predicate.concept].category is Category.NOUN
        subject = NAMED if sentence.quantifier is None or sentence.turn in _NAMING else CLASS
        if sentence.quantifier is None or sentence.turn in ("", *TAILS):
            subject |= referring(self.lexicon.concepts[sentence.subject.concept], before, self.lexicon)
        predicate = CLASS if is_class else QUALITY
        if sentence.turn == "kind":
            predicate = NAMED
        elif sentence.quantifier and not sentence.value:  # "Every poet does not make noise" would be odder still.
            predicate -= {Slot.VERB_PHRASE}
        return [Place(sentence.subject, subject), Place(sentence.predicate, predicate)]

    @override
    def saying(self, sentence: Sentence, words: Sequence[Word]) -> Sentence:
        subject, predicate = words
        return sentence._replace(subject=subject, predicate=predicate)

    def _whatever(self, source: Text, start: int | None, turn: str) -> Iterator[Sentence]:
        for subject in source.few(source.says(start, classes=True)):
            is_class = self.lexicon.concepts[subject.word.concept].category is Category.NOUN
            verb = source.after("then it", source.after(",", subject.end)) if turn == "if" else subject.end
            if is_class and subject.value:
                for match in source.says(verb, classes=True):
                    if source.ends(match.end):
                        yield Sentence(subject.word, match.word, match.value, "", turn)

    def _subjects(self, source: Text, at: int | None, before: Sequence[str]) -> Iterator[tuple[str | None, Said]]:
        for match in (*self._referents(source, at, before), *source.words(Category.NAME, at)):
            yield None, match
        for quantifier in QUANTIFIERS:
            plural = not quantifier
            start = source.after(quantifier, at) if quantifier else at
            referents = self._referents(source, start, before, plural=plural, classes=True)
            for match in (*referents, *self._classes(source, start, plural=plural)):
                yield quantifier, match

    def _referents(
        self, source: Text, at: int | None, before: Sequence[str], *, plural: bool = False, classes: bool = False
    ) -> Iterator[Said]:
        for match in source.reference(before, at, plural=plural):
            if (self.lexicon.concepts[match.word.concept].category is Category.NOUN) is classes:
                yield match

    def _classes(self, source: Text, at: int | None, *, plural: bool) -> Iterator[Said]:
        yield from source.words(Category.NOUN, at, plural=plural)
        for ones in ONES:
            verb = source.after(ones[plural], at)
            yield from source.words(Category.NOUN, verb, plural=plural, slot=Slot.VERB_PHRASE)


_NAMING = ("all", CONTRAPOSED, THERE, "kind")
"""Turns in which a class is named by a noun."""


def _is_person(word: Word, lexicon: Lexicon) -> bool:
    return lexicon.concepts[word.concept].group == "classes"
