"""What fills the slots of a grammar: for each item some symbols, with what they say in English."""

from __future__ import annotations

import csv
import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from nlfol.grammars.errors import GrammarError
from nlfol.grammars.files import RESOURCES
from nlfol.grammars.verbnet import read_verbnet
from nlfol.languages.language import LanguageName
from nlfol.ontology.errors import OntologyError
from nlfol.ontology.files import read_ontologies
from nlfol.ontology.ontology import ConstantSymbol, Ontology, Predicate

PREDICATES, CONSTANTS, LETTERS, DIGITS = 8, 12, 12, 2
"""How many symbols an item has to choose from (∀uto∃∨∧L, table 1)."""

SHIPPED = ("names", "english", "meanings", "verbnet")
"""Vocabularies that a name asks for; any other name is the path of an ontology."""


@dataclass(frozen=True, slots=True)
class Words:
    """The symbols that one item may use.

    Attributes:
        predicates: of one or more arguments.
        constants: what arguments can be.
        letters: propositional letters.
        digits: letters of words, for regular expressions.
        is_common: whether all items choose from the same names.
    """

    predicates: Sequence[Predicate] = ()
    constants: Sequence[ConstantSymbol] = ()
    letters: Sequence[Predicate] = ()
    digits: str = ""
    is_common: bool = False


class Vocabulary(ABC):
    """Where an item's symbols come from.

    Attributes:
        name: as a configuration has it.
        digest: SHA-256 of all that decides what is drawn.
    """

    name: str
    digest: str

    @abstractmethod
    def draw(self, language: LanguageName, randomness: Random) -> Words:
        """The symbols of one item."""

    @abstractmethod
    def languages(self) -> Sequence[LanguageName]:
        """Whose slots it can fill."""


class Names(Vocabulary):
    """Symbols without meaning: ``p1`` to ``p12``, and ``pred1`` to ``pred8`` of arities that each item draws.

    Args:
        letters: number of propositional letters, or of digits in regular expressions.
    """

    name = "names"

    def __init__(self, letters: int | None = None) -> None:
        self.digest = _digest(self.name, letters)
        numbers = range(1, (letters or LETTERS) + 1)
        self._letters = [
            Predicate(f"p{n}", 0, f"proposition {n} holds", f"proposition {n} does not hold") for n in numbers
        ]
        self._digits = "0123456789abcdefghijklmnopqrstuvwxyz"[: letters or DIGITS]
        self._constants = [ConstantSymbol(f"p{n}", f"object {n}") for n in range(1, CONSTANTS + 1)]
        self._predicates = [
            (
                Predicate(f"pred{n}", 1, f"{{}} has property {n}", f"{{}} does not have property {n}"),
                Predicate(
                    f"pred{n}",
                    2,
                    f"{{}} stands in relation {n} to {{}}",
                    f"{{}} does not stand in relation {n} to {{}}",
                ),
            )
            for n in range(1, PREDICATES + 1)
        ]

    def languages(self) -> Sequence[LanguageName]:
        """See ``Vocabulary.languages``."""
        return ("propositional", "first_order", "regular")

    def draw(self, language: LanguageName, randomness: Random) -> Words:
        """See ``Vocabulary.draw``."""
        if language == "first_order":
            arities = randomness.getrandbits(PREDICATES)
            predicates = [forms[arities >> place & 1] for place, forms in enumerate(self._predicates)]
            return Words(predicates, self._constants, is_common=True)
        return Words(letters=self._letters, digits=self._digits)


class Verbs(Vocabulary):
    """Verbs of one or two arguments, and given names: each item draws 8 and 12, a verb's arity first.

    Args:
        name: of the vocabulary.
        verbs: base form, third person and arity of each.
        names: given names.
    """

    def __init__(self, name: str, verbs: Iterable[tuple[str, str, int]], names: Iterable[str]) -> None:
        self.name = name
        listed, names = sorted(verbs), sorted(names)
        self.digest = _digest(name, listed, names)
        self._verbs = [
            [
                Predicate(base, arity, f"{{}} {third}{objects}", f"{{}} does not {base}{objects}")
                for base, third, of in listed
                if of == arity
            ]
            for arity, objects in ((1, ""), (2, " {}"))
        ]
        self._names = [ConstantSymbol(name.lower(), name) for name in names]
        for what, found, least in (
            ("verbs without object", self._verbs[0], PREDICATES),
            ("verbs with object", self._verbs[1], PREDICATES),
            ("given names", self._names, CONSTANTS),
        ):
            if len(found) < least:
                raise GrammarError(f"vocabulary {name!r}: {len(found)} {what}; an item needs {least}")

    def languages(self) -> Sequence[LanguageName]:
        """See ``Vocabulary.languages``."""
        return ("first_order",)

    def draw(self, language: LanguageName, randomness: Random) -> Words:
        """See ``Vocabulary.draw``."""
        unary = randomness.getrandbits(PREDICATES).bit_count()
        chosen = randomness.sample(self._verbs[0], unary)
        taken = {verb.name for verb in chosen}
        while len(chosen) < PREDICATES:
            verb = randomness.choice(self._verbs[1])
            if verb.name not in taken:  # a verb may be listed with both arities
                taken.add(verb.name)
                chosen.append(verb)
        return Words(chosen, randomness.sample(self._names, CONSTANTS))


