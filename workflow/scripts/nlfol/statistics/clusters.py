"""A mean over items and its uncertainty, where items of one story go together.

Sentences of a story share their topic and their ontology, so they are no independent draws: stories are. Seeds are
repeated measures of an item and are averaged before anything else. With ``n`` items, of which story ``g`` of ``G`` has
those in ``I[g]``, and with ``x[i]`` the score of item ``i`` averaged over seeds::

    mean  = (sum of x[i]) / n
    r[g]  = sum of (x[i] - mean) over i in I[g]
    error = sqrt(G / (G - 1) * (sum of r[g]²)) / n

which is the cluster-robust (CR1) standard error of a regression on a constant, without its factor (n - 1) / (n - 1)
(Cameron and Miller, "A Practitioner's Guide to Cluster-Robust Inference", 2015, section II; Miller, "Adding Error Bars
to Evals", arXiv 2411.00640, section 2.2). Its distribution is taken as Student's t with G - 1 degrees of freedom.

A ratio of sums, such as F1, is no mean of items: of pairs ``y[i]``, ``x[i]`` it is ``R = (sum of y) / (sum of x)``, and
to first order (the delta method; Cochran, "Sampling Techniques", 1977, section 6.3)::

    r[g]  = sum of (y[i] - R * x[i]) over i in I[g]
    error = sqrt(G / (G - 1) * (sum of r[g]²)) / (sum of x)

A mean is the ratio with all ``x[i] = 1``.

Near 0 and 1, and where all stories are alike, a symmetric interval is wrong. There Wilson's interval is used with the
effective number of items, n over the design effect, adjusted for the degrees of freedom: times the square of the ratio
of Student's quantiles for n - 1 and G - 1 of them, for an error that few stories tell is itself uncertain; and never
above n (Korn and Graubard, "Confidence Intervals for Proportions with Small Expected Number of Positive Counts
Estimated from Survey Data", 1998; with Wilson's interval in place of Clopper and Pearson's).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

CONFIDENCE = 0.95

FEW = 10
"""Effective items right, or wrong, below which the symmetric interval is not trusted."""


ROUNDING = 1e-12
"""Standard errors below it are 0 but for the rounding of the scores' sums."""


class Method(StrEnum):
    """How an interval was made."""

    STUDENT = "student"
    WILSON = "wilson"


@dataclass(frozen=True, slots=True)
class ClusteredMean:
    """A mean of scores in [0, 1], or a ratio.

    Attributes:
        mean: over items; or the ratio.
        error: cluster-robust standard error; None where there is one story.
        low: lower end of the interval at ``CONFIDENCE``; None where there is one story.
        high: upper end.
        method: of the interval.
        items: their number.
        stories: their number.
    """

    mean: float
    error: float | None
    low: float | None
    high: float | None
    method: Method | None
    items: int
    stories: int


def clustered_mean(scores: Sequence[float], stories: Sequence[str]) -> ClusteredMean:
    """The mean of items' scores with its interval.

    Args:
        scores: of each item, in [0, 1], averaged over seeds.
        stories: of each item.

    Raises:
        ValueError: if there is no item, or not one story for each.
    """
    return ratio(scores, [1.0] * len(scores), stories)


def ratio(parts: Sequence[float], wholes: Sequence[float], stories: Sequence[str]) -> ClusteredMean:
    """The ratio of two sums over items with its interval, such as F1 = sum of 2 TP / sum of (2 TP + FP + FN).

    Args:
        parts: of each item, what it adds to the numerator, in [0, its whole].
        wholes: of each item, what it adds to the denominator; items that add nothing are not counted.
        stories: of each item.

    Raises:
        ValueError: if there is no item that adds to the denominator, or not one whole and story for each.
    """
    numerators, denominators = np.asarray(parts, dtype=np.float64), np.asarray(wholes, dtype=np.float64)
    _check_lengths(numerators, stories)
    if len(denominators) != len(numerators):
        raise ValueError(f"{len(numerators)} parts, but {len(denominators)} wholes")
    counted = denominators != 0
    total = float(denominators.sum())
    if not total:
        raise ValueError("a ratio to nothing: no item adds to the denominator")
    numerators, denominators = numerators[counted], denominators[counted]
    mean = float(numerators.sum()) / total
    residuals = _story_sums(numerators - mean * denominators, np.asarray(stories)[counted])
    items, groups = len(numerators), len(residuals)
    if groups < 2:
        return ClusteredMean(mean, None, None, None, None, items, groups)
    error = _error(residuals, total)
    low, high, method = _interval(mean, error, items, groups)
    return ClusteredMean(mean, error, low, high, method, items, groups)


