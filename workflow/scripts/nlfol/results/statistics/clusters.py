"""A mean over items and its uncertainty, where items of one story go together.

Sentences of a story share their topic and their ontology, so they are no independent draws: stories are. Seeds are
repeated measures of an item and are averaged before anything else. With ``n`` items, of which story ``g`` of ``G`` has
those in ``I[g]``, and with ``x[i]`` the score of item ``i`` averaged over seeds::

    mean  = (sum of x[i]) / n
    r[g]  = sum of x[i] - mean over i in I[g]
    error = sqrt((sum of r[g]²) / b) / n

``b`` is the share of the variance that the residuals keep: each is taken from a mean that its own story draws towards
itself. With f the share of the variance between stories, the variances of the stories' sums are as::

    v[g] = (1 - f) * n[g] / n + f * n[g]² / (sum of n[g]²)

and the residuals' covariance is B = (1 - h 1') diag(v) (1 - 1 h'), with h[g] = n[g] / n. Then b is its trace, and the
error has tr(B)² / tr(B²) degrees of freedom (Bell and McCaffrey, "Bias Reduction in Standard Errors for Linear
Regression with Multi-Stage Samples", 2002; with f from the sample: Imbens and Kolesár, "Robust Standard Errors in Small
Samples", 2016). For G stories of equal size b is 1 - 1 / G, the degrees are G - 1, and the error is CR1, that of
Miller, "Adding Error Bars to Evals", arXiv 2411.00640, section 2.2.

A ratio of sums, such as F1, is no mean of items: of pairs ``y[i]``, ``x[i]`` it is ``R = (sum of y) / (sum of x)``. Its
deviations are ``y[i] - R * x[i]`` (the delta method; Cochran, "Sampling Techniques", 1977, section 6.3), and sums of
``x`` stand for the sizes. A mean is the ratio with all ``x[i] = 1``. Else Kish's effective number, (sum of x)² / (sum
of x²), stands for ``n``, except in n / (n - 1), and deviations are times (sum of x) / (sum of x²).

The interval is Wilson's with the effective number of items, n / φ, and Student's quantile ("t") for the normal one: of
many items it is Student's, and near 0 and 1 it stays inside. φ is the design effect: the variance of the mean over that
of n single answers, right or wrong, with the same mean. Few answers of the rarer kind tell it badly, so it is shrunk
by a fifth of an item towards that of independent items, φ₀, and that by a fifth of an item towards 1 (where Korn and
Graubard, "Confidence Intervals for Proportions with Small Expected Number of Positive Counts Estimated from Survey
Data", 1998, set it)::

    D  = n * mean * (1 - mean)
    φ₀ = (n / (n - 1) * (sum of (x[i] - mean)²) + 1/5) / (D + 1/5)
    φ  = ((sum of r[g]²) / b + φ₀ / 5) / (D + 1/5)
    f  = 1 - φ₀ / φ, from 0 on

(for b without the shrinkage, and with the b of f = 0 in φ). φ is never below φ₀ / 4, for stories that are all alike may
be so by chance. So it is below 1 where seeds differ or scores have degrees, and nothing jumps where the last answer
becomes right.

The degrees of freedom say how well φ is known. Of sums with the excess kurtosis k, k / 2G* more is unknown, with
G* = n² / (sum of n[g]²), what stories of unequal size count. An answer, right or wrong, has about κ = n / (D + 7/2) -
6, by its mean; the sum of a story has it where its items go together, and less where they do not. Such sums are skewed,
too, so that an error tends to be too small where the mean is: it counts six times (found by simulation)::

    1 / freedom = tr(B²) / tr(B)² + κ / 2 * (6 * f / G* + 1 / n)

with κ from 0 to G* - 3, as no sample of G shows an excess of more.

A *rate*, such as the drift of symbols, is a ratio without an upper end. Its counts are Poisson's where they are
independent, of x with the exposure n = sum of x, so D = n * R is the number of events, and D / φ that of independent
ones. The interval is that of such a count (Garwood, "Fiducial Limits for the Poisson Distribution", 1936, scaled as in
Fay and Feuer, "Confidence Intervals for Directly Standardized Rates", 1997), with quantiles of the gamma distribution,
which is as skewed as rare events are; so κ is 0 here, and t, over the normal quantile, stands in the design effect::

    φ' = φ (t / z)²,   low = φ' / n * gamma[tail](D / φ'),   high = φ' / n * gamma[1 - tail](D / φ' + 1)

Of no events nothing tells φ: it is taken from elsewhere, such as from other models, or as 2.

Of fewer than five stories, or of such that count as fewer than two, nothing tells how far they vary: there is neither
interval nor test. ``benchmarks/intervals.py`` measures the coverage.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import sqrt

import numpy as np
import numpy.typing as npt

from nlfol.store.columns import Ends

CONFIDENCE = 0.95

ROUNDING = 1e-12
"""Standard errors below it are 0 but for the rounding of the scores' sums."""

