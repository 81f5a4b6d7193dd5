"""Agreement of two series of answers to the same questions (NL-FOL-LT's tables 8 and 9)."""

from collections.abc import Sequence
from math import fsum
from typing import TypedDict, cast


class Agreement(TypedDict):
    """Columns: shares of answers to the same items under the same seeds, with the sum 1; null where there are none.

    Cohen's kappa is also null where series with these means agree for certain.
    """

    both: float | None
    first_only: float | None
    second_only: float | None
    neither: float | None
    kappa: float | None


SHARES = tuple(Agreement.__annotations__)
NO_AGREEMENT = cast("Agreement", dict.fromkeys(SHARES))


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
    only = max(0.0, one - both), max(0.0, other - both)
    return Agreement(both=both, first_only=only[0], second_only=only[1], neither=neither, kappa=kappa)
