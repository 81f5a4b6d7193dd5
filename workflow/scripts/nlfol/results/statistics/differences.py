"""Differences of two models on the items that both were asked.

With ``d[i]`` the difference of the two scores of item ``i``, each averaged over seeds:

* the difference of the means and its standard error are those of ``clusters``, of ``d``: what the models find hard
  alike cancels (Miller, "Adding Error Bars to Evals", arXiv 2411.00640, section 4.2);
* of stories that count as ``flips.LEAST_FLIPPED`` of equal size or more, interval and p are those of ``flips``;
* of others, the interval is Newcombe's ("Improved Confidence Intervals for the Difference Between Binomial Proportions
  Based on Paired Data", 1998, method 10): of the means' own intervals, as ``clusters`` has them, with the correlation
  of their errors, ``r``::

      difference - sqrt(a² - 2 * r * a * b + b²),  a = first - its low,  b = second's high - second
      difference + sqrt(a² - 2 * r * a * b + b²),  a = first's high - first,  b = second - its low

  So it knows that models may differ in how their answers go together, and how means near 0 and 1 are spread. ``r`` is
  of the sums of the stories; one item is added to the variance of each model, so that models that answer alike are
  not certain to be so: as if each solved one item that the other does not (Bonett and Price, "Adjusted Wald Confidence
  Interval for a Difference of Binomial Proportions Based on Paired Data", 2012);
* its p-value is twice the least tail at which that interval does not hold 0. It tests that the means are equal, not
  that the models are interchangeable.

Either p is below 0.05 exactly where the interval at 95 % does not hold 0.

Other combinations of means over the same items have intervals by the same principle, so none is a point and none
leaves its range (Zou and Donner, "Construction of Confidence Intervals about Effect Measures", 2008): a sum, a + b - 1,
is the difference of a and 1 - b; of a difference of differences each has Newcombe's interval, and ``r`` is of their
errors; a quotient a / b is held to be q where the interval of a - q * b, with b's ends times q, holds 0 (Donner and
Zou, "Closed-form Confidence Intervals for Functions of the Normal Mean and Standard Deviation", 2012).

What one of m comparisons that are adjusted together can detect with probability 0.8 is, of an interval at 95 % of half
the width h, h (t[1 - .025 / m] + t[.8]) / t[.975], with Student's quantiles of the error's degrees of freedom: Holm
holds the first of them to .05 / m.

``benchmarks/intervals.py`` and ``story_flips.py`` measure coverage, errors of the first kind and power. A family of
comparisons is adjusted by Holm's method.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import Protocol

import numpy as np

from nlfol.results.statistics.clusters import (
    CONFIDENCE,
    Array,
    Evidence,
    clustered_error,
    effective_number,
    evidence,
    story_sums,
    student_quantile,
)
from nlfol.results.statistics.flips import LEAST_FLIPPED, flip_test

POWER = 0.8
"""Probability of detection that defines the smallest detectable difference."""

ALIKE = 1.0
"""Items added to the variance of each model; see above."""

_LEAST = 1e-12
"""No p-value is below it: so far out nobody knows the distribution."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The first model's mean less the second's, over the items common to both.

    The two-sided ``p`` belongs to the interval; ``detectable`` is the smallest true difference that such an interval
    tells from 0 with probability ``POWER``. With too few stories there is no interval, and p is 1. ``freedom`` are the
    degrees of freedom of the error.
    """

    mean: float
    error: float | None
    freedom: float | None
    low: float | None
    high: float | None
    p: float
    detectable: float | None
    items: int
    stories: int


def difference(first: Sequence[float], second: Sequence[float], stories: Sequence[str]) -> Difference:
    """Compare two models on common items.

    Args:
        first: one model's scores, averaged over seeds, item by item, in [0, 1].
        second: the other's, for the same items.
        stories: of the items.

    Raises:
        ValueError: if there is no item, or not two scores and one story for each.
    """
    if not len(first) == len(second) == len(stories):
        raise ValueError(f"{len(first)} and {len(second)} scores of items in {len(stories)} stories")
    apart = np.subtract(first, second, dtype=np.float64)
    mean, error, effective = clustered_error(apart, stories)
    groups = len(set(stories))
    if error is None:
        return Difference(mean, None, None, None, None, 1.0, None, len(stories), groups)
    sizes = story_sums(np.ones(len(apart)), stories)
    if effective_number(sizes) >= LEAST_FLIPPED:
        low, high, p = flip_test(story_sums(apart, stories), sizes)
    else:
        paired = _paired(first, second, stories)
        (low, high), p = paired.bounds((1 - CONFIDENCE) / 2), paired.p()
        low, high = max(-1.0, low), min(1.0, high)
    smallest = detectable(low, high, effective - 1)
    return Difference(mean, error, effective - 1, low, high, p, smallest, len(stories), groups)


def difference_of_means(
    first: Sequence[float], second: Sequence[float], stories: Sequence[str]
) -> tuple[float, float | None, float | None]:
    """Return the difference of two means with Newcombe's interval, for differences that may be near -1 and 1."""
    paired = _paired(first, second, stories)
    is_known = isinstance(paired.first, Evidence) and paired.first.has_interval
    return paired.mean, *(paired.bounds((1 - CONFIDENCE) / 2) if is_known else (None, None))


