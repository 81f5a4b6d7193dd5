"""The paired test by flips of stories beside Newcombe's interval: errors of the first kind, coverage and power.

    python benchmarks/story_flips.py [--samples 100] [--shape NAME ...]

Workload: items in stories of ``SHAPES``, difficulties logit-normal: of a story and of an item about its story's with
the deviation 1. Two models are equally good (errors, under one seed and under three) or apart by ``GAPS`` about a mean
(power, coverage; one seed). Their difficulties are the same; independent; unlike, of stories with a deviation of 2 for
one model and none for the other; or opposite, where a story that is easy for one is hard for the other.

* errors: the greatest share of samples with p ≤ 0.05 over the kinds but for unlike, and of unlike models;
* power: share with p ≤ 0.05 where models of one difficulty are apart;
* coverage: share of intervals that hold that difference.

Measured at 400 samples (standard error .011; errors are the greatest of 24, and of 8 cells), Newcombe's / flips':

    ================  ===========  ===========  =========  =========  =========
    stories           errors       unlike       power .5   power .9   power .95
    ================  ===========  ===========  =========  =========  =========
    26 of 8           .058 / .055  .062 / .072  .62 / .57  .35 / .49  .25 / .37
    208 in 1 to 40    .058 / .048  .055 / .087  .57 / .48  .12 / .40  .10 / .26
    3 of 40, 88 of 1  .062 / .060  .043 / .060  .35 / .43  .12 / .40  .09 / .24
    15 of 10          .068 / .052  .068 / .102  .49 / .40  .17 / .29  .19 / .19
    10 of 5           .062 / .048  .070 / .060  .17 / .09  .10 / .05  .03 / .01
    20 of 1           .055 / .043  .052 / .033  .09 / .05  .02 / .00  .00 / .00
    50 in 1 to 40     .035 / .010  .043 / .022  .08 / .01  .02 / .00  .01 / .00
    ================  ===========  ===========  =========  =========  =========

Coverage is at least .95 of both. So flips are much the stronger where models are good, but unlike models are told apart
too often where there are few stories, or stories of very unequal size: they are used from an effective number of 20 on.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.special import expit

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.intervals import centre

from nlfol.results.statistics.clusters import story_sums
from nlfol.results.statistics.differences import difference_of_means
from nlfol.results.statistics.flips import flip_test

Array = npt.NDArray[np.float64]
Sizes = npt.NDArray[np.int64]


def _up_to_40(draw: np.random.Generator, items: int) -> Sizes:
    """Draw sizes from 1 to 40, of which small ones are the most frequent."""
    sizes: list[int] = []
    while (left := items - sum(sizes)) > 0:
        sizes.append(min(left, int(np.exp(draw.uniform(0, np.log(41))))))
    return np.array(sizes)


SHAPES: dict[str, Callable[[np.random.Generator], Sizes]] = {
    "26 of 8": lambda _: np.full(26, 8),
    "208 in 1 to 40": lambda draw: _up_to_40(draw, 208),
    "3 of 40, 88 of 1": lambda _: np.array([40] * 3 + [1] * 88),
    "15 of 10": lambda _: np.full(15, 10),
    "10 of 5": lambda _: np.full(10, 5),
    "20 of 1": lambda _: np.full(20, 1),
    "50 in 1 to 40": lambda draw: _up_to_40(draw, 50),
}
"""Items of each story."""

KINDS = ("unlike", "same", "independent", "opposite")
MEANS = (0.05, 0.2, 0.5, 0.95)
SEEDS = (1, 3)
GAPS = {0.5: 0.1, 0.9: 0.06, 0.95: 0.04}
"""Differences by the mean of both models."""


@dataclass(frozen=True, slots=True)
class Rates:
    """Shares of samples, by Newcombe's interval and by flips."""

    rejected: tuple[float, float]
    held: tuple[float, float]


def _scores(draw: np.random.Generator, kind: str, means: Sequence[float], sizes: Sizes, seeds: int) -> list[Array]:
    """Return the shares of right answers of two models with these means."""
    story, item = np.repeat(draw.normal(size=len(sizes)), sizes), draw.normal(size=sizes.sum())
    one, other = means
    if kind == "unlike":
        first = centre(one, np.hypot(2, 1)) + 2 * story + item
        second = np.full(len(item), np.log(other / (1 - other)))
    else:
        first, second = (centre(mean, np.hypot(1, 1)) + story + item for mean in means)
        if kind != "same":
            turned = -story if kind == "opposite" else np.repeat(draw.normal(size=len(sizes)), sizes)
            second = centre(other, np.hypot(1, 1)) + turned + draw.normal(size=len(item))
    return [draw.binomial(seeds, expit(logits)) / seeds for logits in (first, second)]


def rates(shape: str, kind: str, mean: float, gap: float, samples: int, *, seeds: int = 1) -> Rates:
    """Draw samples of one kind; the draws depend on the arguments alone."""
    draw = np.random.default_rng([*f"{shape}{kind}".encode(), int(100 * mean), int(100 * gap), seeds])
    rejected, held = np.zeros(2), np.zeros(2)
    for _ in range(samples):
        sizes = SHAPES[shape](draw)
        names = np.repeat(np.arange(len(sizes)), sizes).astype(str).tolist()
        first, second = _scores(draw, kind, (mean + gap / 2, mean - gap / 2), sizes, seeds)
        _, *ends = difference_of_means(first.tolist(), second.tolist(), names)
        low, high, p = flip_test(story_sums(first - second, names), story_sums(np.ones(len(names)), names))
        # Newcombe's p is 0.05 or less where its interval does not hold 0.
        newcombe = (ends[0] if ends[0] is not None else -1.0, ends[1] if ends[1] is not None else 1.0)
        rejected += not newcombe[0] <= 0 <= newcombe[1], p <= 0.05
        held += newcombe[0] <= gap <= newcombe[1], low <= gap <= high
    by_means, by_flips = (rejected / samples).tolist()
    covered, covered_by_flips = (held / samples).tolist()
    return Rates((by_means, by_flips), (covered, covered_by_flips))


def lines(shapes: Sequence[str], samples: int) -> Iterator[str]:
    """Yield a line for each shape."""
    yield f"{'Newcombe / flips':<17} errors         unlike         {'  '.join(f'power at {mean:<4}' for mean in GAPS)}"
    for shape in shapes:
        worst = []
        for kinds in (KINDS[1:], KINDS[:1]):
            cells = product(kinds, MEANS, SEEDS)
            equal = [rates(shape, kind, mean, 0, samples, seeds=seeds).rejected for kind, mean, seeds in cells]
            worst.append("{:.3f} / {:.3f}".format(*np.max(equal, axis=0)))
        apart = [rates(shape, "same", mean, gap, samples) for mean, gap in GAPS.items()]
        power = "    ".join("{:.2f} / {:.2f}".format(*each.rejected) for each in apart)
        held = "{:.2f} / {:.2f}".format(*np.min([each.held for each in apart], axis=0))
        yield f"{shape:<17} {'  '.join(worst)}  {power}  coverage at least {held}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Errors of the first kind and power of the paired tests.")
    parser.add_argument("--samples", type=int, default=100, help="of each cell")
    parser.add_argument("--shape", action="append", choices=SHAPES, help="all of these by default")
    options = parser.parse_args()
    for line in lines(options.shape or list(SHAPES), options.samples):
        print(line, flush=True)


if __name__ == "__main__":
    main()
