"""Power that ``nlfol plan`` keeps where it promises .80.

    python benchmarks/planning.py [--samples 2000]

Workload: plans, simulated again at the planned items with other draws: with difficulties as the plan has them
(beta), and with logit-normal ones, whose pilot of 400 stories tells the plan all that it knows through the components
of the table ``facets``.

Measured (2,000 samples, standard error .009; 2 min of CPU):

    =======================  =====  =====  ===========  =====
    plan                     items  power  of a pilot:  power
    =======================  =====  =====  ===========  =====
    10 points, one seed        368    .80          432    .80
    10 points, three seeds     288    .81          296    .82
    10 points, six models      672    .79          792    .80
    10 points, much alike      192    .80          304    .82
    means of .85 and .95       160    .82          192    .86
    20 points, few stories      96    .79          120    .82
    stories of 1 to 40         661    .82          738    .80
    =======================  =====  =====  ===========  =====
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl
from scipy.special import expit

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.intervals import centre

from nlfol.results.statistics.differences import difference
from nlfol_extras.analyses.variance import cells_of, components
from nlfol_extras.commands import plan
from nlfol_extras.commands.plan import Design, Plan, Simulation, planned

POWER = 0.8


class Case(NamedTuple):
    """A plan: the difference of means about a mean, seeds, models, and what two models find hard alike."""

    difference: float
    mean: float = 0.5
    seeds: int = 1
    models: int = 2
    correlation: float = 0.5
    sizes: tuple[int, ...] = (8,)


CASES = {
    "10 points, one seed": Case(0.1),
    "10 points, three seeds": Case(0.1, seeds=3),
    "10 points, six models": Case(0.1, models=6),
    "10 points, much alike": Case(0.1, correlation=0.9),
    "means of .85 and .95": Case(0.1, mean=0.9),
    "20 points, few stories": Case(0.2),
    "stories of 1 to 40": Case(0.1, sizes=(1, 1, 2, 2, 3, 4, 5, 7, 10, 15, 25, 40)),
}


def logits(draw: np.random.Generator, case: Case, sizes: npt.NDArray[np.int64]) -> list[npt.NDArray[np.float64]]:
    """Return the scores of two models whose items have logit-normal difficulties with a deviation of 2.5."""
    within, alike = 0.15, case.correlation

    def normal() -> npt.NDArray[np.float64]:
        of_story = np.repeat(draw.normal(size=len(sizes)), sizes)
        drawn: npt.NDArray[np.float64] = sqrt(within) * of_story + sqrt(1 - within) * draw.normal(size=sizes.sum())
        return drawn

    shared = normal()
    found = []
    for side in (1, -1):
        own = sqrt(alike) * shared + sqrt(1 - alike) * normal()
        right = expit(centre(case.mean + side * case.difference / 2, 2.5) + 2.5 * own)
        found.append(draw.binomial(case.seeds, right) / case.seeds)
    return found


def design_of(case: Case, stories: int) -> Design:
    """Return what a pilot of logit-normal items under two seeds tells."""
    draw = np.random.default_rng(len(CASES))
    rows: list[dict[str, Any]] = []
    sizes = draw.choice(case.sizes, stories)
    names = np.repeat(np.arange(stories), sizes)
    for model, scores in enumerate(logits(draw, case._replace(seeds=2), sizes)):
        for item, (story, score) in enumerate(zip(names, scores, strict=True)):
            rows += [
                {"model": f"m{model}", "story": f"s{story}", "item": f"i{item}", "seed": seed, "score": right}
                for seed, right in enumerate((float(score > 0.75), float(score > 0.25)))
            ]
    answers = pl.DataFrame(rows).with_columns(dataset=pl.lit(""), wording=pl.lit(""), order=pl.lit(None, pl.Int64))
    parts = components(cells_of(answers))
    assert parts is not None
    named = [(" × ".join(facets), variance) for facets, variance in parts.named()]
    frame = pl.DataFrame(named, ["component", "variance"], orient="row")
    told = plan.told(frame.with_columns(items=len(names), stories=stories), case.mean)
    return replace(told, sizes=case.sizes)


def kept(case: Case, known: Plan, samples: int) -> float:
    """Return the share of samples of logit-normal items in which the planned ones tell the models apart."""
    draw = np.random.default_rng(known["items"])
    apart = 0
    for _ in range(samples):
        sizes = draw.choice(case.sizes, known["stories"])
        names = np.repeat(np.arange(len(sizes)), sizes).astype(str).tolist()
        first, second = logits(draw, case, sizes)
        apart += difference(first.tolist(), second.tolist(), names).p <= known["level"]
    return apart / samples


def lines(names: Sequence[str], samples: int, pilot: int) -> Iterator[str]:
    """Yield a line a case."""
    yield f"{'':<22}  items  power  of a pilot: items  power"
    for name in names:
        case = CASES[name]
        designs = Design(case.mean, correlation=case.correlation, sizes=case.sizes), design_of(case, pilot)
        of_both = [
            planned(case.difference, known, seeds=case.seeds, models=case.models, power=POWER) for known in designs
        ]
        own, other = of_both
        power = Simulation(designs[0], case.difference, case.seeds, own["level"]).power(own["stories"], samples, seed=1)
        yield f"{name:<22}  {own['items']:>5}  {power:>5.2f}  {other['items']:>17}  {kept(case, other, samples):>5.2f}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Power that plans keep.")
    parser.add_argument("--samples", type=int, default=2_000, help="of each plan, simulated again")
    parser.add_argument("--case", action="append", choices=CASES, help="all of these by default")
    parser.add_argument("--rounds", type=int, nargs="+", default=plan.ROUNDS, help="samples of a plan's rounds")
    options = parser.parse_args()
    plan.ROUNDS = tuple(options.rounds)
    for line in lines(options.case or list(CASES), options.samples, 400 if options.samples > 100 else 20):
        print(line, flush=True)


if __name__ == "__main__":
    main()
