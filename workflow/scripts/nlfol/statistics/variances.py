"""Components of the variance of single answers: item, order of candidates, and sampling.

Of two answers the mean product says how far they go together. Over pairs of answers to one item, first averaged within
the item, and over pairs of answers to two items::

    square = mean of y²
    same   = mean of y * y' where both were shown the gold formula at one position
    apart  = mean of y * y' where they were shown it at different positions
    other  = mean of y * y' of two items

    item     = apart - other
    order    = same - apart
    sampling = square - same

which are unbiased estimates of the components of nested random effects, however many answers there are of each kind,
and for balanced numbers those of the analysis of variance (Koch, "A General Approach to the Estimation of Variance
Components", 1967). ``within``, order and sampling together, is square - apart over all items; it is split in the
proportion of the two over the items with pairs of both kinds. No component is below 0. Where each item is shown in
one order, ``same`` stands for ``apart``: what the order does is in ``item``. Sampling includes the order of the other
candidates, which each seed draws again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum
from statistics import fmean


@dataclass(frozen=True, slots=True)
class Item:
    """The scores of one item, and where the gold formula was shown; None where there is no order."""

    scores: Sequence[float]
    positions: Sequence[int | None]


@dataclass(frozen=True, slots=True)
class Variances:
    """Components of the variance of an answer, none below 0; ``repeated`` counts items that tell order from sampling.

    ``order`` is None where no item has pairs at one position beside pairs at different ones; so is ``sampling``, but
    all of ``within`` where each item is shown in one order.
    """

    item: float
    within: float
    order: float | None
    sampling: float | None
    repeated: int

    @property
    def total(self) -> float:
        """Return the variance of an answer."""
        return self.item + self.within


@dataclass(frozen=True, slots=True)
class _Products:
    """Mean products of one item's answers; None where there is no such pair."""

    square: float
    same: float | None
    apart: float | None


def variances(items: Sequence[Item]) -> Variances:
    """Decompose the variance of answers; raises ``ValueError`` below two items with two answers each."""
    if len(items) < 2 or any(len(item.scores) < 2 for item in items):
        raise ValueError(f"{len(items)} items; two are needed, with two answers each")
    products = [_products(item) for item in items]
    means = [fmean(item.scores) for item in items]
    other = (fsum(means) ** 2 - fsum(mean**2 for mean in means)) / (len(means) * (len(means) - 1))
    apart = fmean(one.same if one.apart is None else one.apart for one in products)  # type: ignore[misc]
    item, within = max(0.0, apart - other), fmean(one.square for one in products) - apart
    both = [(one.square, one.same, one.apart) for one in products if one.same is not None and one.apart is not None]
    if not both:
        in_one_order = all(one.apart is None for one in products)
        return Variances(item, within, None, within if in_one_order else None, 0)
    order = max(0.0, fmean(same - different for _, same, different in both))
    sampling = max(0.0, fmean(square - same for square, same, _ in both))
    share = order / (order + sampling) if order + sampling else 0.0
    return Variances(item, within, share * within, (1 - share) * within, len(both))


def _products(item: Item) -> _Products:
    cells: dict[int | None, list[float]] = {}
    for position, score in zip(item.positions, item.scores, strict=True):
        cells.setdefault(position, []).append(score)
    square, of_cells = fsum(score**2 for score in item.scores), fsum(fsum(scores) ** 2 for scores in cells.values())
    pairs = sum(len(scores) * (len(scores) - 1) for scores in cells.values())
    count = len(item.scores)
    others = count * (count - 1) - pairs
    return _Products(
        square / count,
        (of_cells - square) / pairs if pairs else None,
        (fsum(item.scores) ** 2 - of_cells) / others if others else None,
    )
