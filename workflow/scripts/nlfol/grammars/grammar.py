"""Context-free grammars, checked; ``files`` reads them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from nlfol.languages.language import LanguageName


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


def spell(grammar: Grammar, derivation: Sequence[int]) -> str:
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
