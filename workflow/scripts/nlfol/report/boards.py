"""Drawings of boards with blocks."""

from collections.abc import Sequence
from html import escape
from math import cos, pi, sin

from nlfol.logic.boards import Block

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

    A circle is a block of any shape, a dashed outline one of any size.
    """
    squares = [block.square for block in blocks]
    top, left = (min(square[axis] for square in squares) for axis in (0, 1))
    rows, columns = (1 + max(square[axis] for square in squares) - least for axis, least in ((0, top), (1, left)))
    drawn = [
        f'<rect x="{column * _SQUARE}" y="{row * _SQUARE}" width="{_SQUARE}" height="{_SQUARE}" '
        f'fill="{"#ece3d0" if (row + column + top + left) % 2 else "#f8f3e8"}"/>'
        for row in range(rows)
        for column in range(columns)
    ]
    drawn += [
        _block(block, row - top, column - left, str(number))
        for number, (block, (row, column)) in enumerate(zip(blocks, squares, strict=True))
    ]
    label = escape("; ".join(_words(block, number) for number, block in enumerate(blocks)))
    width, height = columns * _SQUARE, rows * _SQUARE
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'role="img" aria-label="{label}">{"".join(drawn)}</svg>'
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


def _words(block: Block, number: int) -> str:
    size = "" if block.size_open else f"{block.size} "
    return f"{', '.join(block.names) or number}: {size}{block.shape or 'block of any shape'}"
