"""What the families share: which label and depth a problem has by its number, and what is drawn for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from nlfol.problems.errors import FamilyError
from nlfol.problems.lexicon import Lexicon
from nlfol.problems.problem import Problem
from nlfol.programs.clauses import Clause

ATTEMPTS = 3_000
"""Draws for one problem before it is given up."""

QUESTION = "Based on the above information, is the following statement true, false, or unknown? "
QUESTION_OF_TWO = "Is the following statement true or false? "


@dataclass(frozen=True, slots=True)
class Stratum:
    """What a problem is to be.

    Attributes:
        name: of the problem.
        label: place of the right answer among the labels of the family.
        depth: what its depth is to be.
    """

    name: str
    label: int
    depth: int


def stratum(number: int, labels: int, depths: tuple[int, int]) -> Stratum:
    """The stratum of a problem: labels take turns, and depths in turns of the labels."""
    least, most = depths
    return Stratum(str(number), number % labels, least + number // labels % (most - least + 1))


def attempted(draw: Callable[[Random], Problem | None], random: Random, family: str, wanted: Stratum) -> Problem:
    """The first problem drawn that is as wanted.

    Raises:
        FamilyError: if none is.
    """
    for _ in range(ATTEMPTS):
        problem = draw(random)
        if problem is not None:
            return problem
    raise FamilyError(f"{family} {wanted.name}: no problem of depth {wanted.depth} in {ATTEMPTS} draws")


def distinct(clauses: Sequence[Clause]) -> bool:
    """Whether no two clauses say the same."""
    return len({(clause.body, clause.heads) for clause in clauses}) == len(clauses)


Draw = Callable[[int, int, tuple[int, int], Lexicon], Problem]
"""Draws a problem by seed, number, depths and lexicon."""
