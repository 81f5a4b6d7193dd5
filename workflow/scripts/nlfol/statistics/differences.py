"""Differences of two models on the items that both were asked.

With ``d[i]`` the difference of the two scores of item ``i``, each averaged over seeds:

* the difference of the means and its standard error are those of ``clusters``, of ``d``: what the models find hard
  alike cancels (Miller, "Adding Error Bars to Evals", arXiv 2411.00640, section 4.2);
* the interval is Newcombe's ("Improved Confidence Intervals for the Difference Between Binomial Proportions Based on
  Paired Data", 1998, method 10): of the means' own intervals, as ``clusters`` has them, with the correlation of their
  errors, ``r``::

      difference - sqrt(a² - 2 * r * a * b + b²),  a = first - its low,  b = second's high - second
      difference + sqrt(a² - 2 * r * a * b + b²),  a = first's high - first,  b = second - its low

  So it knows that models may differ in how their answers go together, and how means near 0 and 1 are spread. ``r`` is
  of the sums of the stories; one item is added to the variance of each model, so that models that answer alike are
  not certain to be so: as if each solved one item that the other does not (Bonett and Price, "Adjusted Wald Confidence
  Interval for a Difference of Binomial Proportions Based on Paired Data", 2012);
* the p-value is twice the least tail at which that interval does not hold 0. It tests that the means are equal, not
  that the models are interchangeable, and it is below 0.05 exactly where the interval at 95 % does not hold 0.

What an interval of half the width h can detect with probability 0.8 is h (1 + t[.8] / t[.975]), with Student's
quantiles of the error's degrees of freedom.

``benchmarks/intervals.py`` measures coverage and errors of the first kind. A family of comparisons is adjusted by
Holm's method.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import Protocol

import numpy as np

from nlfol.statistics.clusters import CONFIDENCE, Evidence, clustered_error, evidence, student_quantile

POWER = 0.8
"""Probability of detection that defines the smallest detectable difference."""

_ALIKE = 1.0
"""Items added to the variance of each model; see above."""

_LEAST = 1e-12
"""No p-value is below it: so far out nobody knows the distribution."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The first model's mean less the second's, over the items common to both.

    The two-sided ``p`` belongs to the interval; ``detectable`` is the smallest true difference that such an interval
    tells from 0 with probability ``POWER``. With too few stories there is no interval, and p is 1.
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
        first: one model's scores, averaged over seeds, item by item, in [0, 1].
        second: the other's, for the same items.
        stories: of the items.

    Raises:
        ValueError: if there is no item, or not two scores and one story for each.
    """
    if not len(first) == len(second) == len(stories):
        raise ValueError(f"{len(first)} and {len(second)} scores of items in {len(stories)} stories")
    scores = [np.asarray(one, dtype=np.float64) for one in (first, second)]
    mean, error, effective = clustered_error(scores[0] - scores[1], stories)
    groups = len(set(stories))
    if error is None:
        return Difference(mean, None, None, None, 1.0, None, len(stories), groups)
    one, other = (evidence(each, np.ones(len(stories)), stories) for each in scores)
    paired = Paired(one, other, correlation(one, other))
    low, high = paired.bounds((1 - CONFIDENCE) / 2)
    low, high = max(-1.0, low), min(1.0, high)
    power = 1 + student_quantile(effective, POWER) / student_quantile(effective)
    return Difference(mean, error, low, high, paired.p(), (high - low) / 2 * power, len(stories), groups)


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
    found = beyond(usual) > 0
    inner, outer = (usual, least) if found else (0.0, usual)
    if beyond(outer) > 0:
        return _LEAST
    if beyond(inner) <= 0:
        return 1.0
    return min(1.0, float(np.exp(brentq(beyond, outer, inner, xtol=1e-9))))


def correlation(one: Evidence, other: Evidence) -> float:
    """Return the correlation of the errors of two means over the same items."""
    variances = (float(np.square(each.residuals).sum()) + _ALIKE for each in (one, other))
    return float(one.residuals @ other.residuals) / sqrt(np.prod([*variances]))


def holm(values: Sequence[float]) -> list[float]:
    """Adjusted p-values of a family, in its order (Holm, "A Simple Sequentially Rejective Multiple Test Procedure")."""
    order = sorted(range(len(values)), key=values.__getitem__)
    adjusted = [0.0] * len(values)
    least = 0.0
    for rank, place in enumerate(order):
        least = max(least, min(1.0, (len(values) - rank) * values[place]))
        adjusted[place] = least
    return adjusted