def _paired(first: Sequence[float], second: Sequence[float], stories: Sequence[str]) -> "Paired":
    one, other = _evidence((first, second), stories)
    return Paired(one, other, correlation(one, other))


def detectable(low: float, high: float, freedom: float, level: float = 1 - CONFIDENCE) -> float:
    """Return the smallest true difference that a two-sided test tells from 0 with probability ``POWER``.

    Args:
        low: lower end of the interval at ``CONFIDENCE``.
        high: its upper end.
        freedom: degrees of freedom of the error.
        level: of the test.
    """
    tails = 1 - level / 2, POWER, (1 + CONFIDENCE) / 2
    adjusted, power, usual = (student_quantile(freedom + 1, tail) for tail in tails)
    return (high - low) / 2 * (adjusted + power) / usual


def difference_of_differences(
    first: tuple[Sequence[float], Sequence[float]],
    second: tuple[Sequence[float], Sequence[float]],
    stories: Sequence[str],
) -> tuple[float, float | None, float | None]:
    """Return how much greater one difference is than another over the same items, with its interval within [-2, 2].

    Args:
        first: scores in [0, 1] as of ``difference``, and those that are subtracted from them.
        second: those of the difference that is subtracted.
        stories: of the items; too few give no interval.
    """
    sides = [_evidence(scores, stories) for scores in (first, second)]
    gain, before = (Paired(one, other, correlation(one, other)) for one, other in sides)
    together = _correlation(*(one.residuals - other.residuals for one, other in sides))
    further = Paired(gain, before, together)
    if not all(one.has_interval for one, _ in sides):
        return further.mean, None, None
    low, high = further.bounds((1 - CONFIDENCE) / 2)
    return further.mean, max(-2.0, low), min(2.0, high)


def quotient(
    parts: Sequence[float], wholes: Sequence[float], stories: Sequence[str]
) -> tuple[float, float | None, float | None]:
    """Return the quotient of two means in [0, 1] over the same items, with its interval.

    The upper end is infinite where the second mean may be 0; too few stories give no interval. Raises
    ``ZeroDivisionError`` if the second mean is 0.
    """
    one, other = _evidence((parts, wholes), stories)
    a, b = one.mean, other.mean
    value = a / b
    if not one.has_interval:
        return value, None, None
    (low, high), (other_low, other_high) = (side.bounds((1 - CONFIDENCE) / 2) for side in (one, other))
    shared = correlation(one, other)
    # q solves (b² - e²) q² - 2 (a b - r d e) q + a² - d² = 0 with the distances d, e from both means to their ends.
    below, above = a * b - shared * (a - low) * (other_high - b), a * b - shared * (high - a) * (b - other_low)
    least, lost = low * (2 * a - low), other_low * (2 * b - other_low)
    root = below + sqrt(max(0.0, below**2 - least * other_high * (2 * b - other_high)))
    most = above + sqrt(max(0.0, above**2 - high * (2 * a - high) * lost))
    return value, least / root if least else 0.0, most / lost if lost else float("inf")


