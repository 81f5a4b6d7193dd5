"""Sentences with formulas over one drawn signature, to train an adapter on."""

from collections.abc import Sequence
from random import Random

from benchmarks.adapter_words import ADJECTIVES, NOUNS, RELATIONS, TRIPLES, Meaning, Phrase, Word, article, plural

from nlfol.logic.ontology.ontology import ConstantSymbol, Ontology, Predicate


class Story:
    """A signature with the draws of its sentences."""

    def __init__(self, randomness: Random, verbs: Sequence[tuple[str, str, int]], names: Sequence[str]) -> None:
        self.random = randomness
        self._used: set[str] = set()
        self._style = randomness.choice(["word", "word", "start", "start", "letters", "mixed", "mixed"])
        drawn = randomness.sample
        self.nouns = [self._word("noun", 1, noun, noun) for noun in drawn(NOUNS, randomness.randint(2, 4))]
        self.adjectives = [self._word("adjective", 1, of, of) for of in drawn(ADJECTIVES, randomness.randint(2, 3))]
        alone = [verb for verb in verbs if verb[2] == 1]
        pairs = [verb for verb in verbs if verb[2] == 2]
        self.verbs = [self._word("verb", 1, third, base) for base, third, _ in drawn(alone, randomness.randint(1, 2))]
        self.relations = [
            self._word("verb", 2, third, base) for base, third, _ in drawn(pairs, randomness.randint(1, 2))
        ]
        for base, third in drawn(RELATIONS, randomness.randint(1, 3)):
            is_adjective = base.startswith("be ")
            self.relations.append(
                self._word("adjective" if is_adjective else "verb", 2, third, third if is_adjective else base)
            )
        self.triples = [
            self._word("verb", 3, third, base, middle)
            for base, third, middle in drawn(TRIPLES, randomness.random() < 0.3)
        ]
        self.constants: dict[str, str] = {}
        number = randomness.randint(3, 6)
        if randomness.random() < 0.55:
            start = randomness.choice("abcdefghklmn")
            letters = [chr(ord(start) + place) for place in range(number)]
            self.constants = {letter: letter for letter in letters}
        else:
            style = randomness.choice(["whole", "start", "initial"])
            for name in drawn(names, number):
                lower = name.lower()
                symbol = {"whole": lower, "start": lower[:3], "initial": lower[0]}[style]
                if symbol in self.constants or symbol[0] in "xyzuvw":
                    symbol = lower + "1"
                self.constants[symbol] = name
        self.terms = list(self.constants.items())

    @property
    def words(self) -> list[Word]:
        """All predicates."""
        return [*self.nouns, *self.adjectives, *self.verbs, *self.relations, *self.triples]

    def _word(self, kind: str, arity: int, third: str, base: str, middle: str = "") -> Word:
        parts = [part for part in base.split() if part not in ("a", "the")]
        style = self.random.choice(["word", "start", "letters"]) if self._style == "mixed" else self._style
        whole = "".join(part.capitalize() for part in parts)
        if style == "start":
            length = self.random.choice([2, 3, 3, 4])
            symbol = "".join(part[:length].capitalize() for part in parts)
        elif style == "letters":
            symbol = "".join(part[0].upper() for part in parts)
        else:
            prefix = self.random.choice(["", "", "", "Is"]) if kind != "verb" else ""
            symbol = prefix + whole
        for other in (symbol, whole, f"{whole}{arity}", f"{whole}Too"):
            if other not in self._used:
                break
        self._used.add(other)
        return Word(other, kind, arity, third, base, middle)

    def ontology(self) -> Ontology:
        """Return the signature with its glosses."""
        return Ontology(
            tuple(Predicate(word.symbol, word.arity, *word.glosses()) for word in self.words),
            (),
            tuple(ConstantSymbol(symbol, meaning) for symbol, meaning in self.constants.items()),
        )

    # Phrases.

    def constant(self) -> tuple[str, str]:
        """Return the English and the symbol of a constant."""
        symbol, meaning = self.random.choice(self.terms)
        return meaning, symbol

    def two(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """Return two constants."""
        (s, m), (t, n) = self.random.sample(self.terms, 2)
        return (m, s), (n, t)

    def plain(self, unlike: Sequence[Word] = (), nouns: bool = True) -> Phrase:
        """Return a verb phrase of one predicate without an object, or of a relation to a constant."""
        roll = self.random.random()
        if roll < 0.3:
            word = self._other(self.adjectives, unlike)
            return Phrase(f"is {word.base}", f"are {word.base}", f"is not {word.base}", word.of)
        if roll < 0.5 and nouns:
            word = self._other(self.nouns, unlike)
            of = f"{article(word.base)} {word.base}"
            return Phrase(f"is {of}", f"are {plural(word.base)}", f"is not {of}", word.of)
        if roll < 0.65:
            word = self._other(self.verbs, unlike)
            return Phrase(word.third, word.base, f"does not {word.base}", word.of)
        return self.to(self.random.choice(self.relations), *self.constant())

    def _other(self, words: Sequence[Word], unlike: Sequence[Word]) -> Word:
        return self.random.choice([word for word in words if word not in unlike] or words)

    def to(self, word: Word, english: str, term: str) -> Phrase:
        """Return a relation to a named thing."""
        return self._related(word, english, lambda subject: word.of(subject, term))

    def _related(self, word: Word, english: str, meaning: Meaning, denied: str | None = None) -> Phrase:
        if word.kind == "adjective":
            return Phrase(
                f"is {word.base} {english}",
                f"are {word.base} {english}",
                f"is not {word.base} {denied or english}",
                meaning,
            )
        return Phrase(
            f"{word.third} {english}", f"{word.base} {english}", f"does not {word.base} {denied or english}", meaning
        )

    def quantified(self, bound: str) -> Phrase:
        """Return a relation to some, every, no, only or the other things of a kind."""
        word, noun = self.random.choice(self.relations), self.random.choice(self.nouns)
        name, rest = self.restricted(noun)
        kind = self.random.choice(
            ["some", "some", "a", "every", "every", "no", "only", "thing", "everything", "nothing", "other"]
        )

        def inner(subject: str) -> str:
            return word.of(subject, bound)

        def some(subject: str) -> str:
            return f"∃{bound} ({rest(bound)} ∧ {inner(subject)})"

        if kind in ("some", "a"):
            before = article(name) if kind == "a" else self.random.choice(["some", "at least one"])
            return self._related(word, f"{before} {name}", some, f"any {name}")
        if kind == "every":
            return self._related(word, f"every {name}", lambda subject: f"∀{bound} ({rest(bound)} → {inner(subject)})")
        if kind == "no":
            return self._related(
                word, f"no {name}", lambda subject: f"¬∃{bound} ({rest(bound)} ∧ {inner(subject)})", f"any {name}"
            )
        if kind == "only":
            return self._related(
                word, f"only {plural(noun.base)}", lambda subject: f"∀{bound} ({inner(subject)} → {noun.of(bound)})"
            )
        if kind == "thing":
            return self._related(word, "something", lambda subject: f"∃{bound} {inner(subject)}", "anything")
        if kind == "everything":
            return self._related(word, "everything", lambda subject: f"∀{bound} {inner(subject)}")
        if kind == "nothing":
            return self._related(word, "nothing", lambda subject: f"¬∃{bound} {inner(subject)}", "anything")
        return self._related(
            word,
            f"every other {name}",
            lambda subject: f"∀{bound} ({rest(bound)} ∧ {bound} ≠ {subject} → {inner(subject)})",
        )

    def restricted(self, noun: Word) -> tuple[str, Meaning]:
        """Return a noun, perhaps with an adjective before it."""
        if self.random.random() < 0.25:
            adjective = self.random.choice(self.adjectives)
            return f"{adjective.base} {noun.base}", lambda term: f"({adjective.of(term)} ∧ {noun.of(term)})"
        return noun.base, noun.of

    def kind(self, bound: str) -> tuple[str, str, Meaning, Word]:
        """Return a noun phrase of one and of several, with its meaning: a noun, an adjective, a relative clause."""
        noun = self.random.choice(self.nouns)
        one, many = noun.base, plural(noun.base)
        parts: list[Meaning] = [noun.of]
        if self.random.random() < 0.25:
            adjective = self.random.choice(self.adjectives)
            one, many, parts = f"{adjective.base} {one}", f"{adjective.base} {many}", [adjective.of, *parts]
        if self.random.random() < 0.4:
            roll = self.random.random()
            that = self.random.choice(["that", "that", "which"])
            if roll < 0.6:
                phrase = self.plain([noun], nouns=False)
            elif roll < 0.8:
                phrase = self.quantified(bound)
            else:
                english, term = self.constant()
                word = self.random.choice(self.relations)
                if word.kind == "adjective":
                    phrase = Phrase(
                        f"{english} is {word.base}",
                        f"{english} is {word.base}",
                        f"{english} is not {word.base}",
                        lambda subject: word.of(term, subject),
                    )
                else:
                    phrase = Phrase(
                        f"{english} {word.third}",
                        f"{english} {word.third}",
                        f"{english} does not {word.base}",
                        lambda subject: word.of(term, subject),
                    )
            if self.random.random() < 0.25:
                one, many = f"{one} {that} {phrase.not_one}", ""
                parts.append(lambda subject: f"¬{phrase.meaning(subject)}")
            else:
                one, many = f"{one} {that} {phrase.one}", f"{many} {that} {phrase.many}"
                parts.append(phrase.meaning)
        return one, many, lambda term: " ∧ ".join(part(term) for part in parts), noun

    def said(self, bound: str, unlike: Sequence[Word] = ()) -> Phrase:
        """Return a verb phrase: one, two joined, or a relation to a quantified thing."""
        roll = self.random.random()
        if roll < 0.5:
            return self.plain(unlike)
        if roll < 0.75:
            return self.quantified(bound)
        first = second = self.plain(unlike)
        while second.one == first.one:
            second = self.plain(unlike)
        if roll < 0.85:
            words = self.random.choice(["and", "and", "but not"])
            if words == "and":
                return Phrase(
                    f"{first.one} and {second.one}",
                    f"{first.many} and {second.many}",
                    "",
                    lambda term: f"({first.meaning(term)} ∧ {second.meaning(term)})",
                )
            return Phrase(
                f"{first.one} but {second.not_one}",
                "",
                "",
                lambda term: f"({first.meaning(term)} ∧ ¬{second.meaning(term)})",
            )
        if roll < 0.95:
            either = self.random.choice(["", "either "])
            return Phrase(
                f"{either}{first.one} or {second.one}",
                f"{either}{first.many} or {second.many}",
                "",
                lambda term: f"({first.meaning(term)} ∨ {second.meaning(term)})",
            )
        return Phrase(
            f"neither {first.one} nor {second.one}",
            "",
            "",
            lambda term: f"(¬{first.meaning(term)} ∧ ¬{second.meaning(term)})",
        )

    # Sentences: English without its full stop, and formula.

    def about_names(self) -> tuple[str, str]:
        """Return a clause about constants."""
        (one, s), (other, t) = self.two()
        phrase = self.said("x")
        roll = self.random.random()
        if self.triples and roll < 0.2:
            third, u = self.constant()
            word = self.triples[0]
            if self.random.random() < 0.5:
                return f"{one} does not {word.base} {other} {word.middle} {third}", f"¬{word.of(s, t, u)}"
            return f"{one} {word.third} {other} {word.middle} {third}", word.of(s, t, u)
        if roll < 0.35:
            return f"{one} {phrase.one}", phrase.meaning(s)
        if roll < 0.5 and phrase.not_one:
            return f"{one} {phrase.not_one}", f"¬{phrase.meaning(s)}"
        if roll < 0.62 and phrase.many:
            start = self.random.choice(["", "both "])
            return f"{start}{one} and {other} {phrase.many}", f"{phrase.meaning(s)} ∧ {phrase.meaning(t)}"
        if roll < 0.7:
            return f"neither {one} nor {other} {phrase.one}", f"¬{phrase.meaning(s)} ∧ ¬{phrase.meaning(t)}"
        if roll < 0.76:
            return f"either {one} or {other} {phrase.one}", f"{phrase.meaning(s)} ∨ {phrase.meaning(t)}"
        if roll < 0.81:
            return f"only {one} {phrase.one}", f"{phrase.meaning(s)} ∧ ∀v ({phrase.meaning('v')} → v = {s})"
        if roll < 0.86:
            word = self.random.choice(self.relations)
            itself = self._related(word, "itself", lambda subject: word.of(subject, subject))
            return f"{one} {itself.one}", itself.meaning(s)
        if roll < 0.91:
            return (
                (f"{one} is {other}", f"{s} = {t}")
                if self.random.random() < 0.5
                else (f"{one} is not {other}", f"{s} ≠ {t}")
            )
        word = self.random.choice(self.relations)
        back = self.to(word, one, s)
        return f"{one} {self.to(word, other, t).one} and {other} {back.one}", f"{word.of(s, t)} ∧ {back.meaning(t)}"

    def general(self) -> tuple[str, str]:
        """Return a clause with a quantifier."""
        one, many, of, noun = self.kind("y")
        phrase = self.said("z", [noun])
        x = "x"
        a = article(one)
        holds, fails = phrase.meaning(x), f"¬{phrase.meaning(x)}"
        every = f"∀x ({of(x)} → {holds})"
        some = f"∃x ({of(x)} ∧ {holds})"
        found: list[tuple[str, str]] = [
            (f"every {one} {phrase.one}", every), (f"every {one} {phrase.one}", every),
            (f"each {one} {phrase.one}", every),
            (f"any {one} {phrase.one}", every), (f"no {one} {phrase.one}", f"¬{some}"),
            (f"no {one} {phrase.one}", f"∀x ({of(x)} → {fails})"),
            (f"some {one} {phrase.one}", some), (f"at least one {one} {phrase.one}", some),
            (f"there is {a} {one} that {phrase.one}", some), (f"there is no {one} that {phrase.one}", f"¬{some}"),
            (f"not every {one} {phrase.one}", f"¬{every}"), (f"if something is {a} {one}, then it {phrase.one}", every),
            (f"anything that {phrase.one} is {a} {one}", f"∀x ({holds} → {of(x)})"),
            (f"nothing {phrase.one}", f"¬∃x {holds}"), (f"everything {phrase.one}", f"∀x {holds}"),
            (f"something {phrase.one}", f"∃x {holds}"), (f"not everything {phrase.one}", f"¬∀x {holds}"),
            (f"{a} {one} {phrase.one} only if it is {self.adjectives[0].base}",
             f"∀x ({of(x)} → ({holds} → {self.adjectives[0].of(x)}))"),
            (f"{a} {one} {phrase.one} if and only if it is {self.adjectives[0].base}",
             f"∀x ({of(x)} → ({holds} ↔ {self.adjectives[0].of(x)}))"),
            (f"{a} {one} {phrase.one} unless it is {self.adjectives[1].base}",
             f"∀x ({of(x)} → (¬{self.adjectives[1].of(x)} → {holds}))"),
            (f"everything is either {a} {one} or {self.adjectives[0].base}",
             f"∀x (({of(x)}) ∨ {self.adjectives[0].of(x)})"),
            (f"exactly one {one} {phrase.one}",
             f"∃x ({of(x)} ∧ {holds} ∧ ∀v ({of('v')} ∧ {phrase.meaning('v')} → v = x))"),
            (f"at most one {one} {phrase.one}",
             f"∀x ∀v ({of(x)} ∧ {holds} ∧ {of('v')} ∧ {phrase.meaning('v')} → x = v)"),
            (f"at least two {many or one} {phrase.many}",
             f"∃x ∃v ({of(x)} ∧ {holds} ∧ {of('v')} ∧ {phrase.meaning('v')} ∧ x ≠ v)")
            if many and phrase.many else (f"each {one} {phrase.one}", every),
        ]  # fmt: skip
        if many and phrase.many:
            found += [
                (f"all {many} {phrase.many}", every), (f"all {many} {phrase.many}", every),
                (f"{many} {phrase.many}", every),
                (f"no {many} {phrase.many}", f"¬{some}"), (f"some {many} {phrase.many}", some),
                (f"not all {many} {phrase.many}", f"¬{every}"),
                (f"only {many} {phrase.many}", f"∀x ({holds} → {of(x)})"),
            ]  # fmt: skip
        english, s = self.constant()
        word = self.random.choice(self.relations)
        object_of = f"{english} is {word.base}" if word.kind == "adjective" else f"{english} {word.third}"
        found += [
            (f"{object_of} every {one}", f"∀x ({of(x)} → {word.of(s, x)})"),
            (f"{object_of} no {one}", f"¬∃x ({of(x)} ∧ {word.of(s, x)})"),
            (f"{object_of} {a} {one}", f"∃x ({of(x)} ∧ {word.of(s, x)})"),
            (f"every {noun.base} other than {english} {phrase.one}", f"∀x ({noun.of(x)} ∧ x ≠ {s} → {holds})"),
            (f"{english} is the only {one}", f"{of(s)} ∧ ∀x ({of(x)} → x = {s})"),
            (f"every {one} is {english}", f"∀x ({of(x)} → x = {s})"),
        ]  # fmt: skip
        second, _, of_other, _ = self.kind("u")
        found += [
            (f"every {one} and every {second} {phrase.one}", f"∀x ({of(x)} → {holds}) ∧ ∀x ({of_other(x)} → {holds})"),
            (f"no {one} is {article(second)} {second}", f"¬∃x ({of(x)} ∧ {of_other(x)})"),
            ((f"whenever {a} {one} {self._related(word, f'{article(second)} {second}', word.of).one}, "
             f"the former {phrase.one}"),
             f"∀x ∀w ({of(x)} ∧ {of_other('w')} ∧ {word.of(x, 'w')} → {holds})"),
            (f"some {one} {self._related(word, f'every {second}', word.of).one}",
             f"∃x ({of(x)} ∧ ∀w ({of_other('w')} → {word.of(x, 'w')}))"),
            (f"every {one} {self._related(word, f'some {second}', word.of).one}",
             f"∀x ({of(x)} → ∃w ({of_other('w')} ∧ {word.of(x, 'w')}))"),
            (f"no {one} {self._related(word, f'every {second}', word.of).one}",
             f"¬∃x ({of(x)} ∧ ∀w ({of_other('w')} → {word.of(x, 'w')}))"),
        ]  # fmt: skip
        return self.random.choice(found)

    def clause(self) -> tuple[str, str]:
        """Return a clause about constants or with a quantifier."""
        return self.about_names() if self.random.random() < 0.45 else self.general()

    def sentence(self) -> tuple[str, str]:
        """Return a sentence, perhaps of two clauses."""
        if self.random.random() < 0.62:
            return self.clause()
        (p, f), (q, g) = (self.about_names() if self.random.random() < 0.75 else self.general() for _ in range(2))
        return self.random.choice([
            (f"if {p}, then {q}", f"({f}) → ({g})"), (f"if {p}, {q}", f"({f}) → ({g})"),
            (f"{p} if {q}", f"({g}) → ({f})"),
            (f"{p} only if {q}", f"({f}) → ({g})"), (f"{p} if and only if {q}", f"({f}) ↔ ({g})"),
            (f"{p}, and {q}", f"({f}) ∧ ({g})"),
            (f"{p}, but {q}", f"({f}) ∧ ({g})"), (f"either {p}, or {q}", f"({f}) ∨ ({g})"),
            (f"{p} or {q}", f"({f}) ∨ ({g})"),
            (f"unless {p}, {q}", f"¬({f}) → ({g})"), (f"{p} unless {q}", f"¬({g}) → ({f})"),
            (f"it is not the case that {p}", f"¬({f})"),
        ])  # fmt: skip
