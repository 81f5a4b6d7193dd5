"""Statistics step by step from their definition, in plain Python; those of means are of ``statistics.clusters``.

Stories are lists of their items' scores.
"""

from collections.abc import Callable, Sequence
from itertools import permutations
from math import sqrt
from typing import Any

import numpy as np
from scipy.stats import chi2
from scipy.stats import t as student

Stories = Sequence[Sequence[float]]

Ends = tuple[float | None, float | None]
"""The ends of an interval; None below ``LEAST`` stories."""

LEAST = 5


def adjusted(deviations: Stories, weights: Stories) -> tuple[list[float], float]:
    """Sums of the stories over the root of what residuals keep of the variance, and their degrees of freedom."""
    items, groups = sum(map(len, deviations)), len(deviations)
    apart = items / (items - 1) * sum(deviation**2 for story in deviations for deviation in story)
    sums, h = [sum(story) for story in deviations], np.array([sum(story) for story in weights])
    h = h / h.sum()

    def covariance(share: float) -> np.ndarray:
        taken = np.eye(groups) - np.outer(h, np.ones(groups))
        return taken @ np.diag((1 - share) * h + share * h**2 / sum(h**2)) @ taken.T

    square = sum(total**2 for total in sums)
    share = max(0, 1 - apart / (square / np.trace(covariance(0)))) if square else 0
    known = covariance(share)
    kept = float(np.trace(known))
    return [total / sqrt(kept) for total in sums], kept**2 / float(np.trace(known @ known))


def spread(mean: float, n: float, deviations: Stories, weights: Stories) -> tuple[float, float, float]:
    """Mean, effective items and degrees of freedom."""
    items = sum(map(len, deviations))
    single = n * mean * (1 - mean)
    apart = items / (items - 1) * sum(deviation**2 for story in deviations for deviation in story)
    sums, freedom = adjusted(deviations, weights)
    independent = (apart + 0.2) / (single + 0.2)
    design = max(independent / 4, (sum(total**2 for total in sums) + 0.2 * independent) / (single + 0.2))
    share = max(0, 1 - independent / design)
    count = sum(map(sum, weights)) ** 2 / sum(sum(story) ** 2 for story in weights)
    kurtosis = max(0, min(n / (single + 3.5) - 6, count - 3))
    return mean, n / design, 1 / (1 / freedom + kurtosis / 2 * (6 * share / count + 1 / n))


def effective(stories: Stories, wholes: Stories | None = None) -> tuple[float, float, float]:
    """The same of scores; of a ratio where wholes are given."""
    weights = wholes or [[1.0] * len(story) for story in stories]
    total, squares = sum(map(sum, weights)), sum(weight**2 for story in weights for weight in story)
    mean = sum(map(sum, stories)) / total
    deviations = [
        [(score - mean * weight) * total / squares for score, weight in zip(story, along, strict=True)]
        for story, along in zip(stories, weights, strict=True)
    ]
    return spread(mean, total**2 / squares, deviations, weights)


def wilson(mean: float, n: float, freedom: float, tail: float) -> tuple[float, float]:
    """With Student's quantile."""
    z = student.ppf(1 - tail, freedom)
    half = z * sqrt(mean * (1 - mean) / n + z**2 / (4 * n**2))
    ends = [(mean + z**2 / (2 * n) + sign * half) / (1 + z**2 / n) for sign in (-1, 1)]
    return max(0.0, ends[0]), min(1.0, ends[1])


def interval(stories: Stories, tail: float = 0.025, wholes: Stories | None = None) -> Ends:
    """Wilson's."""
    return (None, None) if len(stories) < LEAST else wilson(*effective(stories, wholes), tail)


def above(stories: Stories, chances: Stories, tail: float = 0.025) -> tuple[float, float | None, float | None]:
    """(score - chance) / (1 - chance) with its interval."""
    n = sum(map(len, stories))
    score, chance = (sum(map(sum, each)) / n for each in (stories, chances))
    found = (score - chance) / (1 - chance)
    if len(stories) < LEAST:
        return found, None, None
    deviations = [
        [one - (found + (1 - found) * other) for one, other in zip(story, along, strict=True)]
        for story, along in zip(stories, chances, strict=True)
    ]
    left = [[1 - chance for chance in story] for story in chances]
    low, high = wilson(*spread(score, n, deviations, left), tail)
    return found, (low - chance) / (1 - chance), (high - chance) / (1 - chance)


