"""A mean over items and its uncertainty, where items of one story go together.

Sentences of a story share their topic and their ontology, so they are no independent draws: stories are. Seeds are
repeated measures of an item and are averaged before anything else. With ``n`` items, of which story ``g`` of ``G`` has
those in ``I[g]``, and with ``x[i]`` the score of item ``i`` averaged over seeds::

    mean  = (sum of x[i]) / n
    r[g]  = sum of (x[i] - mean) over i in I[g]
    error = sqrt(G / (G - 1) * (sum of r[g]²)) / n

which is the cluster-robust (CR1) standard error of a regression on a constant, without its factor (n - 1) / (n - 1)
(Cameron and Miller, "A Practitioner's Guide to Cluster-Robust Inference", 2015, section II; Miller, "Adding Error Bars
to Evals", arXiv 2411.00640, section 2.2).

A ratio of sums, such as F1, is no mean of items: of pairs ``y[i]``, ``x[i]`` it is ``R = (sum of y) / (sum of x)``, and
to first order (the delta method; Cochran, "Sampling Techniques", 1977, section 6.3)::

    r[g]  = sum of (y[i] - R * x[i]) over i in I[g]
    error = sqrt(G / (G - 1) * (sum of r[g]²)) / (sum of x)

A mean is the ratio with all ``x[i] = 1``. Else Kish's effective number, (sum of x)² / (sum of x²), stands for ``n``.

The interval is Wilson's with the effective number of items, n / φ, and Student's quantile ("t") for the normal one: of
many items it is Student's, and near 0 and 1 it stays inside. φ is the design effect: the variance of the mean over that
of n single answers, right or wrong, with the same mean. Few answers of the rarer kind tell it badly, so it is shrunk
by half an item towards that of independent items, φ₀, and that by half an item towards 1 (where Korn and Graubard,
"Confidence Intervals for Proportions with Small Expected Number of Positive Counts Estimated from Survey Data", 1998,
set it)::

    D  = n * mean * (1 - mean)
    φ₀ = (n / (n - 1) * (sum of (x[i] - mean)²) + 1/2) / (D + 1/2)
    φ  = (G / (G - 1) * (sum of r[g]²) + φ₀ / 2) / (D + 1/2)

and never below φ₀ / 2, for stories that are all alike may be so by chance. So φ is below 1 where seeds differ or scores
have degrees, and nothing jumps where the last answer becomes right.

The degrees of freedom say how well φ is known. Of G stories' sums with the excess kurtosis k they are 2 / (2 / (G - 1)
+ k / G) (the variance of a variance). An answer, right or wrong, has about κ = n / (D + 7/2) - 6, by its mean; the sum
of a story has it where its items go together, in the share f = 1 - φ₀ / φ of the variance, and less where they do not::

    1 / freedom = 1 / (G - 1) + κ / 2 * (f² / G + 1 / n)

with κ from 0 to 2 G, as no sample of G shows an excess of G. ``benchmarks/intervals.py`` measures the coverage.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

CONFIDENCE = 0.95

ROUNDING = 1e-12
"""Standard errors below it are 0 but for the rounding of the scores' sums."""

_SHRINKAGE = 0.5
"""Items of whose variance the design effect is shrunk; see above."""

_RARE = 3.5
"""Items added to the variance where it tells the kurtosis; see above."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Evidence of scores on their mean, or on a ratio.

    Attributes:
        mean: the estimate, in [0, 1].
        residuals: sums of each story, float64 (stories,), in the sorted order of the stories' names, scaled so that a
            mean weight is 1.
        items: their effective number where they are independent: Kish's.
        effective: items / φ.
        freedom: degrees of freedom.
    """

    mean: float
    residuals: npt.NDArray[np.float64]
    items: float
    effective: float
    freedom: float

    def bounds(self, tail: float) -> tuple[float, float]:
        """Return the interval that misses the mean on each side with this probability."""
        from scipy.special import stdtrit

        square = float(stdtrit(self.freedom, tail)) ** 2 / self.effective
        centre = (self.mean + square / 2) / (1 + square)
        half = float(np.sqrt(square * (self.mean * (1 - self.mean) + square / 4))) / (1 + square)
        # At 0 and 1 the interval ends there; rounding must not put it a little outside or inside.
        low = 0.0 if self.mean == 0 else max(0.0, centre - half)
        return low, 1.0 if self.mean == 1 else min(1.0, centre + half)


