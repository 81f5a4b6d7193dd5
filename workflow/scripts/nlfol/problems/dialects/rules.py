"""ProofWriter's English (Tafjord, Dalvi and Clark, Findings of ACL 2021): facts and rules of individuals.

statement   = fact | conditional | generic
fact        = individual predicate "."
conditional = "If" condition { "and" condition } "then" subject predicate "."
condition   = subject predicate | [ "not" ] adjective          the latter behind another with "is" or "are"
subject     = individual | "something" | "someone" | "it" | "they"
predicate   = ( "is" | "are" ) [ "not" ] adjective | verb individual | ( "does" | "do" ) "not" verb individual
generic     = [ "All" ] adjective { "," adjective } ( "things" | "people" ) "are" [ "not" ] adjective "."
individual  = name | "the" animal
"""

from typing import NamedTuple

from nlfol.problems.dialects.dialect import BACKWARDS, CONTRAPOSED, THERE
from nlfol.problems.dialects.words import Writer
from nlfol.problems.lexicon import Category, Lexicon, Slot, Word
from nlfol.problems.problem import Statement
from nlfol.problems.programs.clauses import Clause, Literal

VARIABLE = "$x"

ONE, AGAIN = ("something", "someone"), ("it", "they")
"""First and further words for the variable, for things and for people."""

KINDS = ("things", "people")

THAT = ("that", "who")
"""Relative pronouns for things and for people."""

NOT_TRUE, THOSE, BUT = "it is not true that", "those", "but"

OPENINGS = {
    "any": ("anything that", "anyone who"),
    "every": ("everything that", "everyone who"),
    "whatever": ("whatever", "whoever"),
    CONTRAPOSED: ("nothing that", "no one who"),
    THERE: ("there is nothing that", "there is no one who"),
}
"""Conditionals without "if", by turn: of things and of people."""


class Phrase(NamedTuple):
    """A literal in words; without subject, of the variable; short without subject and "is" of the phrase before."""

    subject: Word | None
    predicate: Word
    object: Word | None = None
    value: bool = True
    short: bool = False
    turn: str = ""

    @property
    def literal(self) -> Literal:
        """The literal that the phrase states."""
        subject = VARIABLE if self.subject is None else self.subject.concept
        arguments = (subject,) if self.object is None else (subject, self.object.concept)
        return Literal(self.predicate.concept, arguments, self.value)


class Conditional(NamedTuple):
    """A rule with "if"; its variable is "someone" if it is about people."""

    conditions: tuple[Phrase, ...]
    conclusion: Phrase
    people: bool = False
    turn: str = ""

    @property
    def has_variable(self) -> bool:
        """True if it is about something or someone."""
        return any(phrase.subject is None for phrase in (*self.conditions, self.conclusion))


class Generic(NamedTuple):
    """A rule about all things, or people, of some qualities."""

    qualities: tuple[Word, ...]
    quality: Word
    value: bool = True
    universal: bool = False
    people: bool = False
    turn: str = ""


Sentence = Phrase | Conditional | Generic


def clause(sentence: Sentence, line: int = 0) -> Clause:
    """Return the clause that a sentence states."""
    match sentence:
        case Phrase():
            return Clause(line, (), (sentence.literal,))
        case Conditional(conditions, conclusion):
            return Clause(line, tuple(phrase.literal for phrase in conditions), (conclusion.literal,))
        case Generic(qualities, quality, value):
            body = tuple(Literal(word.concept, (VARIABLE,), True) for word in qualities)
            return Clause(line, body, (Literal(quality.concept, (VARIABLE,), value),))


