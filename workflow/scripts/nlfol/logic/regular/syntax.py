"""Syntax of regular expressions over single letters, as immutable, interned trees.

Letters are the digits and the lower-case letters of ASCII, one character each. Expressions are letters, ε (the empty
word alone), and what concatenation, union, ``*``, ``+`` and ``?`` make of them (Kleene, *Representation of Events in
Nerve Nets and Finite Automata*, 1956; Hopcroft, Motwani and Ullman, *Introduction to Automata Theory*, 3.1). No
expression denotes the empty language.

Concatenation and union have two or more operands, none of which is of the same class: ``(ab)c`` and ``a(bc)`` are one
tree, that of ``abc``. ``concatenation`` and ``union`` build them from any operands. All else is kept: ``0**`` is the
star of a star, ``0|0`` a union of two.

Equal trees are one object, forgotten when nothing holds it, so equality and hashing cost nothing. Nothing here
recurses: trees may be of any depth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from nlfol.interning import Interned, Measured, bottom_up, distinct_parts, preorder, replaced_at
from nlfol.logic.regular.errors import ExpressionError

LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz"
"""All letters, in letter order."""

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, eq=False, repr=False, weakref_slot=True)
class Node(Measured, metaclass=Interned):
    """An expression. Compare with ``is`` or ``==``: they agree. ``str`` and ``repr`` are its text."""

    measure = staticmethod(lambda *_: None)
    sign: ClassVar[str] = ""
    """The sign of the class; none of letters and concatenations."""

    def __repr__(self) -> str:
        assert isinstance(self, Expression)
        return to_text(self)

    def __reduce__(self) -> tuple[Any, ...]:
        assert isinstance(self, Expression)
        return _from_postfix, (_postfix(self),)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Epsilon(Node):
    """The language of the empty word alone; ``EPSILON`` is its one node."""

    sign: ClassVar[str] = "ε"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Letter(Node):
    """One letter."""

    symbol: str

    def __post_init__(self) -> None:
        if len(self.symbol) != 1 or self.symbol not in LETTERS:
            raise ExpressionError(f"{self.symbol!r} is no letter: use one digit or one lower-case ASCII letter")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Concatenation(Node):
    """One operand after the other; two or more, none of them a concatenation."""

    operands: tuple[Expression, ...]

    def __post_init__(self) -> None:
        _check_operands(self.operands, Concatenation, "concatenation")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Union(Node):
    """Any one of the operands; two or more, none of them a union. Their order is kept."""

    sign: ClassVar[str] = "|"
    operands: tuple[Expression, ...]

    def __post_init__(self) -> None:
        _check_operands(self.operands, Union, "union")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Star(Node):
    """The operand zero or more times."""

    sign: ClassVar[str] = "*"
    operand: Expression


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Plus(Node):
    """The operand one or more times."""

    sign: ClassVar[str] = "+"
    operand: Expression


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Option(Node):
    """The operand or nothing."""

    sign: ClassVar[str] = "?"
    operand: Expression


Leaf = Epsilon | Letter
Chain = Concatenation | Union
Postfix = Star | Plus | Option
Expression = Leaf | Chain | Postfix

EPSILON = object.__new__(Epsilon)
LETTER_OF: dict[str, Letter] = {symbol: Letter(symbol) for symbol in LETTERS}
"""The node of each letter."""
POSTFIX_OF: dict[str, type[Postfix]] = {kind.sign: kind for kind in (Star, Plus, Option)}
"""The class of each postfix sign."""

Path = tuple[int, ...]
"""Position of a subexpression: the operands to follow from the root, counted from 0."""


def _check_operands(operands: tuple[Expression, ...], kind: type, name: str) -> None:
    if len(operands) < 2 or kind in map(type, operands):
        raise ExpressionError(f"a {name} has two or more operands, none a {name}: build it with {name}(…)")


def concatenation(operands: Iterable[Expression]) -> Expression:
    """Return the operands one after the other: flattened; of one, itself; of none, ε."""
    return _chained(Concatenation, operands)


def union(operands: Iterable[Expression]) -> Expression:
    """Return the union of the operands, flattened; of one, itself; raises `ExpressionError` if there are none."""
    operands = tuple(operands)
    if not operands:
        raise ExpressionError("a union of nothing: the empty language has no expression")
    return _chained(Union, operands)


def _chained(kind: type[Concatenation] | type[Union], operands: Iterable[Expression]) -> Expression:
    flat: list[Expression] = []
    for operand in operands:
        if type(operand) is kind:
            flat.extend(children(operand))
        else:
            flat.append(operand)
    if len(flat) > 1:
        return kind(tuple(flat))
    return flat[0] if flat else EPSILON


def children(expression: Expression) -> tuple[Expression, ...]:
    """Return the operands, left to right."""
    if isinstance(expression, Chain):
        return expression.operands
    return (expression.operand,) if isinstance(expression, Postfix) else ()


def with_children(expression: Expression, parts: Sequence[Expression]) -> Expression:
    """Return the same operator over other operands, flattened; a leaf stays what it is."""
    if isinstance(expression, Chain):
        return _chained(type(expression), parts)
    return type(expression)(parts[0]) if isinstance(expression, Postfix) else expression


def fold(expression: Expression, step: Callable[[Expression, tuple[_T, ...]], _T]) -> _T:
    """Apply ``step(node, results of its operands)`` to each distinct node, bottom-up, and return the root's result."""
    return bottom_up(expression, children, step, {})


