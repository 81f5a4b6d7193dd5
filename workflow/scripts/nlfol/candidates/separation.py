"""Formulas told apart by finite structures, a few structures for many formulas.

The truth of every formula in the structures of one random family is a bit vector; formulas whose vectors differ are
inequivalent. Few of the structures suffice for all pairs, for each divides all the formulas at once. Each one that is
chosen is written out, and the truth of every formula in it confirmed by the plain definition.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from nlfol.logic.decision.profiles import Symbol, profile, signature_of
from nlfol.logic.decision.satisfiability import FIRST_FAMILY
from nlfol.logic.structures import Structure, holds, satisfied
from nlfol.logic.syntax import Formula

_MAX_LEVELS, _MAX_WEIGHT = 50, 1_000
"""Levels of nesting, and atoms doubled by each quantifier around them, up to which truth is looked up by recursion."""

_STRIDE = 16
"""Of so many structures one is weighed for being chosen."""


def truth_vector(formula: Formula) -> int | None:
    """In which structures of the family a closed formula is true, a bit for each; None where that takes too much."""
    return FIRST_FAMILY.truth(formula)


def is_varied(vector: int | None) -> bool:
    """Whether a formula with this vector is seen to be true in a structure and false in another."""
    return vector is not None and 0 < vector < FIRST_FAMILY.full


class Separation:
    """A few structures that tell formulas apart.

    Args:
        vectors: closed formulas of one signature, each with its truth vector; equal vectors are not told apart.
    """

    def __init__(self, vectors: Mapping[Formula, int]) -> None:
        self.vectors = vectors
        symbols = frozenset[Symbol]().union(*(profile(formula).symbols for formula in vectors))
        self._chosen = [
            (index, _confirmed(FIRST_FAMILY.structure(index, signature_of(symbols)), index, vectors))
            for index in _separating(sorted({*vectors.values()}))
        ]

    def between(self, first: Formula, second: Formula) -> Structure:
        """The first structure chosen in which exactly one of two formulas is true.

        Raises:
            ValueError: if their vectors are the same.
        """
        different = self.vectors[first] ^ self.vectors[second]
        for index, structure in self._chosen:
            if different >> index & 1:
                return structure
        raise ValueError(f"no structure of the family tells {first} and {second} apart")


def _confirmed(structure: Structure, index: int, vectors: Mapping[Formula, int]) -> Structure:
    """The structure, once the plain definition of truth agrees with every vector."""
    for formula, vector in vectors.items():
        if _holds(formula, structure) != bool(vector >> index & 1):
            raise AssertionError(f"bit-parallel and plain truth differ on {formula}: {structure.describe()}")
    return structure


def _holds(formula: Formula, structure: Structure) -> bool:
    measured = profile(formula)
    if measured.levels > _MAX_LEVELS or measured.weight > _MAX_WEIGHT:
        return holds(formula, structure)
    return satisfied(formula, structure, {})


def _separating(vectors: Sequence[int]) -> Iterator[int]:
    """Places of bits of which every two of the vectors, all distinct, differ in one: those that divide most.

    A group is a set of vectors not told apart yet, and a column says which vectors have a bit; both are integers.
    """
    columns = _columns(vectors)
    groups = [(1 << len(vectors)) - 1] if len(vectors) > 1 else []
    while groups:
        divided, index = max((_divided(column, groups), -place) for place, column in columns.items())
        index = -index
        if not divided:
            first, second = _two_members(vectors, groups[0])
            index = ((first ^ second) & -(first ^ second)).bit_length() - 1
            columns[index] = _column(vectors, index)
        yield index
        column = columns[index]
        halves = [half for group in groups for half in (group & column, group & ~column)]
        groups = [half for half in halves if half & (half - 1)]


def _columns(vectors: Sequence[int]) -> dict[int, int]:
    """Some of the columns, from all over the family: bit i of a column is that of vector i."""
    rows = [format(vector, f"0{FIRST_FAMILY.width}b")[::-_STRIDE] for vector in reversed(vectors)]
    return {_STRIDE * number: int("".join(bits), 2) for number, bits in enumerate(zip(*rows, strict=True))}


def _column(vectors: Sequence[int], index: int) -> int:
    return sum((vector >> index & 1) << number for number, vector in enumerate(vectors))


def _divided(column: int, groups: Sequence[int]) -> int:
    """How many pairs of one group a column tells apart."""
    pairs = 0
    for group in groups:
        has = (group & column).bit_count()
        pairs += has * (group.bit_count() - has)
    return pairs


def _two_members(vectors: Sequence[int], group: int) -> tuple[int, int]:
    first, second, *_ = (vector for number, vector in enumerate(vectors) if group >> number & 1)
    return first, second
