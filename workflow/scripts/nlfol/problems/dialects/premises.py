"""English for formulas about people: "everyone who is a cook or a poet, but not both" in place of "for every x".

    statement = fact [ ", too" | "as well" | ", either" ] | "If" fact ", then" fact | everyone | none | some
    everyone  = "Everyone" said | ( "Everyone who" | "Anyone who" | "Whoever" ) said { "and" said } said
              | whoever said ( "," "and vice versa" | "or" said ", or both" | verb "someone who" said )
              | "Everyone either" said "or" said ", but not both"
    none      = "No one" [ "who" said { "and" said } ] said | "There is no one who" said ( "and" | "but" ) said
    some      = "There is someone who" said [ "and" said ]
    fact      = individual ( said | verb individual ) | individual "is" [ "not" ] participle "by" individual
    said      = "is" [ "not" ] ( quality | noun ) | [ "does not" ] verb phrase

A sentence has one formula, and a formula of another shape no sentence.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import NamedTuple

from typing_extensions import override

from nlfol.logic import Formula, to_unicode
from nlfol.logic.syntax import And, Atom, Constant, ExclusiveOr, Exists, ForAll, Iff, Implies, Not, Or, Variable
from nlfol.problems.dialects.dialect import CLASS, NAMED, QUALITY, GrammarDialect, Place
from nlfol.problems.dialects.references import OF_TWO, named, referring
from nlfol.problems.dialects.words import DialectError, Said, Text, Writer, tails
from nlfol.problems.lexicon import Category, Lexicon, Slot, Word
from nlfol.problems.problem import Statement

_X, _Y = Variable("x"), Variable("y")

WHOEVER = {"": "everyone who", "any": "anyone who", "whatever": "whoever"}
"""The beginnings of what is said of everyone of some kind, by turn."""

NO_ONE, NONE, BUT = "no one who", "there is no one who", "but"


class Fact(NamedTuple):
    """A statement about an individual, or about it and another."""

    subject: Word
    predicate: Word
    object: Word | None = None
    value: bool = True

    @property
    def formula(self) -> Formula:
        """The fact as a formula."""
        words = (self.subject,) if self.object is None else (self.subject, self.object)
        return _literal(Atom(self.predicate.concept, tuple(Constant(word.concept) for word in words)), self.value)


class Quality(NamedTuple):
    """A predicate of someone, and whether it holds."""

    word: Word
    value: bool = True

    def at(self, variable: Variable) -> Formula:
        """Return the literal of a variable."""
        return _literal(Atom(self.word.concept, (variable,)), self.value)


class Sentence(NamedTuple):
    """A kind of sentence with its facts, or its qualities in the order of the text, and the verb between the last two.

    Kinds are ``fact``, ``if``, ``every`` (the last quality of whom all others hold), ``some``, ``none``, and of those
    with one quality ``same``, ``or`` and ``related``; ``apart`` is of everyone.
    """

    kind: str
    facts: tuple[Fact, ...] = ()
    qualities: tuple[Quality, ...] = ()
    verb: Word | None = None
    turn: str = ""

    @property
    def formula(self) -> Formula:
        """The formula that the sentence states."""
        if self.kind == "fact":
            return self.facts[0].formula
        if self.kind == "if":
            return Implies(self.facts[0].formula, self.facts[1].formula)
        first, *others = (quality.at(_X) for quality in self.qualities)
        match self.kind:
            case "some":
                return Exists(_X, reduce(And, others, first))
            case "none":
                return Not(Exists(_X, reduce(And, others, first)))
            case "same":
                return ForAll(_X, Iff(first, *others))
            case "apart":
                return ForAll(_X, ExclusiveOr(first, *others))
            case "or":
                return ForAll(_X, Implies(first, Or(*others)))
            case "related" if self.verb is not None:
                relation = Atom(self.verb.concept, (_X, _Y))
                return ForAll(_X, Implies(first, Exists(_Y, And(relation, self.qualities[1].at(_Y)))))
            case _:
                *conditions, conclusion = first, *others
                return ForAll(_X, Implies(reduce(And, conditions), conclusion) if conditions else conclusion)


def _literal(atom: Atom, value: bool) -> Formula:
    return atom if value else Not(atom)


@dataclass(frozen=True, slots=True)
class Premises(GrammarDialect):
    """The dialect of some concepts."""

    lexicon: Lexicon

    def plain(self, formula: Formula) -> Sentence:
        """Return the sentence of a formula over concepts, in base forms; ``DialectError`` if it has none."""
        for sentence in _sentences(formula):
            if sentence.formula == formula:
                return sentence
        raise DialectError(to_unicode(formula), 0, "no sentence has a formula of this shape")

    def stated(self, formula: Formula) -> Statement:
        """Return the statement of a formula over concepts, in base forms."""
        return self.write(self.plain(formula))

    @override
    def named(self, sentence: Sentence) -> tuple[str, ...]:
        return named(self.write(sentence), self.lexicon)

    @override
    def turns(self, sentence: Sentence, before: Sentence | None) -> list[Sentence]:
        turns: list[str] = []
        if sentence.kind == "fact" and before is not None and before.kind == "fact":
            (fact,), (last,) = sentence.facts, before.facts
            if fact.value is last.value and (fact.object is None) is (last.object is None):
                turns = tails(value=fact.value, same_subject=fact[0] == last[0], same_said=fact[1:] == last[1:])
        elif sentence.kind == "every" and len(sentence.qualities) > 1 and sentence.qualities[-1].value:
            turns = [*WHOEVER, BUT] if len(sentence.qualities) == 2 and sentence.qualities[0].value else [*WHOEVER]
        elif sentence.kind in ("same", "or", "related"):
            turns = [*WHOEVER]
        return [sentence._replace(turn=turn) for turn in turns if turn]

    @override
    def places(self, sentence: Sentence, before: Sequence[str]) -> list[Place]:
        places = []
        known = tuple(before)
        for fact in sentence.facts:
            is_same = fact.object is not None and fact.object.concept == fact.subject.concept
            around = () if is_same else known
            verb = frozenset({Slot.WORD, Slot.PASSIVE})
            if sentence.kind == "if" and fact.subject.concept in known:
                verb = NAMED
            is_passive = self.lexicon.form(fact.predicate).slot is Slot.PASSIVE
            places.append(self._individual_place(fact.subject, () if is_passive else around, sentence.kind))
            places.append(Place(fact.predicate, self._slots(fact.predicate) if fact.object is None else verb))
            places += [] if fact.object is None else [self._individual_place(fact.object, around, sentence.kind)]
            known = tuple(word.concept for word in (fact.subject, fact.object) if word is not None)
        places += [Place(quality.word, self._slots(quality.word)) for quality in sentence.qualities]
        return [*places, Place(sentence.verb, NAMED)] if sentence.verb is not None else places

    def _individual_place(self, word: Word, before: Sequence[str], kind: str) -> Place:
        slots = referring(self.lexicon.concepts[word.concept], before, self.lexicon)
        return Place(word, NAMED | (slots - OF_TWO if kind == "if" else slots))

    def _slots(self, word: Word) -> frozenset[Slot]:
        return CLASS if self.lexicon.concepts[word.concept].category is Category.NOUN else QUALITY

    @override
    def saying(self, sentence: Sentence, words: Sequence[Word]) -> Sentence:
        following = iter(words)
        facts = tuple(
            Fact(next(following), next(following), None if fact.object is None else next(following), fact.value)
            for fact in sentence.facts
        )
        qualities = tuple(quality._replace(word=next(following)) for quality in sentence.qualities)
        return sentence._replace(facts=facts, qualities=qualities, verb=next(following, None))

    @override
    def write(self, sentence: Sentence) -> Statement:
        writer = Writer(self.lexicon)
        if sentence.facts:
            for number, fact in enumerate(sentence.facts):
                for words in ("if",) if sentence.kind == "if" and not number else (",", "then") if number else ():
                    writer.add(words)
                _write_fact(writer, fact)
            writer.tail(sentence.turn)
        else:
            _write_qualities(writer, sentence)
        return writer.statement(to_unicode(sentence.formula))

    @override
    def trees(self, source: Text, before: Sequence[str]) -> Iterator[Sentence]:
        for fact, end in self._facts(source, 0, before):
            if (turn := source.end(end)) is not None:
                yield Sentence("fact", (fact,), turn=turn)
        for first, end in self._facts(source, source.after("if", 0), before):
            then = source.after("then", source.after(",", end))
            known = tuple(word.concept for word in (first.subject, first.object) if word is not None)
            for second, last in self._facts(source, then, known):
                if source.ends(last):
                    yield Sentence("if", (first, second))
        yield from self._of_everyone(source)
        for words, kind in ((NONE, "none"), ("there is someone who", "some")):
            for qualities, end in self._chains(source, source.after(words, 0)):
                for quality, last in self._said(source, source.after(BUT, end)) if kind == "none" else ():
                    if source.ends(last) and not quality.value:
                        yield Sentence("every", qualities=(*qualities, Quality(quality.word)), turn=BUT)
                if source.ends(end) and (kind == "some" or len(qualities) > 1):
                    yield Sentence(kind, qualities=qualities)

    def _of_everyone(self, source: Text) -> Iterator[Sentence]:
        for opening, value in (("everyone", True), ("no one", False)):
            for quality, end in self._said(source, source.after(opening, 0)):
                if source.ends(end) and (quality.value or value):
                    yield Sentence("every", qualities=(Quality(quality.word, quality.value == value),))
        for first, end in self._said(source, source.after("everyone either", 0)):
            for second, last in self._said(source, source.after("or", end)):
                if source.ends(source.after("but not both", source.after(",", last))):
                    yield Sentence("apart", qualities=(first, second))
        for conditions, end in self._chains(source, source.after(NO_ONE, 0)):
            for quality, last in self._said(source, end):
                if source.ends(last) and quality.value:
                    yield Sentence("every", qualities=(*conditions, Quality(quality.word, False)))
        for turn, opening in WHOEVER.items():
            for conditions, end in self._chains(source, source.after(opening, 0)):
                yield from self._of_whoever(source, conditions, end, turn)

    def _of_whoever(self, source: Text, conditions: tuple[Quality, ...], at: int, turn: str) -> Iterator[Sentence]:
        for quality, end in self._said(source, at):
            if source.ends(end):
                yield Sentence("every", qualities=(*conditions, quality), turn=turn)
            if len(conditions) > 1:
                continue
            if source.ends(source.after("and vice versa", source.after(",", end))):
                yield Sentence("same", qualities=(*conditions, quality), turn=turn)
            for other, last in self._said(source, source.after("or", end)):
                if source.ends(source.after("or both", source.after(",", last))):
                    yield Sentence("or", qualities=(*conditions, quality, other), turn=turn)
        for verb in source.words(Category.VERB, at) if len(conditions) == 1 else ():
            for quality, end in self._said(source, source.after("someone who", verb.end)):
                if source.ends(end):
                    yield Sentence("related", qualities=(*conditions, quality), verb=verb.word, turn=turn)

    def _said(self, source: Text, at: int | None) -> Iterator[tuple[Quality, int]]:
        for match in source.says(at, classes=True):
            yield Quality(match.word, match.value), match.end

    def _chains(self, source: Text, at: int | None) -> Iterator[tuple[tuple[Quality, ...], int]]:
        """Yield qualities joined by "and", one or two."""
        for first, end in self._said(source, at):
            yield (first,), end
            for second, last in self._said(source, source.after("and", end)):
                yield (first, second), last

    def _facts(self, source: Text, at: int | None, before: Sequence[str]) -> Iterator[tuple[Fact, int]]:
        for subject in [*source.reference(before, at), *source.words(Category.NAME, at)]:
            for quality, end in self._said(source, subject.end):
                yield Fact(subject.word, quality.word, None, quality.value), end
            for value, start in source.negated("does not", subject.end):
                for verb in source.words(Category.VERB, start, plural=not value):
                    for other in self._others(source, verb.end, before, subject):
                        yield Fact(subject.word, verb.word, other.word, value), other.end
            for value, start in source.negated("is not", subject.end):
                is_at = source.after("is", start) if value else start
                for verb in source.words(Category.VERB, is_at, slot=Slot.PASSIVE):
                    for other in self._others(source, source.after("by", verb.end), before, subject):
                        yield Fact(other.word, verb.word, subject.word, value), other.end

    def _others(self, source: Text, at: int | None, before: Sequence[str], subject: Said) -> Iterator[Said]:
        for match in source.reference(before, at, objective=True):
            if match.word.concept != subject.word.concept:
                yield match
        yield from source.words(Category.NAME, at)


def _write_fact(writer: Writer, fact: Fact) -> None:
    first, last = fact.subject, fact.object
    if last is not None and writer.lexicon.form(fact.predicate).slot is Slot.PASSIVE:
        writer.mention(last)
        writer.add("is" if fact.value else "is not")
        writer.mention(fact.predicate)
        writer.add("by")
        writer.mention(first, objective=True)
        return
    writer.mention(first)
    if last is None:
        writer.says(fact.predicate, value=fact.value)
        return
    if not fact.value:
        writer.add("does not")
    writer.mention(fact.predicate, plural=not fact.value)
    writer.mention(last, objective=True)


def _write_qualities(writer: Writer, sentence: Sentence) -> None:
    kind, qualities = sentence.kind, sentence.qualities
    conclusion = qualities[-1]
    whoever = WHOEVER.get(sentence.turn, NONE)
    pieces: list[Quality | Word | str]
    match kind:
        case "every":
            bare, opening = ("everyone", whoever) if conclusion.value else ("no one", NO_ONE)
            conditions = [*_joined(qualities[:-1], "and")]
            if sentence.turn == BUT:
                conditions = [*conditions, BUT]
            ending = conclusion._replace(value=sentence.turn != BUT)
            pieces = [opening if len(qualities) > 1 else bare, *conditions, ending]
        case "apart":
            pieces = ["everyone either", *_joined(qualities, "or"), ",", "but not both"]
        case "same":
            pieces = [whoever, *qualities, ",", "and vice versa"]
        case "or":
            pieces = [whoever, qualities[0], *_joined(qualities[1:], "or"), ",", "or both"]
        case "related":
            pieces = [whoever, qualities[0], sentence.verb or "", "someone who", conclusion]
        case _:
            pieces = [NONE if kind == "none" else "there is someone who", *_joined(qualities, "and")]
    for piece in pieces:
        match piece:
            case Quality(word, value):
                writer.says(word, value=value)
            case Word():
                writer.mention(piece)
            case str():
                writer.add(piece)


def _joined(qualities: Sequence[Quality], words: str) -> Iterator[Quality | str]:
    for number, quality in enumerate(qualities):
        if number:
            yield words
        yield quality


def _sentences(formula: Formula) -> Iterator[Sentence]:
    """Yield candidate sentences for a formula: one of each kind, with its predicates in order."""
    qualities: list[Quality] = []
    facts: list[Fact] = []
    verb: Word | None = None
    for literal, value in _literals(formula):
        match literal.arguments:
            case (Constant(subject),):
                facts.append(Fact(Word(subject), Word(literal.predicate), None, value))
            case (Constant(subject), Constant(other)):
                facts.append(Fact(Word(subject), Word(literal.predicate), Word(other), value))
            case (Variable(),):
                qualities.append(Quality(Word(literal.predicate), value))
            case _:
                verb = Word(literal.predicate)
    kinds = ("fact", "if") if facts else ("every", "some", "none", "same", "apart", "or", "related")
    counts = {"fact": 1, "if": 2, "none": 2, "same": 2, "apart": 2, "or": 3, "related": 2}
    for kind in kinds:
        if len(facts or qualities) == counts.get(kind, len(qualities)) and (verb is None) is (kind != "related"):
            yield Sentence(kind, tuple(facts), tuple(qualities), verb)


def _literals(formula: Formula) -> Iterator[tuple[Atom, bool]]:
    match formula:
        case Atom():
            yield formula, True
        case Not(Atom() as atom):
            yield atom, False
        case Not(inner) | ForAll(_, inner) | Exists(_, inner):
            yield from _literals(inner)
        case And(left, right) | Or(left, right) | ExclusiveOr(left, right) | Iff(left, right) | Implies(left, right):
            yield from _literals(left)
            yield from _literals(right)
