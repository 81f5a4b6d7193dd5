"""Coverage of intervals above chance; type I errors of the tests of claims and positions.

    python benchmarks/claims.py [--samples 2000]

Workload: 168 items in 21 stories under 5 seeds, as a sample of FOLIO, with sets of 2 to 9 candidates, 18 % of two. An
item is solved with the probability θ, Beta-distributed over stories with the mean in the first column and the
correlation ρ of two items; else the answer is guessed, and right with 1 / size. Half of the answers to an item are one
answer repeated, half are drawn again.

* coverage: share of intervals of ``above_chance`` that hold what is true; rejected: share of p ≤ 0.05 against chance,
  which is an error of the first kind where θ is 0; disagree: share of samples where interval and p contradict;
* claims: share of adjusted p ≤ 0.05 among the rows of ``claims`` of four models without a difference between sides
  (each: of all rows; any: of families with one), against chance for θ = 0;
* positions: share of p ≤ 0.05 of ``position_test`` where positions do not matter, with as many seeds as said, each
  showing the gold formula elsewhere, or all in one order ("paper").

Measured at 2,000 samples for θ up to 0.3 and ρ up to 0.1 there (standard error .005): coverage .944 to .960, errors
against chance .040 to .049, positions .033 to .057 (.044 to .052 at 4,000 samples). At 1,000 samples of the other nine
cells (standard error .007): coverage .942 to .961, but .983 and .991 for θ .9 and ρ .1 and .3; errors against chance
.047; positions .037 to .061. Of claims, at 500 samples of each of the 15 cells (standard error .010): any row of a
family of one claim at most .062 (θ .6, ρ 0, dialogue), .056 or less elsewhere; the fewest where θ is .9, .000 to .024.
"""

import argparse
from collections import Counter
from collections.abc import Container
from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt
import polars as pl

from nlfol.results.statistics.above_chance import above_chance
from nlfol.results.statistics.summary import Origin, Series
from nlfol.store.schemas import COMPONENTS
from nlfol_extras.analyses.claims import claims
from nlfol_extras.analyses.positions import position_test

SIZES, WEIGHTS = (2, 3, 4, 5, 6, 7, 8, 9), (0.18, 0.1, 0.1, 0.1, 0.1, 0.1, 0.12, 0.2)
SHARES, CORRELATIONS = (0.0, 0.05, 0.3, 0.6, 0.9), (0.0, 0.1, 0.3)
METRICS = ("accuracy", "both", "equivalence", "negation")
SEEDS = 5
UNSHOWN = pl.Struct(dict.fromkeys(COMPONENTS, pl.String))
STORIES, ITEMS = 21, 8
LEVEL = 0.05

Array = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class AboveRates:
    """Shares of samples; see above."""

    coverage: float
    rejected: float
    disagree: float


def sizes(draw: np.random.Generator, stories: int = STORIES) -> Ints:
    """Sizes of the items' candidate sets."""
    found: Ints = draw.choice(SIZES, size=stories * ITEMS, p=WEIGHTS)
    return found


def levels(draw: np.random.Generator, mean: Array, correlation: float) -> Array:
    """Beta-distributed means about these, with this correlation of two answers of one."""
    if correlation == 0:
        return mean
    size = (1 - correlation) / correlation
    found = draw.beta(np.maximum(mean * size, 1e-9), np.maximum((1 - mean) * size, 1e-9))
    return np.where((mean > 0) & (mean < 1), found, mean)


