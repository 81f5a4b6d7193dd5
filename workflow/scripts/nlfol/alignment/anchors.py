"""Anchors: the concepts that a symbol of an answer may stand for, by its name and its gloss.

Up to any map of symbols, "only tetrahedra are cubes" means what "only cubes are tetrahedra" means, and a relation what
its converse means. So a symbol that is named, or else glossed, like concepts may stand for these alone, and one that is
named like its concept has the arguments in its order. A symbol like none may stand for any concept.

Names are compared word by word, in lower case and without inflection: ``is_cube`` and ``Cubes`` are named like
``Cube``; ``LargerThan`` like a concept whose gloss is "{} is larger than {}". Glosses are compared in the same way.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from nlfol.programs.symbols import Conjunct, Symbol, SymbolKind, is_plain

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")
_EMPTY = frozenset(
    ("a", "an", "the", "is", "are", "be", "it", "that", "true", "if", "iff", "when", "whether", "holds", "means")
)
_VARIABLE = re.compile(r"\{\}|\b[t-z]\d*\b|\bx_?\d\b", re.IGNORECASE)
"""Stands for an argument in a gloss."""

Glosses = Mapping[Symbol, str]


def words(text: str) -> tuple[str, ...]:
    """Return the words of a name or gloss that say something, in lower case and without inflection."""
    found = [_uninflected(word.lower()) for word in _WORD.findall(text)]
    return tuple(word for word in found if word not in _EMPTY) or tuple(found)


def _uninflected(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if len(word) > 4 and word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


@dataclass(frozen=True, slots=True)
class Anchor:
    """The concepts that a symbol is like; ``by_name`` if its name says so."""

    concepts: frozenset[Symbol]
    by_name: bool

    def allows(self, concept: Symbol, part: Conjunct) -> bool:
        """Return whether the symbol may stand for a concept with these arguments."""
        return concept in self.concepts and (is_plain(part) or not self.by_name)


def anchors(concepts: Glosses, declared: Glosses) -> dict[Symbol, Anchor]:
    """Return the anchor of each symbol that an answer declares and that is like some concept."""
    names = _by_words((concept, concept.name) for concept in concepts)
    glosses = _by_words((concept, _gloss(concept, gloss)) for concept, gloss in concepts.items())
    found = {}
    for symbol, gloss in declared.items():
        name, meaning = words(symbol.name), words(_gloss(symbol, gloss))
        for key, table, by_name in ((name, names, True), (name, glosses, True), (meaning, glosses, False)):
            if key and (like := table.get(key)):
                found[symbol] = Anchor(frozenset(like), by_name)
                break
        else:
            if meaning and (like := names.get(meaning)):
                found[symbol] = Anchor(frozenset(like), by_name=False)
    return found


def _gloss(symbol: Symbol, gloss: str) -> str:
    # A constant may be called like the variable of a gloss, such as "x" in "x is a cube".
    return gloss if symbol.kind is SymbolKind.CONSTANT else _VARIABLE.sub(" ", gloss)


def _by_words(texts: Iterable[tuple[Symbol, str]]) -> dict[tuple[str, ...], list[Symbol]]:
    found: dict[tuple[str, ...], list[Symbol]] = {}
    for symbol, text in texts:
        found.setdefault(words(text), []).append(symbol)
    return found


def anchored(found: Mapping[Symbol, Anchor]) -> Callable[[Symbol, Conjunct], bool]:
    """Return whether a concept may be mapped to a symbol with arguments in an order, given the symbols' anchors."""

    def allowed(concept: Symbol, part: Conjunct) -> bool:
        anchor = found.get(part.symbol)
        return anchor is None or anchor.allows(concept, part)

    return allowed
