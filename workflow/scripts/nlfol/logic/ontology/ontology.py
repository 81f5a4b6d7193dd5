"""An ontology: the symbols that a story's formulas may use, with their meaning in English.

A gloss is an English phrase in which ``{}`` stands for an argument: the first slot for the first argument, and so on.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import pairwise
from typing import Self

from nlfol.logic.measuring import Signature
from nlfol.logic.structures import Structure
from nlfol.logic.syntax import FREE_VARIABLE, NAME, Constant, Formula, Function, Term, Variable, fold
from nlfol.mappings import AnyRow, JsonDict

SLOT = "{}"
"""Stands for an argument in a gloss."""

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

_NOUN = re.compile(r"[^\W\d_]+(?:[ -][^\W\d_]+)*")


class OntologyError(ValueError):
    """An ontology, or a file of one, that cannot be used; names the file, the symbol and the remedy."""


def _check_name(kind: str, name: str) -> None:
    if not NAME.fullmatch(name):
        raise OntologyError(
            f"{kind} {name!r}: a name is an ASCII letter followed by ASCII letters, digits and '_'; rename it"
        )


def _check_gloss(subject: str, name: str, kind: str, gloss: str, arity: int) -> None:
    if not gloss.strip():
        raise OntologyError(f"{subject} {name!r}: its {kind} is empty; say what it means")
    if gloss.count(SLOT) != arity:
        raise OntologyError(
            f"{subject} {name!r}: its {kind} {gloss!r} has {gloss.count(SLOT)} slots '{SLOT}', but the arity is {arity}"
        )


def _check_distinct(kind: str, names: list[str]) -> None:
    for name, following in pairwise(sorted(names)):
        if name == following:
            raise OntologyError(f"{kind} symbol {name!r} occurs twice; keep one, or rename one")


def _check_arity(kind: str, name: str, arity: int, least: int) -> None:
    if arity < least:
        raise OntologyError(f"{kind} {name!r}: arity {arity}; the arity is the number of arguments, {least} or more")


@dataclass(frozen=True, slots=True, order=True)
class Predicate:
    """A predicate with glosses of itself and of its negation, each with ``arity`` slots.

    A propositional letter, such as ``it is raining``, has none. Raises ``OntologyError`` if the name is invalid, or a
    gloss is empty or has another number of slots.
    """

    name: str
    arity: int
    positive: str
    negative: str

    def __post_init__(self) -> None:
        _check_name("predicate", self.name)
        _check_arity("predicate", self.name, self.arity, 0)
        _check_gloss("predicate", self.name, "positive gloss", self.positive, self.arity)
        _check_gloss("predicate", self.name, "negative gloss", self.negative, self.arity)


@dataclass(frozen=True, slots=True, order=True)
class FunctionSymbol:
    """A function that means a noun phrase with ``arity`` slots, as ``the mother of {}``; else ``OntologyError``."""

    name: str
    arity: int
    meaning: str

    def __post_init__(self) -> None:
        _check_name("function", self.name)
        _check_arity("function", self.name, self.arity, 1)
        _check_gloss("function", self.name, "meaning", self.meaning, self.arity)


@dataclass(frozen=True, slots=True, order=True)
class ConstantSymbol:
    """A constant that means a noun phrase, braces being plain; ``OntologyError`` for an invalid name or meaning."""

    name: str
    meaning: str

    def __post_init__(self) -> None:
        _check_name("constant", self.name)
        if FREE_VARIABLE.fullmatch(self.name):
            raise OntologyError(f"constant {self.name!r}: u to z, with or without digits, are variables; rename it")
        if not self.meaning.strip():
            raise OntologyError(f"constant {self.name!r}: its meaning is empty; say what it denotes")


@dataclass(frozen=True)
class Ontology:
    """Predicates, functions and constants, each sorted by name whatever order they were given in.

    Raises ``OntologyError`` if two predicates, functions or constants share a name, or a function and a constant do; or
    if the noun is not one or more words.
    """

    predicates: tuple[Predicate, ...] = ()
    functions: tuple[FunctionSymbol, ...] = ()
    constants: tuple[ConstantSymbol, ...] = ()
    derived: bool = False  # made from the symbols of formulas because their dataset has none
    alphabet: str = ""  # of regular expressions: letters, and those of ``|``, ``+`` and ``?`` that may be used
    noun: str = "thing"  # word for a thing

    def __post_init__(self) -> None:
        if not _NOUN.fullmatch(self.noun):
            raise OntologyError(f"noun {self.noun!r}: what things are called is a word, such as 'block'; correct it")
        object.__setattr__(self, "predicates", tuple(sorted(self.predicates)))
        object.__setattr__(self, "functions", tuple(sorted(self.functions)))
        object.__setattr__(self, "constants", tuple(sorted(self.constants)))
        _check_distinct("predicate", [symbol.name for symbol in self.predicates])
        _check_distinct("term", [*(f.name for f in self.functions), *(c.name for c in self.constants)])

    def __hash__(self) -> int:
        return self._hash

    def signature(self) -> Signature:
        """Return the symbols without their glosses."""
        return self._signature

    def check(self, formula: Formula) -> None:
        """Raise ``SignatureError`` naming the first symbol of a formula that is missing or of another arity."""
        self._signature.check(formula)

    def to_row(self) -> JsonDict:
        """Return mappings and lists in the shape of the ``ontology`` column of ``nlfol.store.schemas``."""
        return {
            "predicates": [
                {"name": p.name, "arity": p.arity, "positive": p.positive, "negative": p.negative}
                for p in self.predicates
            ],
            "functions": [{"name": f.name, "arity": f.arity, "meaning": f.meaning} for f in self.functions],
            "constants": [{"name": c.name, "meaning": c.meaning} for c in self.constants],
            "derived": self.derived,
            "alphabet": self.alphabet,
            "noun": self.noun,
        }

    @classmethod
    def from_row(cls, row: AnyRow) -> Self:
        """Return the ontology of a row of ``to_row``; raises ``OntologyError`` if it breaks a rule of ontologies."""
        return cls(
            tuple(Predicate(p["name"], p["arity"], p["positive"], p["negative"]) for p in row["predicates"]),
            tuple(FunctionSymbol(f["name"], f["arity"], f["meaning"]) for f in row["functions"]),
            tuple(ConstantSymbol(c["name"], c["meaning"]) for c in row["constants"]),
            bool(row["derived"]),
            row["alphabet"],
            row["noun"],
        )

    @cached_property
    def predicate(self) -> Mapping[str, Predicate]:
        """The predicates by name."""
        return {symbol.name: symbol for symbol in self.predicates}

    @cached_property
    def function(self) -> Mapping[str, FunctionSymbol]:
        """The function symbols by name."""
        return {symbol.name: symbol for symbol in self.functions}

    @cached_property
    def constant(self) -> Mapping[str, ConstantSymbol]:
        """The constants by name."""
        return {symbol.name: symbol for symbol in self.constants}

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of all that it says, in hexadecimal."""
        return sha256(json.dumps(self.to_row()).encode()).hexdigest()

    @cached_property
    def _hash(self) -> int:
        return hash(self.digest)

    @cached_property
    def _signature(self) -> Signature:
        return Signature(
            {symbol.name: symbol.arity for symbol in self.predicates},
            {symbol.name: symbol.arity for symbol in self.functions},
            frozenset(self.constant),
        )


