"""Statistics of ``recomputed_tables``, written from their definitions and not from nlfol, of which nothing is imported.

Intervals, their design effect and degrees of freedom are defined at the head of ``statistics/clusters.py``,
scores above chance in ``above_chance.py``, differences in ``differences.py`` and ``flips.py``, the test of
positions in ``nlfol_extras/analyses/positions.py`` and components of variance in ``seeds.py``.
"""

from __future__ import annotations

import hashlib
import json
import math
import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.optimize import bisect
from scipy.stats import chi2, norm, t

TAIL = 0.025
Array = npt.NDArray[np.float64]
Bounds = Callable[[float], tuple[float, float]]


def by_story(values: Iterable[float], stories: Iterable[str]) -> dict[str, float]:
    """Sum values by story."""
    sums: dict[str, float] = defaultdict(float)
    for value, story in zip(values, stories, strict=True):
        sums[story] += value
    return dict(sorted(sums.items()))


def effective(sizes: Iterable[float]) -> float:
    """G*: how many clusters of equal size tell as much."""
    weights = list(sizes)
    return math.fsum(weights) ** 2 / math.fsum(weight**2 for weight in weights)


@dataclass(frozen=True)
class Estimate:
    """A mean, ratio or rate: its value, the stories' residuals over √b, and n, φ and degrees of freedom."""

    value: float
    residuals: dict[str, float]
    items: float
    design: float | None
    freedom: float | None
    is_rate: bool

    def together(self, other: Estimate) -> float:
        """The covariance of the errors of two sums over the same stories; with itself, the variance."""
        return math.fsum(self.residuals[story] * other.residuals[story] for story in self.residuals)

    def bounds(self, tail: float) -> tuple[float, float]:
        """Wilson's interval, or that of the events of a rate as a Poisson count."""
        assert self.design is not None
        quantile, value = float(t.ppf(tail, self.freedom)), self.value
        if self.is_rate:
            weight = (quantile / float(norm.ppf(tail))) ** 2 * self.design / self.items
            # Ends of a Poisson count are halves of quantiles of chi-square.
            low = 0.0 if value == 0 else weight * float(chi2.ppf(tail, 2 * value / weight)) / 2
            return low, weight * float(chi2.ppf(1 - tail, 2 * value / weight + 2)) / 2
        square = quantile**2 * self.design / self.items
        centre, half = value + square / 2, math.sqrt(square * (value * (1 - value) + square / 4))
        low = 0.0 if value == 0 else max(0.0, (centre - half) / (1 + square))
        return low, 1.0 if value == 1 else min(1.0, (centre + half) / (1 + square))

    @property
    def ends(self) -> tuple[float | None, float | None]:
        """The interval at 95 %."""
        return (None, None) if self.design is None else self.bounds(TAIL)


def estimate(
    value: float,
    items: float,
    deviations: Sequence[float],
    weights: Sequence[float],
    stories: Sequence[str],
    *,
    is_rate: bool = False,
    untold: float = 2.0,
) -> Estimate:
    """An estimate by its items' deviations, which sum to 0; ``untold`` is the design effect of a rate of no events."""
    sums, sizes = by_story(deviations, stories), by_story(weights, stories)
    counted = effective(sizes.values())
    if len(sums) < 5 or counted < 2:
        return Estimate(value, sums, items, None, None, is_rate)
    single = items * value * (1 if is_rate else 1 - value)
    residuals, apart, degrees = jackknifed(deviations, sums, sizes)
    independent = (apart + 0.2) / (single + 0.2)
    spread = math.fsum(each**2 for each in residuals.values())
    design = max(independent / 4, (spread + independent / 5) / (single + 0.2))
    shared = max(0.0, 1 - independent / design)
    if is_rate:
        return Estimate(value, residuals, items, design if value else untold, degrees, is_rate)
    kurtosis = max(0.0, min(counted - 3, items / (single + 3.5) - 6))
    inverse = 1 / degrees + kurtosis / 2 * (6 * shared / counted + 1 / items)
    return Estimate(value, residuals, items, design, 1 / inverse, is_rate)


