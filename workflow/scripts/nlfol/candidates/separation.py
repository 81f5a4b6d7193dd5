"""Formulas told apart by finite structures, a few structures for many formulas.

The truth of every formula in the structures of one random family is a bit vector; formulas whose vectors differ are
inequivalent. Few of the structures suffice for all pairs, for each divides all the formulas at once. Each one that is
chosen is written out, and the truth of every formula in it confirmed by the plain definition.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from nlfol.logic.decision.profiles import Symbol, profile, signature_of
from nlfol.logic.decision.satisfiability import FIRST_FAMILY
from nlfol.logic.structures import Structure, truths
from nlfol.logic.syntax import Formula

_LOOKED_AT = 24
"""Structures weighed for each one that is chosen."""


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
            StopIteration: if their vectors are the same.
        """
        different = self.vectors[first] ^ self.vectors[second]
        return next(structure for index, structure in self._chosen if different >> index & 1)


def _confirmed(structure: Structure, index: int, vectors: Mapping[Formula, int]) -> Structure:
    """The structure, once the plain definition of truth agrees with every vector."""
    for formula, plain in zip(vectors, truths(list(vectors), structure), strict=True):
        if plain != bool(vectors[formula] >> index & 1):
            raise AssertionError(f"bit-parallel and plain truth differ on {formula}: {structure.describe()}")
    return structure


def _separating(vectors: Sequence[int]) -> Iterator[int]:
    """Places of bits of which every two of the vectors differ in one: the one that divides most, again and again."""
    groups = [list(vectors)] if len(vectors) > 1 else []
    while groups:
        index = _most_dividing(groups)
        yield index
        halves = [[v for v in group if (v >> index & 1) == side] for group in groups for side in (0, 1)]
        groups = [half for half in halves if len(half) > 1]


def _most_dividing(groups: list[list[int]]) -> int:
    different = groups[0][0] ^ groups[0][1]
    best, most = 0, 0
    for _ in range(_LOOKED_AT):
        if not different:
            break
        bit = different & -different
        different ^= bit
        index = bit.bit_length() - 1
        divided = sum((true := sum(v >> index & 1 for v in group)) * (len(group) - true) for group in groups)
        if divided > most:
            best, most = index, divided
    return best
