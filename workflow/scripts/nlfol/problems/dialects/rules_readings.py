"""All readings of ProofWriter's English with all forms of its concepts: that of ``rules``, and further sentences.

    predicate   = ... | verb phrase | ( "does" | "do" ) "not" verb phrase
    condition   = ... | individual "is" [ "not" ] participle "by" individual | [ "is" [ "not" ] ] quality | verb phrase
    generic     = [ "All" ] [ adjective { "," adjective } ] ( "things" | "people" ) [ ( "that" | "who" ) predicate
                  { "and" predicate } ] predicate "."
    individual  = ... | reference
    turned      = [ "It is not true that" ] fact | fact ( ", too." | "as well." | ", either." )
                | whoever predicate { "and" predicate } predicate "."
                | ( "There is nothing that" | "There is no one who" ) predicate { "and" predicate } "but" predicate "."
                | "Those who" predicate { "and" predicate } predicate "." | fact "if" condition { "and" condition } "."
    whoever     = "Anything that" | "Anyone who" | "Everyone who" | "Whatever" | "Whoever" | "Nothing that" | ...

A reference means an individual of the sentence before, if that is about no variable; in a sentence without a variable,
also one that it has named so far. `nlfol.problems.dialects.references` says when it is plain who.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from typing_extensions import override

from nlfol.problems.dialects import rules
from nlfol.problems.dialects.dialect import BACKWARDS, NAMED, QUALITY, THERE, GrammarDialect, Place
from nlfol.problems.dialects.references import named, referring
from nlfol.problems.dialects.rules import (
    AGAIN,
    BUT,
    KINDS,
    NOT_TRUE,
    ONE,
    OPENINGS,
    THAT,
    THOSE,
    Conditional,
    Generic,
    Phrase,
    Sentence,
)
from nlfol.problems.dialects.rules_turns import turns
from nlfol.problems.dialects.words import Said, Text
from nlfol.problems.lexicon import Category, Lexicon, Slot, Word
from nlfol.problems.problem import Statement

_VERB = frozenset({Slot.WORD})
_NOBODY = Word("")
_VOICED = frozenset({Slot.WORD, Slot.PASSIVE})


@dataclass(frozen=True, slots=True)
class _Part:
    """The beginning of a conditional; people is None before the variable, plural is whether the last subject is."""

    phrases: tuple[Phrase, ...]
    end: int | None
    people: bool | None = None
    plural: bool = False

    def with_phrase(self, phrase: Phrase, end: int, people: bool | None, *, plural: bool) -> _Part:
        return _Part((*self.phrases, phrase), end, people, plural)


class _Referents(NamedTuple):
    """The individuals named before, and whether in the same sentence."""

    before: Sequence[str]
    within: bool = False


@dataclass(frozen=True, slots=True)
class Rules(GrammarDialect):
    """The dialect of ``rules`` with all forms of its concepts."""

    lexicon: Lexicon

    @override
    def write(self, sentence: Sentence) -> Statement:
        return rules.write(sentence, self.lexicon)

    @override
    def named(self, sentence: Sentence) -> tuple[str, ...]:
        if isinstance(sentence, Generic) or (isinstance(sentence, Conditional) and sentence.has_variable):
            return ()
        return named(self.write(sentence), self.lexicon)

    @override
    def turns(self, sentence: Sentence, before: Sentence | None) -> list[Sentence]:
        return turns(sentence, before)

    @override
    def trees(self, source: Text, before: Sequence[str]) -> Iterator[Sentence]:
        yield from self._conditionals(source, source.after("if", 0))
        for phrase, end in self._phrases(source, 0, before):
            if (turn := source.end(end)) is not None:
                yield phrase._replace(turn=turn)
            else:
                yield from self._conditions(source, phrase, source.after("if", end))
        for phrase, end in self._phrases(source, source.after(NOT_TRUE, 0), before):
            if source.ends(end) and phrase.value:
                yield phrase._replace(value=False, turn="not_true")
        yield from self._generics(source)
        for turn, openings in OPENINGS.items():
            for people, words in enumerate(openings):
                if (start := source.after(words, 0)) is not None:
                    yield from self._turned(source, start, turn, people=bool(people))

    @override
    def places(self, sentence: Sentence, before: Sequence[str]) -> list[Place]:
        match sentence:
            case Phrase():
                return self._phrase_places(sentence, before)
            case Conditional():
                places: list[Place] = []
                phrases = _as_said(sentence)
                times = Counter(word.concept for phrase in phrases for word in _named(phrase))
                for number, phrase in enumerate(phrases):
                    # Of several mentions the last may be "she": "if she is big and Anne is red" would be odd, as would
                    # "Anne is red if Anne is big and she likes Bob".
                    further = _individuals_of([phrase for phrase in phrases[number + 1 :] if not phrase.short])
                    so_far = () if sentence.has_variable else _individuals_of(phrases[:number])
                    others = _individuals_of([*phrases[:number], *phrases[number + 1 :]])
                    for word, slots in self._phrase_places(phrase, so_far, others):
                        if word.concept in further or (sentence.turn == "if" and times[word.concept] > 2):
                            slots -= {Slot.REFERENCE}
                        if phrase is not phrases[-1]:  # One passive is enough.
                            slots -= {Slot.PASSIVE}
                        # "The kitty" would be another animal than "the cat" of the same sentence.
                        places.append(Place(word, slots - NAMED if times[word.concept] > 1 else slots))
                return places
            case Generic(qualities, quality):
                return [Place(word, QUALITY) for word in (*qualities, quality)]

    def _phrase_places(self, phrase: Phrase, before: Sequence[str], others: Sequence[str] | None = None) -> list[Place]:
        """Return the positions of a phrase; ``others`` has whom other phrases of its sentence name, if any do."""
        places = []
        within = others is not None
        verb = _VOICED if _may_be_passive(phrase, others) else _VERB
        if phrase.subject is None or (phrase.object is not None and phrase.subject.concept == phrase.object.concept):
            before = ()
        if phrase.subject is not None and not phrase.short:
            # Nobody writes "is chased by it".
            is_passive = self.lexicon.form(phrase.predicate).slot is Slot.PASSIVE
            slots = NAMED if is_passive else self._slots(phrase.subject, before, within=within)
            places.append(Place(phrase.subject, slots))
        if phrase.object is None:
            places.append(Place(phrase.predicate, QUALITY))
        else:
            places.append(Place(phrase.predicate, verb))
            places.append(Place(phrase.object, self._slots(phrase.object, before, within=within)))
        return places

    def _slots(self, word: Word, before: Sequence[str], *, within: bool) -> frozenset[Slot]:
        """Return where an individual's forms can stand; "this animal" and "the former" are of another sentence."""
        slots = referring(self.lexicon.concepts[word.concept], before, self.lexicon)
        return NAMED | (slots & {Slot.REFERENCE} if within else slots)

    @override
    def saying(self, sentence: Sentence, words: Sequence[Word]) -> Sentence:
        following = iter(words)
        match sentence:
            case Phrase():
                return _said(sentence, following)
            case Conditional(turn=turn):
                phrases = [_said(phrase, following) for phrase in _as_said(sentence)]
                phrases = [*phrases[1:], phrases[0]] if turn == "if" else phrases
                return sentence._replace(conditions=tuple(phrases[:-1]), conclusion=phrases[-1])
            case Generic():
                *qualities, quality = words
                return sentence._replace(qualities=tuple(qualities), quality=quality)

    def _conditionals(self, source: Text, start: int | None) -> Iterator[Sentence]:
        for part in self._joined(source, _Part((), start), self._longer):
            then = _Part(part.phrases, source.after("then", part.end), part.people)
            for conditional in self._longer(source, then, concludes=True):
                tree = Conditional(conditional.phrases[:-1], conditional.phrases[-1], bool(conditional.people))
                if source.ends(conditional.end) and not (conditional.people is not None and self._refers(tree)):
                    yield tree

    def _turned(self, source: Text, start: int, turn: str, *, people: bool) -> Iterator[Sentence]:
        """Yield conditionals of "anyone who" and the like, whose phrases have no subject."""
        for part in self._joined(source, _Part((), start, people), self._further):
            at = source.after(BUT, part.end) if turn == THERE else part.end
            for phrase, end in self._predicates(source, None, at):
                # "Everyone who is red is not big" may deny that all are.
                if source.ends(end) and (phrase.value is (turn != THERE) or turn in ("any", "whatever")):
                    conclusion = phrase._replace(value=phrase.value is not (turn in BACKWARDS))
                    yield Conditional(part.phrases, conclusion, people, turn)

    def _conditions(self, source: Text, conclusion: Phrase, start: int | None) -> Iterator[Sentence]:
        """Yield conditionals whose conclusion comes first."""
        for part in self._joined(source, _Part((conclusion,), start), self._condition):
            if source.ends(part.end):
                yield Conditional(part.phrases[1:], conclusion, turn="if")

    def _joined(self, source: Text, first: _Part, longer: Callable[[Text, _Part], Iterator[_Part]]) -> Iterator[_Part]:
        """Yield the beginning of a sentence with a phrase more, and with others behind "and"."""
        parts = [first]
        while parts:
            few = source.few(part for shorter in parts for part in longer(source, shorter))
            yield from few
            parts = [replace(part, end=source.after("and", part.end)) for part in few]

    def _further(self, source: Text, part: _Part) -> Iterator[_Part]:
        for phrase, end in self._predicates(source, None, part.end):
            yield part.with_phrase(phrase, end, part.people, plural=False)
        yield from self._short(source, part)

    def _condition(self, source: Text, part: _Part) -> Iterator[_Part]:
        for phrase, end in self._phrases(source, part.end, _individuals_of(part.phrases), within=True):
            yield part.with_phrase(phrase, end, None, plural=False)
        if len(part.phrases) > 1:
            yield from self._short(source, part)

    def _longer(self, source: Text, part: _Part, *, concludes: bool = False) -> Iterator[_Part]:
        """Yield the beginning of a sentence extended by one phrase."""
        at, people = part.end, part.people
        for person in (False, True) if people is None else (people,):
            pronoun = ONE[person] if people is None else AGAIN[person]
            start = None if people is None and concludes else source.after(pronoun, at)
            plural = pronoun == AGAIN[True]
            for phrase, end in self._predicates(source, None, start, plural=plural):
                yield part.with_phrase(phrase, end, person, plural=plural)
        for phrase, end in self._phrases(source, at, _individuals_of(part.phrases), within=True):
            yield part.with_phrase(phrase, end, people, plural=False)
        if not concludes:
            yield from self._short(source, part)

    def _short(self, source: Text, part: _Part) -> Iterator[_Part]:
        last = part.phrases[-1] if part.phrases else None
        if last is not None and last.object is None:
            for match in [*source.qualities(part.end), *source.says(part.end, plural=part.plural)]:
                phrase = Phrase(last.subject, match.word, None, match.value, short=True)
                yield part.with_phrase(phrase, match.end, part.people, plural=part.plural)

    def _phrases(
        self, source: Text, at: int | None, before: Sequence[str], *, within: bool = False
    ) -> Iterator[tuple[Phrase, int]]:
        referents = _Referents(before, within)
        for subject in self._individuals(source, at, referents):
            yield from self._predicates(source, subject.word, subject.end, referents=referents)
            for value, start in source.negated("is not", subject.end):
                verb = source.after("is", start) if value else start
                for match in source.words(Category.VERB, verb, slot=Slot.PASSIVE):
                    by = source.after("by", match.end)
                    for agent in self._individuals(source, by, referents, besides=subject.word):
                        yield Phrase(agent.word, match.word, subject.word, value), agent.end

    def _predicates(
        self,
        source: Text,
        subject: Word | None,
        at: int | None,
        *,
        plural: bool = False,
        referents: _Referents | None = None,
    ) -> Iterator[tuple[Phrase, int]]:
        for match in source.says(at, plural=plural):
            yield Phrase(subject, match.word, None, match.value), match.end
        for value, start in source.negated("do not" if plural else "does not", at):
            for verb in source.words(Category.VERB, start, plural=plural or not value):
                for other in self._individuals(source, verb.end, referents, besides=subject or _NOBODY):
                    yield Phrase(subject, verb.word, other.word, value), other.end

    def _individuals(
        self, source: Text, at: int | None, referents: _Referents | None, besides: Word | None = None
    ) -> Iterator[Said]:
        """Yield individuals; behind a subject, references have their objective form and mean another one."""
        known = referents or _Referents(())
        for match in source.reference(known.before, at, objective=besides is not None):
            is_near = not known.within or self.lexicon.form(match.word).slot is Slot.REFERENCE
            if is_near and (besides is None or besides.concept != match.word.concept):
                yield match
        yield from source.individual(Category.NAME, at, article=False)
        yield from source.individual(Category.ANIMAL, at, article=True)

    def _generics(self, source: Text) -> Iterator[Sentence]:
        for words, last in self._restricted(source, (), source.after(THOSE, 0), people=True):
            for match in source.says(last, plural=True):
                if words and source.ends(match.end):
                    yield Generic(words, match.word, match.value, people=True, turn=THOSE)
        start = source.after("all", 0)
        universal = start is not None
        at = start or 0
        lists: list[tuple[tuple[Word, ...], int]] = [((), at)]
        ahead = list(lists)
        while ahead:
            ahead = source.few(self._more_adjectives(source, ahead))
            lists += ahead
        for qualities, end in lists:
            for people in (False, True):
                kind = source.after(KINDS[people], end)
                for words, last in self._restricted(source, qualities, kind, people=people):
                    for match in source.says(last, plural=True):
                        if words and source.ends(match.end):
                            tree = Generic(words, match.word, match.value, universal, people)
                            yield from (tree, tree._replace(turn="that")) if len(words) > 1 else (tree,)

    def _more_adjectives(
        self, source: Text, lists: list[tuple[tuple[Word, ...], int]]
    ) -> Iterator[tuple[tuple[Word, ...], int]]:
        for words, end in lists:
            at = source.after(",", end) if words else end
            for match in source.words(Category.ADJECTIVE, at):
                yield (*words, match.word), match.end

    def _restricted(
        self, source: Text, qualities: tuple[Word, ...], at: int | None, *, people: bool
    ) -> list[tuple[tuple[Word, ...], int | None]]:
        """Return the qualities before a noun, with those of "that ... and ..." behind it if there are any."""
        restricted = [(qualities, at)]
        ahead = [(qualities, source.after(THAT[people], at))]
        while ahead:
            longer = source.few(
                ((*words, match.word), match.end)
                for words, end in ahead
                for match in [*source.says(end, plural=True), *source.qualities(end if words else None, plural=True)]
                if match.value
            )
            restricted += longer
            ahead = [(words, source.after("and", end)) for words, end in longer]
        return restricted

    def _refers(self, sentence: Conditional) -> bool:
        phrases = (*sentence.conditions, sentence.conclusion)
        words = [word for phrase in phrases for word in (phrase.subject, phrase.object) if word is not None]
        return any(self.lexicon.form(word).slot is Slot.REFERENCE for word in words)


