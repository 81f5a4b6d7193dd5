"""Blocks on the board of Barwise and Etchemendy's "Tarski's World" (Language, Proof and Logic, chapter 1).

Rows are numbered from the back and columns from the left; what adjoins shares a side; what is between lies on one row,
column or diagonal with the two others. Two blocks are on two squares, and several names may denote one block.

A formula sees of a board how many blocks there are, which names denote one, and what its predicates hold of. Of these
there are few: for each number of blocks up to ``MAX_BLOCKS`` and each set of predicates all are listed, as what shapes
allow, times what sizes allow, times what squares allow, and formulas are evaluated on all at once (``families``).
Of larger boards, ``board_proofs`` knows whether formulas agree on them. So ``on_boards`` is exact.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate, chain, combinations, permutations, product
from math import prod
from operator import eq
from typing import Any, TypeVar

from nlfol.logic.board_proofs import SIDE, beyond
from nlfol.logic.decision.families import Family, Value
from nlfol.logic.decision.finite_models import interpretations
from nlfol.logic.decision.verdicts import Outcome
from nlfol.logic.measuring import Signature, signature
from nlfol.logic.structures import Structure, holds
from nlfol.logic.syntax import Formula, distinct_subformulas
from nlfol.mappings import JsonDict, JsonObject

MAX_BLOCKS = 4
"""Blocks on the largest boards that are listed; for more, ``_gaps`` is not known to suffice."""

UP_TO_MOST = f"equivalent_up_to_{MAX_BLOCKS}"
"""The verdict on formulas that agree on all boards that are listed; nothing is known of larger ones."""

MAX_BOARDS, MAX_BITS = 2**20, 2**29
"""Boards of one number of blocks, as far as two formulas see them, and bits of the two's tables; no more are tried."""

SHAPES = {"Cube": "cube", "Tet": "tetrahedron", "Dodec": "dodecahedron"}
SIZES = {"Medium": "medium", "Small": "small", "Large": "large"}
"""Predicates and what they say; of several possible shapes or sizes the first is taken."""

T = TypeVar("T")

Square = tuple[int, int]
_Extensions = tuple[int, ...]
"""Extensions of some predicates: bit i says if it holds of row i of blocks, in lexicographic order."""

_GREATNESS = ("small", "medium", "large").index


def is_between(x: Square, y: Square, z: Square) -> bool:
    """Return whether x lies between y and z on one row, column or diagonal."""
    down, right, on, along = x[0] - y[0], x[1] - y[1], z[0] - x[0], z[1] - x[1]
    is_straight = not down or not right or abs(down) == abs(right)
    return is_straight and down * along == right * on and down * on + right * along > 0


_OF_SHAPE: Mapping[str, Callable[..., bool]] = {
    **{name: shape.__eq__ for name, shape in SHAPES.items()},
    "SameShape": eq,
}
_OF_SIZE: Mapping[str, Callable[..., bool]] = {
    **{name: size.__eq__ for name, size in SIZES.items()},
    "Smaller": lambda x, y: _GREATNESS(x) < _GREATNESS(y),
    "Larger": lambda x, y: _GREATNESS(x) > _GREATNESS(y),
    "SameSize": eq,
}
_OF_SQUARE: Mapping[str, Callable[..., bool]] = {
    "LeftOf": lambda x, y: x[1] < y[1],
    "RightOf": lambda x, y: x[1] > y[1],
    "BackOf": lambda x, y: x[0] < y[0],
    "FrontOf": lambda x, y: x[0] > y[0],
    "SameRow": lambda x, y: x[0] == y[0],
    "SameCol": lambda x, y: x[1] == y[1],
    "Adjoins": lambda x, y: abs(x[0] - y[0]) + abs(x[1] - y[1]) == 1,
    "Between": is_between,
}
_FEATURES = (_OF_SHAPE, _OF_SIZE, _OF_SQUARE)
"""By what their arguments are of the blocks: each is independent of the others."""

_HOLDS = {**_OF_SHAPE, **_OF_SIZE, **_OF_SQUARE}
ARITIES = {**dict.fromkeys(_HOLDS, 2), **dict.fromkeys((*SHAPES, *SIZES), 1), "Between": 3}


@dataclass(frozen=True, slots=True)
class Block:
    """One element of the universe, with the constants that denote it.

    ``shape`` is None where the structure leaves it open, ``size_open`` says that another size would do too; ``square``
    is the row from the back and the column from the left, from 0.
    """

    names: tuple[str, ...]
    shape: str | None
    size: str
    size_open: bool
    square: Square

    def as_data(self) -> JsonDict:
        """Return the block as JSON values."""
        return {
            "names": list(self.names),
            "shape": self.shape,
            "size": self.size,
            "sizeOpen": self.size_open,
            "square": list(self.square),
        }


def in_words(block: JsonObject) -> str:
    """Return a block, as data, in words."""
    row, column = block["square"]
    name = f"{' = '.join(block['names'])}, " if block["names"] else ""
    return f"{name}{block['size']} {block['shape'] or 'block'} in row {row + 1} from the back, column {column + 1}"


