"""What several seeds of one item say together.

Of ``n`` seeds of an item let ``c`` be right. Of ``k`` of them drawn without replacement, at least one is right with
probability 1 - C(n - c, k) / C(n, k), called pass@k (Chen et al., "Evaluating Large Language Models Trained on Code",
arXiv 2107.03374, equation 1); all are with probability C(c, k) / C(n, k), called pass^k (Yao et al., "τ-bench",
arXiv 2406.12045, section 4). An item is consistent where all its seeds are right or all are wrong.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import comb


@dataclass(frozen=True, slots=True)
class Repetitions:
    """Means over items.

    Attributes:
        any_right: pass@k for k = 1, ..., n.
        all_right: pass^k for k = 1, ..., n.
        consistent: share of items whose seeds agree.
    """

    any_right: tuple[float, ...]
    all_right: tuple[float, ...]
    consistent: float


def repetitions(right: Iterable[int], seeds: int) -> Repetitions:
    """Summarise items of which each was asked under the same number of seeds.

    Args:
        right: for each item, under how many seeds it was answered rightly.
        seeds: their number, n.

    Raises:
        ValueError: if there is no item or no seed, or a count lies outside 0 to n.
    """
    counts = list(right)
    if not counts or seeds < 1 or not all(0 <= count <= seeds for count in counts):
        raise ValueError(f"{len(counts)} counts of right answers, each to be from 0 to {seeds} seeds")
    some, every = [], []
    for k in range(1, seeds + 1):
        ways = len(counts) * comb(seeds, k)
        some.append(float(1 - Fraction(sum(comb(seeds - count, k) for count in counts), ways)))
        every.append(float(Fraction(sum(comb(count, k) for count in counts), ways)))
    agreeing = sum(count in (0, seeds) for count in counts)
    return Repetitions(tuple(some), tuple(every), agreeing / len(counts))
