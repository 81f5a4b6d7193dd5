"""Test of the effect of the gold formula's position, within sizes of set.

Later positions occur in larger sets only, which are harder, so shares of right answers by position say little. Let
``y`` be the score of an answer about an item with ``n`` candidates, less the mean score of all answers about sets of
that size, and ``a[i, p]`` the sum of these over the answers about item ``i`` that were shown the gold formula at
position ``p``. If positions do not matter, they could have been exchanged within each item, as they were drawn. So the
sums over items, U[p], have the mean 0 and, each item for itself, the covariances::

    s[i] = (sum of a[i, p]² - (sum of a[i, p])² / n) / (n - 1)
    V    = sum of s[i] * (I - J / n) over items, where I - J / n is over the positions of the item's set
    Q    = U' V⁻ U

which is the Cochran-Mantel-Haenszel statistic of general association with sizes as strata (Landis, Heyman and Koch,
"Average Partial Association in Three-Way Contingency Tables", 1978), and Cochran's Q where each item is shown at each
position once. Positions are drawn item by item, so that answers of one story, or to one item, may go together as they
like. Q has nearly the chi-square distribution with as many degrees of freedom as V has ranks.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

_RANK = 1e-9
"""Singular values below this part of the largest count as 0."""

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PositionTest:
    """The statistic Q, its degrees of freedom and the p-value."""

    statistic: float
    freedom: int
    p: float


def expected_scores(sizes: Sequence[int], scores: Sequence[float]) -> Floats:
    """Return, for each answer, the mean score of all answers about sets of its size; float64 (answers,)."""
    _, place = np.unique(np.asarray(sizes), return_inverse=True)
    right = np.asarray(scores, dtype=np.float64)
    means: Floats = (np.bincount(place, weights=right) / np.bincount(place))[place]
    return means


def position_test(
    items: Sequence[str], sizes: Sequence[int], positions: Sequence[int], scores: Sequence[float]
) -> PositionTest | None:
    """Test answers; None where nothing varies: all answers about sets of one size are right, or all wrong.

    Positions count from 1 to the size of the set. Raises ``ValueError`` if one lies outside it.
    """
    if any(not 1 <= position <= size for position, size in zip(positions, sizes, strict=True)):
        raise ValueError("a position lies outside its set")
    if not items:
        return None
    deviations = np.asarray(scores, dtype=np.float64) - expected_scores(sizes, scores)
    names, place = np.unique(np.asarray(items), return_inverse=True)
    most = max(sizes)
    shown = np.zeros((len(names), most))
    np.add.at(shown, (place, np.asarray(positions) - 1), deviations)
    size = np.zeros(len(names), dtype=np.int64)
    size[place] = sizes
    variance = np.where(
        size > 1, (np.square(shown).sum(axis=1) - shown.sum(axis=1) ** 2 / size) / np.maximum(size - 1, 1), 0.0
    )
    found = np.zeros((most, most))
    for number in np.unique(size):
        part = float(variance[size == number].sum())
        found[:number, :number] += part * (np.eye(number) - 1 / number)
    freedom = int(np.linalg.matrix_rank(found, tol=_RANK, hermitian=True)) if found.max() > _RANK else 0
    if not freedom:
        return None
    sums = shown.sum(axis=0)
    statistic = float(sums @ np.linalg.pinv(found, rcond=_RANK, hermitian=True) @ sums)
    from scipy.special import chdtrc

    return PositionTest(statistic, freedom, float(chdtrc(freedom, statistic)))
