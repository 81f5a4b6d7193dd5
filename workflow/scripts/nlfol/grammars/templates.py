"""Right-hand sides of logical grammars as pieces of formulas in prefix order.

An alternative such as ``(S ∧ S)`` becomes the symbols ``∧ 0 0``: a sign, and for each nonterminal its number. Put
together in the order of a derivation they are the whole formula in Łukasiewicz's notation, so that no text is written
and read. That gives the same tree as reading the text would, because a nonterminal stands only where all that it can
become binds tightly enough; grammars in which it does not are refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nlfol.grammars.errors import GrammarError
from nlfol.grammars.tokens import Kind, Token
from nlfol.logic.infix import PRECEDENCE

LEAF, EQUATION = "a", "="
"""What stands for an atom, and for an equation."""

Symbol = str | int
"""A sign, ``LEAF``, ``EQUATION``, or the number of a nonterminal."""

_LOOSE, _PREFIX, _ATOMIC = 0, 6, 7
_MAX_NESTING = 50


@dataclass(frozen=True, slots=True)
class Hole:
    """A nonterminal with how tightly what it becomes must bind."""

    nonterminal: int
    least: int


@dataclass(frozen=True, slots=True)
class Template:
    """A piece of a formula.

    Attributes:
        symbols: in prefix order.
        precedence: how tightly its outermost sign binds; none where it is a nonterminal alone.
        holes: its nonterminals, left to right.
    """

    symbols: tuple[Symbol, ...]
    precedence: int | None
    holes: tuple[Hole, ...]


@dataclass(slots=True)
class _Piece:
    symbols: list[Symbol]
    precedence: int | None
    holes: list[Hole]


def read_template(tokens: Sequence[Token], numbers: Mapping[str, int]) -> Template:
    """The template of an alternative.

    Args:
        tokens: of its text.
        numbers: of the nonterminals.

    Raises:
        GrammarError: if the text is no formula with nonterminals for parts of it.
    """
    reader = _Reader(tokens, numbers)
    piece = reader.formula(_LOOSE, 0)
    reader.expect_end()
    return Template(tuple(piece.symbols), piece.precedence, tuple(piece.holes))


def check_scopes(rules: Sequence[Sequence[Template]], names: Sequence[str]) -> None:
    """Refuse a grammar whose texts would be grouped otherwise than its derivations.

    Raises:
        GrammarError: naming the rule that needs parentheses.
    """
    loosest = [_ATOMIC] * len(rules)
    changed = True
    while changed:
        changed = False
        for number, alternatives in enumerate(rules):
            found = min(loosest[t.holes[0].nonterminal] if t.precedence is None else t.precedence for t in alternatives)
            changed = changed or found < loosest[number]
            loosest[number] = min(found, loosest[number])
    for number, alternatives in enumerate(rules):
        for template in alternatives:
            for hole in template.holes:
                if loosest[hole.nonterminal] < hole.least:
                    part = names[hole.nonterminal]
                    raise GrammarError(
                        f"rule {names[number]}: {part} can become a formula that would be grouped otherwise here; put "
                        f"parentheses around {part}, or around the alternatives of {part}"
                    )


class _Reader:
    """Precedence climbing over the tokens of one alternative."""

    def __init__(self, tokens: Sequence[Token], numbers: Mapping[str, int]) -> None:
        self._tokens = tokens
        self._numbers = numbers
        self._place = 0

    def formula(self, least: int, nesting: int) -> _Piece:
        if nesting > _MAX_NESTING:
            raise GrammarError(f"nested deeper than {_MAX_NESTING}; split the alternative into several rules")
        left = self._operand(nesting)
        while (precedence := PRECEDENCE.get(self._sign(), -1)) >= least and precedence > 0:
            sign = self._next().text
            to_right = sign == "→"
            right = self.formula(precedence + (not to_right), nesting + 1)
            self._bound(left, precedence + to_right)
            self._bound(right, precedence + (not to_right))
            left = _Piece([sign, *left.symbols, *right.symbols], precedence, left.holes + right.holes)
        return left

    def expect_end(self) -> None:
        if self._place < len(self._tokens):
            raise GrammarError(f"unexpected {self._tokens[self._place].text!r} after a complete formula")

    def _operand(self, nesting: int) -> _Piece:
        token = self._next()
        if token.kind is Kind.NONTERMINAL:
            number = self._numbers[token.text]
            return _Piece([number], None, [Hole(number, _LOOSE)])
        if token.text in ("LETTER", "PREDICATION"):
            return _Piece([LEAF], _ATOMIC, [])
        if token.text == "TERM":
            return self._equation()
        if token.text == "(":
            inner = self.formula(_LOOSE, nesting + 1)
            self._expect(")")
            return _Piece(inner.symbols, _ATOMIC, inner.holes)
        if token.text in "¬∀∃":
            if token.text != "¬":
                self._expect("VARIABLE")
            if nesting >= _MAX_NESTING:
                raise GrammarError(f"nested deeper than {_MAX_NESTING}; split the alternative into several rules")
            operand = self._operand(nesting + 1)
            self._bound(operand, _PREFIX)
            return _Piece([token.text, *operand.symbols], _PREFIX, operand.holes)
        raise GrammarError(f"unexpected {token.text!r}; a formula, a nonterminal or a slot stands here")

    def _equation(self) -> _Piece:
        relation = self._next()
        if relation.text not in ("=", "≠"):
            raise GrammarError("TERM stands in an equation, as in 'TERM = TERM'; for an atom write PREDICATION")
        self._expect("TERM")
        return _Piece([EQUATION] if relation.text == "=" else ["¬", EQUATION], _ATOMIC, [])

    @staticmethod
    def _bound(piece: _Piece, least: int) -> None:
        """Note how tightly a nonterminal must bind that is an operand by itself."""
        if piece.precedence is None:
            piece.holes[0] = Hole(piece.holes[0].nonterminal, least)

    def _sign(self) -> str:
        return self._tokens[self._place].text if self._place < len(self._tokens) else ""

    def _next(self) -> Token:
        if self._place == len(self._tokens):
            raise GrammarError("the formula is not complete")
        self._place += 1
        return self._tokens[self._place - 1]

    def _expect(self, text: str) -> None:
        if self._place == len(self._tokens) or self._tokens[self._place].text != text:
            found = self._sign()
            raise GrammarError(f"{text!r} expected" + (f" before {found!r}" if found else " at the end"))
        self._place += 1