def paired(first: Stories, second: Stories, tail: float = 0.025) -> Ends:
    """Newcombe's of the difference."""
    if len(first) < LEAST:
        return None, None
    means = [effective(stories)[0] for stories in (first, second)]
    (low, high), (other_low, other_high) = (wilson(*effective(stories), tail) for stories in (first, second))
    sums = [
        adjusted([[score - mean for score in story] for story in stories], [[1.0] * len(story) for story in stories])[0]
        for mean, stories in zip(means, (first, second), strict=True)
    ]
    both = sum(one * other for one, other in zip(*sums, strict=True))
    r = both / sqrt((sum(one**2 for one in sums[0]) + 1) * (sum(one**2 for one in sums[1]) + 1))

    def joined(one: float, other: float) -> float:
        return sqrt(max(0.0, one**2 - 2 * r * one * other + other**2))

    below, above = joined(means[0] - low, other_high - means[1]), joined(high - means[0], means[1] - other_low)
    return max(-1.0, means[0] - means[1] - below), min(1.0, means[0] - means[1] + above)


def p_value(first: Stories, second: Stories) -> float:
    """Twice the tail at which an end of the interval of the difference is 0."""
    if len(first) < LEAST or effective(first)[0] == effective(second)[0]:
        return 1.0
    return halved(lambda tail: paired(first, second, tail))


def halved(bounds: Callable[[float], tuple[Any, ...]]) -> float:
    """By halving: twice the tail at which an end, the last two of what is given, is 0."""
    inside, outside = 1.0, 1e-12
    for _ in range(80):
        middle = (inside + outside) / 2
        low, high = bounds(middle / 2)[-2:]
        if low > 0 or high < 0:
            inside = middle
        else:
            outside = middle
    return inside


def position_effect(items: Sequence[tuple[int, Sequence[tuple[int, float]]]]) -> tuple[float, int, float]:
    """The statistic of positions, its degrees of freedom and p, from every permutation of each item's positions.

    Args:
        items: of each the size of its set, and of each answer the position and the score.
    """
    most = max(size for size, _ in items)
    mean = {
        size: np.mean([score for other, answers in items if other == size for _, score in answers]) for size, _ in items
    }
    observed, expected, covariance = np.zeros(most), np.zeros(most), np.zeros((most, most))
    for size, answers in items:
        sums = []
        for order in permutations(range(size)):
            at = np.zeros(most)
            for position, score in answers:
                at[order[position - 1]] += score - mean[size]
            sums.append(at)
        observed += sums[0]
        expected += np.mean(sums, axis=0)
        covariance += np.cov(np.array(sums).T, bias=True)
    values, vectors = np.linalg.eigh(covariance)
    kept = values > 1e-9
    statistic = float(np.sum((vectors.T @ (observed - expected))[kept] ** 2 / values[kept]))
    return statistic, int(kept.sum()), float(chi2.sf(statistic, kept.sum()))


def components(items: Sequence[Sequence[tuple[object, float]]]) -> tuple[float, float]:
    """Variance between the positions of an item and within them, by the analysis of variance.

    The sums of squares are y' A y, whose expectation under covariance V is the trace of A V (Searle, Casella and
    McCulloch, "Variance Components", 1992, appendix S.5).

    Args:
        items: of each, position and score of each answer.
    """
    rows = [(place, (place, position), score) for place, item in enumerate(items) for position, score in item]
    scores = np.array([score for _, _, score in rows])

    def blocks(labels: Sequence[object]) -> np.ndarray:
        return np.array([[float(one == other) for other in labels] for one in labels])

    of_item, of_cell = (blocks([row[place] for row in rows]) for place in (0, 1))
    means = [block / block.sum(axis=0) for block in (of_item, of_cell)]
    forms = [means[1] - means[0], np.eye(len(rows)) - means[1]]
    traces = [[np.trace(form @ known) for known in (of_cell, np.eye(len(rows)))] for form in forms]
    order, sampling = np.linalg.solve(traces, [scores @ form @ scores for form in forms])
    return float(order), float(sampling)
