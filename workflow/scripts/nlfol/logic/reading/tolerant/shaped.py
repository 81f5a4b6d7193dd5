"""A text in the tokens of the strict notation, and how far its quantifiers are taken to reach."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from nlfol.logic.reading.tolerant.strict_tokens import Token
from nlfol.logic.reading.tolerant.tokens import Lexeme


class Scope(StrEnum):
    """How far quantifiers reach: as their notation has it, as little as possible, as far as possible."""

    NATURAL = "natural"
    TIGHT = "tight"
    WIDE = "wide"


@dataclass(slots=True)
class Shaped:
    """The tokens of the strict notation.

    Attributes:
        tokens: in order.
        names: for each token that is a name as written, its lexeme, by the token's index.
        repairs: one sentence each.
        features: what tells the notations apart, beside the scanner's.
        sorts: the types of variables that were left out.
        markers: indices of the variables that mark ``∃!``.
        letters: indices of the names that are propositional letters.
    """

    tokens: list[Token] = field(default_factory=list)
    names: dict[int, Lexeme] = field(default_factory=dict)
    repairs: list[str] = field(default_factory=list)
    features: set[str] = field(default_factory=set)
    sorts: list[tuple[Lexeme, Lexeme]] = field(default_factory=list)
    markers: list[int] = field(default_factory=list)
    letters: set[int] = field(default_factory=set)
