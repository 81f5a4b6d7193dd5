"""A finite structure over the vocabulary of Tarski's World as blocks on a board, where it can be one.

A structure interprets some predicates in any way whatever; a board is geometry. ``board`` looks for shapes, sizes and
squares under which each predicate that the structure interprets holds of exactly the blocks that it says. The
predicates are those of Barwise and Etchemendy's "Tarski's World" (Language, Proof and Logic, chapter 1): rows are
numbered from the back and columns from the left; what adjoins shares a side; what is between lies on one row, column or
diagonal with the two others.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from math import cos, pi, sin
from typing import Any, TypeVar

from nlfol.logic.structures import Structure
from nlfol.ontology.ontology import Ontology

SIDE = 8
"""Rows, and columns, of the board."""

MAX_STEPS = 2_000
"""Squares tried for one structure."""

SHAPES = {"Cube": "cube", "Tet": "tetrahedron", "Dodec": "dodecahedron"}
SIZES = {"Medium": "medium", "Small": "small", "Large": "large"}
"""Predicates and what they say; of several possible shapes or sizes the first is taken."""

T = TypeVar("T")

_GREATNESS = {"small": 0, "medium": 1, "large": 2}
Square = tuple[int, int]

_OF_SHAPES: Mapping[str, Callable[[str, str], bool]] = {"SameShape": lambda x, y: x == y}
_OF_SIZES: Mapping[str, Callable[[str, str], bool]] = {
    "Smaller": lambda x, y: _GREATNESS[x] < _GREATNESS[y],
    "Larger": lambda x, y: _GREATNESS[x] > _GREATNESS[y],
    "SameSize": lambda x, y: x == y,
}
_OF_SQUARES: Mapping[str, Callable[[Square, Square], bool]] = {
    "LeftOf": lambda x, y: x[1] < y[1],
    "RightOf": lambda x, y: x[1] > y[1],
    "BackOf": lambda x, y: x[0] < y[0],
    "FrontOf": lambda x, y: x[0] > y[0],
    "SameRow": lambda x, y: x[0] == y[0],
    "SameCol": lambda x, y: x[1] == y[1],
    "Adjoins": lambda x, y: abs(x[0] - y[0]) + abs(x[1] - y[1]) == 1,
}
_ARITIES = {
    **dict.fromkeys((*SHAPES, *SIZES), 1),
    **dict.fromkeys((*_OF_SHAPES, *_OF_SIZES, *_OF_SQUARES), 2),
    "Between": 3,
}

# Near the centre, so that what is shown of a board is small. The first four are on no common row, column or diagonal:
# blocks of which nothing is said stand in no relation that would be taken for said.
_APART: tuple[Square, ...] = ((2, 3), (3, 5), (4, 2), (5, 4))
_SQUARES: tuple[Square, ...] = (
    *_APART,
    *sorted(
        {(row, column) for row in range(SIDE) for column in range(SIDE)} - set(_APART),
        key=lambda square: (max(abs(2 * place - SIDE + 1) for place in square), square),
    ),
)
_EVERYWHERE = (1 << len(_SQUARES)) - 1


def _mask(holds: Callable[[Square, Square], bool], known: Square, *, second: bool) -> int:
    """Return a mask of the squares for which a relation holds, given its first square or its second."""
    pairs = ((known, square) if second else (square, known) for square in _SQUARES)
    return sum(1 << place for place, pair in enumerate(pairs) if holds(*pair))


# By predicate and place of the first square: the places of the second for which it holds, and the other way round.
_AFTER = {name: [_mask(holds, x, second=True) for x in _SQUARES] for name, holds in _OF_SQUARES.items()}
_BEFORE = {name: [_mask(holds, y, second=False) for y in _SQUARES] for name, holds in _OF_SQUARES.items()}


@dataclass(frozen=True, slots=True)
class Block:
    """One element of the universe, with the constants that denote it.

    ``shape`` is None where the structure leaves it open, ``size_open`` says that another size would do too; ``square``
    is the row from the back and the column from the left, from 0, and None where the blocks were not placed.
    """

    names: tuple[str, ...]
    shape: str | None
    size: str
    size_open: bool
    square: Square | None

    def as_data(self) -> dict[str, Any]:
        """Return the block as JSON values."""
        return {
            "names": list(self.names),
            "shape": self.shape,
            "size": self.size,
            "sizeOpen": self.size_open,
            "square": None if self.square is None else list(self.square),
        }


def is_blocks_world(ontology: Ontology) -> bool:
    """Return whether an ontology is that of Tarski's World, or a part of it that has shapes."""
    arities = {predicate.name: predicate.arity for predicate in ontology.predicates}
    return not ontology.functions and arities.items() <= _ARITIES.items() and bool(arities.keys() & SHAPES.keys())


