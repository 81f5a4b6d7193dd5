"""Arrangements of things in a row, all of them as bits of integers: which of them meet a condition, and what follows.

With n things there are n! arrangements; a condition is the set of those that meet it. So what follows from which
statements is a matter of intersections.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, permutations

MAX_THINGS = 7

MAX_CONDITIONS = 12
"""Conditions of which the fewest that suffice are looked for."""

ALL_DIFFERENT = "AllDifferentConstraint"
"""The first word of the line that introduces things."""

_ALL = re.compile(rf"{ALL_DIFFERENT}\(\[(.*)\]\)")

_RELATION = re.compile(r"(\w+) ([<>]) (\w+)")
_POSITION = re.compile(r"(\w+) == (\d+)")


class Arrangements:
    """The arrangements of some things.

    Attributes:
        size: how many things there are.
        all: the set of all arrangements.
    """

    def __init__(self, size: int) -> None:
        if size > MAX_THINGS:
            raise ValueError(f"{size} things; at most {MAX_THINGS}")
        self.size = size
        at = [[0] * size for _ in range(size)]
        before = [[0] * size for _ in range(size)]
        for number, places in enumerate(permutations(range(size))):
            bit = 1 << number
            for thing, place in enumerate(places):
                at[thing][place] |= bit
        for thing in range(size):
            for other in range(size):
                for place in range(size):
                    for later in range(place + 1, size):
                        before[thing][other] |= at[thing][place] & at[other][later]
        self._at = at
        self._before = before
        self.all = sum(at[0])

    def meeting(self, line: str, things: Sequence[str]) -> int:
        """The arrangements of the things that meet a condition, ``a < b``, ``a > b`` or ``a == 2`` with places from 1.

        Raises:
            ValueError: if it is not one of these.
        """
        if match := _RELATION.fullmatch(line):
            first, second = things.index(match[1]), things.index(match[3])
            return self._before[first][second] if match[2] == "<" else self._before[second][first]
        if match := _POSITION.fullmatch(line):
            return self._at[things.index(match[1])][int(match[2]) - 1]
        raise ValueError(f"{line!r} is no condition on arrangements")


@lru_cache(maxsize=MAX_THINGS)
def arrangements(size: int) -> Arrangements:
    """The arrangements of so many things."""
    return Arrangements(size)


def fewest(conditions: Sequence[int], consequence: int, everything: int) -> int | None:
    """The least number of conditions from which a consequence follows, none if it does not."""
    excluded = everything & ~consequence
    for size in range(len(conditions) + 1):
        for some in combinations(conditions, size):
            left = excluded
            for condition in some:
                left &= condition
            if not left:
                return size
    return None


def things_of(lines: Sequence[str]) -> list[str]:
    """Return the variables that some line says to be different: the things in a row."""
    return [name for line in lines if (match := _ALL.fullmatch(line)) for name in match[1].split(", ")]


def fewest_conditions(lines: Sequence[str], answer: str) -> int | None:
    """Return the least number of lines that an answer follows from; None if some are no conditions on an order."""
    things = things_of(lines)
    conditions = [line for line in lines if not line.startswith(ALL_DIFFERENT)]
    if not 0 < len(things) <= MAX_THINGS or len(conditions) > MAX_CONDITIONS:
        return None
    known = arrangements(len(things))
    try:
        sets = [known.meeting(line, things) for line in conditions]
        return fewest(sets, known.meeting(answer, things), known.all)
    except ValueError:
        return None  # conditions of another kind: nothing is wrong with them
