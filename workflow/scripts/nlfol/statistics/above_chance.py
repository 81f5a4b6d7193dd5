"""Scores adjusted for chance: 0 is what guessing comes to, 1 is everything right.

Sets of candidates differ in size, and with them what a random answer scores. With ``x[i]`` the score of item ``i`` and
``c[i]`` its chance, and X and C their means over the items::

    above = (X - C) / (1 - C)

This is the share of items that a model solves if it guesses at all others, and has the form of Cohen's kappa ("A
Coefficient of Agreement for Nominal Scales", 1960), with chance known for each item. It is a ratio of sums, whose
deviations are, to first order (Cochran, "Sampling Techniques", 1977, section 6.3)::

    e[i] = x[i] - c[i] - above * (1 - c[i])

that is, from what item ``i`` would score on average if ``above`` were true. The interval is that of ``clusters`` for
the mean X with these deviations, less C and over 1 - C. So it knows that a set's size tells part of its score, and it
ends where scores do. The p-value is twice the least tail at which this interval does not hold 0 (``differences.p_of``).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nlfol.statistics.clusters import CONFIDENCE, evidence_of
from nlfol.statistics.differences import p_of


@dataclass(frozen=True, slots=True)
class AboveChance:
    """Mean score above chance, with its interval, and the two-sided p-value of 0; for one story none, and 1."""

    chance: float
    mean: float
    low: float | None
    high: float | None
    p: float
    items: int
    stories: int


def above_chance(scores: Sequence[float], chances: Sequence[float], stories: Sequence[str]) -> AboveChance | None:
    """Adjust a mean score for chance; None where chance is 0 or 1, as nothing is to be adjusted or nothing is left.

    Args:
        scores: of each item, in [0, 1], averaged over seeds.
        chances: expected score of a random answer, in [0, 1], item by item.
        stories: of the items.

    Raises:
        ValueError: if there is no item, or not one chance and story for each.
    """
    if not len(scores) == len(chances) == len(stories) or not len(scores):
        raise ValueError(f"{len(scores)} scores and {len(chances)} chances of items in {len(stories)} stories")
    right, guessed = np.asarray(scores, dtype=np.float64), np.asarray(chances, dtype=np.float64)
    score, chance = float(right.mean()), float(guessed.mean())
    if not 0 < chance < 1:
        return None
    above = (score - chance) / (1 - chance)
    found = evidence_of(score, len(right), right - guessed - above * (1 - guessed), stories)
    groups = len(found.residuals)
    if groups < 2:
        return AboveChance(chance, above, None, None, 1.0, len(right), groups)

    def bounds(tail: float) -> tuple[float, float]:
        low, high = found.bounds(tail)
        return (low - chance) / (1 - chance), (high - chance) / (1 - chance)

    low, high = bounds((1 - CONFIDENCE) / 2)
    return AboveChance(chance, above, low, high, 1.0 if score == chance else p_of(bounds), len(right), groups)
