"""Separation of many formulas by a few finite structures.

The truth of every formula in the structures of one random family is a bit vector; formulas whose vectors differ are
inequivalent. Few of the structures suffice for all pairs, for each divides all the formulas at once. Each one that is
chosen is written out, and the truth in it of every formula that it separates from another is confirmed by the plain
definition.
"""

from collections.abc import Iterator, Mapping, Sequence
from struct import unpack

from nlfol.logic.decision.satisfiability import FIRST_FAMILY
from nlfol.logic.measuring import signature_of
from nlfol.logic.structures import Condition, Conditions, Structure, holds
from nlfol.logic.syntax import Formula
from nlfol.logic.trees import Symbol

_MAX_LEVELS, _MAX_WEIGHT = 50, 1_000
"""Levels of nesting, and atoms doubled by each quantifier around them, up to which truth is computed by recursion."""

_STRIDE = 16
"""Every 16th structure is considered: an unsigned short has 16 bits."""

_LOOKED_AT = sum(1 << bit for bit in range(0, FIRST_FAMILY.width, _STRIDE))


def truth_vector(formula: Formula) -> int | None:
    """Return a bit for each structure of the family, set where a closed formula is true; None if it takes too long."""
    return FIRST_FAMILY.truth(formula)


def is_varied(vector: int | None) -> bool:
    """Return whether a vector shows a structure where the formula is true and one where it is false."""
    return vector is not None and 0 < vector < FIRST_FAMILY.full


class Separation:
    """A few structures that tell closed formulas of one signature apart whose truth vectors differ."""

    def __init__(self, vectors: Mapping[Formula, int]) -> None:
        distinct = sorted({*vectors.values()})
        numbers = {vector: 1 << number for number, vector in enumerate(distinct)}
        signature = signature_of(frozenset[Symbol]().union(*(formula.profile.symbols for formula in vectors)))
        conditions = Conditions()
        rows = [(f, vector, numbers[vector], _condition(f, conditions)) for f, vector in vectors.items()]
        self._structures: list[Structure] = []
        # Bit i of a formula's code is its truth in structure i.
        self._codes = dict.fromkeys(vectors, 0)
        for index, together in _separating(distinct):
            # What stands alone already is told apart by structures before.
            structure = FIRST_FAMILY.structure(index, signature)
            bit = 1 << len(self._structures)
            for formula, vector, number, condition in rows:
                if number & together:
                    true = condition(structure, {})
                    if true is not bool(vector >> index & 1):
                        shown = structure.describe()
                        raise AssertionError(f"bit-parallel and plain truth differ on {formula}: {shown}")
                    if true:
                        self._codes[formula] |= bit
            self._structures.append(structure)

    def between(self, first: Formula, second: Formula) -> Structure:
        """Return the first chosen structure in which exactly one is true; raises `ValueError` for equal vectors."""
        different = self._codes[first] ^ self._codes[second]
        if not different:
            raise ValueError(f"no structure of the family tells {first} and {second} apart")
        return self._structures[(different & -different).bit_length() - 1]


def _condition(formula: Formula, conditions: Conditions) -> Condition:
    measured = formula.profile
    if measured.levels > _MAX_LEVELS or measured.weight > _MAX_WEIGHT:
        return lambda structure, _: holds(formula, structure)
    return conditions[formula]


def _separating(vectors: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield places of bits such that every two of the distinct vectors differ in one, those that divide most.

    With each place come the vectors that no place before it had told from all others: as an integer with a bit for
    each, like a group, which is a set of vectors not told apart yet, and a column, which says which vectors have a bit.
    """
    columns = _columns(vectors)
    groups = [(1 << len(vectors)) - 1] if len(vectors) > 1 else []
    while groups:
        sizes = [(group, group.bit_count()) for group in groups]
        most, column, index = 0, 0, 0
        halved = sum([size * size // 4 for _, size in sizes])
        for a_column, position in columns.items():
            divided = 0
            for group, size in sizes:
                has = (group & a_column).bit_count()
                divided += has * (size - has)
            if divided > most:
                most, column, index = divided, a_column, position
                if most == halved:
                    break
        if not most:
            first, second, *_ = (vector for number, vector in enumerate(vectors) if groups[0] >> number & 1)
            index = ((first ^ second) & -(first ^ second)).bit_length() - 1
            column = sum((vector >> index & 1) << number for number, vector in enumerate(vectors))
        yield index, sum(groups)
        halves = [half for group in groups for half in (group & column, group & ~column)]
        groups = [half for half in halves if half & (half - 1)]


def _columns(vectors: Sequence[int]) -> dict[int, int]:
    """Return some columns from all over the family, each with its first place."""
    count = FIRST_FAMILY.width // _STRIDE
    columns = [0] * count
    for start in range(0, len(vectors), _STRIDE):
        # As many vectors as lie between two places that are looked at: side by side, they are columns.
        packed = 0
        for number, vector in enumerate(vectors[start : start + _STRIDE]):
            packed |= (vector & _LOOKED_AT) << number
        parts = unpack(f"<{count}H", packed.to_bytes(2 * count, "little"))
        columns = [column | part << start for column, part in zip(columns, parts, strict=True)]
    positions: dict[int, int] = {}
    for number, column in enumerate(columns):
        positions.setdefault(column, _STRIDE * number)
    return positions