LEAST_STORIES, _LEAST_EFFECTIVE = 5, 2.0
"""Stories, and what they count as, from which there is an interval; see above."""

_SHRINKAGE = 1 / 5
"""Items of whose variance the design effect is shrunk; see above."""

_LEAST_DESIGN = 1 / 4
"""The least design effect, in those of independent items."""

_RARE = 3.5
"""Items added to the variance where it tells the kurtosis; see above."""

_SKEWED = 6.0
"""Weight of the kurtosis; see above."""

UNTOLD_DESIGN = 2.0
"""The design effect of a rate of no events where nothing else tells it."""

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Evidence:
    """Evidence of scores on their mean, on a ratio, or on a rate, which has no upper end.

    ``residuals`` are ``r / √b`` of each story, float64 (stories,), in the order of their names. ``items`` is their
    effective number where they are independent, the exposure of a rate; ``effective`` is items / φ. ``freedom`` is NaN
    where there are too few stories for an interval.
    """

    mean: float
    residuals: Array
    items: float
    effective: float
    freedom: float
    is_rate: bool = False

    @property
    def has_interval(self) -> bool:
        """Return whether there are stories enough."""
        return not np.isnan(self.freedom)

    @property
    def error(self) -> float:
        """Return the standard error."""
        return float(np.sqrt(np.square(self.residuals).sum())) / self.items

    def bounds(self, tail: float) -> tuple[float, float]:
        """Return the interval that misses the mean on each side with this probability."""
        from scipy.special import gammaincinv, ndtri, stdtrit

        quantile = float(stdtrit(self.freedom, tail))
        if self.is_rate:
            weight = (quantile / float(ndtri(tail))) ** 2 / self.effective
            events = self.mean / weight
            low = 0.0 if self.mean == 0 else weight * float(gammaincinv(events, tail))
            return low, weight * float(gammaincinv(events + 1, 1 - tail))
        square = quantile**2 / self.effective
        centre = (self.mean + square / 2) / (1 + square)
        half = float(np.sqrt(square * (self.mean * (1 - self.mean) + square / 4))) / (1 + square)
        # At 0 and 1 the interval ends there; rounding must not put it a little outside or inside.
        low = 0.0 if self.mean == 0 else max(0.0, centre - half)
        return low, 1.0 if self.mean == 1 else min(1.0, centre + half)


@dataclass(frozen=True, slots=True)
class ClusteredMean:
    """A mean in [0, 1], ratio or rate; of too few stories neither error nor interval, which is at ``CONFIDENCE``."""

    mean: float
    error: float | None
    low: float | None
    high: float | None
    items: int
    stories: int
    effective: float | None = None
    """Independent answers, right or wrong, that tell as much; of too few stories None."""

    @property
    def ends(self) -> Ends:
        """Return the value of a ``store.columns.Interval``."""
        return Ends(self.mean, self.low, self.high)


def clustered_mean(scores: Sequence[float], stories: Sequence[str]) -> ClusteredMean:
    """Return the mean of items' scores in [0, 1], averaged over seeds, with its interval; raises as ``ratio``."""
    return ratio(scores, [1.0] * len(scores), stories)


def ratio(parts: Sequence[float], wholes: Sequence[float], stories: Sequence[str]) -> ClusteredMean:
    """Return the ratio of two sums over items with its interval, such as F1 = Σ 2 TP / Σ (2 TP + FP + FN).

    A part lies in [0, its whole]; items without a whole are not counted. Raises ``ValueError`` if no item is left, or
    there is not one whole and story for each.
    """
    return _summed(parts, wholes, stories, evidence)


def rate(
    parts: Sequence[float], wholes: Sequence[float], stories: Sequence[str], untold: float = UNTOLD_DESIGN
) -> ClusteredMean:
    """Return a rate, the ratio of two sums over items that may exceed 1, with its interval; otherwise as ``ratio``.

    ``untold`` is the design effect where nothing happened.
    """

    def known(some: Array, whole: Array, names: Sequence[str]) -> Evidence:
        return _evidence_of_rate(some, whole, names, untold)

    return _summed(parts, wholes, stories, known)


def design_of_rate(parts: Sequence[float], wholes: Sequence[float], stories: Sequence[str]) -> float | None:
    """Return the design effect of a rate; None where too few stories, or no events, tell it."""
    estimate = _evidence_of_rate(np.asarray(parts, dtype=np.float64), np.asarray(wholes, dtype=np.float64), stories)
    return estimate.items / estimate.effective if estimate.has_interval and estimate.mean else None


