"""Coverage of the intervals of means and differences, and type I errors of tests.

    python benchmarks/intervals.py [--samples 4000]

Workload: 168 items in 21 stories under 5 seeds, as a sample of FOLIO, for true means p from 0.02 to 0.98. Stories have
Beta-distributed means with the correlation ρ between two of their items; items have Beta-distributed means about their
story's with the correlation τ between two seeds: 1 (seeds agree), 0.5, and 0 (seeds are as good as items).

* coverage: share of intervals of ``clustered_mean`` that hold p, at 95 %;
* type I, shared: share of p ≤ 0.05 where two models have one difficulty of every item and differ by seeds alone (τ = 1:
  one difficulty of every story);
* type I, unequal: the same where the models have nothing in common but the mean, and ρ is as said for one, 0 for the
  other;
* disagree: share of comparisons with p ≤ 0.05 and an interval that holds 0, or the other way round.
"""

import argparse
from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt

from nlfol.statistics.clusters import clustered_mean
from nlfol.statistics.differences import difference

STORIES, ITEMS, SEEDS = 21, 8, 5
MEANS = (0.02, 0.2, 0.5, 0.9, 0.98)
CORRELATIONS = (0.0, 0.1, 0.3)
AGREEMENTS = (1.0, 0.5, 0.0)
LEVEL = 0.05

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Rates:
    """Shares of samples; see above."""

    coverage: float
    shared: float
    unequal: float
    disagree: float


def levels(draw: np.random.Generator, mean: Array, correlation: float) -> Array:
    """Beta-distributed means about these, with this correlation of two answers of one."""
    if correlation == 0:
        return mean
    if correlation == 1:
        return (draw.random(mean.shape) < mean).astype(np.float64)
    size = (1 - correlation) / correlation
    found = draw.beta(np.maximum(mean * size, 1e-9), np.maximum((1 - mean) * size, 1e-9))
    return np.where((mean > 0) & (mean < 1), found, mean)


def stories(draw: np.random.Generator, mean: float, correlation: float) -> Array:
    """The stories' means, for each of their items."""
    return np.repeat(levels(draw, np.full(STORIES, mean), correlation), ITEMS)


def answered(draw: np.random.Generator, means: Array) -> Array:
    """Scores over seeds."""
    return draw.binomial(SEEDS, np.clip(means, 0, 1)) / SEEDS


def rates(mean: float, correlation: float, agreement: float, samples: int) -> Rates:
    """Draw samples of one kind; the draws depend on the arguments alone."""
    draw = np.random.default_rng([int(1000 * one) for one in (mean, correlation, agreement)])
    names = [str(number // ITEMS) for number in range(STORIES * ITEMS)]
    held = shared = unequal = disagree = 0
    for _ in range(samples):
        level = stories(draw, mean, correlation)
        difficulty = levels(draw, level, agreement)
        again = levels(draw, level, agreement) if agreement == 1 else difficulty
        one, other = answered(draw, difficulty), answered(draw, again)
        apart = answered(draw, levels(draw, stories(draw, mean, 0), agreement))
        found = clustered_mean(one.tolist(), names)
        assert found.low is not None
        assert found.high is not None
        held += found.low <= mean <= found.high
        compared = [difference(one.tolist(), second.tolist(), names) for second in (other, apart)]
        shared += compared[0].p <= LEVEL
        unequal += compared[1].p <= LEVEL
        disagree += sum((each.p <= LEVEL) != (not (each.low or 0) <= 0 <= (each.high or 0)) for each in compared)
    return Rates(held / samples, shared / samples, unequal / samples, disagree / 2 / samples)


def main() -> None:
    """Measure the whole grid."""
    parser = argparse.ArgumentParser(description="Coverage of intervals and errors of the first kind.")
    parser.add_argument("--samples", type=int, default=4000, help="of each cell")
    options = parser.parse_args()
    print("p     τ    ρ    coverage  type I, shared  type I, unequal  disagree")
    grid = {}
    for mean, agreement, correlation in product(MEANS, AGREEMENTS, CORRELATIONS):
        found = grid[mean, agreement, correlation] = rates(mean, correlation, agreement, options.samples)
        print(
            f"{mean:<5} {agreement:<4} {correlation:<4} {found.coverage:<9.3f} {found.shared:<15.3f} "
            f"{found.unequal:<16.3f} {found.disagree:.3f}",
            flush=True,
        )
    coverage = [found.coverage for found in grid.values()]
    worst = max(max(found.shared, found.unequal) for found in grid.values())
    print(f"coverage {min(coverage):.3f} to {max(coverage):.3f}; type I at most {worst:.3f}; ", end="")
    print(f"p and interval disagree in {max(found.disagree for found in grid.values()):.4f} at most")


if __name__ == "__main__":
    main()