def board(structure: Structure) -> list[Block] | None:
    """Place the blocks of a structure over predicates of Tarski's World.

    Squares are None where none were found within ``MAX_STEPS`` under which all holds that the structure says. Return
    None where the shapes or sizes themselves contradict one another. Raises `ValueError` if the structure has functions
    or a predicate that is not one of Tarski's World.
    """
    said = structure.predicates
    unknown = sorted(said.keys() - _ARITIES.keys())
    if unknown or structure.functions:
        raise ValueError(f"not a blocks world: {', '.join(unknown) or 'functions'}")
    shapes = _features(structure, SHAPES, _OF_SHAPES)
    sizes = _features(structure, SIZES, _OF_SIZES)
    if shapes is None or sizes is None:
        return None
    squares = _squares(structure)
    settled = not said.keys().isdisjoint(_OF_SHAPES)
    blocks = []
    for element in range(structure.size):
        names = tuple(sorted(name for name, denoted in structure.constants.items() if denoted == element))
        shape = shapes[element] if settled or len(_possible(element, structure, SHAPES)) == 1 else None
        size_open = len(_possible(element, structure, SIZES)) > 1
        blocks.append(Block(names, shape, sizes[element], size_open, None if squares is None else squares[element]))
    return blocks


def _possible(element: int, structure: Structure, features: Mapping[str, str]) -> list[str]:
    said = {name: (element,) in structure.predicates[name] for name in features if name in structure.predicates}
    being = [features[name] for name, holds in said.items() if holds]
    return being[:1] if len(being) == 1 else [] if being else [f for name, f in features.items() if name not in said]


def _features(
    structure: Structure, features: Mapping[str, str], relations: Mapping[str, Callable[[str, str], bool]]
) -> list[str] | None:
    """Return a shape, or size, for each element under which the relations have exactly their extensions."""
    said = {name: structure.predicates[name] for name in relations if name in structure.predicates}
    chosen: list[str] = []

    def fits() -> bool:
        new = len(chosen) - 1
        pairs = [pair for old in range(new + 1) for pair in ((old, new), (new, old))]
        return all(
            relations[name](chosen[x], chosen[y]) == ((x, y) in extension)
            for name, extension in said.items()
            for x, y in pairs
        )

    def extend() -> bool:
        if len(chosen) == structure.size:
            return True
        for feature in _possible(len(chosen), structure, features):
            chosen.append(feature)
            if fits() and extend():
                return True
            chosen.pop()
        return False

    return chosen if extend() else None


def _squares(structure: Structure) -> list[Square] | None:
    """Return a square for each element; place the element with the fewest squares left first."""
    said = {name: structure.predicates[name] for name in _OF_SQUARES if name in structure.predicates}
    between = structure.predicates.get("Between")
    alone = all(
        _OF_SQUARES[name]((0, 0), (0, 0)) == ((element, element) in extension)
        for name, extension in said.items()
        for element in range(structure.size)
    ) and all(len(set(triple)) == 3 for triple in between or ())
    if not alone or structure.size > len(_SQUARES):
        return None
    steps = 0

    def extend(placed: dict[int, int], left: dict[int, int]) -> dict[int, int] | None:
        nonlocal steps
        if not left:
            return placed
        element = min(left, key=lambda e: (left[e].bit_count(), e))
        for place in range(len(_SQUARES)):
            if not left[element] >> place & 1:
                continue
            steps += 1
            if steps > MAX_STEPS:
                return None
            now = {**placed, element: place}
            rest = {e: left[e] & _allowed(said, element, place, e) for e in left if e != element}
            if between is not None:
                rest = {e: mask & _allowed_between(between, now, element, e) for e, mask in rest.items()}
            found = extend(now, rest) if all(rest.values()) else None
            if found is not None:
                return found
        return None

    found = extend({}, dict.fromkeys(range(structure.size), _EVERYWHERE))
    return None if found is None else [_SQUARES[found[element]] for element in range(structure.size)]


def _allowed(said: Mapping[str, frozenset[tuple[int, ...]]], element: int, place: int, other: int) -> int:
    allowed = _EVERYWHERE & ~(1 << place)
    for name, extension in said.items():
        allowed &= _AFTER[name][place] if (element, other) in extension else ~_AFTER[name][place]
        allowed &= _BEFORE[name][place] if (other, element) in extension else ~_BEFORE[name][place]
    return allowed


