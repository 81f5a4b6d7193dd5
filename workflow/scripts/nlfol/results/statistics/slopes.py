"""Slopes of scores over sizes: how the log-odds of being right change with each doubling of an item's size.

A share of right answers falls little near 0 and 1, wherever sizes lie; log-odds have no such ends, so that their slope
is a property of the model and not of the sizes that were drawn. With the size z[i] and the score y[i] of item i, and
p[i] = 1 / (1 + exp(-(a + b * log2(z[i]))), the slope b has the greatest::

    l(b) = max over a of sum of y[i] * log(p[i]) + (1 - y[i]) * log(1 - p[i]) + b / 2 - log(1 + exp(b))

The last two terms are one item's worth of prior around 0, with which b is finite where size separates right from wrong
(log-F(1, 1): Greenland and Mansournia, "Penalization, Bias Reduction, and Default Priors in Logistic and Related
Categorical and Survival Regressions", 2015). The interval holds all b with 2 * (l(best) - l(b)) / φ at most the square
of Student's quantile, p is of b = 0. φ is the variance of the stories' sums of (x[i] - mean x) * (y[i] - mean y), with
x[i] = log2(z[i]), over that of independent right and wrong answers.
"""

from typing import NamedTuple

import numpy as np

from nlfol.results.statistics.clusters import (
    ROUNDING,
    Array,
    are_enough,
    effective_number,
    story_sums,
    student_p,
    student_quantile,
)

_LEAST_DESIGN = 1 / 4
_STEEPEST = 20.0
"""Log-odds a doubling between which slopes are sought."""


class Slope(NamedTuple):
    """The change in log-odds with each doubling of the size, its interval at 95 %, and the p of none."""

    mean: float
    low: float | None
    high: float | None
    p: float


def logit_slope(scores: Array, sizes: Array, stories: list[str]) -> Slope:
    """Return the slope of scores in [0, 1] over positive sizes, float64 (items,); too few stories give no interval."""
    from scipy.optimize import brentq, minimize_scalar

    doublings = np.log2(sizes)
    x, y = doublings - doublings.mean(), scores - scores.mean()
    counts = story_sums(np.ones(len(scores)), stories)
    alone = scores.mean() * (1 - scores.mean()) * float(np.square(x).sum())
    if alone < ROUNDING:
        return Slope(0.0, None, None, 1.0)

    def lost(slope: float) -> float:
        def rest(intercept: float) -> float:
            return float((scores - 1 / (1 + np.exp(-(intercept + slope * x)))).sum())

        bound = 40 + abs(slope) * float(np.abs(x).max())
        odds = float(brentq(rest, -bound, bound)) + slope * x
        return float(np.logaddexp(0, odds).sum() - scores @ odds + np.logaddexp(0, slope) - slope / 2)

    best = float(minimize_scalar(lost, bounds=(-_STEEPEST, _STEEPEST), method="bounded").x)
    if not are_enough(counts):
        return Slope(best, None, None, 1.0)
    together = float(np.square(story_sums(x * y, stories)).sum())
    groups, design = effective_number(counts), max(_LEAST_DESIGN, together / alone)

    def beyond(slope: float) -> float:
        further = 2 * (lost(slope) - lost(best)) / design
        return float(further - student_quantile(groups) ** 2)

    low, high = (
        float(brentq(beyond, best, end)) if beyond(end) > 0 else end for end in (best - _STEEPEST, best + _STEEPEST)
    )
    return Slope(best, low, high, student_p(max(0.0, 2 * (lost(0.0) - lost(best)) / design) ** 0.5, groups))
