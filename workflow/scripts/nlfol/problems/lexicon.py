"""The concepts of problems, and the words for them: ``resources/lexicon/problems.yaml``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from nlfol.validation import read_yaml

BASE = "base"
"""The form of a concept that it has without further notice."""

FRAME = "frame"
"""The kind of forms that hold the base form, as "the owl on the branch"."""

KINDS = ("synonym", "phrase", "part_of_speech", "voice", "reference", FRAME)
"""The kinds of further forms; a form is called after its kind and place, as ``synonym.1``."""

DEFAULT_PATH = Path("resources/lexicon/problems.yaml")


class LexiconError(ValueError):
    """A lexicon that cannot be used; names file, entry and remedy."""


class Category(StrEnum):
    """The grammatical category of a concept.

    ``adjective`` (behind "is"), ``verb`` (with an object), ``noun`` (a class of things); and individuals: ``name``,
    ``animal`` (behind "the"), and ``object``, one of a scene's things in a row.
    """

    ADJECTIVE = "adjective"
    VERB = "verb"
    NOUN = "noun"
    NAME = "name"
    ANIMAL = "animal"
    OBJECT = "object"

    @property
    def is_predicate(self) -> bool:
        """True if its concepts are predicates, whose symbols have capitals."""
        return self in (Category.ADJECTIVE, Category.VERB, Category.NOUN)


class Slot(StrEnum):
    """The position of a form in a sentence.

    ``word``: where the base form does. Of a quality, ``complement``: behind "is" alone, and ``verb_phrase``: in place
    of "is" and the quality. Of a verb, ``passive``: the participle between "is" and "by". Of an individual,
    ``reference``: in place of its name, or of "the" and its noun, where it is plain who is meant; ``this``: the same,
    with a noun, of another sentence; ``former`` and ``latter``: the same, of two individuals. Of a class, ``reference``
    is "they", of several quantifiers.
    """

    WORD = "word"
    COMPLEMENT = "complement"
    VERB_PHRASE = "verb_phrase"
    PASSIVE = "passive"
    REFERENCE = "reference"
    THIS = "this"
    FORMER = "former"
    LATTER = "latter"


class Form(NamedTuple):
    """One way to express a concept; the key is ``base``, or kind and number, as ``synonym.1``.

    The singular of a verb is the third person, its plural also the form behind "does not".
    """

    key: str
    singular: str
    plural: str
    slot: Slot = Slot.WORD

    @property
    def kind(self) -> str:
        """``base``, or one of ``KINDS``."""
        return self.key.partition(".")[0]


class Word(NamedTuple):
    """A concept's symbol, and the key of one of its forms."""

    concept: str
    form: str = BASE