def probabilities(draw: np.random.Generator, share: float, correlation: float, size: Ints) -> Array:
    """Probability that a model is right, for each item."""
    solved = np.repeat(levels(draw, np.full(len(size) // ITEMS, share), correlation), ITEMS)
    return solved + (1 - solved) / size


def answers(draw: np.random.Generator, right: Array, seeds: int) -> Array:
    """Scores, by item and seed."""
    repeated = draw.random((len(right), 1)) < right[:, None]
    fresh = draw.random((len(right), seeds)) < right[:, None]
    found: Array = np.where(draw.random((len(right), seeds)) < 0.5, repeated, fresh).astype(np.float64)
    return found


def names(count: int) -> tuple[list[str], list[str]]:
    """Items with their stories."""
    return [f"{place // ITEMS}:{place}" for place in range(count)], [str(place // ITEMS) for place in range(count)]


def above_rates(share: float, correlation: float, samples: int) -> AboveRates:
    """Draw samples of one kind; the draws depend on the arguments alone."""
    draw = np.random.default_rng([int(1000 * one) for one in (share, correlation)])
    held = rejected = disagree = 0
    for _ in range(samples):
        size = sizes(draw)
        scores = answers(draw, probabilities(draw, share, correlation, size), SEEDS).mean(axis=1)
        found = above_chance(scores.tolist(), (1 / size).tolist(), names(len(size))[1])
        assert found is not None
        assert found.low is not None
        assert found.high is not None
        held += found.low <= share <= found.high
        rejected += found.p <= LEVEL
        disagree += (found.p <= LEVEL) != (not found.low <= 0 <= found.high)
    return AboveRates(held / samples, rejected / samples, disagree / samples)


def series(draw: np.random.Generator, share: float, correlation: float) -> list[Series]:
    """Two dialogue and two embedding models in both tasks and presentations, and chance; all sides know as much.

    Both tasks are at their own chance: of the orders that ranking asks for there are more.
    """
    size = sizes(draw)
    items, stories = names(len(size))
    solved = np.repeat(levels(draw, np.full(len(size) // ITEMS, share), correlation), ITEMS)
    chances = {"most_similar": 1 / size, "ranking": 1 / (size * (size - 1))}
    found = []
    for task, form, model in product(("most_similar", "ranking"), ("formula", "english"), ("a", "b", "e", "f", "")):
        kind = "chance" if not model else "chat" if model in "ab" else "embedding"
        metrics = ("accuracy",) if task == "most_similar" else ("both", "equivalence", "negation")
        for metric in metrics:
            chance = chances[task]
            level = solved + (1 - solved) * chance
            scores = chance if not model else answers(draw, level, SEEDS).mean(axis=1)
            frame = pl.DataFrame({"item": items, "story": stories, "score": scores}).with_columns(
                seed=pl.lit(None, pl.Int64), unread=pl.lit(False), shown=pl.lit(None, UNSHOWN)
            )
            origin = Origin("toy", task, task, "audited", model, kind, len(items))
            found.append(Series(origin, metric, form, frame))
    return found


def claim_rates(
    share: float, correlation: float, samples: int, metrics: Container[str] = METRICS
) -> dict[str, tuple[float, float]]:
    """Return, by claim, the shares of rows and of families that are decided, from scores by some of the metrics."""
    draw = np.random.default_rng([int(1000 * one) for one in (share, correlation, 7)])
    rows, wrong, families = Counter[str](), Counter[str](), Counter[str]()
    for _ in range(samples):
        found = claims([one for one in series(draw, share, correlation) if one.metric in metrics], [])
        rows.update(row["claim"] for row in found)
        told = [row["claim"] for row in found if row["data"] != "open"]
        wrong.update(told)
        families.update(set(told))
    return {claim: (wrong[claim] / count, families[claim] / samples) for claim, count in rows.items()}


def position_rate(share: float, correlation: float, samples: int, *, seeds: int = SEEDS, one_order: bool) -> float:
    """The share of samples in which positions seem to matter, though they do not."""
    draw = np.random.default_rng([int(1000 * one) for one in (share, correlation)] + [seeds, one_order])
    rejected = 0
    for _ in range(samples):
        size = sizes(draw)
        scores = answers(draw, probabilities(draw, share, correlation, size), seeds)
        places = [draw.permutation(count) for count in size]
        shown = [
            places[item][0 if one_order else seed % len(places[item])] + 1
            for item in range(len(size))
            for seed in range(seeds)
        ]
        items = [name for name in names(len(size))[0] for _ in range(seeds)]
        found = position_test(items, np.repeat(size, seeds).tolist(), shown, scores.ravel().tolist())
        rejected += found is not None and found.p <= LEVEL
    return rejected / samples


def main() -> None:
    """Measure the whole grid."""
    parser = argparse.ArgumentParser(description="Coverage above chance, and errors of the tests of claims.")
    parser.add_argument("--samples", type=int, default=2000, help="of each cell; a tenth for claims")
    samples = parser.parse_args().samples
    print("θ     ρ    coverage  rejected  disagree  positions: 5 seeds  1 seed  paper")
    for share, correlation in product(SHARES, CORRELATIONS):
        found = above_rates(share, correlation, samples)
        of_positions = [
            position_rate(share, correlation, samples, seeds=seeds, one_order=one_order)
            for seeds, one_order in ((5, False), (1, False), (5, True))
        ]
        print(
            f"{share:<5} {correlation:<4} {found.coverage:<9.3f} {found.rejected:<9.3f} {found.disagree:<9.3f} "
            + "  ".join(f"{rate:.3f}" for rate in of_positions),
            flush=True,
        )
    for share, correlation in product(SHARES, CORRELATIONS):
        for claim, (each, any_of) in claim_rates(share, correlation, samples // 10).items():
            if claim != "chance" or share == 0:
                print(f"{share:<5} {correlation:<4} {claim:<20} each {each:.3f}  any {any_of:.3f}", flush=True)


if __name__ == "__main__":
    main()