def _summed(
    parts: Sequence[float],
    wholes: Sequence[float],
    stories: Sequence[str],
    known: Callable[[Array, Array, Sequence[str]], Evidence],
) -> ClusteredMean:
    numerators, denominators = np.asarray(parts, dtype=np.float64), np.asarray(wholes, dtype=np.float64)
    _check_lengths(numerators, stories)
    if len(denominators) != len(numerators):
        raise ValueError(f"{len(numerators)} parts, but {len(denominators)} wholes")
    counted = denominators != 0
    if not denominators.sum():
        raise ValueError("a ratio to nothing: no item adds to the denominator")
    numerators, denominators = numerators[counted], denominators[counted]
    estimate = known(numerators, denominators, np.asarray(stories)[counted].tolist())
    return _with_interval(estimate, len(numerators))


def _with_interval(estimate: Evidence, items: int) -> ClusteredMean:
    groups = len(estimate.residuals)
    if not estimate.has_interval:
        return ClusteredMean(estimate.mean, None, None, None, items, groups)
    low, high = estimate.bounds((1 - CONFIDENCE) / 2)
    return ClusteredMean(estimate.mean, estimate.error, low, high, items, groups, estimate.effective)


def evidence(parts: Array, wholes: Array, stories: Sequence[str]) -> Evidence:
    """Return the evidence of items on the ratio of two sums, float64 (items,); too few stories give the ratio alone."""
    total, square = float(wholes.sum()), float(np.square(wholes).sum())
    mean, items = min(1.0, max(0.0, float(parts.sum()) / total)), total**2 / square
    return evidence_of(mean, items, (parts - mean * wholes) * (total / square), stories, wholes)


def _evidence_of_rate(parts: Array, wholes: Array, stories: Sequence[str], untold: float = UNTOLD_DESIGN) -> Evidence:
    total = float(wholes.sum())
    mean = float(parts.sum()) / total
    estimate = evidence_of(mean, total, parts - mean * wholes, stories, wholes, is_rate=True)
    return estimate if mean else replace(estimate, effective=total / untold)


def evidence_of(
    mean: float, items: float, deviations: Array, stories: Sequence[str], weights: Array, *, is_rate: bool = False
) -> Evidence:
    """Return the evidence of items on an estimate, given their deviations from it.

    ``items`` is their effective number where they are independent, ``deviations`` float64 (items,) with the sum 0,
    scaled so that their squares are as of single answers, ``weights`` what each item adds to the denominator.
    """
    sums, sizes = story_sums(deviations, stories), story_sums(weights, stories)
    if not are_enough(sizes):
        return Evidence(mean, sums, items, float("nan"), float("nan"), is_rate)
    single = items * mean if is_rate else items * mean * (1 - mean)
    apart = float(np.square(deviations).sum()) * len(deviations) / (len(deviations) - 1)
    residuals, freedom = _residuals(sums, sizes, apart)
    independent = (apart + _SHRINKAGE) / (single + _SHRINKAGE)
    together = float(np.square(residuals).sum()) + _SHRINKAGE * independent
    design = max(_LEAST_DESIGN * independent, together / (single + _SHRINKAGE))
    shared = max(0.0, 1 - independent / design)
    count = effective_number(sizes)
    kurtosis = 0.0 if is_rate else max(0.0, min(count - 3, items / (single + _RARE) - 6))
    freedom = 1 / (1 / freedom + kurtosis / 2 * (_SKEWED * shared / count + 1 / items))
    return Evidence(mean, residuals, items, items / design, freedom, is_rate)


def _residuals(sums: Array, sizes: Array, apart: float) -> tuple[Array, float]:
    """Return ``r`` of each story over √b, and the degrees of freedom of the sum of their squares; see above.

    ``apart`` is the variance of the sum of all items if these were independent.
    """
    parts = sizes / sizes.sum()
    squares = np.square(parts)
    alike, total = float(squares.sum()), float(np.square(sums).sum())
    # Of scores that are all alike the sums are rounding.
    shared = max(0.0, 1 - apart * (1 - alike) / total) if total > ROUNDING**2 else 0.0
    own = (1 - shared) * parts + shared * squares / alike
    cross = float(parts @ own)
    kept = 1 - 2 * cross + alike
    # tr(B²), from the products of h and v.
    trace = float(own @ own) * (1 + 2 * alike) + 2 * cross**2 + alike**2 - 4 * cross * alike
    trace += 2 * float(own @ squares) - 4 * float(np.square(own) @ parts)
    return sums / sqrt(kept), kept**2 / trace


