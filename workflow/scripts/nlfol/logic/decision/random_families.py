"""Finite structures drawn at random by the names of their symbols."""

import hashlib
from functools import partial

from nlfol.logic import syntax as fol
from nlfol.logic.decision.families import Family, Value
from nlfol.logic.decision.verdicts import Witness


class RandomFamily(Family):
    """Structures drawn at random, each symbol by a SHAKE-256 of its name: the same on every machine.

    Half of the structures are even, in a quarter the relations are sparse, in a quarter dense; 32 divides their number.
    """

    def __init__(self, size: int, width: int, name: str) -> None:
        super().__init__(size, width)
        self.name = name
        self._quarter = width // 4

    def _drawn(self, label: str, words: int) -> list[int]:
        length = self.width // 8
        stream = hashlib.shake_256(f"{self.name}/{self.size}/{label}".encode()).digest(length * words)
        return [int.from_bytes(stream[start : start + length], "little") for start in range(0, len(stream), length)]

    def _relation(self, name: str, arity: int) -> list[int]:
        quarter = (1 << self._quarter) - 1
        sparse, dense = quarter << 2 * self._quarter, quarter << 3 * self._quarter
        words = iter(self._drawn(f"{name}/{arity}", 2 * self.size**arity))
        return [
            (first & ~sparse | first & second & sparse) | second & dense
            for first, second in zip(words, words, strict=True)
        ]

    def _element(self, kind: str, name: str, arity: int, row: int) -> Value:
        words = self._drawn(f"{kind} {name}/{arity}/{row}", 3 * self.size)
        left, value = self.full, []
        for element in range(self.size - 1):
            first, second, third = words[3 * element : 3 * element + 3]
            # Of those left, about one in as many as there are elements left.
            match self.size - element:
                case 2:
                    chosen = first
                case 3:
                    chosen = first & (second | third)
                case 4:
                    chosen = first & second
                case _:
                    chosen = first & second & third
            value.append(left & chosen)
            left &= ~chosen
        return (*value, left)


def difference(family: Family, first: fol.Formula, second: fol.Formula) -> Witness | None:
    """Return the first structure of a family in which one of two closed formulas is true and the other false."""
    a, b = family.truth(first), family.truth(second)
    if a is None or b is None or a == b:
        return None
    different = a ^ b
    index = (different & -different).bit_length() - 1
    true, false = (first, second) if a >> index & 1 else (second, first)
    return Witness(partial(family.structure, index), (true,), (false,))
