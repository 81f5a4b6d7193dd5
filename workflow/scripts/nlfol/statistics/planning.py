"""Items that a run needs to tell two models apart, before it is asked.

With two models whose means are about ``p``, on items asked under some seeds, ``m`` pairs of models and the difference
``δ`` to be told with some power at 5 %, adjusted as by Bonferroni::

    variance = p (1 - p) (item + (1 - item) / seeds)       of one item's score, item: the share of its difficulty
    n = (z(1 - 0.05 / 2m) + z(power))² * deff * 2 * (variance - r * p (1 - p) * item) / δ²
    deff = 1 + (mean story - 1) ρ

``r`` is the correlation of the difficulties of an item for both models, ρ that of two items of a story (Miller, "Adding
Error Bars to Evals", arXiv 2411.00640, section 5; Kish, "Survey Sampling", 1965).
"""

from dataclasses import dataclass
from math import ceil, sqrt
from statistics import NormalDist

LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class Assumptions:
    """Assumptions about models and items; ``pilots`` has those of a run.

    ``item`` is the share of the variance of an answer that lies between items, ``correlation`` that of an item's
    difficulty for two models, ``together`` that of two items of a story; ``story`` has the mean items of a story.
    """

    mean: float = 0.5
    item: float = 0.7
    correlation: float = 0.5
    together: float = 0.0
    story: float = 8.0

    def variance(self, seeds: int) -> float:
        """Return the variance of the difference of two models' scores of an item, with its design effect."""
        single = self.mean * (1 - self.mean)
        of_item = single * (self.item + (1 - self.item) / seeds)
        design = 1 + (self.story - 1) * self.together
        return max(1.0, design) * 2 * (of_item - self.correlation * single * self.item)


def items_needed(difference: float, models: int, seeds: int, power: float, given: Assumptions) -> int:
    """Return the items on which a difference is told apart, of all pairs of so many models."""
    return ceil(_quantiles(models, power) ** 2 * given.variance(seeds) / difference**2)


def detectable(items: int, models: int, seeds: int, power: float, given: Assumptions) -> float:
    """Return the smallest difference that so many items tell."""
    return _quantiles(models, power) * sqrt(given.variance(seeds) / items)


def _quantiles(models: int, power: float) -> float:
    pairs = models * (models - 1) // 2
    normal = NormalDist()
    return normal.inv_cdf(1 - LEVEL / (2 * pairs)) + normal.inv_cdf(power)
