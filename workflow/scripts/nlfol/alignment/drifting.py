"""Translators with known faults: one that renames mentions at random, one that merges all concepts.

They show what the measures are worth: how many symbols the first gives a concept has an exact distribution.
"""

from collections.abc import Callable
from functools import partial
from math import comb
from typing import NamedTuple

from nlfol.programs.language import Lines
from nlfol.programs.symbols import Image, Symbol, SymbolKind, identity
from nlfol.randomness import generator

Rename = Callable[[str, Symbol], Image]
"""Returns the image of a concept that is mentioned at a place."""


def drifted(gold: Lines, probability: float, *labels: str | int) -> Lines:
    """Return the gold program, each mention of a concept with the given probability by a symbol of its own.

    The draws are labelled, as by seed and problem.
    """
    return rewritten(gold, drifting(probability, *labels))


def drifting(probability: float, *labels: str | int) -> Rename:
    """Return how one program is renamed by a translator that drifts; see ``drifted``."""
    random = generator("drifting", str(probability), *labels)
    bases: dict[Symbol, Symbol] = {}
    fresh = 0

    def renamed(_: str, concept: Symbol) -> Image:
        nonlocal fresh
        if random.random() < probability:
            fresh += 1
            return identity(concept._replace(name=_named(concept, f"new{fresh}")))
        return identity(bases.setdefault(concept, concept._replace(name=_named(concept, f"old{len(bases)}"))))

    return renamed


def merged(gold: Lines) -> Lines:
    """Return the gold program with one symbol for all concepts of a kind and arity."""
    return rewritten(gold, merging)


def merging(_: str, concept: Symbol) -> Image:
    """Rename as a translator that merges; see ``merged``."""
    return identity(concept._replace(name=_named(concept, f"one{concept.arity}")))


def _named(concept: Symbol, name: str) -> str:
    return name.capitalize() if concept.kind is SymbolKind.PREDICATE else name


def rewritten(gold: Lines, rename: Rename) -> Lines:
    """Return the program with an image for each mention, in the order of its lines."""
    language = gold.language.within(gold)
    changed = {place: language.renamed(lines, partial(rename, place)) for place, lines in gold.places.items()}
    return language.with_variables(gold.changed(changed))


class Expectation(NamedTuple):
    """Mean and variance of what a concept has beyond one symbol."""

    mean: float
    variance: float


def expected(mentions: int, probability: float) -> Expectation:
    """Return the expected excess of a concept with so many mentions, each fresh with the probability.

    Of k fresh ones there are k symbols, and one more unless all are fresh.
    """
    found = [
        (comb(mentions, k) * probability**k * (1 - probability) ** (mentions - k), k - (k == mentions))
        for k in range(mentions + 1)
    ]
    mean = sum(chance * excess for chance, excess in found)
    return Expectation(mean, sum(chance * (excess - mean) ** 2 for chance, excess in found))