@dataclass(frozen=True, slots=True)
class OnBoards:
    """Agreement of two formulas on every board, or a board on which they differ, with so many blocks.

    Of all but ``not_equivalent``, ``blocks`` is the number up to which boards were listed; the two agree on all these.
    """

    outcome: Outcome
    blocks: int
    counter_model: Structure | None = None

    @property
    def verdict(self) -> str:
        """Return the outcome; ``UP_TO_MOST`` where larger boards alone are unknown."""
        is_small = self.outcome is Outcome.UNKNOWN and self.blocks == MAX_BLOCKS
        return UP_TO_MOST if is_small else self.outcome.value


def is_blocks_world(symbols: Signature) -> bool:
    """Return whether a signature is that of Tarski's World, or a part of it that has shapes."""
    is_part = not symbols.functions and symbols.predicates.items() <= ARITIES.items()
    return is_part and not symbols.predicates.keys().isdisjoint(SHAPES)


def on_boards(first: Formula, second: Formula) -> OnBoards:
    """Return whether two closed formulas are true on the same boards.

    If not, it has the fewest blocks of a board on which they differ, and such a board, as far as the two see it, with
    the most blocks that have names; or a board of one block more, if it takes that to give each name its own; or, where
    all boards that are listed agree, some larger one. Unknown is what no proof is found for. Raises `ValueError` for
    predicates that are not of Tarski's World, ``SignatureError`` if a symbol has two arities.
    """
    symbols = signature(first, second)
    _check(symbols.predicates, symbols.functions)
    predicates = tuple(sorted(symbols.predicates))
    parts = [part for formula in (first, second) for part in distinct_subformulas(formula)]

    def differing(size: int, names: Mapping[str, int]) -> Structure | Outcome:
        width = prod(map(len, _arrangements(size, predicates)))
        if width > MAX_BOARDS or width * sum(size ** len(part.profile.free) for part in parts) > MAX_BITS:
            return Outcome.UNKNOWN
        boards = _Boards(size, names, predicates)
        a, b = boards.truth(first), boards.truth(second)
        if a is None or b is None:
            return Outcome.UNKNOWN
        if not (different := a ^ b):
            return Outcome.EQUIVALENT
        structure = boards.structure((different & -different).bit_length() - 1, symbols)
        if holds(first, structure) == holds(second, structure):
            raise AssertionError(f"no difference between {first} and {second} in {structure.describe()}")
        return structure

    for size in range(1, MAX_BLOCKS + 1):
        for names in reversed(list(interpretations(sorted(symbols.constants), size))):
            difference = differing(size, names)
            if difference is Outcome.UNKNOWN:
                return _on_larger(first, second, size - 1)
            if isinstance(difference, Structure):
                if len({*names.values()}) < len(names) <= size + 1 <= MAX_BLOCKS:
                    apart = differing(size + 1, {name: index for index, name in enumerate(sorted(names))})
                    difference = apart if isinstance(apart, Structure) else difference
                return OnBoards(Outcome.NOT_EQUIVALENT, size, difference)
    return _on_larger(first, second, MAX_BLOCKS)


def _on_larger(first: Formula, second: Formula, seen: int) -> OnBoards:
    difference = beyond(first, second, seen)
    if isinstance(difference, Structure):
        return OnBoards(Outcome.NOT_EQUIVALENT, difference.size, difference)
    return OnBoards(Outcome.EQUIVALENT if difference else Outcome.UNKNOWN, seen)


