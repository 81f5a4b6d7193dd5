"""What alignment asks of each language of programs, by one set of functions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from nlfol.alignment import clauses, constraints, formulas
from nlfol.alignment.symbols import Found, Image, Said, Symbol, identity, named
from nlfol.logic import to_unicode
from nlfol.programs import Language

_REMEMBERED = 5_000


class Dialect(ABC):
    """A language of programs, a sentence's lines at a time."""

    @abstractmethod
    def said(self, lines: tuple[str, ...]) -> Said:
        """What lines say.

        Raises:
            LineError: if one is no line of the language.
        """

    @abstractmethod
    def fits(self, gold: Said, other: Said) -> Found:
        """The maps under which gold lines are others."""

    @abstractmethod
    def written(self, lines: tuple[str, ...], images: Mapping[Symbol, Image]) -> tuple[str, ...]:
        """Lines with images for their symbols; those that have none stay.

        Raises:
            LineError: if a line cannot be read, or has no such form.
        """

    @abstractmethod
    def renamed(self, lines: tuple[str, ...], image: Callable[[Symbol], Image]) -> tuple[str, ...]:
        """Lines with an image for each mention, asked for in their order.

        Raises:
            LineError: as ``written``.
        """

    @abstractmethod
    def same(self, first: tuple[str, ...], second: tuple[str, ...]) -> bool:
        """Whether lines that can be read say the same, names standing for themselves."""

    @abstractmethod
    def difference(self, first: tuple[str, ...], second: tuple[str, ...]) -> Any:
        """What tells lines apart, as JSON values; None if nothing is found."""


class _Clauses(Dialect):
    read = staticmethod(lru_cache(maxsize=_REMEMBERED)(clauses.read))

    def said(self, lines: tuple[str, ...]) -> Said:
        return clauses.said(self.read(lines))

    def fits(self, gold: Said, other: Said) -> Found:
        return clauses.fits(gold.shape, other.shape)

    def written(self, lines: tuple[str, ...], images: Mapping[Symbol, Image]) -> tuple[str, ...]:
        return tuple(clauses.written(self.read(lines), images))

    def renamed(self, lines: tuple[str, ...], image: Callable[[Symbol], Image]) -> tuple[str, ...]:
        return tuple(clauses.renamed(self.read(lines), image))

    def same(self, first: tuple[str, ...], second: tuple[str, ...]) -> bool:
        one, other = self.said(first), self.said(second)
        itself = tuple(map(identity, one.concepts))
        return any(named(fit, other.symbols) == itself for fit in self.fits(one, other).fits)

    def difference(self, first: tuple[str, ...], second: tuple[str, ...]) -> Any:
        return clauses.difference(self.read(first), self.read(second))


class _Formulas(Dialect):
    read = staticmethod(lru_cache(maxsize=_REMEMBERED)(formulas.read))

    def said(self, lines: tuple[str, ...]) -> Said:
        return _said_formula(self.read(lines))

    def fits(self, gold: Said, other: Said) -> Found:
        return formulas.fits(gold.shape, other.shape)

    def written(self, lines: tuple[str, ...], images: Mapping[Symbol, Image]) -> tuple[str, ...]:
        return (to_unicode(formulas.written(self.read(lines), images)),)

    def renamed(self, lines: tuple[str, ...], image: Callable[[Symbol], Image]) -> tuple[str, ...]:
        return (to_unicode(formulas.renamed(self.read(lines), image)),)

    def same(self, first: tuple[str, ...], second: tuple[str, ...]) -> bool:
        return formulas.same(self.read(first), self.read(second))

    def difference(self, first: tuple[str, ...], second: tuple[str, ...]) -> Any:
        return formulas.difference(self.read(first), self.read(second))


_said_formula = lru_cache(maxsize=_REMEMBERED)(formulas.said)


class _Constraints(Dialect):
    read = staticmethod(lru_cache(maxsize=_REMEMBERED)(constraints.read))

    def __init__(self, places: int) -> None:
        self.places = places

    def said(self, lines: tuple[str, ...]) -> Said:
        return constraints.said(self.read(lines), self.places)

    def fits(self, gold: Said, other: Said) -> Found:
        return constraints.fits(gold.shape, other.shape)

    def written(self, lines: tuple[str, ...], images: Mapping[Symbol, Image]) -> tuple[str, ...]:
        return tuple(constraints.written(line, images) for line in lines)

    def renamed(self, lines: tuple[str, ...], image: Callable[[Symbol], Image]) -> tuple[str, ...]:
        return tuple(constraints.renamed(line, image) for line in lines)

    def same(self, first: tuple[str, ...], second: tuple[str, ...]) -> bool:
        return constraints.same(self.read(first), self.read(second), self.places)

    def difference(self, first: tuple[str, ...], second: tuple[str, ...]) -> Any:
        return constraints.difference(self.read(first), self.read(second), self.places)


def dialect(language: Language, places: int) -> Dialect:
    """What alignment needs of a language.

    Args:
        language: of the programs.
        places: of constraints, the number of places that things stand on.
    """
    match language:
        case Language.CLAUSES:
            return _Clauses()
        case Language.FORMULAS:
            return _Formulas()
        case Language.CONSTRAINTS:
            return _Constraints(places)