def _may_be_passive(phrase: Phrase, others: Sequence[str] | None) -> bool:
    """Return whether a passive reads well: its sentence is about the object rather than the subject, or neither."""
    if phrase.subject is None or phrase.object is None or phrase.turn == "not_true":
        return False
    return others is None or phrase.object.concept in others or phrase.subject.concept not in others


def _as_said(sentence: Conditional) -> tuple[Phrase, ...]:
    """Return the phrases of a conditional in the order of the text."""
    if sentence.turn == "if":
        return (sentence.conclusion, *sentence.conditions)
    return (*sentence.conditions, sentence.conclusion)


def _individuals_of(phrases: Sequence[Phrase]) -> tuple[str, ...]:
    words = [word for phrase in phrases for word in (phrase.subject, phrase.object) if word is not None]
    return tuple(dict.fromkeys(word.concept for word in words))


def _named(phrase: Phrase) -> list[Word]:
    """Return the words for individuals of a phrase."""
    return [word for word in (None if phrase.short else phrase.subject, phrase.object) if word is not None]


def _said(phrase: Phrase, words: Iterator[Word]) -> Phrase:
    subject = phrase.subject if phrase.subject is None or phrase.short else next(words)
    predicate = next(words)
    return phrase._replace(subject=subject, predicate=predicate, object=None if phrase.object is None else next(words))
