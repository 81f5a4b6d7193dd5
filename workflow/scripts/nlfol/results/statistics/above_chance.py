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

Two scores at different chances are compared above chance: their raw difference is not 0 for a guesser.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nlfol.results.statistics.clusters import CONFIDENCE, Evidence, evidence_of
from nlfol.results.statistics.differences import Paired, correlation, p_of


@dataclass(frozen=True, slots=True)
class AboveChance:
    """Mean score above chance, with its interval, and the two-sided p-value of 0; for too few stories none, and 1."""

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
    adjusted = _adjusted(scores, chances, stories)
    if adjusted is None:
        return None
    about = len(scores), len(adjusted.evidence.residuals)
    if not adjusted.evidence.has_interval:
        return AboveChance(adjusted.chance, adjusted.mean, None, None, 1.0, *about)
    p = 1.0 if adjusted.mean == 0 else p_of(adjusted.bounds)
    return AboveChance(adjusted.chance, adjusted.mean, *adjusted.bounds((1 - CONFIDENCE) / 2), p, *about)


@dataclass(frozen=True, slots=True)
class AboveDifference:
    """Difference of two scores above chance, with Newcombe's interval and its p; for too few stories none, and 1."""

    mean: float
    low: float | None
    high: float | None
    p: float


def above_difference(
    first: tuple[Sequence[float], Sequence[float]],
    second: tuple[Sequence[float], Sequence[float]],
    stories: Sequence[str],
) -> AboveDifference | None:
    """Return the difference of two scores above chance over the same items: 0 for two guessers.

    Args:
        first: scores and chances, item by item, as of ``above_chance``; a chance of 0 for all is one, too.
        second: those of the other side.
        stories: of the items.

    Returns:
        None where chance is 1.
    """
    one, other = (_adjusted(*side, stories, least=-1.0) for side in (first, second))
    if one is None or other is None:
        return None
    mean = one.mean - other.mean
    if not one.evidence.has_interval or not other.evidence.has_interval:
        return AboveDifference(mean, None, None, 1.0)
    paired = Paired(one, other, correlation(one.evidence, other.evidence))
    return AboveDifference(mean, *paired.bounds((1 - CONFIDENCE) / 2), paired.p())


@dataclass(frozen=True, slots=True)
class _Adjusted:
    """A mean score, its chance, and the evidence on it as adjusted for chance."""

    evidence: Evidence
    chance: float

    @property
    def mean(self) -> float:
        return self._above(self.evidence.mean)

    def bounds(self, tail: float) -> tuple[float, float]:
        low, high = self.evidence.bounds(tail)
        return self._above(low), self._above(high)

    def _above(self, score: float) -> float:
        return (score - self.chance) / (1 - self.chance)


def _adjusted(
    scores: Sequence[float], chances: Sequence[float], stories: Sequence[str], least: float = 0.0
) -> _Adjusted | None:
    """Return None where chance is no more than ``least``, or 1."""
    if not len(scores) == len(chances) == len(stories) or not len(scores):
        raise ValueError(f"{len(scores)} scores and {len(chances)} chances of items in {len(stories)} stories")
    right, guessed = np.asarray(scores, dtype=np.float64), np.asarray(chances, dtype=np.float64)
    score, chance = float(right.mean()), float(guessed.mean())
    if not least < chance < 1:
        return None
    above = (score - chance) / (1 - chance)
    deviations = right - guessed - above * (1 - guessed)
    return _Adjusted(evidence_of(score, len(right), deviations, stories, 1 - guessed), chance)
