"""Agreement of two series of answers to the same questions (NL-FOL-LT's tables 8 and 9), and of two raters."""

from collections import Counter
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


def cohen_kappa(first: Sequence[int], second: Sequence[int], *, weighted: bool = False) -> float | None:
    """Return the agreement of two raters beyond that of independent ones with the same ratings (Cohen 1960).

    1 for full agreement, 0 for that of chance, None where both always give one and the same rating. Where weighted, a
    disagreement counts by the square of its size (Cohen 1968). Raises ``ValueError`` as ``agreement``.
    """
    if len(first) != len(second) or not first:
        raise ValueError(f"{len(first)} and {len(second)} ratings; both must have the same length, at least 1")

    def disagreement(one: int, other: int) -> int:
        return (one - other) ** 2 if weighted else int(one != other)

    observed = sum(map(disagreement, first, second)) * len(first)
    counts = Counter(first), Counter(second)
    expected = sum(
        disagreement(one, other) * ones * others
        for one, ones in counts[0].items()
        for other, others in counts[1].items()
    )
    return None if expected == 0 else 1 - observed / expected