def board(structure: Structure) -> list[Block] | None:
    """Return blocks of which each predicate holds just as a structure says; None if there are none on a board.

    Nor are there for more than ``MAX_BLOCKS`` elements. Raises `ValueError` if the structure has functions or a
    predicate that is not one of Tarski's World.
    """
    extensions = structure.predicates
    _check(extensions, structure.functions)
    if structure.size > MAX_BLOCKS:
        return None
    chosen = []
    predicates = tuple(sorted(extensions))
    for own, arranged in zip(_owned(predicates), _arrangements(structure.size, predicates), strict=True):
        rows = {name: enumerate(product(range(structure.size), repeat=ARITIES[name])) for name in own}
        wanted = tuple(sum(1 << index for index, row in rows[name] if row in extensions[name]) for name in own)
        if wanted not in arranged:
            return None
        chosen.append(arranged[wanted])
    shapes, sizes, squares = chosen
    corner = [(SIDE - 1 - max(square[axis] for square in squares)) // 2 for axis in (0, 1)]

    def is_open(element: int, names: Iterable[str]) -> bool:
        return not any((element,) in extensions.get(name, ()) for name in names) and len(names - extensions.keys()) > 1

    return [
        Block(
            tuple(sorted(name for name, denoted in structure.constants.items() if denoted == element)),
            None if "SameShape" not in extensions and is_open(element, SHAPES.keys()) else shapes[element],
            sizes[element],
            is_open(element, SIZES.keys()),
            (squares[element][0] + corner[0], squares[element][1] + corner[1]),
        )
        for element in range(structure.size)
    ]


def _check(predicates: Iterable[str], functions: Iterable[str]) -> None:
    unknown = sorted({*predicates} - ARITIES.keys())
    if unknown or functions:
        raise ValueError(f"not a blocks world: {', '.join(unknown) or 'functions'}")


def _owned(predicates: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return the predicates of each feature."""
    return [tuple(name for name in predicates if name in feature) for feature in _FEATURES]


def _arrangements(size: int, predicates: tuple[str, ...]) -> list[Mapping[_Extensions, tuple[Any, ...]]]:
    """Return for each feature what predicates can hold of at once, each with the shapes, sizes or squares of blocks."""
    of_shape, of_size, of_square = _owned(predicates)
    return [
        _arranged(of_shape, tuple(SHAPES.values()), size),
        _arranged(of_size, tuple(SIZES.values()), size),
        _placed(of_square, size),
    ]


@cache
def _arranged(predicates: tuple[str, ...], values: tuple[str, ...], size: int) -> Mapping[_Extensions, tuple[str, ...]]:
    return _distinct(product(values, repeat=size), predicates)


@cache
def _placed(predicates: tuple[str, ...], size: int) -> Mapping[_Extensions, tuple[Square, ...]]:
    ordered = _distinct(_placings(size, _gaps(predicates)), predicates)
    return _distinct(chain.from_iterable(map(permutations, ordered.values())), predicates)


def _distinct(arranged: Iterable[tuple[T, ...]], predicates: tuple[str, ...]) -> dict[_Extensions, tuple[T, ...]]:
    distinct: dict[_Extensions, tuple[T, ...]] = {}
    for values in arranged:
        distinct.setdefault(_extensions(values, predicates), values)
    return distinct


def _extensions(values: tuple[Any, ...], predicates: tuple[str, ...]) -> _Extensions:
    return tuple(
        sum(1 << index for index, row in enumerate(product(values, repeat=ARITIES[name])) if _HOLDS[name](*row))
        for name in predicates
    )


def _gaps(predicates: tuple[str, ...]) -> tuple[int, ...]:
    """Return distances from a row to the next with blocks that show all that up to ``MAX_BLOCKS`` blocks can.

    The same of columns. Orders need one distance, adjacency another, and blocks on a diagonal equal ones.
    """
    if not {"Adjoins", "Between"} & {*predicates}:
        return (2,)
    return (2, 1, 3) if {"Adjoins", "Between"} < {*predicates} else (2, 1)


@cache
def _placings(size: int, gaps: tuple[int, ...]) -> list[tuple[Square, ...]]:
    """Return squares for so many blocks, from the back; first those with the fewest blocks in line."""
    columns = list(_axis(size, gaps))
    rows = [row for row in columns if list(row) == sorted(row)]
    pairs = (tuple(zip(row, column, strict=True)) for row in rows for column in columns)
    placings = sorted((squares for squares in pairs if len(set(squares)) == size), key=_in_line)
    # These are many, and all predicates tell few of them apart.
    return placings if len(gaps) < 3 else list(_distinct(placings, tuple(_OF_SQUARE)).values())


def _in_line(squares: tuple[Square, ...]) -> int:
    """Return how many pairs of blocks are on one row, column or diagonal."""
    apart = [(abs(x[0] - y[0]), abs(x[1] - y[1])) for x, y in combinations(squares, 2)]
    return sum(down == right or not down or not right for down, right in apart)


def _axis(size: int, gaps: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    for ranks in product(range(size), repeat=size):
        last = max(ranks)
        if {*ranks} != {*range(last + 1)}:
            continue
        for steps in product(gaps, repeat=last):
            levels = list(accumulate(steps, initial=0))
            if levels[-1] < SIDE:
                yield tuple(levels[rank] for rank in ranks)


class _Boards(Family):
    """All boards of so many blocks with the names as given, as far as some predicates see them."""

    def __init__(self, size: int, names: Mapping[str, int], predicates: tuple[str, ...]) -> None:
        super().__init__(size, prod(map(len, _arrangements(size, predicates))))
        self._names = names
        self._holding = _holding(size, predicates)

    def _relation(self, name: str, arity: int) -> list[int]:
        return self._holding[name]

    def _element(self, kind: str, name: str, arity: int, row: int) -> Value:
        return self._units[self._names[name]]


@lru_cache(maxsize=16)
def _holding(size: int, predicates: tuple[str, ...]) -> dict[str, list[int]]:
    """Return of each predicate, for each row of blocks, the boards on which it holds of it, as bits."""
    listed = [list(arranged) for arranged in _arrangements(size, predicates)]
    holding = {}
    for at, own in enumerate(_owned(predicates)):
        before, after = (prod(map(len, others)) for others in (listed[:at], listed[at + 1 :]))
        signs = "0" * after, "1" * after
        for number, name in enumerate(own):
            columns = [extensions[number] for extensions in reversed(listed[at])]
            rows = range(size ** ARITIES[name])
            holding[name] = [int("".join([signs[bits >> row & 1] for bits in columns]) * before, 2) for row in rows]
    return holding
