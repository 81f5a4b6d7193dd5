"""Agreement of two series of answers to the same questions (NL-FOL-LT's tables 8 and 9)."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum

SHARES = ("both", "first_only", "second_only", "neither", "kappa")
"""The columns of an ``Agreement``."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """Shares of answers, with the sum 1, and Cohen's kappa: None where series with these means agree for certain."""

    both: float
    first_only: float
    second_only: float
    neither: float
    kappa: float | None


def agreement(first: Sequence[float], second: Sequence[float]) -> Agreement:
    """Count the four cases of two series of scores; chance breaks a tie, a probability of 1, in each independently.

    Raises ``ValueError`` if there is no score, or not as many of each.
    """
    if len(first) != len(second) or not first:
        raise ValueError(f"{len(first)} and {len(second)} scores; both must have the same length, at least 1")
    n = len(first)
    both = fsum(a * b for a, b in zip(first, second, strict=True)) / n
    one, other = fsum(first) / n, fsum(second) / n
    neither = fsum((1 - a) * (1 - b) for a, b in zip(first, second, strict=True)) / n
    expected = one * other + (1 - one) * (1 - other)
    kappa = None if expected == 1 else (both + neither - expected) / (1 - expected)
    return Agreement(both, max(0.0, one - both), max(0.0, other - both), neither, kappa)
