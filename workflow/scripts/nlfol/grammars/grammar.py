"""Context-free grammars, checked; ``files`` reads them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nlfol.grammars.templates import Template
from nlfol.grammars.tokens import Token
from nlfol.languages.language import LanguageName


@dataclass(frozen=True, slots=True)
class Alternative:
    """One way to replace a nonterminal.

    Attributes:
        nonterminal: number of what it replaces.
        tokens: of its text.
        parts: numbers of the nonterminals in it, left to right.
        costs: one each of the grammar's ``costs``, in their order.
        template: of a logical language: the piece of a formula.
    """

    nonterminal: int
    tokens: tuple[Token, ...]
    parts: tuple[int, ...]
    costs: tuple[int, ...]
    template: Template | None

    def __str__(self) -> str:
        return spelled(self.tokens)


@dataclass(frozen=True, eq=False)
class Grammar:
    """A checked grammar.

    Attributes:
        name: its shipped name, or its path.
        language: of its sentences.
        start: number of the start symbol.
        nonterminals: their names, by number.
        rules: the alternatives of each nonterminal.
        alternatives: all of them; a derivation lists their places here.
        costs: names of what can be counted, besides ``depth``.
        digest: SHA-256 of all that decides what is drawn.
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


def spelled(tokens: Sequence[Token]) -> str:
    """The text of an alternative."""
    return " ".join(token.text for token in tokens) or "ε"
