"""All readings of ProofWriter's English with all forms of its concepts: that of ``rules``, and further sentences.

    predicate   = ... | verb phrase | ( "does" | "do" ) "not" verb phrase
    condition   = ... | individual "is" [ "not" ] participle "by" individual | [ "is" [ "not" ] ] quality | verb phrase
    generic     = [ "All" ] [ adjective { "," adjective } ] ( "things" | "people" ) [ ( "that" | "who" ) predicate
                  { "and" predicate } ] predicate "."
    individual  = ... | reference

A reference is the subject of a fact if the sentence before is a fact about one individual. In a sentence without a
variable, it is the subject of a condition or conclusion, and means the one individual named so far.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from typing_extensions import override

from nlfol.problems.dialects import rules
from nlfol.problems.dialects.dialect import NAMED, QUALITY, REFERRED, GrammarDialect, Place
from nlfol.problems.dialects.rules import AGAIN, KINDS, ONE, THAT, Conditional, Generic, Phrase, Sentence
from nlfol.problems.dialects.words import Said, Text
from nlfol.problems.lexicon import Category, Lexicon, Slot, Word
from nlfol.problems.problem import Statement

_VERB = frozenset({Slot.WORD})
_VOICED = frozenset({Slot.WORD, Slot.PASSIVE})


@dataclass(frozen=True, slots=True)
class _Part:
    """The beginning of a conditional; people is None before the variable, plural is whether the last subject is."""

    phrases: tuple[Phrase, ...]
    end: int
    people: bool | None = None
    plural: bool = False

    def with_phrase(self, phrase: Phrase, end: int, people: bool | None, *, plural: bool) -> _Part:
        return _Part((*self.phrases, phrase), end, people, plural)


@dataclass(frozen=True, slots=True)
class Rules(GrammarDialect):
    """The dialect of ``rules`` with all forms of its concepts."""

    lexicon: Lexicon

    @override
    def write(self, sentence: Sentence) -> Statement:
        return rules.write(sentence, self.lexicon)

    @override
    def topic(self, sentence: Sentence) -> str | None:
        return _only((sentence,)) if isinstance(sentence, Phrase) else None

    @override
    def trees(self, source: Text, topic: str | None) -> Iterator[Sentence]:
        if (start := source.after("if", 0)) is not None:
            yield from self._conditionals(source, start)
        for phrase, end in self._phrases(source, 0, topic):
            if source.ends(end):
                yield phrase
        yield from self._generics(source)

    @override
    def places(self, sentence: Sentence, topic: str | None) -> list[Place]:
        match sentence:
            case Phrase():
                return self._phrase_places(sentence, topic)
            case Conditional(conditions, conclusion):
                phrases = (*conditions, conclusion)
                has_variable = any(phrase.subject is None for phrase in phrases)
                found = []
                for number, phrase in enumerate(phrases):
                    found += self._phrase_places(phrase, None if has_variable else _only(phrases[:number]))
                return found
            case Generic(qualities, quality):
                return [Place(word, QUALITY) for word in (*qualities, quality)]

    def _phrase_places(self, phrase: Phrase, topic: str | None) -> list[Place]:
        found = []
        is_passive = self.lexicon.form(phrase.predicate).slot is Slot.PASSIVE
        if phrase.subject is not None and not phrase.short:
            is_plain = topic == phrase.subject.concept and not is_passive
            found.append(Place(phrase.subject, REFERRED if is_plain else NAMED))
        if phrase.object is None:
            found.append(Place(phrase.predicate, QUALITY))
        else:
            found.append(Place(phrase.predicate, _VERB if phrase.subject is None else _VOICED))
            found.append(Place(phrase.object, NAMED))
        return found

    @override
    def saying(self, sentence: Sentence, words: Sequence[Word]) -> Sentence:
        following = iter(words)
        match sentence:
            case Phrase():
                return _said(sentence, following)
            case Conditional(conditions, conclusion, people):
                changed = tuple(_said(phrase, following) for phrase in conditions)
                return Conditional(changed, _said(conclusion, following), people)
            case Generic():
                *qualities, quality = words
                return sentence._replace(qualities=tuple(qualities), quality=quality)

    def _conditionals(self, source: Text, start: int) -> Iterator[Sentence]:
        parts = [_Part((), start)]
        while parts:
            following = []
            for part in source.few(longer for shorter in parts for longer in self._longer(source, shorter)):
                if (end := source.after("and", part.end)) is not None:
                    following.append(_Part(part.phrases, end, part.people, part.plural))
                if (end := source.after("then", part.end)) is not None:
                    for whole in self._longer(source, _Part(part.phrases, end, part.people), concludes=True):
                        tree = Conditional(whole.phrases[:-1], whole.phrases[-1], bool(whole.people))
                        if source.ends(whole.end) and not (whole.people is not None and self._refers(tree)):
                            yield tree
            parts = following

    def _longer(self, source: Text, part: _Part, *, concludes: bool = False) -> Iterator[_Part]:
        """Yield the beginning of a sentence extended by one phrase."""
        at, people = part.end, part.people
        for person in (False, True) if people is None else (people,):
            pronoun = ONE[person] if people is None else AGAIN[person]
            start = None if people is None and concludes else source.after(pronoun, at)
            if start is not None:
                plural = pronoun == AGAIN[True]
                for phrase, end in self._predicates(source, None, start, plural=plural):
                    yield part.with_phrase(phrase, end, person, plural=plural)
        for phrase, end in self._phrases(source, at, _only(part.phrases)):
            yield part.with_phrase(phrase, end, people, plural=False)
        last = part.phrases[-1] if part.phrases and not concludes else None
        if last is not None and last.object is None:
            said = [*source.qualities(at), *source.says(at, plural=part.plural)]
            for each in said:
                phrase = Phrase(last.subject, each.word, None, each.value, short=True)
                yield part.with_phrase(phrase, each.end, people, plural=part.plural)

    def _phrases(self, source: Text, at: int, topic: str | None) -> Iterator[tuple[Phrase, int]]:
        for subject in source.reference(topic, at):
            yield from self._predicates(source, subject.word, subject.end, plural=False)
        for subject in _individuals(source, at):
            yield from self._predicates(source, subject.word, subject.end, plural=False)
            for value, start in source.negated("is not", subject.end):
                verb = source.after("is", start) if value else start
                for said in source.words(Category.VERB, verb, slot=Slot.PASSIVE) if verb is not None else ():
                    by = source.after("by", said.end)
                    for agent in _individuals(source, by) if by is not None else ():
                        yield Phrase(agent.word, said.word, subject.word, value), agent.end

    def _predicates(self, source: Text, subject: Word | None, at: int, *, plural: bool) -> Iterator[tuple[Phrase, int]]:
        for said in source.says(at, plural=plural):
            yield Phrase(subject, said.word, None, said.value), said.end
        for value, start in source.negated("do not" if plural else "does not", at):
            for verb in source.words(Category.VERB, start, plural=plural or not value):
                for other in _individuals(source, verb.end):
                    yield Phrase(subject, verb.word, other.word, value), other.end

    def _generics(self, source: Text) -> Iterator[Sentence]:
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
                if (kind := source.after(KINDS[people], end)) is not None:
                    for whole, last in self._restricted(source, qualities, kind, people=people):
                        for said in source.says(last, plural=True):
                            if whole and source.ends(said.end):
                                yield Generic(whole, said.word, said.value, universal, people)

    def _more_adjectives(
        self, source: Text, lists: list[tuple[tuple[Word, ...], int]]
    ) -> Iterator[tuple[tuple[Word, ...], int]]:
        for words, end in lists:
            at = source.after(",", end) if words else end
            for said in source.words(Category.ADJECTIVE, at) if at is not None else ():
                yield (*words, said.word), said.end

    def _restricted(
        self, source: Text, qualities: tuple[Word, ...], at: int, *, people: bool
    ) -> list[tuple[tuple[Word, ...], int]]:
        """Return the qualities before a noun, with those of "that ... and ..." behind it if there are any."""
        found = [(qualities, at)]
        start = source.after(THAT[people], at)
        ahead = [] if start is None else [(qualities, start)]
        while ahead:
            longer = source.few(
                ((*words, said.word), said.end)
                for words, end in ahead
                for said in source.says(end, plural=True)
                if said.value
            )
            found += longer
            joined = [(words, source.after("and", end)) for words, end in longer]
            ahead = [(words, end) for words, end in joined if end is not None]
        return found

    def _refers(self, sentence: Conditional) -> bool:
        phrases = (*sentence.conditions, sentence.conclusion)
        words = [phrase.subject for phrase in phrases if phrase.subject is not None]
        return any(self.lexicon.form(word).slot is Slot.REFERENCE for word in words)


def _individuals(source: Text, at: int) -> Iterator[Said]:
    yield from source.individual(Category.NAME, at, article=False)
    yield from source.individual(Category.ANIMAL, at, article=True)


def _only(phrases: Sequence[Phrase]) -> str | None:
    """Return the one individual that phrases name."""
    words = {word.concept for phrase in phrases for word in (phrase.subject, phrase.object) if word is not None}
    return words.pop() if len(words) == 1 else None


def _said(phrase: Phrase, words: Iterator[Word]) -> Phrase:
    subject = phrase.subject if phrase.subject is None or phrase.short else next(words)
    predicate = next(words)
    return phrase._replace(subject=subject, predicate=predicate, object=None if phrase.object is None else next(words))