def clustered_error(values: npt.NDArray[np.float64], stories: Sequence[str]) -> tuple[float, float | None, int]:
    """Mean, cluster-robust standard error of it (None for one story) and the number of stories, of any values."""
    _check_lengths(values, stories)
    mean = float(values.mean())
    residuals = _story_sums(values - mean, stories)
    return mean, _error(residuals, len(values)) if len(residuals) > 1 else None, len(residuals)


def jackknife(
    values: npt.NDArray[np.float64],
    stories: Sequence[str],
    statistic: Callable[[npt.NDArray[np.float64]], npt.NDArray[np.float64]],
) -> tuple[float | None, float | None]:
    """A statistic of sums over items, and half its interval by the jackknife over stories.

    Args:
        values: a row an item, a column each sum.
        stories: of each item.
        statistic: from rows of sums to the statistic of each; NaN where it is undefined.

    Returns:
        The statistic, None where it is undefined; and half of its interval, with Student's quantile. That is None for
        one story, where all stories are alike, and where the statistic is undefined without one of them.
    """
    _, place = np.unique(np.asarray(stories), return_inverse=True)
    by_story = np.zeros((place.max() + 1, values.shape[1]))
    np.add.at(by_story, place, values)
    (whole,) = statistic(by_story.sum(axis=0, keepdims=True))
    if np.isnan(whole):
        return None, None
    groups = len(by_story)
    if groups < 2:
        return float(whole), None
    without = statistic(by_story.sum(axis=0) - by_story)
    error = float(np.sqrt((groups - 1) / groups * np.square(without - without.mean()).sum()))
    return float(whole), None if np.isnan(error) or error < ROUNDING else student_quantile(groups) * error


def _check_lengths(values: npt.NDArray[np.float64], stories: Sequence[str]) -> None:
    if len(values) != len(stories) or not len(values):
        raise ValueError(f"{len(values)} scores, but {len(stories)} stories; both must have one entry for each item")


def _story_sums(residuals: npt.NDArray[np.float64], stories: Sequence[str]) -> npt.NDArray[np.float64]:
    """The sum of each story's residuals."""
    _, place = np.unique(np.asarray(stories), return_inverse=True)
    sums: npt.NDArray[np.float64] = np.bincount(place, weights=residuals).astype(np.float64)
    return sums


def _error(residuals: npt.NDArray[np.float64], total: float) -> float:
    groups = len(residuals)
    return float(np.sqrt(groups / (groups - 1) * np.square(residuals).sum()) / total)


def student_quantile(groups: int, probability: float = (1 + CONFIDENCE) / 2) -> float:
    """Student's, with one degree of freedom less than there are groups."""
    from scipy.stats import t

    return float(t.ppf(probability, groups - 1))


def normal_quantile(probability: float = (1 + CONFIDENCE) / 2) -> float:
    """The normal distribution's."""
    from scipy.stats import norm

    return float(norm.ppf(probability))


def _interval(mean: float, error: float, items: int, groups: int) -> tuple[float, float, Method]:
    effective = effective_items(mean * (1 - mean), error, items, groups)
    if error < ROUNDING or effective * min(mean, 1 - mean) < FEW:
        return *_wilson(mean, effective), Method.WILSON
    half = student_quantile(groups) * error
    return max(0.0, mean - half), min(1.0, mean + half), Method.STUDENT


def effective_items(variance: float, error: float, items: int, groups: int) -> float:
    """Independent items of this variance that would know as much; at most those there are."""
    if error < ROUNDING:
        # All stories alike: then a story tells no more than one item of it.
        return float(groups)
    certain = (student_quantile(items) / student_quantile(groups)) ** 2
    return min(float(items), variance / error**2 * certain)


def _wilson(mean: float, items: float) -> tuple[float, float]:
    """Wilson's score interval, for a number of items that need not be whole."""
    z = normal_quantile()
    scale = 1 + z * z / items
    centre = (mean + z * z / (2 * items)) / scale
    half = z / scale * float(np.sqrt(mean * (1 - mean) / items + z * z / (4 * items * items)))
    # At 0 and 1 the interval ends there; rounding must not put it a little outside or inside.
    return (0.0 if mean == 0 else max(0.0, centre - half)), (1.0 if mean == 1 else min(1.0, centre + half))