def jackknifed(
    deviations: Sequence[float], sums: dict[str, float], sizes: dict[str, float]
) -> tuple[dict[str, float], float, float]:
    """Residuals of stories over √b, the variance of their sum if items are independent, and degrees of freedom.

    B = (1 - h 1') diag(v) (1 - 1 h') is diag(v) + U M U' with the columns h and v in U.
    """
    apart = math.fsum(each**2 for each in deviations) * len(deviations) / (len(deviations) - 1)
    h = np.array([sizes[story] for story in sums]) / math.fsum(sizes.values())
    square, spread = float(h @ h), math.fsum(each**2 for each in sums.values())
    shared = max(0.0, 1 - apart * (1 - square) / spread) if spread > 1e-24 else 0.0
    v = (1 - shared) * h + shared * h**2 / square
    u, m = np.stack([h, v], axis=1), np.array([[v.sum(), -1.0], [-1.0, 0.0]])
    of_u, weighted = m @ u.T @ u, m @ u.T @ (v[:, None] * u)
    kept = float(v.sum() + np.trace(of_u))
    of_square = float(v @ v + 2 * np.trace(weighted) + np.trace(of_u @ of_u))
    return {story: each / math.sqrt(kept) for story, each in sums.items()}, apart, kept**2 / of_square


def ratio(
    parts: Sequence[float],
    wholes: Sequence[float],
    stories: Sequence[str],
    *,
    is_rate: bool = False,
    untold: float = 2.0,
) -> Estimate | None:
    """Σ parts / Σ wholes; None where nothing adds to the denominator."""
    kept = [(part, whole, story) for part, whole, story in zip(parts, wholes, stories, strict=True) if whole]
    if not kept:
        return None
    total = math.fsum(whole for _, whole, _ in kept)
    value = math.fsum(part for part, _, _ in kept) / total
    weights, clusters = [whole for _, whole, _ in kept], [story for _, _, story in kept]
    deviations = [part - value * whole for part, whole, _ in kept]
    if is_rate:
        return estimate(value, total, deviations, weights, clusters, is_rate=True, untold=untold)
    square = math.fsum(weight**2 for weight in weights)
    return estimate(value, total**2 / square, [each * total / square for each in deviations], weights, clusters)


def mean(scores: Sequence[float], stories: Sequence[str]) -> Estimate:
    """The mean of items' scores."""
    value = math.fsum(scores) / len(scores)
    return estimate(value, len(scores), [score - value for score in scores], [1.0] * len(scores), stories)


def p_value(bounds: Bounds) -> float:
    """Twice the least tail at which an interval does not hold 0; below 0.05 where that at 95 % does not."""

    def beyond(exponent: float) -> float:
        low, high = bounds(math.exp(exponent) / 2)
        return max(low, -high)

    usual, least = math.log(0.05), math.log(1e-12)
    outer, inner = (least, usual) if beyond(usual) > 0 else (usual, 0.0)
    if beyond(outer) > 0:
        return 1e-12
    return 1.0 if beyond(inner) <= 0 else math.exp(bisect(beyond, outer, inner, xtol=1e-12))


def correlation(one: Estimate, other: Estimate) -> float:
    """The correlation of the errors, with one item added to the variance of each."""
    return one.together(other) / math.sqrt((one.together(one) + 1) * (other.together(other) + 1))


def newcombe(first: tuple[float, Bounds], second: tuple[float, Bounds], together: float) -> Bounds:
    """The interval of a difference of two estimates whose errors correlate so."""

    def bounds(tail: float) -> tuple[float, float]:
        (one, of_one), (other, of_other) = first, second
        (low, high), (other_low, other_high) = of_one(tail), of_other(tail)

        def joined(a: float, b: float) -> float:
            return math.sqrt(max(0.0, a * a - 2 * together * a * b + b * b))

        return (
            one - other - joined(one - low, other_high - other),
            one - other + joined(high - one, other - other_low),
        )

    return bounds