def _evidence(scores: tuple[Sequence[float], Sequence[float]], stories: Sequence[str]) -> tuple[Evidence, Evidence]:
    one, other = (evidence(np.asarray(side, dtype=np.float64), np.ones(len(stories)), stories) for side in scores)
    return one, other


class Estimate(Protocol):
    """An estimate with intervals."""

    @property
    def mean(self) -> float:
        """Return the estimate."""
        ...

    def bounds(self, tail: float) -> tuple[float, float]:
        """Return the interval that misses the truth on each side with this probability."""
        ...


@dataclass(frozen=True, slots=True)
class Paired:
    """Two estimates over the same items, and the correlation of their errors."""

    first: Estimate
    second: Estimate
    correlation: float

    @property
    def mean(self) -> float:
        """Return the difference."""
        return self.first.mean - self.second.mean

    def bounds(self, tail: float) -> tuple[float, float]:
        """Newcombe's interval, which misses the difference on each side with this probability."""
        (low, high), (other_low, other_high) = self.first.bounds(tail), self.second.bounds(tail)
        one, other = self.first.mean, self.second.mean
        below, above = self._joined(one - low, other_high - other), self._joined(high - one, other - other_low)
        return one - other - below, one - other + above

    def _joined(self, one: float, other: float) -> float:
        return sqrt(max(0.0, one * one - 2 * self.correlation * one * other + other * other))

    def p(self) -> float:
        """Twice the least tail at which the interval does not hold 0."""
        return 1.0 if self.first.mean == self.second.mean else p_of(self.bounds)


def p_of(bounds: Callable[[float], tuple[float, float]]) -> float:
    """Twice the least tail at which an interval does not hold 0; it agrees with the interval at ``CONFIDENCE``.

    Args:
        bounds: from the probability of missing on each side to the ends.
    """
    from scipy.optimize import brentq

    def beyond(exponent: float) -> float:
        low, high = bounds(float(np.exp(exponent)) / 2)
        return max(low, -high)

    usual, least = log(1 - CONFIDENCE), log(_LEAST)
    # A root on the interval's own side of its level: p and the interval cannot disagree.
    is_beyond = beyond(usual) > 0
    inner, outer = (usual, least) if is_beyond else (0.0, usual)
    if beyond(outer) > 0:
        return _LEAST
    if beyond(inner) <= 0:
        return 1.0
    return min(1.0, float(np.exp(brentq(beyond, outer, inner, xtol=1e-9))))


def correlation(one: Evidence, other: Evidence) -> float:
    """Return the correlation of the errors of two means over the same items."""
    return _correlation(one.residuals, other.residuals)


def _correlation(one: Array, other: Array) -> float:
    variances = (float(np.square(side).sum()) + ALIKE for side in (one, other))
    return float(one @ other) / sqrt(np.prod([*variances]))


def holm(values: Sequence[float], size: int = 0) -> list[float]:
    """Adjusted p-values of a family, in its order (Holm, "A Simple Sequentially Rejective Multiple Test Procedure").

    ``size`` is that of a family of which others may be tested later; see ``second_looks``. Raises ``ValueError`` if
    there are more values.
    """
    if 0 < size < len(values):
        raise ValueError(f"{len(values)} comparisons in a family of {size}")
    order = sorted(range(len(values)), key=values.__getitem__)
    adjusted = [0.0] * len(values)
    least, family = 0.0, size or len(values)
    for rank, index in enumerate(order):
        least = max(least, min(1.0, (family - rank) * values[index]))
        adjusted[index] = least
    return adjusted
