"""Intervals step by step from their definition (``nlfol.statistics.clusters`` and ``differences``), in plain Python.

Stories are lists of their items' scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from scipy.stats import t as student

Stories = Sequence[Sequence[float]]


def effective(stories: Stories, wholes: Stories | None = None) -> tuple[float, float, float]:
    """Mean, effective items and degrees of freedom; of a ratio where wholes are given."""
    weights = wholes or [[1.0] * len(story) for story in stories]
    total, squares = sum(map(sum, weights)), sum(weight**2 for story in weights for weight in story)
    mean, n, groups = sum(map(sum, stories)) / total, total**2 / squares, len(stories)
    deviations = [
        [(score - mean * weight) * total / squares for score, weight in zip(story, along, strict=True)]
        for story, along in zip(stories, weights, strict=True)
    ]
    items = sum(map(len, stories))
    single = n * mean * (1 - mean)
    apart = items / (items - 1) * sum(deviation**2 for story in deviations for deviation in story)
    together = groups / (groups - 1) * sum(sum(story) ** 2 for story in deviations)
    independent = (apart + 0.5) / (single + 0.5)
    design = (together + 0.5 * independent) / (single + 0.5)
    design = max(design, independent / 2)
    share = max(0, 1 - independent / design)
    kurtosis = min(max(n / (single + 3.5) - 6, 0), 2 * groups)
    return mean, n / design, 1 / (1 / (groups - 1) + kurtosis / 2 * (share**2 / groups + 1 / n))


def interval(stories: Stories, tail: float = 0.025, wholes: Stories | None = None) -> tuple[float, float]:
    """Wilson's."""
    mean, n, freedom = effective(stories, wholes)
    z = student.ppf(1 - tail, freedom)
    half = z * sqrt(mean * (1 - mean) / n + z**2 / (4 * n**2))
    ends = [(mean + z**2 / (2 * n) + sign * half) / (1 + z**2 / n) for sign in (-1, 1)]
    return max(0.0, ends[0]), min(1.0, ends[1])


def paired(first: Stories, second: Stories, tail: float = 0.025) -> tuple[float, float]:
    """Newcombe's of the difference."""
    means = [effective(stories)[0] for stories in (first, second)]
    (low, high), (other_low, other_high) = interval(first, tail), interval(second, tail)
    sums = [
        [sum(score - mean for score in story) for story in stories]
        for mean, stories in zip(means, (first, second), strict=True)
    ]
    groups = len(first)
    scale = groups / (groups - 1)
    both = scale * sum(one * other for one, other in zip(*sums, strict=True))
    r = both / sqrt((scale * sum(one**2 for one in sums[0]) + 1) * (scale * sum(one**2 for one in sums[1]) + 1))

    def joined(one: float, other: float) -> float:
        return sqrt(max(0.0, one**2 - 2 * r * one * other + other**2))

    below, above = joined(means[0] - low, other_high - means[1]), joined(high - means[0], means[1] - other_low)
    return max(-1.0, means[0] - means[1] - below), min(1.0, means[0] - means[1] + above)


def p_value(first: Stories, second: Stories) -> float:
    """By halving: twice the tail at which an end of the interval of the difference is 0."""
    inside, outside = 1.0, 1e-12
    if effective(first)[0] == effective(second)[0]:
        return 1.0
    for _ in range(80):
        middle = (inside + outside) / 2
        low, high = paired(first, second, middle / 2)
        if low > 0 or high < 0:
            inside = middle
        else:
            outside = middle
    return inside