class Meanings(Vocabulary):
    """Propositions with a sentence each, such as ``rain``, "it is raining"; each item draws some.

    Args:
        letters: how many.
    """

    name = "meanings"

    def __init__(self, letters: int | None = None) -> None:
        rows = _rows(RESOURCES / "lexicon" / "meanings.csv", ("letter", "positive", "negative"))
        self.digest = _digest(self.name, rows, letters)
        self._letters = [Predicate(letter, 0, positive, negative) for letter, positive, negative in rows]
        self._number = letters or LETTERS
        if self._number > len(rows):
            raise GrammarError(f"letters: {self._number}; vocabulary 'meanings' has {len(rows)}")

    def languages(self) -> Sequence[LanguageName]:
        """See ``Vocabulary.languages``."""
        return ("propositional",)

    def draw(self, language: LanguageName, randomness: Random) -> Words:
        """See ``Vocabulary.draw``."""
        return Words(letters=randomness.sample(self._letters, self._number))


class Fixed(Vocabulary):
    """The symbols of an ontology, the same for all items.

    Args:
        name: its path.
        ontology: whose functions are not used.
        digest: of its file.
    """

    def __init__(self, name: str, ontology: Ontology, digest: str) -> None:
        self.name, self.digest = name, digest
        self._words = Words(
            [symbol for symbol in ontology.predicates if symbol.arity],
            ontology.constants,
            [symbol for symbol in ontology.predicates if not symbol.arity],
            is_common=True,
        )

    def languages(self) -> Sequence[LanguageName]:
        """See ``Vocabulary.languages``."""
        found: list[LanguageName] = []
        if self._words.predicates:
            found.append("first_order")
        if self._words.letters:
            found.append("propositional")
        return found

    def draw(self, language: LanguageName, randomness: Random) -> Words:
        """See ``Vocabulary.draw``."""
        return self._words


def read_vocabulary(name: str, *, letters: int | None = None, verbnet: Path | None = None) -> Vocabulary:
    """The vocabulary of a name, or of an ontology file.

    Args:
        name: one of ``SHIPPED``, or a path.
        letters: number of propositional letters, or of digits.
        verbnet: for ``verbnet``, the folder of VerbNet's .xml files.

    Raises:
        GrammarError: naming file, row or key, and remedy.
    """
    if letters is not None and name not in ("names", "meanings"):
        raise GrammarError(f"vocabulary {name!r} has its own symbols; leave the key 'letters' out")
    if name == "names":
        return Names(letters)
    if name == "meanings":
        return Meanings(letters)
    if name == "english":
        rows = _rows(RESOURCES / "lexicon" / "verbs.csv", ("base", "third_person", "arguments"))
        return Verbs(name, [(base, third, int(arity)) for base, third, arity in rows], _given_names())
    if name == "verbnet":
        if verbnet is None:
            raise GrammarError("vocabulary 'verbnet': set the key 'verbnet' to the folder of VerbNet's .xml files")
        return Verbs(name, [(v, third_person(v), arity) for v, arity in read_verbnet(verbnet)], _given_names())
    try:
        ontologies = read_ontologies(Path(name))
    except OntologyError as error:
        raise GrammarError(f"vocabulary {error}; or name one of {', '.join(SHIPPED)}") from error
    if ontologies.shared is None:
        raise GrammarError(f"vocabulary {name}: it has an ontology for each story; give one for all, without 'stories'")
    return Fixed(name, ontologies.shared, ontologies.digest)


def third_person(verb: str) -> str:
    """The third person singular of a verb's base form."""
    if verb in ("be", "have"):
        return {"be": "is", "have": "has"}[verb]
    if verb.endswith("y") and verb[-2:-1] not in tuple("aeiou"):
        return f"{verb[:-1]}ies"
    return f"{verb}es" if verb.endswith(("s", "x", "z", "ch", "sh", "o")) else f"{verb}s"


def _relation(number: int) -> Predicate:
    does, does_not = (f"{{}} {words} in relation {number} to {{}}" for words in ("stands", "does not stand"))
    return Predicate(f"pred{number}", 2, does, does_not)


def _given_names() -> list[str]:
    return [name for (name,) in _rows(RESOURCES / "lexicon" / "given_names.csv", ("name",))]


def _rows(path: Path, columns: tuple[str, ...]) -> list[tuple[str, ...]]:
    with path.open(encoding="utf-8", newline="") as file:
        return [tuple(row[column] for column in columns) for row in csv.DictReader(file)]


def _digest(*content: Any) -> str:
    return hashlib.sha256(json.dumps(content, ensure_ascii=False).encode()).hexdigest()