@dataclass(frozen=True, slots=True)
class Concept:
    """A concept, by its symbol in programs: ``BaldEagle`` of a predicate, ``bald_eagle`` of an individual.

    Its group is the section of the file, such as ``adjectives``; its sense the meaning of all its forms, None if it has
    its base form alone; its decoy the symbol of another concept that sounds like it. ``not_beside`` has, by the key of
    a form, the concepts that the form describes, too: it is used in no problem with one of them.
    """

    symbol: str
    category: Category
    forms: Mapping[str, Form]
    group: str
    sense: str | None = None
    decoy: str | None = None
    not_beside: Mapping[str, frozenset[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Scene:
    """An arrangement of things, from the first to the last.

    The introduction has places for ``{number}`` and ``{items}``. Things are named as ``names``, ``singular`` ("the
    bus") or ``plural`` ("the plums"); ``places`` are the first position from the front, and others with ``{nth}``.

    The rest is other syntax: ``inverted`` are those of ``position`` and ``relation`` that can stand first ("to the left
    of the owl is ..."), ``middle`` the place in the middle; ``alone`` is said of first and last ("no other fruit is as
    cheap as"), ``converse``, with the verb, of things in the other order.
    """

    name: str
    introduction: str
    things: str
    verb: str
    before: str
    after: str
    places: tuple[str, str]
    places_back: tuple[str, str]
    items: tuple[str, ...]
    inverted: tuple[str, ...] = ()
    middle: str = ""
    alone: tuple[str, ...] = ()
    converse: tuple[str, ...] = ()


class Lexicon:
    """Concepts by symbol and by words, scenes by name, and the words that begin names, which keep their capital."""

    def __init__(self, concepts: Mapping[str, Concept], scenes: Mapping[str, Scene]) -> None:
        self.concepts = concepts
        self.scenes = scenes
        self.names = frozenset(
            words.split()[0]
            for concept in concepts.values()
            for form in concept.forms.values()
            for words in (form.singular, form.plural)
            if words[:1].isupper()
        )
        self._words: dict[tuple[Category, Slot, bool, str], dict[str, list[Word]]] = {}
        for concept in concepts.values():
            for form in concept.forms.values():
                for plural, words in ((False, form.singular), (True, form.plural)):
                    beginning = self._words.setdefault((concept.category, form.slot, plural, words.split()[0]), {})
                    beginning.setdefault(words, []).append(Word(concept.symbol, form.key))
        for key, beginning in self._words.items():
            self._words[key] = dict(sorted(beginning.items(), key=lambda entry: -len(entry[0])))

    def group(self, name: str) -> list[Word]:
        """Return the concepts of a section, in the order of the file."""
        return [Word(concept.symbol) for concept in self.concepts.values() if concept.group == name]

    def said(self, word: Word, *, plural: bool = False) -> str:
        """Return the words of a concept's form."""
        form = self.form(word)
        return form.plural if plural else form.singular

    def form(self, word: Word) -> Form:
        """Return the form of a word."""
        return self.concepts[word.concept].forms[word.form]

    def beginning(
        self, category: Category, first: str, *, plural: bool = False, slot: Slot = Slot.WORD
    ) -> Mapping[str, Sequence[Word]]:
        """Return the expressions that begin with a word, longest first, and the concepts that each expresses."""
        return self._words.get((category, slot, plural, first), {})

    def of(self, symbols: Iterable[str]) -> Lexicon:
        """Return the lexicon restricted to some concepts: in a problem, only its own concepts have words."""
        return Lexicon({symbol: self.concepts[symbol] for symbol in symbols}, self.scenes)


def read_words(path: Path) -> Any:
    """Read a file of words; raises ``LexiconError`` if it is no YAML."""
    try:
        return read_yaml(path)
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise LexiconError(f"{path}: cannot be read: {error}") from error


@lru_cache(maxsize=4)
def read_lexicon(path: Path = DEFAULT_PATH) -> Lexicon:
    """Read a lexicon; raises ``LexiconError``, which names the entry and the remedy, if it cannot be read or used."""
    data = read_words(path)
    if not isinstance(data, dict) or set(data) - {*_GROUPS, "scenes"}:
        raise LexiconError(f"{path}: expected only the sections {', '.join((*_GROUPS, 'scenes'))}")
    concepts: dict[str, Concept] = {}
    for group, category in _GROUPS.items():
        words = data.get(group) or {}
        if not isinstance(words, dict):
            raise LexiconError(f"{path}: {group}: expected a mapping of words, such as 'quiet: {{}}'")
        for word, entry in words.items():
            concept = _concept(f"{path}: {group}: {word}", str(word), entry or {}, category, group)
            if concept.symbol in concepts:
                raise LexiconError(f"{path}: {group}: {word}: another concept has the symbol {concept.symbol}")
            concepts[concept.symbol] = concept
    scenes = {
        name: _scene(f"{path}: scenes: {name}", name, entry, concepts)
        for name, entry in (data.get("scenes") or {}).items()
    }
    return Lexicon(concepts, scenes)


_GROUPS = {
    "adjectives": Category.ADJECTIVE,
    "verbs": Category.VERB,
    "classes": Category.NOUN,
    "nonce": Category.NOUN,
    "names": Category.NAME,
    "animals": Category.ANIMAL,
    "objects": Category.OBJECT,
}


def symbol(word: str, category: Category) -> str:
    """Return the symbol of a concept: capitalized for predicates, lower case for individuals."""
    parts = word.replace("-", " ").split()
    return "".join(map(str.capitalize, parts)) if category.is_predicate else "_".join(parts).lower()


def inflected(words: str, category: Category) -> str:
    """Return the regular plural of a noun, before "of" and the like, or the third person of a plain verb."""
    if category in (Category.ADJECTIVE, Category.NAME):
        return words
    if category is Category.VERB:
        verb, blank, rest = words.partition(" ")
        return _THIRD_PERSON.get(verb, _with_s(verb)) + blank + rest
    noun = _ADDITION.split(words, maxsplit=1)[0]
    return _with_s(noun) + words[len(noun) :]


_THIRD_PERSON = {"have": "has", "do": "does", "go": "goes"}
_ADDITION = re.compile(r" (?=(?:at|for|from|in|known|of|on|with) )")
"""Space between a noun and its complement."""


def _with_s(words: str) -> str:
    if words.endswith(("s", "x", "z", "ch", "sh")):
        return words + "es"
    if words.endswith("y") and words[-2] not in "aeiou":
        return words[:-1] + "ies"
    return words + "s"


def _concept(location: str, word: str, entry: Any, category: Category, group: str) -> Concept:
    if not isinstance(entry, dict) or set(entry) - {"other", *KINDS}:
        raise LexiconError(f"{location}: expected a mapping with 'other' or {', '.join(KINDS)}")
    forms = {BASE: _form(BASE, word, entry.get("other"), category)}
    for kind in KINDS:
        for number, words in enumerate(several(entry.get(kind, ())), 1):
            form = further_form(f"{kind}.{number}", words, category)
            forms[form.key] = form
    return Concept(symbol(word, category), category, forms, group)


def several(given: Any) -> list[Any]:
    """Return the forms of a kind, of which one may stand alone."""
    return list(given) if isinstance(given, list | tuple) else [given]


_SLOTS = {
    (Category.ADJECTIVE, "phrase"): Slot.COMPLEMENT,
    (Category.ADJECTIVE, "part_of_speech"): Slot.VERB_PHRASE,
    (Category.NOUN, "part_of_speech"): Slot.VERB_PHRASE,
    (Category.VERB, "voice"): Slot.PASSIVE,
}
"""Slots of forms of a kind, if they differ from the base form's; references in slots of their own."""

_OF_TWO = {"the former": Slot.FORMER, "the latter": Slot.LATTER}


def further_form(key: str, words: Any, category: Category, like: str = "") -> Form:
    """Return a form beside the base form, from its words or from a mapping of them to their other number.

    A frame stands where forms of the kind ``like`` do.
    """
    kind = like or key.partition(".")[0]
    singular, other = next(iter(words.items())) if isinstance(words, dict) else (str(words), None)
    slot = _SLOTS.get((category, kind), Slot.WORD)
    if kind == "reference":
        slot = _OF_TWO.get(singular, Slot.THIS if singular.startswith("this ") else Slot.REFERENCE)
    match slot:
        case Slot.VERB_PHRASE:
            return _form(key, singular, other, Category.VERB)._replace(slot=slot)
        case Slot.PASSIVE | Slot.REFERENCE | Slot.THIS | Slot.FORMER | Slot.LATTER:
            return Form(key, singular, other or singular, slot)
        case _:
            return _form(key, singular, other, category)._replace(slot=slot)


def _form(key: str, words: str, other: str | None, category: Category) -> Form:
    other = other or inflected(words, category)
    return Form(key, other, words) if category is Category.VERB else Form(key, words, other)


def _scene(location: str, name: str, entry: Any, concepts: Mapping[str, Concept]) -> Scene:
    try:
        items = tuple(symbol(item, Category.OBJECT) for item in entry["items"])
        places, back = tuple(entry["places"]), tuple(entry["places_back"])
        texts = (entry["introduction"], entry["things"], entry["verb"], entry["before"], entry["after"])
        inverted, alone, converse = (tuple(entry.get(key, ())) for key in ("inverted", "alone", "converse"))
        places, back = (places[0], places[1]), (back[0], back[1])
        scene = Scene(name, *texts, places, back, items, inverted, entry.get("middle", ""), alone, converse)
        if set(inverted) - {"position", "relation"} or not {len(alone), len(converse)} <= {0, 2}:
            raise LexiconError(
                f"{location}: inverted has 'position' or 'relation', alone and converse two texts, or none"
            )
    except (KeyError, TypeError, IndexError) as error:
        raise LexiconError(f"{location}: not a scene: {error!r}; compare the others") from error
    if scene.things not in ("names", "singular", "plural"):
        raise LexiconError(f"{location}: things: {scene.things!r}; use names, singular or plural")
    for item in items:
        if item not in concepts:
            raise LexiconError(f"{location}: items: {item} is in no section; add it to 'objects' or 'names'")
    return scene
