"""The paired test by flips of stories: p and interval of a mean difference, without a model of the scores.

If two models are equally good, the sum of a story's differences, ``s[g]``, might as well have the other sign (Fisher,
"The Design of Experiments", 1935, section 21). So p is the share of flips of stories' signs with which the total is at
least as far from 0 as it is. Not all are taken, but ``FLIPS`` that are a group, with which the test is as exact as with
all (Hemerik and Goeman, "Exact Testing with Random Permutations", 2018): each story has a number, and flip f flips the
stories whose number has an odd count of bits in common with f. Any stories with independent numbers are flipped in all
ways, equally often, so p is the sign test's where few stories differ.

A difference of δ is tested alike, with ``s[g] - δ * n[g]`` for items n[g], and those that are not rejected are the
interval. To flip some stories is to split all into two halves, and the total is at least as far exactly where δ lies
between the mean differences of both halves (Hartigan, "Using Subsample Values as Typical Values", 1969). So the ends
are order statistics of the halves' means: no search is needed, and p is below 0.05 where the interval does not hold 0.

Signs tell nothing of skew, as where the stories of one model differ and those of the other do not. A sample without the
long tail has its mean on the other side and a spread that is too small, so that the end towards the tail is too near.
The statistic t lacks γ (1 + 2 t²) / (6 √G) there, with the skew γ of the residuals of G stories (Johnson, "Modified t
Tests and Confidence Intervals for Asymmetrical Populations", 1978); it counts twice, as such samples show too little of
the tail (found by simulation). With Student's quantile t, the end, and with it all halves on that side, are further
from the mean by::

    1 / (1 - 2 |γ| (1 + 2 t²) / (6 √G t))

Few differing items do not tell how rare others are: of none in n, a share of up to 3 / n is not ruled out (Hanley and
Lippman-Hand, "If Nothing Goes Wrong, Is Everything All Right?", 1983). No end is nearer to the mean than that, unless 0
were no longer outside.

Where no flip is as far, p is at most 2 exp(-z² / 2), with z the total over the root of the sum of s[g]² (Hoeffding,
"Probability Inequalities for Sums of Bounded Random Variables", 1963): families of many comparisons need such p.

The flips depend on the number of stories alone, so that all pairs of models on the same items share them. Of stories
that count as fewer than ``LEAST_FLIPPED`` of equal size, the skew is not known well enough:
``benchmarks/story_flips.py`` measures errors of the first kind and power.
"""

from functools import lru_cache
from math import ceil, exp, sqrt

import numpy as np

from nlfol.randomness import generator
from nlfol.results.statistics.clusters import CONFIDENCE, ROUNDING, Array, student_quantile

LEAST_FLIPPED = 20
"""The effective number of stories from which differences are tested by flips."""

_BITS = 12
FLIPS = 2**_BITS

MOST_FLIPPED = 1_000
"""Stories that are flipped for themselves; of more, several go together."""

_MOST_SKEWED = 3 / 4
"""The most of the distance to an end that is put down to skew."""

_LEAST = 1e-12
"""No p-value is below it: so far out nobody knows the distribution."""


@lru_cache(maxsize=4)
def flipped(stories: int) -> Array:
    """Return the stories that each flip flips, none first: float64 (``FLIPS``, stories) of 0 and 1."""
    numbers = generator("flips of stories", stories).sample(range(1, FLIPS), stories)
    flips, of_stories = ((np.array(some)[:, None] >> np.arange(_BITS)) & 1 for some in (range(FLIPS), numbers))
    found: Array = (flips @ of_stories.T % 2).astype(np.float64)
    found.setflags(write=False)
    return found


def together(sums: Array) -> Array:
    """Return the sums of stories that are flipped together, (stories, columns): each for itself, if not too many."""
    if len(sums) <= MOST_FLIPPED:
        return sums
    merged = np.zeros((MOST_FLIPPED, sums.shape[1]))
    np.add.at(merged, np.arange(len(sums)) % MOST_FLIPPED, sums)
    return merged


def flip_test(sums: Array, sizes: Array) -> tuple[float, float, float]:
    """Return the interval of a mean difference within [-1, 1], and the two-sided p of 0.

    Args:
        sums: of the differences of each story, float64 (stories,), in [-sizes, sizes].
        sizes: items of each.
    """
    both = together(np.stack([sums, sizes], axis=1))
    (total, items), (half, counted) = both.sum(axis=0).tolist(), (flipped(len(both)) @ both).T
    with np.errstate(invalid="ignore", divide="ignore"):
        means = [_rounded(half) / counted, _rounded(total - half) / (items - counted)]
    lows, highs = np.fmin(*means), np.fmax(*means)
    # A flip of all stories or of none is as far from every difference.
    whole = (counted == 0) | (counted == items)
    lows[whole], highs[whole] = -np.inf, np.inf
    mean, near = total / items, 3 / items
    wider = _wider(both[:, 0] - mean * both[:, 1])
    lows, highs = lows * wider[0] + mean * (1 - wider[0]), highs * wider[1] + mean * (1 - wider[1])
    # Of the flips that hold an end, the last with which p is 0.05 or more.
    last = ceil((1 - CONFIDENCE) * FLIPS) - 1
    low, high = float(np.partition(lows, last)[last]), float(-np.partition(-highs, last)[last])
    if not low > 0 >= mean - near:
        low = min(low, mean - near)
    if not high < 0 <= mean + near:
        high = max(high, mean + near)
    reached = int(np.count_nonzero((lows <= 0) & (highs >= 0)))
    p = reached / FLIPS
    if reached == 1:
        z = total / wider[int(total < 0)]
        p = max(_LEAST, min(p, 2 * exp(-(z**2) / float(np.square(both[:, 0]).sum()) / 2)))
    return max(-1.0, low), min(1.0, high), p


def _wider(residuals: Array) -> tuple[float, float]:
    """Return how much further from the mean the low end is, and the high end, for the skew of stories; see above."""
    stories, square = len(residuals), float(np.square(residuals).mean())
    if square < ROUNDING:
        return 1.0, 1.0
    quantile = student_quantile(stories)
    skew = float((residuals**3).mean()) / square**1.5
    share = 2 * skew * (1 + 2 * quantile**2) / (6 * sqrt(stories) * quantile)
    low, high = (1 / (1 - min(_MOST_SKEWED, max(0.0, side))) for side in (-share, share))
    return low, high


def _rounded(sums: Array) -> Array:
    """Return sums with those that are 0 but for rounding at 0."""
    return np.where(np.abs(sums) < ROUNDING * 1_000, 0.0, sums)
