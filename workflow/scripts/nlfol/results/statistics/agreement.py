"""Agreement of two series of answers to the same questions (NL-FOL-LT's tables 8 and 9)."""

from collections.abc import Sequence
from math import fsum
from typing import TypedDict, cast

from nlfol.store.columns import Ends


class Agreement(TypedDict):
    """Columns: shares of answers to the same items under the same seeds, with the sum 1; null where there are none.

    ``agree`` is that of both or neither, with its interval. Cohen's kappa is also null where series with these means
    agree for certain: near 0 and 1 it says little of answers that nearly always agree.
    """

    agree: float | None
    agree_low: float | None
    agree_high: float | None
    both: float | None
    first_only: float | None
    second_only: float | None
    neither: float | None
    kappa: float | None


NO_AGREEMENT = cast("Agreement", dict.fromkeys(Agreement.__annotations__))
SHARES = tuple(NO_AGREEMENT)[3:]
"""Those beside ``agree``."""
_UNKNOWN = Ends()


def agreement(first: Sequence[float], second: Sequence[float], agree: Ends = _UNKNOWN) -> Agreement:
    """Count the four cases of two series of scores; chance breaks a tie, a probability of 1, in each independently.

    ``agree`` is the share that agrees, by items. Raises ``ValueError`` if there is no score, or not as many of each.
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
    return {
        "agree": agree.mean,
        "agree_low": agree.low,
        "agree_high": agree.high,
        "both": both,
        "first_only": only[0],
        "second_only": only[1],
        "neither": neither,
        "kappa": kappa,
    }