def phrase(term: Term, ontology: Ontology, *, variable: Callable[[str], str] = str) -> str:
    """Return the meaning of a term; ``variable`` turns a variable's name into its phrase."""

    def step(node: Term, parts: tuple[str, ...]) -> str:
        match node:
            case Variable(name):
                return variable(name)
            case Constant(name):
                return ontology.constant[name].meaning
            case Function(name):
                return fill(ontology.function[name].meaning, parts)

    return fold(term, step)


def fill(gloss: str, arguments: Sequence[str]) -> str:
    """Fill the slots of a gloss or meaning from left to right."""
    first, *following = gloss.split(SLOT)
    return first + "".join(argument + text for argument, text in zip(arguments, following, strict=True))


def describe_world(structure: Structure, ontology: Ontology) -> str:
    """Describe what there is in a structure and what holds; whatever is left out does not hold.

    Things are called by the meaning of the first constant that denotes them, or else by a number; other names of a
    thing are told once. A relation that holds everywhere, or of everything and itself, is said so at once.
    Propositional letters come last, true or false; where there is nothing else, no things are counted.
    """
    letters = [name for name in sorted(structure.predicates) if not ontology.predicate[name].arity]
    stated: list[str] = []
    for name in letters:
        predicate = ontology.predicate[name]
        stated.append(predicate.positive if () in structure.predicates[name] else predicate.negative)
    if letters and not structure.constants and not structure.functions and len(letters) == len(structure.predicates):
        return f"a world in which {'; '.join(stated)}"
    constants: list[list[str]] = [[] for _ in range(structure.size)]
    for constant, element in sorted(structure.constants.items()):
        constants[element].append(ontology.constant[constant].meaning)
    names = [of_thing or [f"thing {number}"] for number, of_thing in enumerate(constants, 1)]
    called = [aliases[0] for aliases in names]
    size = structure.size
    count = _NUMBERS[size] if size < len(_NUMBERS) else str(size)
    parts = [", ".join(map(" = ".join, names))]
    for name, table in sorted(structure.functions.items()):
        meaning = ontology.function[name].meaning
        parts += [
            f"{fill(meaning, [called[e] for e in row])} is {called[value]}" for row, value in sorted(table.items())
        ]
    for name, extension in sorted(structure.predicates.items()):
        predicate = ontology.predicate[name]
        if not predicate.arity:
            continue
        if len(extension) == size**predicate.arity and size > 1:
            parts.append(fill(predicate.positive, ["everything"] * predicate.arity))
            continue
        rows = sorted(extension)
        if size > 1 and predicate.arity == 2 and all((e, e) in extension for e in range(size)):
            parts.append(fill(predicate.positive, ["everything", "itself"]))
            rows = [row for row in rows if row[0] != row[1]]
        for first, *others in rows:
            fillers = (called[first], *("itself" if e == first else called[e] for e in others))
            parts.append(fill(predicate.positive, fillers))
    if len(parts) == 1 and len(letters) < len(structure.predicates):
        parts.append("none of the predicates holds of anything")
    parts += stated
    return f"a world of {count} thing{'s' if size != 1 else ''} ({parts[0]}): {'; '.join(parts[1:])}"