def subexpressions(expression: Expression) -> Iterator[tuple[Path, Expression]]:
    """Yield every occurrence of a subexpression with its path, in preorder."""
    return preorder(expression, children)


def distinct_subexpressions(expression: Expression) -> Iterator[Expression]:
    """Yield each distinct subexpression once, in preorder of first occurrence."""
    return distinct_parts(expression, children)


def replace(expression: Expression, path: Path, node: Expression) -> Expression:
    """Return the expression with ``node`` at ``path``; chains that come to nest become one."""
    return replaced_at(path, expression, node, children, with_children)


def letters(expression: Expression) -> str:
    """Return the letters that occur, each once, in letter order."""
    return "".join(sorted(node.symbol for node in distinct_subexpressions(expression) if isinstance(node, Letter)))


_OPERATORS = {Concatenation: "concatenation", Union: "union", Star: "star", Plus: "plus", Option: "option"}


def count_operators(expression: Expression) -> dict[str, int]:
    """Count concatenations and unions (one between two operands), stars, plus signs and options."""

    def step(node: Expression, parts: tuple[list[int], ...]) -> list[int]:
        own = max(1, len(children(node)) - 1)
        return [
            own * isinstance(node, kind) + sum(part[index] for part in parts) for index, kind in enumerate(_OPERATORS)
        ]

    counts: list[int] = fold(expression, step)
    return dict(zip(_OPERATORS.values(), counts, strict=True))


def depth(expression: Expression) -> int:
    """Return the depth of the syntax tree, in which a chain is one node; a leaf is 1 deep."""
    return fold(expression, lambda _, parts: 1 + max(parts, default=0))


def to_text(expression: Expression) -> str:
    """Return the text with the fewest parentheses; ``reading.parse`` inverts it in the full dialect."""
    pieces: list[str] = []
    stack: list[Expression | str] = [expression]
    while stack:
        top = stack.pop()
        match top:
            case str():
                pieces.append(top)
            case Letter(symbol):
                pieces.append(symbol)
            case Epsilon():
                pieces.append(top.sign)
            case Concatenation(operands):
                for operand in reversed(operands):
                    stack.extend((")", operand, "(") if isinstance(operand, Union) else (operand,))
            case Union(operands):
                for operand in reversed(operands[1:]):
                    stack.extend((operand, top.sign))
                stack.append(operands[0])
            case Star(operand) | Plus(operand) | Option(operand):
                stack.append(top.sign)
                stack.extend((")", operand, "(") if isinstance(operand, Chain) else (operand,))
    return "".join(pieces)


def _postfix(expression: Expression) -> list[str | int]:
    """Return postfix notation, for ``pickle``, which would recurse: a chain is its sign and its length."""
    postfix: list[str | int] = []
    stack = [expression]
    while stack:
        node = stack.pop()
        parts = children(node)
        if len(parts) > 1:
            postfix.append(len(parts))
        postfix.append(node.symbol if isinstance(node, Letter) else node.sign)
        stack.extend(parts)
    return postfix[::-1]


def _from_postfix(items: list[str | int]) -> Expression:
    stack: list[Expression] = []
    numbered = iter(items)
    for sign in numbered:
        if sign in LETTER_OF:
            stack.append(LETTER_OF[str(sign)])
        elif sign == Epsilon.sign:
            stack.append(EPSILON)
        elif sign in POSTFIX_OF:
            stack[-1] = POSTFIX_OF[str(sign)](stack[-1])
        else:
            length = int(next(numbered))
            kind = Union if sign == Union.sign else Concatenation
            stack[-length:] = [kind(tuple(stack[-length:]))]
    return stack[0]
