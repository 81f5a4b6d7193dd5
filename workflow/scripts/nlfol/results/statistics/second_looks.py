"""Plans that are fixed before results are seen: the models of a board, and the numbers of items of looks.

A *board* has a place for so many models, and Holm's family is all their pairs from the first on: of those that are not
tested yet p is 1. A new model only makes some of these p smaller, and who lowers some p of a family loses no rejection:
of sorted p(1) ≤ … ≤ p(m), the first k are rejected while p(i) ≤ α / (m - i + 1), and each p(i) can only fall. So an
ordering once shown is never withdrawn because others come, and all that are ever shown are those of the last month:
some of equal models are ordered in any month with a probability of α at most.

*Looks* at more and more items spend α little by little: by the share t of all items that are answered::

    spent(t) = 4 - 4 Φ(z[1 - α / 4] / √t)

(Lan and DeMets, "Discrete Sequential Boundaries for Clinical Trials", 1983: as O'Brien and Fleming do, nearly nothing
early and nearly all at the end). The level of a look is what rejects with the probability spent(t) - spent(before) if
no look before rejected. Totals of items grow as a Brownian motion does, so it follows by integration over the totals of
the look before (Armitage, McPherson and Rowe, "Repeated Significance Tests on Accumulating Data", 1969). The p of a
look is adjusted to the least α whose level there is not below it; of such p families are adjusted as of others.

``benchmarks/second_looks.py`` measures the errors of both.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb, sqrt

import numpy as np

_NODES = 64

LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class Planned:
    """Models for which a board has places, items of looks before that at all, and names of entries of one model.

    There are none by default.
    """

    models: int | None = None
    looks: tuple[int, ...] = ()
    variants: tuple[tuple[str, ...], ...] = ()

    @property
    def pairs(self) -> int:
        """Return the pairs of the board's models, 0 without a board."""
        return comb(self.models, 2) if self.models else 0

    def adjusted(self, p: float, items: int, available: int) -> float:
        """Return the p of a look at some of the available items, adjusted for the looks before it.

        An item or two may be missing of a look: it is the one after the last that has fewer items.
        """
        if not self.looks:
            return p
        alphas, levels = _levels(self._shares(items, available))
        return float(np.exp(np.interp(np.log(p), levels, alphas, left=alphas[0], right=0.0)))

    def level(self, alpha: float, items: int, available: int) -> float:
        """Return the level of a look at some of the available items that spends its part of ``alpha``."""
        return levels_of_looks(self._shares(items, available), alpha)[-1] if self.looks else alpha

    def _shares(self, items: int, available: int) -> tuple[float, ...]:
        return *(look / available for look in sorted(self.looks) if look < items), min(1.0, items / available)

    def notes(self) -> list[str]:
        """Return what tables say of it."""
        board = (
            f"Board of {self.models} models: each family is their {self.pairs} pairs in a question (dataset, task, "
            "presentation), fixed in advance; no ordering is withdrawn when a model comes."
        )
        looks = (
            f"Looks planned at {', '.join(map(str, self.looks))} and all items: adjusted p spend 0.05 over them (Lan "
            "and DeMets, as O'Brien and Fleming). Interval and p are of this look alone. Looks not planned are not "
            "adjusted for."
        )
        listed = "; ".join(f"{len(names)} entries ({', '.join(names)})" for names in self.variants)
        variants = (
            f"Of one model, asked in different ways: {listed}. The best of them is better by chance alone: the more "
            "there are, the more."
        )
        said = (board, self.models), (looks, self.looks), (variants, self.variants)
        return [note for note, applies in said if applies]


NOTHING_PLANNED = Planned()


def planned_notes(_: object, __: object, planned: Planned = NOTHING_PLANNED) -> list[str]:
    """Return what a table says of it, from its inputs."""
    return planned.notes()


@lru_cache(maxsize=64)
def _levels(shares: tuple[float, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Return logarithms of α from small to large, and of the level of the last look for each."""
    # Exact at the level at which it is decided.
    alphas = np.sort([*np.geomspace(1e-12, 0.999, 40), LEVEL])
    levels = [levels_of_looks(shares, float(alpha))[-1] for alpha in alphas]
    return np.log(alphas), np.log(np.maximum(levels, 1e-300))


def levels_of_looks(shares: Sequence[float], alpha: float = LEVEL) -> list[float]:
    """Return the two-sided level of p at each look; ``shares`` of all items, in ascending order."""
    from scipy.optimize import brentq
    from scipy.special import ndtr, ndtri

    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    totals, density = np.zeros(1), np.ones(1)
    levels: list[float] = []
    spent = before = 0.0
    for share in shares:
        step, due = sqrt(share - before), 4 * float(ndtr(float(ndtri(alpha / 4)) / sqrt(share)))

        def beyond(end: float) -> float:
            return float(density @ (ndtr((totals - end) / step) + ndtr((-end - totals) / step)))  # noqa: B023

        end = float(brentq(lambda end: beyond(end) - (due - spent), 0, 40, xtol=1e-13))  # noqa: B023
        levels.append(2 * float(ndtr(-end / sqrt(share))))
        reached = end * nodes
        moved = np.exp(-np.square((reached[:, None] - totals) / step) / 2) / (step * sqrt(2 * np.pi))
        totals, density = reached, end * weights * (moved @ density)
        spent, before = due, share
    return levels
