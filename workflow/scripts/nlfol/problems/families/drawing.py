"""Strata of labels and depths, and repeated drawing."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from nlfol.problems.lexicon import Lexicon
from nlfol.problems.problem import Problem
from nlfol.problems.programs.clauses import Clause

ATTEMPTS = 3_000
"""Draws for one problem before it is given up."""

QUESTION = "Based on the above information, is the following statement true, false, or unknown? "
QUESTION_OF_TWO = "Is the following statement true or false? "


class FamilyError(ValueError):
    """Problems that cannot be drawn as asked for."""


@dataclass(frozen=True, slots=True)
class Stratum:
    """The name, index of the right label, and depth that a problem is to have."""

    name: str
    label: int
    depth: int


def stratum(number: int, labels: int, depths: tuple[int, int]) -> Stratum:
    """Return the stratum of a problem by its number; labels alternate fastest, then depths."""
    least, most = depths
    return Stratum(str(number), number % labels, least + number // labels % (most - least + 1))


def attempted(draw: Callable[[Random], Problem | None], random: Random, family: str, wanted: Stratum) -> Problem:
    """Return the first problem drawn that fits its stratum; raises ``FamilyError`` if none is."""
    for _ in range(ATTEMPTS):
        problem = draw(random)
        if problem is not None:
            return problem
    raise FamilyError(f"{family} {wanted.name}: no problem of depth {wanted.depth} in {ATTEMPTS} draws")


def distinct(clauses: Sequence[Clause]) -> bool:
    """Return whether no two clauses are equal."""
    return len({(clause.body, clause.heads) for clause in clauses}) == len(clauses)


Draw = Callable[[int, int, tuple[int, int], Lexicon], Problem]
"""Draws a problem by seed, number, depths and lexicon."""
