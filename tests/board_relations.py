"""Extensions of Tarski's predicates on a board, by plain definitions, and formulas on all small boards at once.

The definitions are not the library's: they are said again here, for numbers and for arrays of numbers alike.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from typing import Any

import numpy as np

from nlfol.logic import syntax as fol
from nlfol.logic.boards import Block
from nlfol.logic.measuring import signature

SHAPES, SIZES = ("cube", "tetrahedron", "dodecahedron"), ("small", "medium", "large")


@dataclass(frozen=True)
class Place:
    """Row, column, shape and size as numbers, or as arrays with a number for each of many boards."""

    row: Any
    column: Any
    shape: Any
    size: Any


def _between(x: Place, y: Place, z: Place) -> Any:
    """On one row, column or diagonal with the two others, and nearer to either than these are to one another."""
    vertical, horizontal = z.row - y.row, z.column - y.column
    is_line = (vertical == 0) | (horizontal == 0) | (abs(vertical) == abs(horizontal))
    is_on_it = (x.row - y.row) * horizontal == (x.column - y.column) * vertical
    apart = [abs(a.row - b.row) + abs(a.column - b.column) for a, b in ((y, x), (x, z), (y, z))]
    return is_line & is_on_it & (apart[0] > 0) & (apart[1] > 0) & (apart[0] + apart[1] == apart[2])


RELATIONS: Mapping[str, tuple[int, Any]] = {
    "Cube": (1, lambda x: x.shape == 0),
    "Tet": (1, lambda x: x.shape == 1),
    "Dodec": (1, lambda x: x.shape == 2),
    "Small": (1, lambda x: x.size == 0),
    "Medium": (1, lambda x: x.size == 1),
    "Large": (1, lambda x: x.size == 2),
    "SameShape": (2, lambda x, y: x.shape == y.shape),
    "SameSize": (2, lambda x, y: x.size == y.size),
    "Smaller": (2, lambda x, y: x.size < y.size),
    "Larger": (2, lambda x, y: x.size > y.size),
    "LeftOf": (2, lambda x, y: x.column < y.column),
    "RightOf": (2, lambda x, y: x.column > y.column),
    "BackOf": (2, lambda x, y: x.row < y.row),
    "FrontOf": (2, lambda x, y: x.row > y.row),
    "SameRow": (2, lambda x, y: x.row == y.row),
    "SameCol": (2, lambda x, y: x.column == y.column),
    "Adjoins": (2, lambda x, y: (x.row - y.row) ** 2 + (x.column - y.column) ** 2 == 1),
    "Between": (3, _between),
}


def relations_of(blocks: Sequence[Block]) -> dict[str, frozenset[tuple[int, ...]]]:
    """Return each predicate's extension on a board."""
    places = [
        Place(*block.square, SHAPES.index(block.shape) if block.shape else -1, SIZES.index(block.size))
        for block in blocks
    ]
    return {
        name: frozenset(
            row for row in product(range(len(places)), repeat=arity) if holds(*(places[place] for place in row))
        )
        for name, (arity, holds) in RELATIONS.items()
    }


def fewest_blocks(first: fol.Formula, second: fol.Formula, blocks: int = 3, side: int = 3) -> int | None:
    """Return the fewest blocks on a board of so many squares a side on which two closed formulas differ."""
    names = sorted(signature(first, second).constants)
    for size in range(1, blocks + 1):
        for named in product(range(size), repeat=len(names)):
            on = _boards(size, side), dict(zip(names, named, strict=True))
            if np.any(_truth(first, *on) != _truth(second, *on)):
                return size
    return None


@cache
def _boards(size: int, side: int) -> tuple[Place, ...]:
    """Return every board of one number of blocks; which of two blocks is the first is no difference."""
    squares = list(combinations(product(range(side), repeat=2), size))
    looks = list(product(range(len(SHAPES)), range(len(SIZES)), repeat=size))
    table = np.array([[*sum(where, ()), *look] for where in squares for look in looks], dtype=np.int8).T
    return tuple(
        Place(table[2 * n], table[2 * n + 1], table[2 * (size + n)], table[2 * (size + n) + 1]) for n in range(size)
    )


def _truth(formula: fol.Formula, blocks: tuple[Place, ...], denoted: Mapping[str, int]) -> Any:
    """Return whether a formula is true on each of many boards; names of constants and variables differ."""
    match formula:
        case fol.Atom(predicate, arguments):
            return RELATIONS[predicate][1](*(blocks[denoted[term.name]] for term in arguments))
        case fol.Equality(left, right):
            return np.full(blocks[0].row.shape, denoted[left.name] == denoted[right.name])
        case fol.Not(operand):
            return ~_truth(operand, blocks, denoted)
        case fol.ForAll(variable, body):
            return np.all(list(_instances(variable, body, blocks, denoted)), axis=0)
        case fol.Exists(variable, body):
            return np.any(list(_instances(variable, body, blocks, denoted)), axis=0)
    assert isinstance(formula, fol.BINARY)
    a, b = (_truth(part, blocks, denoted) for part in (formula.left, formula.right))
    return {"∧": a & b, "∨": a | b, "→": ~a | b, "↔": a == b, "⊕": a != b}[formula.sign]


def _instances(
    variable: fol.Variable, body: fol.Formula, blocks: tuple[Place, ...], denoted: Mapping[str, int]
) -> Iterator[Any]:
    return (_truth(body, blocks, {**denoted, variable.name: number}) for number in range(len(blocks)))
