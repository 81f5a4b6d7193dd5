"""Likelihood of the share of right English, of round trips whose halves vary from item to item.

An item is put into English rightly with the chance q_I and formalized rightly with q_A. Their logits are bivariate
normal over items. Each seed draws both halves independently, so of n seeds of an item::

    right formalizations of certified English ~ binomial(n, q_A)
    true round trips                          ~ binomial(n, q_I q_A + (1 - q_I)(1 - q_A) p_H)

and of all wrong formalizations of edited English the share p_H is binomial. One seed shows neither how far items vary
nor how far the halves go together; of several, variances and covariance of the counts do, unless seeds nearly always
agree. The likelihood integrates over items by 15 × 15 Gauss-Hermite nodes (Bock and Aitkin, "Marginal Maximum
Likelihood Estimation of Item Parameters", 1981). Weak priors keep three parameters finite: the logarithms of both
standard deviations are normal about 0 with the deviation 1, Fisher's z of the correlation with 2.

p_I, the mean of q_I over items, is a parameter itself, so its interval is that of the profile of the likelihood: all
values whose best fit is at most half of χ²'s quantile of one degree of freedom below the best of all. Items count as
independent, also those of one story.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nlfol.results.statistics.clusters import CONFIDENCE
from nlfol.store.columns import Ends

Array = npt.NDArray[np.float64]

LEAST_MIXED = 0.5
"""Items whose seeds differ, as a part of those that would if all had one chance; fewer tell no more than one seed."""

_NODES = 15
_FARTHEST = 9.0
"""Logits beyond which no chance is looked for; they are 0.9999 and more."""
_STEP, _HALVINGS = 0.5, 5
"""The first step from the best fit to an end of its interval, in logits, and how often it is halved."""
_LEAST = 1e-12
_SPREADS = -6.0, 3.0
"""Logarithms of deviations beyond which nothing changes, for steps of the optimizer that go astray."""
_PRECISIONS = np.array([0.0, 1.0, 1.0, 0.0, 0.25, 0.0])
"""Precisions of the priors, in the order of the parameters."""


class Halves(NamedTuple):
    """Counts of answers by item, float64 (items,): seeds, true round trips, right formalizations of certified English.

    ``wrong`` and ``returned`` are numbers over all edited items: wrong formalizations, and those of these that say the
    formula before the edit.
    """

    seeds: Array
    true: Array
    right: Array
    wrong: float
    returned: float


def right_english(halves: Halves) -> Ends:
    """Return p_I with its interval; nothing where seeds differ too seldom."""
    if not _differ(halves):
        return Ends()
    from scipy.special import chdtri, expit

    fit = _Fit(halves)
    best = fit.best()
    drop = float(chdtri(1, 1 - CONFIDENCE)) / 2
    ends = [fit.end(best, drop, direction) for direction in (-1, 1)]
    return Ends(*(float(expit(logit)) for logit in (best[0], *ends)))


def _differ(halves: Halves) -> bool:
    """Return whether seeds differ in enough items."""
    mixed = expected = 0.0
    for right in (halves.true, halves.right):
        chance = right.sum() / max(1.0, halves.seeds.sum())
        mixed += np.count_nonzero((right > 0) & (right < halves.seeds))
        expected += float((1 - chance**halves.seeds - (1 - chance) ** halves.seeds).sum())
    return mixed > 0 and mixed >= LEAST_MIXED * expected


class _Fit:
    """Penalized likelihood in logit p_I, and the rest: log deviations, logit of q_A's median, Fisher's z, logit p_H."""

    def __init__(self, halves: Halves) -> None:
        cells = np.stack([halves.seeds, halves.true, halves.right], axis=1)
        kinds, self._items = np.unique(cells, axis=0, return_counts=True)
        self._seeds, self._true, self._right = (column[:, None, None] for column in kinds.T)
        self._wrong, self._returned = halves.wrong, halves.returned
        self._start = self._first(halves)
        nodes, weights = np.polynomial.hermite_e.hermegauss(_NODES)
        self._nodes, self._weights = nodes, weights / weights.sum()

    @staticmethod
    def _first(halves: Halves) -> Array:
        chances = (
            (halves.true.sum() + 1) / (halves.seeds.sum() + 2),
            (halves.right.sum() + 1) / (halves.seeds.sum() + 2),
        )
        back = (halves.returned + 1) / (halves.wrong + 2)
        english = np.clip(chances[0] / chances[1], 0.05, 0.95)
        logits = [float(np.log(chance / (1 - chance))) for chance in (english, chances[1], back)]
        return np.array([logits[0], 0.0, 0.0, logits[1], 0.3, logits[2]])

    def loss(self, parameters: Array) -> tuple[float, Array]:
        """Return the negative logarithm of likelihood and priors, and its gradient."""
        from scipy.special import expit, log_expit

        logit, spread_i, spread_a, level_a, fisher, cancels = parameters
        deviation_i, deviation_a = (float(np.exp(np.clip(spread, *_SPREADS))) for spread in (spread_i, spread_a))
        together = float(np.tanh(fisher))
        rest, back = np.sqrt(1 - together**2), expit(cancels)
        z_i = self._nodes[:, None]
        z_a = together * z_i + rest * self._nodes
        median, by_logit, by_deviation = self._median(logit, deviation_i)
        q_i, q_a = (
            np.clip(expit(x), _LEAST, 1 - _LEAST) for x in (median + deviation_i * z_i, level_a + deviation_a * z_a)
        )
        truth = q_i * q_a + (1 - q_i) * (1 - q_a) * back
        logs = self._true * np.log(truth) + (self._seeds - self._true) * np.log1p(-truth)
        logs = logs + self._right * np.log(q_a) + (self._seeds - self._right) * np.log1p(-q_a)
        joint = np.exp(logs) * self._weights[:, None] * self._weights
        of_kinds = joint.sum(axis=(1, 2))
        likelihood = self._items @ np.log(of_kinds)
        likelihood += self._returned * log_expit(cancels) + (self._wrong - self._returned) * log_expit(-cancels)
        # Derivatives at each pair of nodes: by the chance of truth, then by the logits of q_I and q_A.
        posterior = joint * (self._items / of_kinds)[:, None, None]
        by_truth = (posterior * (self._true / truth - (self._seeds - self._true) / (1 - truth))).sum(axis=0)
        x_i = by_truth * (q_a - (1 - q_a) * back) * q_i * (1 - q_i)
        x_a = by_truth * (q_i - (1 - q_i) * back) * q_a * (1 - q_a)
        x_a = x_a + (posterior * (self._right - self._seeds * q_a)).sum(axis=0)
        slopes = np.array(
            [
                x_i.sum() * by_logit,
                (x_i * (z_i + by_deviation)).sum() * deviation_i,
                (x_a * z_a).sum() * deviation_a,
                x_a.sum(),
                (x_a * (z_i * rest - together * self._nodes)).sum() * deviation_a * rest,
                (by_truth * (1 - q_i) * (1 - q_a)).sum() * back * (1 - back) + self._returned - self._wrong * back,
            ]
        )
        weak = _PRECISIONS * parameters
        return float(weak @ parameters / 2 - likelihood), weak - slopes

    def _median(self, logit: float, deviation: float) -> tuple[float, float, float]:
        """Return the median logit of q_I whose mean has a logit, by Newton's method, and its slopes by both."""
        from scipy.special import expit

        mean = expit(logit)
        median = logit * np.sqrt(1 + 0.346 * deviation**2)
        for _ in range(20):
            chances = expit(median + deviation * self._nodes)
            steep = self._weights * chances * (1 - chances)
            step = np.clip((self._weights @ chances - mean) / max(steep.sum(), _LEAST), -1, 1)
            median -= step
            if abs(step) < 1e-10:
                break
        steepness = max(steep.sum(), _LEAST)
        return float(median), float(mean * (1 - mean) / steepness), -float(steep @ self._nodes / steepness)

    def best(self) -> Array:
        """Return the parameters of the best fit."""
        return self._least(self._start, None)

    def _least(self, start: Array, fixed: float | None) -> Array:
        from scipy.optimize import minimize

        first = 0 if fixed is None else 1

        def whole(free: Array) -> Array:
            return free if fixed is None else np.concatenate([[fixed], free])

        def loss(free: Array) -> tuple[float, Array]:
            value, slopes = self.loss(whole(free))
            return value, slopes[first:]

        found = minimize(loss, start[first:], jac=True, method="BFGS", options={"gtol": 1e-5})
        return whole(found.x)

    def end(self, best: Array, drop: float, direction: int) -> float:
        """Return the logit at which the profile has dropped, in a direction, or an infinite one."""
        most, kept = self.loss(best)[0] + drop, best.copy()
        kept[0] = np.clip(kept[0], -_FARTHEST, _FARTHEST)
        step = _STEP
        while step > _STEP / 2**_HALVINGS:
            # From the last fit within the interval: one beyond may have gone astray.
            logit = float(np.clip(kept[0] + direction * step, -_FARTHEST, _FARTHEST))
            further = self._least(np.concatenate([[logit], kept[1:]]), logit)
            if self.loss(further)[0] > most:
                step /= 2
            elif abs(logit) == _FARTHEST:
                return direction * float("inf")
            else:
                kept = further
        return float(kept[0])
