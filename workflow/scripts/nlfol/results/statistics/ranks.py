"""Ranks of models on the same items: which are possibly the best, and between which ranks each lies.

With ``T[j, m]`` the difference of the means of models j and m over its standard error, a model m is *possibly best* if
no other is too far ahead of it, that is, if the largest ``T[j, m]`` is at most the 95 % quantile that it would have if
all were equally good. So the best is left out with a probability of 0.05 at most, however many models there are (Hsu,
"Multiple Comparisons: Theory and Methods", 1996, chapter 4). The *ranks* of all models are known together: j is ahead
of m if ``T[j, m]`` exceeds the 95 % quantile of the largest over all pairs, and the rank of m is one more than the
models ahead of it at least, and as many less than all as it is ahead of at most (Mogstad, Romano, Shaikh and Wilhelm,
"Inference for Ranks with Applications to Mobility across Neighbourhoods and Academic Achievement across Countries",
2024). A model that is not possibly best has no first rank either, and the only one that is has the first.

The joint distribution is that of residuals of stories, by model, of which ``flips`` flips the signs: what models find
hard alike stays together. As in ``differences`` one item is added to the variance of each model, in ``T`` alone.
Quantiles are widened by Student's over the normal one, of as many stories of equal size as tell as much.

Where a board or looks are planned (``second_looks``), j is ahead of m if their difference is significant by Holm's
method over the family, and a model is possibly best if none is ahead of it.

``benchmarks/ranks.py`` measures the errors and what is found.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt

import numpy as np
import numpy.typing as npt

from nlfol.results.statistics.clusters import (
    CONFIDENCE,
    Array,
    are_enough,
    effective_number,
    story_sums,
    student_quantile,
)
from nlfol.results.statistics.differences import ALIKE, difference, holm
from nlfol.results.statistics.flips import flipped, together
from nlfol.results.statistics.second_looks import NOTHING_PLANNED, Planned

Flags = npt.NDArray[np.bool_]

WIDEST = 0.4
"""The widest interval of a score with which a model has ranks."""

_NORMAL = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Rank:
    """Ranks between which a model lies, from 1 on, and whether it may be the best."""

    first: int
    last: int
    is_possibly_best: bool


def ranks(
    scores: Array, stories: Sequence[str], planned: Planned = NOTHING_PLANNED, available: int | None = None
) -> list[Rank]:
    """Return the ranks of models; of too few stories, each may have all.

    Args:
        scores: of the same items, averaged over seeds, in [0, 1]: float64 (items, models).
        stories: of the items.
        planned: what was fixed before.
        available: items of the last look, if not these.
    """
    items, models = scores.shape
    sizes, means = story_sums(np.ones(items), stories), scores.mean(axis=0)
    if not are_enough(sizes):
        return [Rank(1, models, is_possibly_best=True)] * models
    if planned != NOTHING_PLANNED:
        return _by_pairs(scores, stories, planned, available or items)
    sums = np.stack([story_sums(column, stories) for column in (scores - means).T], axis=1)
    residuals = together(sums) * sqrt(len(sizes) / (len(sizes) - 1))
    products = residuals.T @ residuals
    variances = np.diag(products)
    apart = np.maximum(variances[:, None] + variances - 2 * products, 0)
    ahead = items * (means - means[:, None]) / np.sqrt(apart + 2 * ALIKE)
    # Without the item that is added: else it would widen the quantile as it does the errors, and three right answers
    # against none would make a model the best.
    errors = np.where(apart > 0, np.sqrt(apart), np.inf)
    flips = (1 - 2 * flipped(len(residuals))) @ residuals
    largest = np.stack([((flips - flips[:, [model]]) / errors[model]).max(axis=1) for model in range(models)])
    wider = student_quantile(effective_number(sizes)) / _NORMAL
    possible = ahead.max(axis=1) <= wider * np.quantile(largest, CONFIDENCE, axis=1)
    surely = ahead > wider * np.quantile(largest.max(axis=0), CONFIDENCE)
    return _between(surely, possible)


def _by_pairs(scores: Array, stories: Sequence[str], planned: Planned, available: int) -> list[Rank]:
    both = list(combinations(range(scores.shape[1]), 2))
    tested = [difference(scores[:, one].tolist(), scores[:, other].tolist(), stories) for one, other in both]
    adjusted = holm([planned.adjusted(test.p, len(stories), available) for test in tested], planned.pairs)
    surely = np.zeros((scores.shape[1],) * 2, dtype=bool)
    for (one, other), test, p in zip(both, tested, adjusted, strict=True):
        if p < 1 - CONFIDENCE:
            surely[(other, one) if test.mean > 0 else (one, other)] = True
    return _between(surely, np.logical_not(surely.any(axis=1)))


def _between(surely: Flags, possible: Flags) -> list[Rank]:
    """Return ranks from who of the columns is surely ahead of whom of the rows, and who is possibly best."""
    first = np.where(possible, 1, np.maximum(2, 1 + surely.sum(axis=1)))
    last = np.where(possible & (possible.sum() == 1), 1, len(surely) - surely.sum(axis=0))
    found = zip(first.tolist(), last.tolist(), possible.tolist(), strict=True)
    return [Rank(low, high, is_possibly_best=best) for low, high, best in found]
