"""Context-free grammars, checked; ``files`` reads them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, auto

from nlfol.logic.languages.language import LanguageName


class GrammarError(ValueError):
    """A grammar, vocabulary or recipe that cannot be used; names the file, the rule or key, and the remedy."""


class TokenKind(Enum):
    """Kind of a token: a nonterminal, a slot of a vocabulary, or a sign of the language."""

    NONTERMINAL = auto()
    SLOT = auto()
    SIGN = auto()


@dataclass(frozen=True, slots=True)
class Token:
    """A token of a right-hand side."""

    kind: TokenKind
    text: str


@dataclass(frozen=True, slots=True)
class Hole:
    """A nonterminal with how tightly what it becomes must bind."""

    nonterminal: int
    least: int


DEPTH = "depth"
"""The measure of every grammar: the level at which the published expansion completes a derivation.

That is one more than its rules with nonterminals, and of a grammar that is a chain, as the published one of regular
expressions, the depth of the derivation tree.
"""

LEAF, EQUATION = "a", "="
"""Symbols of an atom and of an equation."""

Symbol = str | int
"""A sign, ``LEAF``, ``EQUATION``, or the number of a nonterminal."""


@dataclass(frozen=True, slots=True)
class Template:
    """A piece of a formula in prefix order, its nonterminals, and how tightly its outermost sign binds, if any."""

    symbols: tuple[Symbol, ...]
    precedence: int | None
    holes: tuple[Hole, ...]

    def holes_below(self, least: int) -> tuple[Hole, ...]:
        """Return its nonterminals where it is the operand of a sign that binds so tightly."""
        return self.holes if self.precedence is not None else (Hole(self.holes[0].nonterminal, least),)


@dataclass(frozen=True, slots=True)
class Alternative:
    """One way to replace a nonterminal; nonterminals are numbers, ``parts`` those in it from left to right.

    ``costs`` follow the order of the grammar's; only alternatives of logical languages have a template.
    """

    nonterminal: int
    tokens: tuple[Token, ...]
    parts: tuple[int, ...]
    costs: tuple[int, ...]
    template: Template | None

    def __str__(self) -> str:
        return " ".join(token.text for token in self.tokens) or "ε"

    @property
    def is_chain(self) -> bool:
        """Return whether it is such as S → S ∧ S, without parentheses: repeated, it may be grouped in any way."""
        chain = self.template is not None and self.template.symbols[1:] == self.parts == (self.nonterminal,) * 2
        return chain and any(token.text in ("∧", "∨") for token in self.tokens) and len(self.tokens) == 3


@dataclass(frozen=True, eq=False)
class Grammar:
    """A checked grammar; ``rules`` has by nonterminal the places of its alternatives, which a derivation lists."""

    name: str  # its shipped name, or its path
    language: LanguageName
    start: int  # number of the start symbol
    nonterminals: tuple[str, ...]
    rules: tuple[tuple[int, ...], ...]
    alternatives: tuple[Alternative, ...]
    costs: tuple[str, ...]  # names of the measures besides ``depth``
    digest: str  # SHA-256 of everything that a draw depends on
    published: Grammar | None = None  # as a paper has it, where that differs

    def costs_of(self, measure: str) -> list[int]:
        """Return what each alternative adds to a measure."""
        if measure == DEPTH:
            return [int(bool(alternative.parts)) for alternative in self.alternatives]
        index = self.costs.index(measure)
        return [alternative.costs[index] for alternative in self.alternatives]

    def depth(self, derivation: Iterable[int]) -> int:
        """Return the depth of a derivation, see ``DEPTH``."""
        return 1 + sum(bool(self.alternatives[index].parts) for index in derivation)


def left_grouped(grammar: Grammar, derivation: Iterable[int]) -> list[int]:
    """Return a derivation with its chains grouped to the left, as their text is read."""
    grouped: list[int] = []
    # For each open nonterminal: the chain that it is a later operand of, and where the chain begins.
    none = -1, 0
    stack: list[tuple[int, int]] = [none]
    for index in derivation:
        chain, start = stack.pop()
        if index != chain:
            start = len(grouped)
        grouped.insert(start, index)
        alternative = grammar.alternatives[index]
        if alternative.is_chain:
            stack += [(index, start), (index, start) if index == chain else none]
        else:
            stack += [none] * len(alternative.parts)
    return grouped


def spell(grammar: Grammar, derivation: Iterable[int]) -> str:
    """Return the sentence of a derivation, slots by their names."""
    words: list[str] = []
    following = iter(derivation)
    stack: list[str | None] = [None]
    while stack:
        text = stack.pop()
        if text is not None:
            words.append(text)
            continue
        tokens = grammar.alternatives[next(following)].tokens
        stack += [None if token.kind is TokenKind.NONTERMINAL else token.text for token in reversed(tokens)]
    return " ".join(words)
