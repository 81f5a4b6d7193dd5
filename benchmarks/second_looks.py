"""Errors of the first kind of second looks: at more items, and at a board that grows.

    python benchmarks/second_looks.py [--samples 400]

Workload: models of equal difficulty for the same items, or apart by steps of .04, one seed, a story's and an item's
difficulty each with a deviation of 1 (logits).

* looks: two equal models at 24, 48, 104 and 208 items in stories of 8; share of samples with a p of 0.05 or less at
  some look, unadjusted and with the first three planned;
* board: 208 items in 26 stories, 2 to 12 models, of which one comes a month; share of boards of equal models that order
  a pair in some month; of boards of unequal models the orderings that are shown and withdrawn later. Holm's method is
  over the pairs that there are, or over those of a board of 12 models.

Measured at 400 samples (standard error .011; 50 s of CPU):

    =============================================  ============  ============
    shares of samples, or orderings of a board     as there are  fixed before
    =============================================  ============  ============
    two equal models apart at some of four looks           .107          .037
    equal models: some pair ordered in some month          .110          .040
    unequal models: orderings shown, of 66                 27.5          23.3
    unequal models: orderings withdrawn                    4.21             0
    =============================================  ============  ============
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.special import expit

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.intervals import centre

from nlfol.results.statistics.differences import Difference, difference, holm
from nlfol.results.statistics.second_looks import Planned

LOOKS = 24, 48, 104, 208
MODELS = 12
LEVEL = 0.05


def answers(
    draw: np.random.Generator, means: Sequence[float], stories: int = 26, size: int = 8
) -> npt.NDArray[np.float64]:
    """Return the right answers, (models, items), of models with these means, half of whose difficulty is their own."""
    count = len(means)
    alike, own = draw.normal(size=(1, stories * 2)), draw.normal(size=(count, stories * 2))
    of_story = np.repeat((alike + own)[:, :stories] / np.sqrt(2), size, axis=1)
    of_item = (draw.normal(size=stories * size) + draw.normal(size=(count, stories * size))) / np.sqrt(2)
    levels = np.array([centre(mean, np.sqrt(2)) for mean in means])
    right: npt.NDArray[np.float64] = draw.binomial(1, expit(levels[:, None] + of_story + of_item)).astype(float)
    return right


def _names(items: int) -> list[str]:
    return [str(item // 8) for item in range(items)]


def compared(first: npt.NDArray[np.float64], second: npt.NDArray[np.float64]) -> Difference:
    """Compare two models."""
    return difference(first.tolist(), second.tolist(), _names(len(first)))


def looked(samples: int) -> tuple[float, float]:
    """Return the shares of equal models told apart at some look, unadjusted and adjusted."""
    draw, planned, apart = np.random.default_rng(46), Planned(looks=LOOKS[:-1]), np.zeros(2)
    for _ in range(samples):
        both = answers(draw, (0.6, 0.6))
        p = [compared(*both[:, :items]).p for items in LOOKS]
        adjusted = [planned.adjusted(value, items, LOOKS[-1]) for value, items in zip(p, LOOKS, strict=True)]
        apart += min(p) <= LEVEL, min(adjusted) <= LEVEL
    return tuple((apart / samples).tolist())


def grown(samples: int, step: float) -> list[tuple[float, float, float]]:
    """Return for each family the share of boards that order a pair, and the orderings shown and withdrawn a board."""
    draw, counts = np.random.default_rng(47), np.zeros((2, 3))
    means = [0.4 + step * model for model in range(MODELS)]
    for _ in range(samples):
        right = answers(draw, draw.permutation(means).tolist())
        p = {pair: compared(*right[list(pair)]).p for pair in combinations(range(MODELS), 2)}
        for family, size in enumerate((0, comb(MODELS, 2))):
            shown: set[tuple[int, int]] = set()
            withdrawn: set[tuple[int, int]] = set()
            for models in range(2, MODELS + 1):
                known = {pair: value for pair, value in p.items() if max(pair) < models}
                now = {pair for pair, value in zip(known, holm([*known.values()], size), strict=True) if value <= LEVEL}
                withdrawn |= shown - now
                shown |= now
            counts[family] += bool(shown), len(shown), len(withdrawn)
    return [tuple(row) for row in (counts / samples).tolist()]


def lines(samples: int) -> Iterator[str]:
    """Yield the lines of the table."""
    yield f"{'':<44}  as there are  fixed before"
    now, planned = looked(samples)
    yield f"{'two equal models apart at some of four looks':<44}  {now:>12.3f}  {planned:>12.3f}"
    equal, unequal = grown(samples, 0.0), grown(samples, 0.04)
    yield f"{'equal models: some pair ordered in some month':<44}  {equal[0][0]:>11.3f}  {equal[1][0]:>12.3f}"
    yield f"{'unequal models: orderings shown, of 66':<44}  {unequal[0][1]:>12.1f}  {unequal[1][1]:>12.1f}"
    yield f"{'unequal models: orderings withdrawn':<44}  {unequal[0][2]:>12.2f}  {unequal[1][2]:>12.2f}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Errors of the first kind of second looks.")
    parser.add_argument("--samples", type=int, default=400, help="of each row")
    for line in lines(parser.parse_args().samples):
        print(line, flush=True)


if __name__ == "__main__":
    main()
