"""Predictive power of one benchmark for another (∀uto∃∨∧L, section 5).

With ``x[i]`` and ``y[i]`` the scores of model ``i`` in two benchmarks, over ordered pairs of different models::

    P(x | y) = P(x[i] >= x[j] | y[i] >= y[j])

that is, how often ``x`` puts two models in an order that ``y`` has, ties counting as either order. Its interval is that
of the jackknife over models (Efron and Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 11), with
Student's quantile.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nlfol.statistics.clusters import student_quantile

LEAST_MODELS = 8
"""Models from which there is an interval: of four it would hold the truth in .53 to .83 of samples."""


@dataclass(frozen=True, slots=True)
class Power:
    """A predictive power with its interval, in [0, 1]; None for fewer models than ``LEAST_MODELS``."""

    power: float
    low: float | None
    high: float | None


def predictive_power(x: Sequence[float], y: Sequence[float]) -> Power:
    """Return P(x | y), the share of ordered pairs in which ``x`` is no less, of those in which ``y`` is no less."""
    given, both = _no_less(y), _no_less(x) & _no_less(y)
    power = float(both.sum() / given.sum())
    if len(x) < LEAST_MODELS:
        return Power(power, None, None)
    without = _without_each(both) / _without_each(given)
    models = len(without)
    error = np.sqrt((models - 1) / models * np.square(without - without.mean()).sum())
    half = student_quantile(models) * float(error)
    return Power(power, max(0.0, power - half), min(1.0, power + half))


def _no_less(scores: Sequence[float]) -> npt.NDArray[np.bool_]:
    """Return, for each ordered pair of different models, whether the first has no less."""
    values = np.asarray(scores)
    found: npt.NDArray[np.bool_] = values[:, None] >= values[None, :]
    np.fill_diagonal(found, val=False)
    return found


def _without_each(pairs_of: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    """Return the number of pairs left without each model in turn."""
    left: npt.NDArray[np.float64] = (pairs_of.sum() - pairs_of.sum(axis=0) - pairs_of.sum(axis=1)).astype(np.float64)
    return left
