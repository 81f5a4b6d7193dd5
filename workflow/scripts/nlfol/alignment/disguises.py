"""Formulas over another vocabulary: each symbol renamed at random, its arguments in another order.

What is disguised is equivalent to what it was, up to an alignment of symbols, whatever names it has.
"""

from __future__ import annotations

from collections.abc import Iterable

from nlfol.logic import Formula
from nlfol.programs.formulas.maps import numbered
from nlfol.programs.symbols import Conjunct, Image, Symbol, SymbolKind
from nlfol.randomness import generator

_WORDS = {SymbolKind.PREDICATE: "Concept", SymbolKind.FUNCTION: "function", SymbolKind.CONSTANT: "name"}


def symbols_of(formulas: Iterable[Formula]) -> tuple[Symbol, ...]:
    """The symbols of some formulas, in the order of their first mention."""
    return tuple(dict.fromkeys(symbol for formula in formulas for symbol in numbered(formula).symbols))


def disguise(symbols: Iterable[Symbol], *labels: str | int) -> dict[Symbol, Image]:
    """A name at random for each symbol, and its arguments in an order at random.

    Args:
        symbols: with kinds and arities, in an order that depends on what they are of alone.
        labels: of the draws.
    """
    known = list(symbols)
    random = generator("disguise", *labels)
    numbers = random.sample(range(10 * len(known) + 10), len(known))
    found: dict[Symbol, Image] = {}
    for symbol, number in zip(known, numbers, strict=True):
        places = list(range(symbol.arity))
        random.shuffle(places)
        found[symbol] = (Conjunct(symbol._replace(name=f"{_WORDS[symbol.kind]}{number}"), tuple(places)),)
    return found
