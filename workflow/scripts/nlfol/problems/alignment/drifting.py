"""Translators with known faults, which show what the measures are worth (``benchmarks/alignment.py``)."""

from collections.abc import Callable
from functools import partial

from nlfol.problems.programs.language import Lines
from nlfol.problems.programs.symbols import Image, Symbol, SymbolKind, identity
from nlfol.randomness import generator

Rename = Callable[[str, Symbol], Image]
"""Returns the image of a concept that is mentioned at a place."""


def drifting(probability: float, *labels: str | int) -> Rename:
    """Return a drifting translator's renaming of a program: each mention, with the probability, by labelled draws."""
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


def merging(_: str, concept: Symbol) -> Image:
    """Rename as a translator that has one symbol for all concepts of a kind and arity."""
    return identity(concept._replace(name=_named(concept, f"one{concept.arity}")))


def _named(concept: Symbol, name: str) -> str:
    return name.capitalize() if concept.kind is SymbolKind.PREDICATE else name


def rewritten(gold: Lines, rename: Rename) -> Lines:
    """Return the program with an image for each mention, in the order of its lines."""
    language = gold.language.within(gold)
    changed = {place: language.renamed(lines, partial(rename, place)) for place, lines in gold.places.items()}
    return language.with_variables(gold.changed(changed))