def difference(first: Sequence[float], second: Sequence[float], stories: Sequence[str]) -> dict[str, float | None]:
    """The first mean less the second, with interval, p, the smallest detectable difference, degrees of freedom."""
    one, other = mean(first, stories), mean(second, stories)
    apart = mean([a - b for a, b in zip(first, second, strict=True)], stories)
    if one.design is None:
        return {"value": apart.value, "low": None, "high": None, "p": 1.0, "detectable": None, "freedom": None}
    differences = [a - b for a, b in zip(first, second, strict=True)]
    sizes = by_story([1.0] * len(stories), stories)
    if effective(sizes.values()) >= 20:
        low, high, p = flipped(by_story(differences, stories), sizes)
    else:
        bounds = newcombe((one.value, one.bounds), (other.value, other.bounds), correlation(one, other))
        low, high = bounds(TAIL)
        p = 1.0 if one.value == other.value else p_value(bounds)
    low, high = max(-1.0, low), min(1.0, high)
    *_, freedom = _error(differences, stories)
    told = (high - low) / 2 * detection(freedom)
    return {"value": apart.value, "low": low, "high": high, "p": p, "detectable": told, "freedom": freedom}


def flipped(sums: dict[str, float], sizes: dict[str, float]) -> tuple[float, float, float]:
    """The differences that no more than a twentieth of all flips of stories reject, and the p of 0."""
    names = sorted(sums)
    if len(names) > 1_000:
        groups = [names[start::1_000] for start in range(1_000)]
        sums, sizes = ({group[0]: math.fsum(by[name] for name in group) for group in groups} for by in (sums, sizes))
        names = [group[0] for group in groups]
    total, items = math.fsum(sums.values()), math.fsum(sizes.values())
    draw = random.Random(hashlib.sha256(json.dumps(["flips of stories", len(names)]).encode()).digest())
    numbers = dict(zip(names, draw.sample(range(1, 4_096), len(names)), strict=True))
    spans = []
    for flip in range(4_096):
        turned = [name for name in names if (flip & numbers[name]).bit_count() % 2]
        part, count = math.fsum(sums[name] for name in turned), math.fsum(sizes[name] for name in turned)
        if 0 < count < items:
            halves = [(part, count), (total - part, items - count)]
            means = [0.0 if abs(part) < 1e-9 else part / count for part, count in halves]
            spans.append((min(means), max(means)))
        else:
            spans.append((-math.inf, math.inf))
    middle, count = total / items, len(names)
    left = [sums[name] - middle * sizes[name] for name in names]
    square, cube = (math.fsum(each**power for each in left) / count for power in (2, 3))
    most = float(t.ppf(1 - TAIL, count - 1))
    skew = 2 * cube / square**1.5 * (1 + 2 * most**2) / (6 * math.sqrt(count) * most) if square >= 1e-12 else 0.0
    below, above = (1 / (1 - min(0.75, max(0.0, side))) for side in (-skew, skew))
    spans = [(low * below + middle * (1 - below), high * above + middle * (1 - above)) for low, high in spans]
    reached = sum(low <= 0 <= high for low, high in spans)
    p = reached / 4_096
    # 204 of 4,096 are less than a twentieth.
    low, high = sorted(low for low, _ in spans)[204], sorted((high for _, high in spans), reverse=True)[204]
    nearest = [total / items - 3 / items, total / items + 3 / items]
    if not low > 0 >= nearest[0]:
        low = min(low, nearest[0])
    if not high < 0 <= nearest[1]:
        high = max(high, nearest[1])
    if reached == 1:
        z = total / (below if total > 0 else above)
        p = max(1e-12, min(p, 2 * math.exp(-(z**2) / math.fsum(each**2 for each in sums.values()) / 2)))
    return low, high, p


def detection(freedom: float, comparisons: int = 1) -> float:
    """Return the difference detected with probability .8 by one of several comparisons, in halves of an interval."""
    adjusted, power, usual = t.ppf([1 - TAIL / comparisons, 0.8, 1 - TAIL], freedom)
    return float((adjusted + power) / usual)


@dataclass(frozen=True)
class Above:
    """A mean score above chance: (score - chance) / (1 - chance)."""

    chance: float
    of_score: Estimate

    def adjusted(self, score: float) -> float:
        """A score as adjusted."""
        return (score - self.chance) / (1 - self.chance)

    @property
    def value(self) -> float:
        """The mean above chance."""
        return self.adjusted(self.of_score.value)

    @property
    def ends(self) -> tuple[float | None, float | None]:
        """Its interval at 95 %."""
        return (None, None) if self.of_score.design is None else self.bounds(TAIL)

    def bounds(self, tail: float) -> tuple[float, float]:
        """Its interval."""
        low, high = self.of_score.bounds(tail)
        return self.adjusted(low), self.adjusted(high)