def clustered_error(values: Array, stories: Sequence[str]) -> tuple[float, float | None, float]:
    """Return the mean of values, its error (None for too few stories), and one more than its degrees of freedom."""
    _check_lengths(values, stories)
    mean, sizes = float(values.mean()), story_sums(np.ones(len(values)), stories)
    groups = effective_number(sizes)
    if not are_enough(sizes):
        return mean, None, groups
    deviations = values - mean
    apart = float(np.square(deviations).sum()) * len(values) / (len(values) - 1)
    residuals, freedom = _residuals(story_sums(deviations, stories), sizes, apart)
    return mean, float(np.sqrt(np.square(residuals).sum())) / len(values), freedom + 1


def student_test(
    values: Sequence[float] | Array, stories: Sequence[str]
) -> tuple[float, float | None, float | None, float]:
    """Return the mean of values that are no scores, with Student's interval and the p of a mean of 0.

    Too few stories, and values that are all alike, do not tell how far they vary: no interval, and p is 1. Of scores in
    [0, 1], and of their differences, the intervals of ``ratio`` and ``differences`` hold there, too.
    """
    mean, error, groups = clustered_error(np.asarray(values, dtype=np.float64), stories)
    if error is None or error < ROUNDING:
        return mean, None, None, 1.0
    half = student_quantile(groups) * error
    return mean, mean - half, mean + half, student_p(mean / error, groups)


def effective_number(sizes: Array) -> float:
    """Return how many stories of equal size tell as much (G*)."""
    return float(sizes.sum() ** 2 / np.square(sizes).sum())


def share_of_sums(values: Array, stories: Sequence[str], statistic: Callable[[Array], Array]) -> ClusteredMean | None:
    """Return a statistic in [0, 1] of sums over items, such as B³'s F, with its interval; None if undefined.

    The jackknife gives its deviations, by story and by item; there is no interval if it is undefined without a story.
    Values have a row an item and a column each sum; the statistic is NaN of sums of which it is undefined.
    """
    (estimate,) = statistic(values.sum(axis=0, keepdims=True))
    if np.isnan(estimate):
        return None
    items = len(values)
    by_story = _by_story(values, stories)
    groups = len(by_story)
    mean = min(1.0, max(0.0, float(estimate)))
    without, without_item = (statistic(values.sum(axis=0) - part) for part in (by_story, values))
    if groups < LEAST_STORIES or np.isnan(without).any() or np.isnan(without_item).any():
        return ClusteredMean(mean, None, None, None, items, groups)
    # Deviations of items that add up to the stories' jackknife, so that what follows is that of a mean.
    deviations = (without_item.mean() - without_item) * (items - 1)
    known = evidence_of(mean, items, deviations, stories, np.ones(items))
    return _with_interval(known, items)


def jackknife(
    values: Array, stories: Sequence[str], statistic: Callable[[Array], Array]
) -> tuple[float | None, float | None]:
    """Return a statistic of sums over items, and half its interval by the jackknife over stories (Student's quantile).

    Arguments are those of ``share_of_sums``. The statistic is None where undefined; half its interval is None for too
    few stories, where all are alike, and where the statistic is undefined without one of them.
    """
    by_story = _by_story(values, stories)
    (estimate,) = statistic(by_story.sum(axis=0, keepdims=True))
    if np.isnan(estimate):
        return None, None
    groups, sizes = len(by_story), story_sums(np.ones(len(values)), stories)
    if not are_enough(sizes):
        return float(estimate), None
    without = statistic(by_story.sum(axis=0) - by_story)
    error = float(np.sqrt((groups - 1) / groups * np.square(without - without.mean()).sum()))
    return float(estimate), None if np.isnan(error) or error < ROUNDING else student_quantile(
        effective_number(sizes)
    ) * error


def _check_lengths(values: Array, stories: Sequence[str]) -> None:
    if len(values) != len(stories) or not len(values):
        raise ValueError(f"{len(values)} scores, but {len(stories)} stories; both must have one entry for each item")


def _by_story(values: Array, stories: Sequence[str]) -> Array:
    return np.stack([story_sums(column, stories) for column in values.T], axis=1)


def story_sums(values: Array, stories: Sequence[str]) -> Array:
    """Return the sum of each story's values."""
    _, group = np.unique(np.asarray(stories), return_inverse=True)
    sums: Array = np.bincount(group, weights=values).astype(np.float64)
    return sums


def are_enough(sizes: Array) -> bool:
    """Return whether stories tell how far they vary."""
    return len(sizes) >= LEAST_STORIES and effective_number(sizes) >= _LEAST_EFFECTIVE


def student_quantile(groups: float, probability: float = (1 + CONFIDENCE) / 2) -> float:
    """Student's, with one degree of freedom less than there are groups."""
    from scipy.special import stdtrit  # importing scipy.stats takes a second

    return float(stdtrit(groups - 1, probability))


def student_p(statistic: float, groups: float) -> float:
    """Return the two-sided p of Student's t, with one degree of freedom less than there are groups."""
    from scipy.special import stdtr

    return float(2 * stdtr(groups - 1, -abs(statistic)))
