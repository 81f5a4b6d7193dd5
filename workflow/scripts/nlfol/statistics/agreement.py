"""How two series of right and wrong answers to the same questions go together.

Two models on one task (the paper's table 9), or two tasks on one model (its table 8).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum


@dataclass(frozen=True, slots=True)
class Agreement:
    """Shares of the answers that sum to 1, and Cohen's kappa.

    Attributes:
        both: right in both series.
        first_only: right in the first alone.
        second_only: right in the second alone.
        neither: wrong in both.
        kappa: agreement beyond that of independent series with the same means; None where these agree for certain.
    """

    both: float
    first_only: float
    second_only: float
    neither: float
    kappa: float | None


def agreement(first: Sequence[float], second: Sequence[float]) -> Agreement:
    """Count the four cases.

    Args:
        first: scores of the answers of one series, 0 or 1, or the probability of 1 where chance breaks a tie.
        second: of the other, in the same order; chance breaks ties of the two independently.

    Raises:
        ValueError: if there is none, or not as many of each.
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
