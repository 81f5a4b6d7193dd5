"""Vocabularies, which fill the slots of a grammar: symbols with their glosses, drawn for each item.

Verbs can come from a user's folder of VerbNet 3 files (https://verbs.colorado.edu/verbnet), of which none is shipped.
"""

import csv
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NoReturn
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from typing_extensions import override

from nlfol.data.grammars.files import RESOURCES, content_digest
from nlfol.data.grammars.grammar import GrammarError
from nlfol.logic.languages.language import LanguageName
from nlfol.logic.ontology.files import read_ontologies
from nlfol.logic.ontology.ontology import ConstantSymbol, Ontology, OntologyError, Predicate

LETTERS, DIGITS = 12, 2
"""Numbers of symbols that an item chooses from (∀uto∃∨∧L, table 1)."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """Numbers of symbols that an item chooses from, and the least and greatest arity; as published by default."""

    predicates: int = 8
    constants: int = 12
    arities: tuple[int, int] = (1, 2)

    @property
    def content(self) -> list[Any]:
        """Return what a digest is to hold of them: nothing where they are as published."""
        return [] if self == AS_PUBLISHED else [astuple(self)]

    def drawn_arities(self, randomness: Random) -> list[int]:
        """Draw the arity of each predicate."""
        least, most = self.arities
        return [randomness.randint(least, most) for _ in range(self.predicates)]


AS_PUBLISHED = Sizes()

SHIPPED = ("names", "english", "meanings", "verbnet")
"""Names of the shipped vocabularies; any other name is the path of an ontology."""

_PERSONS = frozenset({"+animate", "+human"})
_PLACES = {"NP V": ["NP", "VERB"], "NP V NP": ["NP", "VERB", "NP"]}
"""Frames, each with the parts that it may have: some have prepositions, too."""

_UNSAID = frozenset({"berry-13.7"})
"""Classes whose members are not said alone: people "go crabbing", but nobody "crabs"."""

_VERB = re.compile(r"[a-z]{2,20}")


@dataclass(frozen=True, slots=True)
class Words:
    """The symbols that one item may use, the word for a thing, and whether all have the same names (``is_common``)."""

    predicates: Sequence[Predicate] = ()
    constants: Sequence[ConstantSymbol] = ()
    letters: Sequence[Predicate] = ()
    digits: str = ""
    noun: str = "thing"
    is_common: bool = False


class Vocabulary(ABC):
    """A source of items' symbols."""

    name: str
    digest: str
    languages: Sequence[LanguageName]
    """The languages whose slots it can fill."""

    @abstractmethod
    def draw(self, language: LanguageName, randomness: Random) -> Words:
        """Draw the symbols of one item."""


class Names(Vocabulary):
    """Symbols without meaning: ``p1`` to ``p12``, and ``pred1`` to ``pred8`` of arities that each item draws."""

    name = "names"
    languages = ("propositional", "first_order", "regular")

    def __init__(self, letters: int | None = None, sizes: Sizes = AS_PUBLISHED) -> None:
        self.digest = content_digest(self.name, letters, *sizes.content)
        self._sizes = sizes
        numbers = range(1, (letters or LETTERS) + 1)
        self._letters = [
            Predicate(f"p{n}", 0, f"proposition {n} holds", f"proposition {n} does not hold") for n in numbers
        ]
        self._digits = "0123456789abcdefghijklmnopqrstuvwxyz"[: letters or DIGITS]
        self._constants = [ConstantSymbol(f"p{n}", f"object {n}") for n in range(1, sizes.constants + 1)]

    @override
    def draw(self, language: LanguageName, randomness: Random) -> Words:
        if language == "first_order":
            arities = self._sizes.drawn_arities(randomness)
            return Words([*map(_numbered, range(1, len(arities) + 1), arities)], self._constants, is_common=True)
        return Words(letters=self._letters, digits=self._digits)


@cache
def _numbered(number: int, arity: int) -> Predicate:
    if arity == 1:
        return Predicate(f"pred{number}", 1, f"{{}} has property {number}", f"{{}} does not have property {number}")
    others = " ".join(("to {}", "with {}", "by {}")[: arity - 1])
    affirmed, denied = (f"{{}} {verb} in relation {number} {others}" for verb in ("stands", "does not stand"))
    return Predicate(f"pred{number}", arity, affirmed, denied)