def _allowed_between(between: frozenset[tuple[int, ...]], placed: Mapping[int, int], element: int, other: int) -> int:
    """Return the squares left to an element, given one square and those placed before it."""
    allowed = _EVERYWHERE
    for known in placed.keys() - {element}:
        for first, second in ((element, known), (known, element)):
            middles, ends = _middles(placed[first], placed[second]), _ends(placed[first], placed[second])
            for triple, mask in (
                ((other, first, second), middles),
                ((first, second, other), ends),
                ((first, other, second), ends),
            ):
                allowed &= mask if triple in between else ~mask
    return allowed


@cache
def _middles(first: int, second: int) -> int:
    ends = _SQUARES[first], _SQUARES[second]
    return sum(1 << place for place, square in enumerate(_SQUARES) if is_between(square, *ends))


@cache
def _ends(middle: int, end: int) -> int:
    """Return a mask of the squares from which the first of two lies before the second."""
    known = _SQUARES[middle], _SQUARES[end]
    return sum(1 << place for place, square in enumerate(_SQUARES) if is_between(*known, square))


def is_between(x: Square, y: Square, z: Square) -> bool:
    """Return whether x lies between y and z on one row, column or diagonal."""
    rows, columns = z[0] - y[0], z[1] - y[1]
    if rows and columns and abs(rows) != abs(columns):
        return False
    steps = max(abs(rows), abs(columns))
    ways = [(y[0] + rows // steps * step, y[1] + columns // steps * step) for step in range(1, steps)] if steps else []
    return x in ways


_SQUARE = 60
_RADIUS = {"small": 12, "medium": 18, "large": 25}
_COLOURS = {"cube": "#8fb8de", "tetrahedron": "#f2b880", "dodecahedron": "#9ccb9b", None: "#dddddd"}
_CORNERS = {
    "cube": [(-0.85, -0.85), (0.85, -0.85), (0.85, 0.85), (-0.85, 0.85)],
    "tetrahedron": [(0.0, -1.05), (1.0, 0.8), (-1.0, 0.8)],
    "dodecahedron": [(sin(k * 2 * pi / 5), -cos(k * 2 * pi / 5)) for k in range(5)],
}


def svg(blocks: Sequence[Block]) -> str:
    """Draw the part of the board that holds blocks, the back row on top, as SVG that stands alone.

    A circle is a block of any shape, a dashed outline one of any size. Raises `ValueError` if a block has no square.
    """
    squares = [block.square for block in blocks if block.square is not None]
    if len(squares) < len(blocks):
        raise ValueError("no places on a board were found at which just these relations hold")
    top, left = (min(square[axis] for square in squares) for axis in (0, 1))
    rows, columns = (1 + max(square[axis] for square in squares) - least for axis, least in ((0, top), (1, left)))
    drawn = [
        f'<rect x="{column * _SQUARE}" y="{row * _SQUARE}" width="{_SQUARE}" height="{_SQUARE}" '
        f'fill="{"#ece3d0" if (row + column + top + left) % 2 else "#f8f3e8"}"/>'
        for row in range(rows)
        for column in range(columns)
    ]
    drawn += [
        _block(block, row - top, column - left, str(place))
        for place, (block, (row, column)) in enumerate(zip(blocks, squares, strict=True))
    ]
    said = escape("; ".join(_words(block, place) for place, block in enumerate(blocks)))
    width, height = columns * _SQUARE, rows * _SQUARE
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'role="img" aria-label="{said}">{"".join(drawn)}</svg>'
    )


def _block(block: Block, row: int, column: int, number: str) -> str:
    x, y, radius = (column + 0.5) * _SQUARE, (row + 0.5) * _SQUARE, _RADIUS[block.size]
    look = f'fill="{_COLOURS[block.shape]}" stroke="#333333" stroke-width="1.5"'
    if block.size_open:
        look += ' stroke-dasharray="4 3"'
    if block.shape is None:
        shape = f'<circle cx="{x:g}" cy="{y:g}" r="{radius * 0.9:g}" {look}/>'
    else:
        points = " ".join(f"{x + dx * radius:.2f},{y + dy * radius:.2f}" for dx, dy in _CORNERS[block.shape])
        shape = f'<polygon points="{points}" {look}/>'
    label = escape(", ".join(block.names) or number)
    text = f'<text x="{x:g}" y="{y + 5:g}" text-anchor="middle" font-family="sans-serif" font-size="14">{label}</text>'
    return shape + text


def _words(block: Block, place: int) -> str:
    size = "" if block.size_open else f"{block.size} "
    return f"{', '.join(block.names) or place}: {size}{block.shape or 'block of any shape'}"
