"""Context-free grammars, checked; ``files`` reads them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nlfol.grammars.notation import Template, Token, TokenKind
from nlfol.languages.language import LanguageName


@dataclass(frozen=True, slots=True)
class Alternative:
    """One way to replace a nonterminal.

    Attributes:
        nonterminal: number of the nonterminal that it replaces.
        parts: numbers of the nonterminals in it, left to right.
        costs: one each of the grammar's ``costs``, in their order.
        template: the piece of a formula, in a logical language.
    """

    nonterminal: int
    tokens: tuple[Token, ...]
    parts: tuple[int, ...]
    costs: tuple[int, ...]
    template: Template | None

    def __str__(self) -> str:
        return written(self.tokens)


@dataclass(frozen=True, eq=False)
class Grammar:
    """A checked grammar.

    Attributes:
        name: its shipped name, or its path.
        start: number of the start symbol.
        nonterminals: their names, by number.
        rules: the places of each nonterminal's alternatives among ``alternatives``.
        alternatives: all of them; a derivation lists their places here.
        costs: names of the measures besides ``depth``.
        digest: SHA-256 of everything that a draw depends on.
        published: the grammar as a paper has it, where that differs.
    """

    name: str
    language: LanguageName
    start: int
    nonterminals: tuple[str, ...]
    rules: tuple[tuple[int, ...], ...]
    alternatives: tuple[Alternative, ...]
    costs: tuple[str, ...]
    digest: str
    published: Grammar | None = None


def written(tokens: Sequence[Token]) -> str:
    """Return the text of an alternative."""
    return " ".join(token.text for token in tokens) or "ε"


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