class Verbs(Vocabulary):
    """Verbs (base form, third person, one arity) and given names, of which an item draws some, a verb's arity first."""

    languages = ("first_order",)

    def __init__(self, name: str, verbs: Iterable[tuple[str, str, int]], names: Iterable[str], sizes: Sizes) -> None:
        self.name, self._sizes = name, sizes
        listed, names = sorted(verbs), sorted(names)
        self.digest = content_digest(name, listed, names, *sizes.content)
        if sizes.arities[1] > 2:
            raise GrammarError(
                f"arities: the verbs of vocabulary {name!r} have 1 or 2 arguments; take 'names' for more"
            )
        self._verbs = [
            [
                Predicate(base, arity, f"{{}} {third}{objects}", f"{{}} does not {base}{objects}")
                for base, third, of in listed
                if of == arity
            ]
            for arity, objects in ((1, ""), (2, " {}"))
        ]
        self._names = [ConstantSymbol(name.lower(), name) for name in names]
        for noun, known, least in (
            ("verbs without object", self._verbs[0], sizes.predicates * (sizes.arities[0] == 1)),
            ("verbs with object", self._verbs[1], sizes.predicates * (sizes.arities[1] == 2)),
            ("given names", self._names, sizes.constants),
        ):
            if len(known) < least:
                raise GrammarError(f"vocabulary {name!r}: {len(known)} {noun}; an item needs {least}")

    @override
    def draw(self, language: LanguageName, randomness: Random) -> Words:
        arities = self._sizes.drawn_arities(randomness)
        chosen = [verb for index in (0, 1) for verb in randomness.sample(self._verbs[index], arities.count(index + 1))]
        return Words(chosen, randomness.sample(self._names, self._sizes.constants), noun="person")


class Meanings(Vocabulary):
    """Propositions with a sentence each, such as ``rain``, "it is raining"; each item draws some."""

    name = "meanings"
    languages = ("propositional",)

    def __init__(self, letters: int | None = None) -> None:
        rows = _rows(RESOURCES / "lexicon" / "meanings.csv", ("letter", "positive", "negative"))
        self.digest = content_digest(self.name, rows, letters)
        self._letters = [Predicate(letter, 0, positive, negative) for letter, positive, negative in rows]
        self._number = letters or LETTERS
        if self._number > len(rows):
            raise GrammarError(f"letters: {self._number}; vocabulary 'meanings' has {len(rows)}")

    @override
    def draw(self, language: LanguageName, randomness: Random) -> Words:
        return Words(letters=randomness.sample(self._letters, self._number))


class Fixed(Vocabulary):
    """The symbols of an ontology except its functions, the same for all items."""

    def __init__(self, name: str, ontology: Ontology, digest: str) -> None:
        self.name, self.digest = name, digest
        self._words = Words(
            [symbol for symbol in ontology.predicates if symbol.arity],
            ontology.constants,
            [symbol for symbol in ontology.predicates if not symbol.arity],
            noun=ontology.noun,
            is_common=True,
        )
        logical: list[tuple[LanguageName, Sequence[Predicate]]] = [
            ("first_order", self._words.predicates),
            ("propositional", self._words.letters),
        ]
        self.languages = [language for language, symbols in logical if symbols]

    @override
    def draw(self, language: LanguageName, randomness: Random) -> Words:
        return self._words


def read_vocabulary(
    name: str, *, letters: int | None = None, verbnet: Path | None = None, sizes: Sizes = AS_PUBLISHED
) -> Vocabulary:
    """Return one of the ``SHIPPED`` vocabularies, or that of an ontology by its path; raises `GrammarError`.

    ``letters`` is the number of propositional letters, or of digits; ``verbnet`` the folder of VerbNet's .xml files.
    """
    if sizes != AS_PUBLISHED and name not in ("names", "english", "verbnet"):
        raise GrammarError(f"vocabulary {name!r} has its own symbols; leave predicates, constants and arities out")
    if letters is not None and name not in ("names", "meanings"):
        raise GrammarError(f"vocabulary {name!r} has its own symbols; leave the key 'letters' out")
    if name == "names":
        return Names(letters, sizes)
    if name == "meanings":
        return Meanings(letters)
    if name == "english":
        rows = _rows(RESOURCES / "lexicon" / "verbs.csv", ("base", "third_person", "arguments"))
        return Verbs(name, [(base, third, int(arity)) for base, third, arity in rows], _given_names(), sizes)
    if name == "verbnet":
        if verbnet is None:
            raise GrammarError("vocabulary 'verbnet': set the key 'verbnet' to the folder of VerbNet's .xml files")
        return Verbs(name, [(v, third_person(v), arity) for v, arity in read_verbnet(verbnet)], _given_names(), sizes)
    try:
        ontologies = read_ontologies(Path(name))
    except OntologyError as error:
        raise GrammarError(f"vocabulary {error}; or name one of {', '.join(SHIPPED)}") from error
    if ontologies.shared is None:
        raise GrammarError(f"vocabulary {name}: it has an ontology for each story; give one for all, without 'stories'")
    return Fixed(name, ontologies.shared, ontologies.digest)


