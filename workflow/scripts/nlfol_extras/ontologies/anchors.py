"""Anchors: the concepts that a symbol of an answer may stand for, by its name and its gloss.

Up to any map of symbols, "only tetrahedra are cubes" means what "only cubes are tetrahedra" means, and a relation what
its converse means. So a symbol that is named, or else glossed, like concepts may stand for these alone, and one that is
named like its concept has the arguments in its order. A symbol like none may stand for any concept.

Names are compared word by word, in lower case and without inflection: ``is_cube`` and ``Cubes`` are named like
``Cube``; ``LargerThan`` like a concept whose gloss is "{} is larger than {}". Glosses are compared in the same way.

What words leave undecided, the cosines of glosses may decide (``Nearness``): of the concepts of the symbol's kind and
arity the one with the nearest gloss. Cosines hardly depend on the order of arguments; that is told by the wording of
the two glosses, if by anything (``_is_in_order``).
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from nlfol.logic.naming import WORD, words
from nlfol.problems.programs.symbols import Conjunct, Symbol, SymbolKind, is_plain

_VARIABLE = re.compile(r"\{\}|\b[t-z]\d*\b|\bx_?\d\b", re.IGNORECASE)
"""Stands for an argument in a gloss."""

_LAST = re.compile(
    r"\b(about|above|after|against|among|around|as|at|before|behind|below|beside|between|beyond|by|for|from|in|inside|"
    r"into|near|of|off|on|onto|outside|over|than|through|to|toward|towards|under|upon|with|within)?(?: an?| the)? _$",
    re.IGNORECASE,
)
"""The end of a gloss with its last argument, ``_``, and the preposition before it."""

Glosses = Mapping[Symbol, str]

Texts = tuple[str, str]
"""A text of an answer and one of the gold ontology."""


class Nearness(NamedTuple):
    """The cosines of texts, and how near the nearest must be, and how much nearer than the next."""

    cosines: Mapping[Texts, float]
    threshold: float
    margin: float

    def nearest(self, texts: Mapping[Symbol, Texts]) -> Symbol | None:
        """Return the concept whose text is the nearest; None if it is not near enough."""
        near = sorted(((self.cosines[pair], concept) for concept, pair in texts.items()), reverse=True)
        if not near or near[0][0] < self.threshold:
            return None
        return None if len(near) > 1 and near[0][0] - near[1][0] < self.margin else near[0][1]


@dataclass(frozen=True, slots=True)
class Anchor:
    """The concepts that a symbol is like; ``in_order`` if it has their arguments in their order, too."""

    concepts: frozenset[Symbol]
    in_order: bool

    def allows(self, concept: Symbol, part: Conjunct) -> bool:
        """Return whether the symbol may stand for a concept with these arguments."""
        return concept in self.concepts and (is_plain(part) or not self.in_order)


def anchors(concepts: Glosses, declared: Glosses, nearness: Nearness | None = None) -> dict[Symbol, Anchor]:
    """Return the anchor of each symbol that an answer declares and that is like some concept.

    Raises ``KeyError`` if ``nearness`` lacks the cosine of one of the texts ``compared``.
    """
    names = _by_words((concept, concept.name) for concept in concepts)
    glosses = _by_words((concept, _gloss(concept, gloss)) for concept, gloss in concepts.items())
    by_symbol = {}
    for symbol, gloss in declared.items():
        name, meaning = words(symbol.name), words(_gloss(symbol, gloss))
        for key, table, in_order in (
            (name, names, True),
            (name, glosses, True),
            (meaning, glosses, False),
            (meaning, names, False),
        ):
            if key and (like := table.get(key)):
                by_symbol[symbol] = Anchor(frozenset(like), in_order)
                break
        else:
            if nearness and (nearest := nearness.nearest(_texts(symbol, gloss, concepts))):
                by_symbol[symbol] = Anchor(frozenset({nearest}), _is_in_order(gloss, concepts[nearest]))
    return by_symbol


def compared(concepts: Glosses, declared: Glosses) -> list[Texts]:
    """Return the texts whose cosines anchors need: of each symbol that no words anchor, and its possible concepts."""
    known = anchors(concepts, declared)
    pairs = [_texts(symbol, gloss, concepts).values() for symbol, gloss in declared.items() if symbol not in known]
    return list(dict.fromkeys(pair for of_symbol in pairs for pair in of_symbol))


def _texts(symbol: Symbol, gloss: str, concepts: Glosses) -> dict[Symbol, Texts]:
    """Return the texts that a symbol is compared by with each concept that it can stand for."""
    own = _spoken(symbol, gloss)
    return {
        concept: (own, _spoken(concept, meaning))
        for concept, meaning in concepts.items()
        if (concept.kind, concept.arity) == (symbol.kind, symbol.arity)
    }


def _spoken(symbol: Symbol, gloss: str) -> str:
    """Return a gloss without its arguments, or else the words of the name."""
    text = " ".join(_gloss(symbol, gloss).split())
    return text or " ".join(WORD.findall(symbol.name)).lower() or symbol.name


def _is_in_order(gloss: str, of_concept: str) -> bool:
    """Return whether two glosses name two or more arguments in order and end with the last, governed alike.

    "x resides in y" has the order of "{} lives in {}", which "x is the home of y" and "x was built by y" do not show.
    """
    ends = [_LAST.search(_VARIABLE.sub("_", side).rstrip(" .")) for side in (gloss, of_concept)]
    named = [_VARIABLE.findall(side) for side in (gloss, of_concept)]
    return (
        all(ends)
        and len({end and (end[1] or "").lower() for end in ends}) == 1
        and len(named[0]) == len(named[1]) > 1
        and (set(named[0]) == {"{}"} or named[0] == sorted(set(named[0])))
    )


def _gloss(symbol: Symbol, gloss: str) -> str:
    # A constant may be called like the variable of a gloss, such as "x" in "x is a cube".
    return gloss if symbol.kind is SymbolKind.CONSTANT else _VARIABLE.sub(" ", gloss)


def _by_words(texts: Iterable[tuple[Symbol, str]]) -> dict[tuple[str, ...], list[Symbol]]:
    symbols: dict[tuple[str, ...], list[Symbol]] = {}
    for symbol, text in texts:
        symbols.setdefault(words(text), []).append(symbol)
    return symbols


def anchored(anchor_of: Mapping[Symbol, Anchor]) -> Callable[[Symbol, Conjunct], bool]:
    """Return whether a concept may be mapped to a symbol with arguments in an order, given the symbols' anchors."""

    def allowed(concept: Symbol, part: Conjunct) -> bool:
        anchor = anchor_of.get(part.symbol)
        return anchor is None or anchor.allows(concept, part)

    return allowed
