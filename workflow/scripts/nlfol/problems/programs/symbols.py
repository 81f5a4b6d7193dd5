"""Symbols, the images that concepts are mapped to, and lines with their symbols by number.

A line is taken apart into its shape, which has numbers in place of names, and the symbols by these numbers. What fits
depends on two shapes alone, so it is found once for all lines that differ in names.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class SymbolKind(StrEnum):
    """Kinds of symbols; a variable is one of constraints, which stands for a thing."""

    PREDICATE = "predicate"
    FUNCTION = "function"
    CONSTANT = "constant"
    VARIABLE = "variable"


class Symbol(NamedTuple):
    """A symbol of a program; of the gold program, a concept."""

    kind: SymbolKind
    name: str
    arity: int


class Conjunct(NamedTuple):
    """An atom of what a concept is mapped to.

    ``places`` says for each argument of the symbol which argument of the concept stands there, from 0; ``value`` is
    false if the symbol is the opposite of the concept.
    """

    symbol: Symbol
    places: tuple[int, ...]
    value: bool = True


class NumberedConjunct(NamedTuple):
    """A conjunct with the number of its symbol."""

    symbol: int
    places: tuple[int, ...]
    value: bool = True


Image = tuple[Conjunct, ...]
"""The image of a concept: the conjunction of one atom or two."""

NumberedImage = tuple[NumberedConjunct, ...]

Key = tuple[Symbol, ...]
"""The symbols of an image, in order: what counts as one symbol of a concept."""

Fit = tuple[Image, ...]
"""A map for one sentence: an image for each mention in the gold line."""

NumberedFit = tuple[NumberedImage, ...]


class Fits(NamedTuple):
    """The maps under which two lines mean the same, plain ones first, and whether these are all."""

    fits: tuple[NumberedFit, ...]
    exhaustive: bool


@dataclass(frozen=True, slots=True)
class Numbered:
    """The lines of a sentence with numbers for names, and the symbols by number; equal shapes differ in names alone.

    ``mentions`` has the number of a symbol for each of its occurrences, in the order of the lines.
    """

    shape: Hashable
    symbols: tuple[Symbol, ...]
    mentions: tuple[int, ...]

    @property
    def concepts(self) -> list[Symbol]:
        """Return the symbol of each mention."""
        return [self.symbols[number] for number in self.mentions]


class LineError(ValueError):
    """A line that is no line of its language."""


class Numbering:
    """Numbers for symbols in the order of their first mention."""

    def __init__(self) -> None:
        self.numbers: dict[Symbol, int] = {}
        self.mentions: list[int] = []

    def mention(self, symbol: Symbol) -> int:
        """Return the number of a symbol and count the mention."""
        number = self.numbers.setdefault(symbol, len(self.numbers))
        self.mentions.append(number)
        return number

    def numbered(self, shape: Hashable) -> Numbered:
        """Return lines of a shape with what was numbered."""
        return Numbered(shape, tuple(self.numbers), tuple(self.mentions))


def identity(symbol: Symbol) -> Image:
    """Return the image that is the symbol itself."""
    return (Conjunct(symbol, tuple(range(symbol.arity))),)


def key_of(image: Image) -> Key:
    """Return the symbols of an image."""
    return tuple(sorted(part.symbol for part in image))


def is_plain(part: Conjunct | NumberedConjunct) -> bool:
    """Return whether a part has its arguments in order, and the same polarity."""
    return part.value and part.places == tuple(range(len(part.places)))


def named(fit: NumberedFit, symbols: Sequence[Symbol]) -> Fit:
    """Return a map with symbols for their numbers."""
    return tuple(tuple(Conjunct(symbols[part[0]], part[1], part[2]) for part in image) for image in fit)


def decoration(image: Image) -> tuple[tuple[tuple[int, ...], bool], ...]:
    """Return arguments and polarities of an image's symbols in the key's order, the same in all lines."""
    return tuple((part.places, part.value) for part in sorted(image))


def oddities(image: Image) -> int:
    """Return how far an image is from one symbol with the same arguments and polarity."""
    return len(image) - 1 + sum(not is_plain(part) for part in image)


def shown(image: Image) -> str:
    """Return an image as a text: ``Popular ∧ Show``, ``¬Loud``, ``Chases(2, 1)``."""
    parts = []
    for part in image:
        is_ordered = part.places == tuple(range(len(part.places)))
        places = "" if is_ordered else f"({', '.join(str(place + 1) for place in part.places)})"
        parts.append(f"{'' if part.value else '¬'}{part.symbol.name}{places}")
    return " ∧ ".join(parts)


def bare(name: str) -> str:
    """Return a name as it is compared with others: letters and digits in lower case."""
    return "".join(letter for letter in name.casefold() if letter.isalnum())


def distance(concept: Symbol, image: Image) -> int:
    """Return how far names are apart: 0 for one name, 1 if one is part of another, else 2."""
    name = bare(concept.name)
    others = [bare(part.symbol.name) for part in image]
    if len(others) == 1 and others[0] == name:
        return 0
    return 1 if any(name in other or other in name for other in others) else 2


def distinct(fits: Iterable[NumberedFit]) -> list[NumberedFit]:
    """Return maps without repetitions, plain ones first."""
    unlike = dict.fromkeys(fits)
    return sorted(unlike, key=lambda fit: sum(not is_plain(part) for image in fit for part in image))