def write(sentence: Sentence, lexicon: Lexicon) -> Statement:
    """Write the sentence in English."""
    writer = Writer(lexicon)
    match sentence:
        case Phrase(turn="not_true"):
            writer.add(NOT_TRUE)
            _write_phrase(writer, sentence._replace(value=True), None)
        case Phrase(turn=turn):
            _write_phrase(writer, sentence, None)
            writer.tail(turn)
        case Conditional(turn="if"):
            _write_phrase(writer, sentence.conclusion, None)
            writer.add("if")
            _write_conditions(writer, sentence.conditions)
        case Conditional(conditions, conclusion, people, turn) if turn:
            writer.add(OPENINGS[turn][people])
            _write_conditions(writer, conditions)
            if turn == THERE:
                writer.add(BUT)
            _write_phrase(writer, conclusion._replace(value=conclusion.value is not (turn in BACKWARDS)), None)
        case Conditional(conditions, conclusion, people):
            writer.add("if")
            pronoun = ONE[people]
            before: Phrase | None = None
            plural = False
            for phrase in conditions:
                if before is not None:
                    writer.add("and")
                if phrase.short and before is not None:
                    _write_short(writer, phrase.predicate, before.predicate, value=phrase.value, plural=plural)
                else:
                    plural = _write_phrase(writer, phrase, pronoun)
                if phrase.subject is None:
                    pronoun = AGAIN[people]
                before = phrase
            writer.add("then")
            _write_phrase(writer, conclusion, pronoun)
        case Generic(qualities, quality, value, universal, people, turn):
            if universal:
                writer.add("all")
            if turn == THOSE:
                writer.add(THOSE)
                _write_restriction(writer, qualities, people=people)
            else:
                _write_kind(writer, qualities, 1 if turn else len(qualities), people=people)
            writer.says(quality, value=value, plural=True)
    return writer.statement(str(clause(sentence)))


def _write_conditions(writer: Writer, conditions: tuple[Phrase, ...]) -> None:
    """Write conditions, those of a variable without a subject."""
    before: Phrase | None = None
    for phrase in conditions:
        if before is not None:
            writer.add("and")
        if phrase.short and before is not None:
            _write_short(writer, phrase.predicate, before.predicate, value=phrase.value, plural=False)
        else:
            _write_phrase(writer, phrase, None)
        before = phrase


def _write_kind(writer: Writer, qualities: tuple[Word, ...], most: int, *, people: bool) -> None:
    """Write "things" or "people" behind so many qualities at most; the first that cannot stand there ends these."""
    count = 0
    while count < most and writer.lexicon.form(qualities[count]).slot is Slot.WORD:
        if count:
            writer.add(",")
        writer.mention(qualities[count])
        count += 1
    writer.add(KINDS[people])
    _write_restriction(writer, qualities[count:], people=people)


def _write_restriction(writer: Writer, qualities: tuple[Word, ...], *, people: bool) -> None:
    for before, word in zip((None, *qualities), qualities, strict=False):
        writer.add("and" if before else THAT[people])
        if before is None:
            writer.says(word, plural=True)
        else:
            _write_short(writer, word, before, value=True, plural=True)


def _write_phrase(writer: Writer, phrase: Phrase, pronoun: str | None) -> bool:
    """Write a phrase with its subject; return whether that is plural."""
    plural = phrase.subject is None and pronoun == AGAIN[True]
    is_passive = writer.lexicon.form(phrase.predicate).slot is Slot.PASSIVE
    if is_passive and phrase.object is not None:
        _write_individual(writer, phrase.object)
        writer.add("is" if phrase.value else "is not")
        writer.mention(phrase.predicate)
        writer.add("by")
    if phrase.subject is not None:
        _write_individual(writer, phrase.subject, objective=is_passive)
    elif pronoun is not None:
        writer.add(pronoun)
    if phrase.object is None:
        writer.says(phrase.predicate, value=phrase.value, plural=plural)
    elif not is_passive:
        if not phrase.value:
            writer.add("do not" if plural else "does not")
        writer.mention(phrase.predicate, plural=plural or not phrase.value)
        _write_individual(writer, phrase.object, objective=True)
    return plural


def _write_short(writer: Writer, word: Word, before: Word, *, value: bool, plural: bool) -> None:
    """Write a phrase whose subject is that of the phrase before; repeat its verb only if it is not "is"."""
    if any(writer.lexicon.form(each).slot is Slot.VERB_PHRASE for each in (word, before)):
        writer.says(word, value=value, plural=plural)
        return
    if not value:
        writer.add("not")
    writer.mention(word)


def _write_individual(writer: Writer, word: Word, *, objective: bool = False) -> None:
    is_animal = writer.lexicon.concepts[word.concept].category is Category.ANIMAL
    writer.individual(word, article=is_animal, objective=objective)