def above(scores: Sequence[float], chances: Sequence[float], stories: Sequence[str]) -> Above | None:
    """Adjust for chance; None where it is 1."""
    score, chance = (math.fsum(values) / len(values) for values in (scores, chances))
    if chance >= 1:
        return None
    value = (score - chance) / (1 - chance)
    deviations = [x - c - value * (1 - c) for x, c in zip(scores, chances, strict=True)]
    return Above(chance, estimate(score, len(scores), deviations, [1 - c for c in chances], stories))


def of_sums(table: Array, stories: Sequence[str], statistic: Callable[[Array], float]) -> tuple[float, Estimate | None]:
    """A statistic in [0, 1] of sums over items, with the jackknife's deviations; NaN where it is undefined."""
    whole = statistic(table.sum(axis=0))
    each = np.array([statistic(table.sum(axis=0) - row) for row in table])
    groups = [np.array([name == story for name in stories]) for story in sorted(set(stories))]
    without = [statistic(table[~group].sum(axis=0)) for group in groups]
    if math.isnan(whole) or np.isnan(each).any() or np.isnan(without).any():
        return whole, None
    deviations = (each.mean() - each) * (len(each) - 1)
    return whole, estimate(whole, len(each), deviations.tolist(), [1.0] * len(each), stories)


def jackknife(
    table: Array, stories: Sequence[str], statistic: Callable[[Array], float]
) -> tuple[float | None, float | None]:
    """A statistic of sums over items, and half of its interval by the jackknife over stories."""
    whole, names = statistic(table.sum(axis=0)), sorted(set(stories))
    counted = effective(by_story([1.0] * len(stories), stories).values())
    if math.isnan(whole):
        return None, None
    without = np.array([statistic(table[[story != name for story in stories]].sum(axis=0)) for name in names])
    if len(names) < 5 or counted < 2 or np.isnan(without).any():
        return whole, None
    error = math.sqrt((len(names) - 1) / len(names) * float(((without - without.mean()) ** 2).sum()))
    return whole, None if error < 1e-12 else float(t.ppf(1 - TAIL, counted - 1)) * error


def holm(values: Sequence[float]) -> list[float]:
    """Holm's adjusted p-values."""
    order = np.argsort(values, kind="stable")
    adjusted = np.empty(len(values))
    adjusted[order] = np.maximum.accumulate(
        [min(1.0, (len(values) - rank) * values[place]) for rank, place in enumerate(order)]
    )
    return adjusted.tolist()


def agreement(first: Sequence[float], second: Sequence[float]) -> dict[str, float | None]:
    """Shares of answers that both, one or neither series has right, and Cohen's kappa."""
    pairs = list(zip(first, second, strict=True))
    both, neither = (
        math.fsum(map(math.prod, each)) / len(pairs) for each in (pairs, [(1 - a, 1 - b) for a, b in pairs])
    )
    one, other = math.fsum(first) / len(pairs), math.fsum(second) / len(pairs)
    expected = one * other + (1 - one) * (1 - other)
    kappa = None if expected == 1 else (both + neither - expected) / (1 - expected)
    return {"both": both, "first_only": one - both, "second_only": other - both, "neither": neither, "kappa": kappa}


def average(values: Sequence[float]) -> float | None:
    """The mean; None of nothing."""
    return math.fsum(values) / len(values) if values else None


def _error(values: Sequence[float], stories: Sequence[str]) -> tuple[float, float]:
    """The standard error of a mean of any values, and its degrees of freedom."""
    middle = math.fsum(values) / len(values)
    deviations, sizes = [value - middle for value in values], by_story([1.0] * len(values), stories)
    residuals, _, degrees = jackknifed(deviations, by_story(deviations, stories), sizes)
    return math.sqrt(math.fsum(each**2 for each in residuals.values())) / len(values), degrees