def read_verbnet(folder: Path) -> list[tuple[str, int]]:
    """Read the verbs that say something of a person, or of two, from a folder of VerbNet 3 files, with arities, sorted.

    A member of a class is a predicate of one argument where the class has the frame ``NP V`` with a role for persons,
    and of two where it has ``NP V NP`` with another role for persons as object; verbs that have both are of two, as
    many of them say alone what happens to their object ("madden"). The first frame of a class of one argument must be
    ``NP V``: where that comes later, an object is left out that is seldom left out of a sentence alone ("enact"). A
    subclass has its own frames and roles and those of the classes around it. Names of several words are left out, and
    the verbs of ``resources/lexicon/unsaid.csv``: members that nobody uses as their class does, or of one person.
    Raises `GrammarError` if the folder has no such verb, or a file is damaged or declares entities.
    """
    unsaid = {(base, int(arity)) for base, arity in _rows(RESOURCES / "lexicon" / "unsaid.csv", ("base", "arguments"))}
    listed = dict(sorted(verb for path in folder.glob("*.xml") for verb in _verbs_in(_read_class(path), {}, [])))
    verbs = [verb for verb in listed.items() if verb not in unsaid]
    if not verbs:
        raise GrammarError(f"{folder}: no VerbNet class with the frame 'NP V' or 'NP V NP' of persons is in it; the "
                           "key 'verbnet' names the folder of its .xml files")  # fmt: skip
    return verbs


def _verbs_in(node: Element, roles: Mapping[str, set[str]], frames: Sequence[Element]) -> Iterator[tuple[str, int]]:
    if node.get("ID") in _UNSAID:
        return
    # What a role is for, other than organizations, which do what persons do.
    own = {
        role.get("type", ""): {f"{limit.get('Value')}{limit.get('type')}" for limit in role.iter("SELRESTR")}
        - {"+organization"}
        for role in node.iterfind("THEMROLES/THEMROLE")
    }
    roles, frames = {**roles, **own}, [*frames, *node.iterfind("FRAMES/FRAME")]
    arities = {arity for frame in frames if (arity := _arity(frame, roles))}
    if frames and _primary(frames[0]) != "NP V":
        arities.discard(1)
    for member in node.iterfind("MEMBERS/MEMBER"):
        if _VERB.fullmatch(name := member.get("name", "")):
            yield from ((name, arity) for arity in arities)
    for subclass in node.iterfind("SUBCLASSES/VNSUBCLASS"):
        yield from _verbs_in(subclass, roles, frames)


def _arity(frame: Element, roles: Mapping[str, set[str]]) -> int:
    """Return how many persons a frame is about; 0 if it needs or allows anything else."""
    parts = frame.findall("SYNTAX/*")
    if [part.tag for part in parts] != _PLACES.get(_primary(frame)) or frame.find("SYNTAX//SYNRESTR") is not None:
        return 0
    names = [part.get("value", "") for part in parts if part.tag == "NP"]
    kinds = [roles.get(name, set()) for name in names]
    is_of_persons = kinds[-1] and kinds[-1] <= _PERSONS and kinds[0] <= {*_PERSONS, "+int_control"}
    return len(names) if is_of_persons and len(set(names)) == len(names) else 0


def _primary(frame: Element) -> str:
    return next((description.get("primary", "") for description in frame.iterfind("DESCRIPTION")), "")


def _read_class(path: Path) -> Element:
    builder, parser = TreeBuilder(), expat.ParserCreate()

    def refuse(*_: object) -> NoReturn:
        raise GrammarError(f"{path}: it declares entities, which VerbNet does not; take the file from its publisher")

    parser.StartElementHandler, parser.EndElementHandler, parser.EntityDeclHandler = builder.start, builder.end, refuse
    try:
        parser.Parse(path.read_bytes(), True)
    except expat.ExpatError as error:
        raise GrammarError(f"{path}: not XML ({error}); take the file from its publisher") from error
    except OSError as error:
        raise GrammarError(f"{path}: cannot be read ({error.strerror})") from error
    return builder.close()


def third_person(verb: str) -> str:
    """Return the third person singular of a base form."""
    if verb in ("be", "have"):
        return {"be": "is", "have": "has"}[verb]
    if verb.endswith("y") and verb[-2:-1] not in tuple("aeiou"):
        return f"{verb[:-1]}ies"
    is_longer = verb.endswith(("s", "x", "z", "ch", "sh", "o")) and not verb.endswith("oo")
    return f"{verb}es" if is_longer else f"{verb}s"


def _given_names() -> list[str]:
    return [name for (name,) in _rows(RESOURCES / "lexicon" / "given_names.csv", ("name",))]


def _rows(path: Path, columns: tuple[str, ...]) -> list[tuple[str, ...]]:
    with path.open(encoding="utf-8", newline="") as file:
        return [tuple(row[column] for column in columns) for row in csv.DictReader(file)]