@dataclass(frozen=True, slots=True)
class ClusteredMean:
    """A mean of scores in [0, 1], or a ratio.

    With one story there is neither a cluster-robust standard error nor an interval at ``CONFIDENCE``.
    """

    mean: float
    error: float | None
    low: float | None
    high: float | None
    items: int
    stories: int

    def named(self, name: str) -> dict[str, float | None]:
        """Return the columns of ``store.columns.intervals``."""
        return with_ends(name, self.mean, self.low, self.high)


def with_ends(name: str, mean: float | None = None, *ends: float | None) -> dict[str, float | None]:
    """Return the columns of ``store.columns.intervals``; null where nothing is known."""
    return dict(zip((name, f"{name}_low", f"{name}_high"), (mean, *(ends or (None, None))), strict=True))


def clustered_mean(scores: Sequence[float], stories: Sequence[str]) -> ClusteredMean:
    """Return the mean of items' scores with its interval.

    Args:
        scores: of each item, in [0, 1], averaged over seeds.
        stories: of each item.

    Raises:
        ValueError: if there is no item, or not one story for each.
    """
    return ratio(scores, [1.0] * len(scores), stories)


def ratio(parts: Sequence[float], wholes: Sequence[float], stories: Sequence[str]) -> ClusteredMean:
    """Return the ratio of two sums over items with its interval, such as F1 = Σ 2 TP / Σ (2 TP + FP + FN).

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
    known = evidence(numerators, denominators, np.asarray(stories)[counted].tolist())
    items, groups = len(numerators), len(known.residuals)
    if groups < 2:
        return ClusteredMean(known.mean, None, None, None, items, groups)
    low, high = known.bounds((1 - CONFIDENCE) / 2)
    return ClusteredMean(known.mean, _error(known.residuals, known.items), low, high, items, groups)


def evidence(parts: npt.NDArray[np.float64], wholes: npt.NDArray[np.float64], stories: Sequence[str]) -> Evidence:
    """Return the evidence of items on the ratio of two sums; one story gives the ratio alone.

    Args:
        parts: float64 (items,).
        wholes: float64 (items,), above 0.
        stories: of each item.
    """
    total, square = float(wholes.sum()), float(np.square(wholes).sum())
    mean, items = min(1.0, max(0.0, float(parts.sum()) / total)), total**2 / square
    return evidence_of(mean, items, (parts - mean * wholes) * (total / square), stories)


def evidence_of(mean: float, items: float, deviations: npt.NDArray[np.float64], stories: Sequence[str]) -> Evidence:
    """Return the evidence of items on an estimate, given their deviations from it.

    Args:
        mean: the estimate, in [0, 1].
        items: their effective number where they are independent.
        deviations: float64 (items,), with the sum 0, scaled so that a mean weight is 1.
        stories: of each item.
    """
    residuals = _story_sums(deviations, stories)
    groups = len(residuals)
    if groups < 2:
        return Evidence(mean, residuals, items, float("nan"), float("nan"))
    binary = items * mean * (1 - mean)
    apart = float(np.square(deviations).sum()) * len(deviations) / (len(deviations) - 1)
    together = float(np.square(residuals).sum()) * groups / (groups - 1)
    independent = (apart + _SHRINKAGE) / (binary + _SHRINKAGE)
    design = max(independent / 2, (together + _SHRINKAGE * independent) / (binary + _SHRINKAGE))
    shared = max(0.0, 1 - independent / design)
    kurtosis = min(2.0 * groups, max(0.0, items / (binary + _RARE) - 6))
    freedom = 1 / (1 / (groups - 1) + kurtosis / 2 * (shared**2 / groups + 1 / items))
    return Evidence(mean, residuals, items, items / design, freedom)


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
    """Return a statistic of sums over items, and half its interval by the jackknife over stories.

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
    """Return the sum of each story's residuals."""
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
