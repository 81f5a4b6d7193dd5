"""Whether two models differ, on the items that both were asked.

With ``d[i]`` the difference of the two scores of item ``i``, each averaged over seeds, and ``D[g]`` their sum over the
items of story ``g``:

* the difference of the means and its standard error are those of ``clusters``, of ``d``: what the models find hard
  alike cancels (Miller, "Adding Error Bars to Evals", arXiv 2411.00640, section 4.2);
* the interval is Student's as there. Where nearly all items differ alike, most often not at all, it is wrong: it misses
  the true difference in a fifth of the samples of which three items are to differ. There it is that of Bonett and Price
  ("Adjusted Wald Confidence Interval for a Difference of Binomial Proportions Based on Paired Data", 2012), with the
  effective number of items of ``clusters``: two are added, of which each model solves one that the other does not;
* the p-value is of the sign-flip test by story. If the models were interchangeable, ``D[g]`` were as likely as
  ``-D[g]`` for each story by itself; p is the probability of a sum of ``±D[g]`` at least as far from 0 as the one
  seen (Fisher's randomisation test, with stories as units). It is computed exactly, by convolution, so that no
  random number is drawn; where sums are too many (``_MAX_GRID``) it is a little more. Where each story has one item and
  each item one seed, it is the exact McNemar test.

A family of comparisons is adjusted by Holm's method.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor, fsum, lcm, log, sqrt
from sys import float_info

import numpy as np
import numpy.typing as npt

from nlfol.statistics.clusters import FEW, ROUNDING, clustered_error, effective_items, normal_quantile, student_quantile

POWER = 0.8
"""Probability of detection that defines the smallest detectable difference."""

_FINEST = 5_040
"""Scores are multiples of 1 / m for a small m (seeds, ties); differences are taken as fractions no finer than this."""

_MAX_GRID = 200_000
"""Points of the grid of sums; where more are needed it is coarsened, and p rounded up."""

_NEGLIGIBLE = 1e-12
"""What is added to p at most where the grid is coarsened."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The first model's mean less the second's, over the items common to both.

    Attributes:
        mean: of the differences.
        error: cluster-robust standard error; None where there is one story.
        low: lower end of the interval; None where there is one story.
        high: upper end.
        p: two-sided p-value of the sign-flip test by story.
        detectable: the smallest true difference that the interval tells from 0 with probability ``POWER``; None as for
            ``low``.
        items: number of common items.
        stories: number of their stories.
    """

    mean: float
    error: float | None
    low: float | None
    high: float | None
    p: float
    detectable: float | None
    items: int
    stories: int


def difference(first: Sequence[float], second: Sequence[float], stories: Sequence[str]) -> Difference:
    """Compare two models on common items.

    Args:
        first: one model's scores, averaged over seeds, item by item.
        second: the other's, for the same items.
        stories: of the items.

    Raises:
        ValueError: if there is no item, or not two scores and one story for each.
    """
    if not len(first) == len(second) == len(stories):
        raise ValueError(f"{len(first)} and {len(second)} scores of items in {len(stories)} stories")
    values = np.asarray(first, dtype=np.float64) - np.asarray(second, dtype=np.float64)
    mean, error, groups = clustered_error(values, stories)
    p = sign_flip(_story_differences(first, second, stories))
    if error is None:
        return Difference(mean, None, None, None, p, None, len(values), groups)
    low, high, detectable = _interval(values, error, groups)
    return Difference(mean, error, low, high, p, detectable, len(values), groups)


def _interval(values: npt.NDArray[np.float64], error: float, groups: int) -> tuple[float, float, float]:
    """The interval of the mean of differences in [-1, 1], at ``CONFIDENCE``, and what it detects."""
    mean, square = float(values.mean()), float(np.square(values).mean())
    effective = effective_items(max(0.0, square - mean**2), error, len(values), groups)
    # Differences of means over seeds are equal but for rounding.
    commonest = np.unique(values.round(9), return_counts=True)[1].max() / len(values)
    critical, power = student_quantile(groups), student_quantile(groups, POWER)
    if error < ROUNDING or effective * (1 - commonest) < FEW:
        mean, square = mean * effective / (effective + 2), (square * effective + 2) / (effective + 2)
        error = float(np.sqrt((square - mean**2) / (effective + 2)))
        critical, power = normal_quantile(), normal_quantile(POWER)
    half = critical * error
    return max(-1.0, mean - half), min(1.0, mean + half), (critical + power) * error


def _story_differences(first: Sequence[float], second: Sequence[float], stories: Sequence[str]) -> list[Fraction]:
    sums: dict[str, Fraction] = {}
    for one, other, story in zip(first, second, stories, strict=True):
        step = Fraction(one).limit_denominator(_FINEST) - Fraction(other).limit_denominator(_FINEST)
        sums[story] = sums.get(story, Fraction(0)) + step
    return list(sums.values())


def sign_flip(sums: Sequence[Fraction]) -> float:
    """The two-sided p-value of the sign-flip test: all signs of the sums equally likely.

    Args:
        sums: one difference for each independent unit.
    """
    nonzero = [abs(value) for value in sums if value]
    seen = abs(sum(sums, Fraction(0)))
    if not nonzero or not seen:
        return 1.0
    scale = Fraction(lcm(*(value.denominator for value in nonzero)))
    total = sum(nonzero)
    if total * scale > _MAX_GRID:
        scale = Fraction(_MAX_GRID) / total
    steps = [round(value * scale) for value in nonzero]
    slack, missed = _rounding([float(value * scale - step) for value, step in zip(nonzero, steps, strict=True)])
    distribution = _sums(steps)
    distance = np.abs(np.arange(len(distribution)) - sum(steps))
    found = float(distribution[distance >= floor(seen * scale - Fraction(slack))].sum()) + missed
    # Of thousands of stories it may be less than the least number that there is.
    return min(1.0, max(float_info.min, found))


def _rounding(errors: Sequence[float]) -> tuple[float, float]:
    """How far sums of ±steps on a coarsened grid are off at most, but for a probability.

    That is the sum of the errors of the steps or, with ``_NEGLIGIBLE`` as the probability, Hoeffding's bound of a sum
    of errors with random signs, whichever is less.
    """
    worst = fsum(map(abs, errors))
    likely = sqrt(2 * fsum(error * error for error in errors) * log(2 / _NEGLIGIBLE))
    return (likely, _NEGLIGIBLE) if likely < worst else (worst, 0.0)


def _sums(steps: Sequence[int]) -> npt.NDArray[np.float64]:
    """The probabilities of the sums of ±step, each sign as likely; the middle entry is that of 0."""
    distribution = np.ones(1)
    for step in steps:
        wider = np.zeros(len(distribution) + 2 * step)
        wider[: len(distribution)] += distribution / 2
        wider[2 * step :] += distribution / 2
        distribution = wider
    return distribution


def holm(values: Sequence[float]) -> list[float]:
    """Adjusted p-values of a family, in its order (Holm, "A Simple Sequentially Rejective Multiple Test Procedure")."""
    order = sorted(range(len(values)), key=values.__getitem__)
    adjusted = [0.0] * len(values)
    least = 0.0
    for rank, place in enumerate(order):
        least = max(least, min(1.0, (len(values) - rank) * values[place]))
        adjusted[place] = least
    return adjusted
