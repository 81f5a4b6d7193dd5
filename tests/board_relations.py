"""Extensions of Tarski's predicates on a board, by their plain definitions."""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import TypeVar

from nlfol.report.boards import _OF_SHAPES, _OF_SIZES, _OF_SQUARES, SHAPES, SIZES, Block, is_between

T = TypeVar("T")


def relations_of(blocks: Sequence[Block]) -> dict[str, frozenset[tuple[int, ...]]]:
    """Return each predicate's extension on a board, by the plain definitions."""
    shapes, sizes = [block.shape or "" for block in blocks], [block.size for block in blocks]
    squares = [block.square for block in blocks if block.square is not None]
    every = range(len(blocks))
    triples = (triple for triple in product(every, repeat=3) if is_between(*(squares[place] for place in triple)))
    return {
        **{name: frozenset((place,) for place in every if shapes[place] == shape) for name, shape in SHAPES.items()},
        **{name: frozenset((place,) for place in every if sizes[place] == size) for name, size in SIZES.items()},
        **_extensions(_OF_SHAPES, shapes),
        **_extensions(_OF_SIZES, sizes),
        **_extensions(_OF_SQUARES, squares),
        "Between": frozenset(triples),
    }


def _extensions(
    relations: Mapping[str, Callable[[T, T], bool]], values: Sequence[T]
) -> dict[str, frozenset[tuple[int, ...]]]:
    pairs = list(product(range(len(values)), repeat=2))
    return {
        name: frozenset((x, y) for x, y in pairs if relation(values[x], values[y]))
        for name, relation in relations.items()
    }
