"""Derivations of a value, drawn: uniformly among all of them, or among those that an expansion has found."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection
from random import Random

from nlfol.grammars.counting import count_by
from nlfol.grammars.expansion import expand
from nlfol.grammars.grammar import Grammar
from nlfol.grammars.recipe import QUANTIFIERS


class Derivations(ABC):
    """Where derivations are drawn from."""

    @abstractmethod
    def draw(self, value: int, randomness: Random) -> list[int]:
        """One of a value, as the list of its alternatives in preorder; there must be one."""

    @abstractmethod
    def is_empty(self, value: int) -> bool:
        """Whether there is none."""


class AllDerivations(Derivations):
    """Every derivation is as likely as any other of its value and number of quantifiers.

    Args:
        grammar: of the derivations.
        by: the measure.
        quantifiers: least and largest number, each as likely as any other that there is.

    Raises:
        GrammarError: if infinitely many derivations have one value.
    """

    def __init__(self, grammar: Grammar, by: str, quantifiers: tuple[int, int] | None = None) -> None:
        self._counts = count_by(grammar, by, [QUANTIFIERS] if quantifiers else [])
        self._numbers = [(number,) for number in range(quantifiers[0], quantifiers[1] + 1)] if quantifiers else [()]
        self._totals: dict[int, list[tuple[tuple[int, ...], int]]] = {}

    def draw(self, value: int, randomness: Random) -> list[int]:
        """See ``Derivations.draw``."""
        totals = self._of(value)
        others, total = totals[randomness.randrange(len(totals))]
        return self._counts.unrank(randomness.randrange(total), value, *others)

    def is_empty(self, value: int) -> bool:
        """See ``Derivations.is_empty``."""
        return not self._of(value)

    def _of(self, value: int) -> list[tuple[tuple[int, ...], int]]:
        known = self._totals.get(value)
        if known is None:
            counted = [(others, self._counts.count(value, *others)) for others in self._numbers]
            known = self._totals[value] = [entry for entry in counted if entry[1]]
        return known


class FoundDerivations(Derivations):
    """Those that ``expansion`` finds.

    Args:
        grammar: of the derivations.
        by: the measure.
        values: those to look for.
        randomness: that expands.
    """

    def __init__(self, grammar: Grammar, by: str, values: Collection[int], randomness: Random) -> None:
        self._found = expand(grammar, by, values, randomness)

    def draw(self, value: int, randomness: Random) -> list[int]:
        """See ``Derivations.draw``."""
        return randomness.choice(self._found[value])

    def is_empty(self, value: int) -> bool:
        """See ``Derivations.is_empty``."""
        return not self._found.get(value)
