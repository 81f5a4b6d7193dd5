"""Single edits of an expression's tree: slips of a translation.

An edit need not change the language: ``equivalence`` says whether it does.
"""

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from nlfol.regular.reading import Dialect, in_dialect
from nlfol.regular.syntax import (
    LETTER_OF,
    POSTFIX_OF,
    Concatenation,
    Expression,
    Letter,
    Option,
    Path,
    Plus,
    Star,
    Union,
    concatenation,
    letters,
    replace,
    subexpressions,
    union,
    with_children,
)


class EditKind(StrEnum):
    """Kind of an edit."""

    LETTER = "letter"
    """A letter becomes another of the alphabet."""
    STAR = "star"
    """A star is put on or taken off."""
    PLUS = "plus"
    """A plus is put on or taken off."""
    OPTION = "option"
    """A question mark is put on or taken off."""
    POSTFIX = "postfix"
    """One of ``*``, ``+``, ``?`` becomes another."""
    SCOPE = "scope"
    """A postfix sign on a concatenation moves to its last operand alone, or from there to the whole: (ab)*, ab*."""
    ORDER = "order"
    """Two neighbours in a concatenation change places."""
    CONNECTIVE = "connective"
    """A concatenation becomes the union of its operands, or a union their concatenation."""
    DROP = "drop"
    """An operand of a concatenation or union is left out."""
    DUPLICATE = "duplicate"
    """An operand of a concatenation is written twice."""


class Edit(NamedTuple):
    """One edit.

    Attributes:
        path: the place of the changed node in the original expression.
        node: what stands at the place after it.
    """

    kind: EditKind
    path: Path
    original: Expression
    node: Expression

    @property
    def expression(self) -> Expression:
        """Return the whole expression after it: made where it is asked for, as few of many edits are drawn."""
        return replace(self.original, self.path, self.node)


_TOGGLED = {Star: EditKind.STAR, Plus: EditKind.PLUS, Option: EditKind.OPTION}


def edits(expression: Expression, alphabet: str | None = None, dialect: Dialect = Dialect.PUBLISHED) -> Iterator[Edit]:
    """Yield every edit whose result is another tree of the dialect, places in preorder; results may coincide.

    Args:
        expression: of the dialect.
        alphabet: the letters that may be put in; by default those of the expression.
        dialect: of the results.
    """
    symbols = letters(expression) if alphabet is None else "".join(sorted(set(alphabet)))
    for path, node in subexpressions(expression):
        for kind, edited in _at(node, symbols, dialect):
            if edited is not node:
                yield Edit(kind, path, expression, edited)


def _at(node: Expression, symbols: str, dialect: Dialect) -> Iterator[tuple[EditKind, Expression]]:
    kinds = POSTFIX_OF.values() if dialect == Dialect.FULL else (Star,)
    if isinstance(node, Star | Plus | Option):
        yield _TOGGLED[type(node)], node.operand
        for kind in kinds:
            if kind is not type(node):
                yield EditKind.POSTFIX, kind(node.operand)
        if isinstance(node.operand, Concatenation):
            *first, last = node.operand.operands
            yield EditKind.SCOPE, concatenation((*first, type(node)(last)))
    else:
        for kind in kinds:
            yield _TOGGLED[kind], kind(node)
    if isinstance(node, Letter):
        for symbol in symbols:
            if symbol != node.symbol:
                yield EditKind.LETTER, LETTER_OF[symbol]
    if isinstance(node, Concatenation):
        yield from _in_concatenation(node, dialect)
    if isinstance(node, Union):
        yield EditKind.CONNECTIVE, concatenation(node.operands)
    if isinstance(node, Concatenation | Union):
        for place in range(len(node.operands)):
            fewer = with_children(node, node.operands[:place] + node.operands[place + 1 :])
            if in_dialect(fewer, dialect):
                yield EditKind.DROP, fewer


def _in_concatenation(node: Concatenation, dialect: Dialect) -> Iterator[tuple[EditKind, Expression]]:
    operands = node.operands
    last = operands[-1]
    if isinstance(last, Star | Plus | Option):
        yield EditKind.SCOPE, type(last)(concatenation((*operands[:-1], last.operand)))
    for place in range(len(operands) - 1):
        yield (
            EditKind.ORDER,
            Concatenation((*operands[:place], operands[place + 1], operands[place], *operands[place + 2 :])),
        )
    if dialect == Dialect.FULL:
        yield EditKind.CONNECTIVE, union(operands)
    for place, operand in enumerate(operands):
        yield EditKind.DUPLICATE, Concatenation((*operands[:place], operand, *operands[place:]))
