"""Coverage and width of the interval of drift where few concepts are renamed, as in what strong models write.

    python benchmarks/rare_drift.py [--samples 1000]

Workload: 66 stories of 2 to 4 problems with 4 to 8 concepts, as in FOLIO's validation split. The number of renamed
concepts of a problem is Poisson; its rate is one for all (none), or varies by problem or by story (a gamma of shape
1/2). Printed are the shares of intervals at 95 % that hold the true rate, that lie below and above it, and their mean
width; those of ``rate`` and of a bootstrap over stories.

Measured at 1,000 samples (standard error .007): ``rate`` holds the truth in .938 to .967 of samples, the bootstrap in
.898 to .957. At .035 the mean width is .023 where nothing varies, .027 by problem and .035 by story; the bootstrap's is
.021, .025 and .031. Where stories vary, intervals lie below the truth more often (.027 to .046) than above (.010 to
.022).
"""

import argparse
from itertools import product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nlfol.results.statistics.clusters import rate

STORIES = 66
RATES = (0.01, 0.02, 0.035, 0.07, 0.1)
VARIES = ("none", "problem", "story")
DRAWS = 300
"""Samples drawn again in each bootstrap."""


class Held(NamedTuple):
    """Shares of intervals that hold the truth, lie below it and above it; their mean width."""

    held: float
    below: float
    above: float
    width: float


def coverage(varies: str, truth: float, samples: int) -> tuple[Held, Held]:
    """Return what the intervals of ``rate`` and of the bootstrap come to; the draws depend on the arguments alone."""
    draw = np.random.default_rng([VARIES.index(varies), round(1000 * truth)])
    ends = np.array([_intervals(draw, varies, truth) for _ in range(samples)])
    ours, bootstrap = (_held(ends[:, each], truth) for each in (0, 1))
    return ours, bootstrap


def _intervals(draw: np.random.Generator, varies: str, truth: float) -> list[tuple[float, float]]:
    problems = draw.integers(2, 5, STORIES)
    stories = np.repeat(np.arange(STORIES), problems)
    concepts = draw.integers(4, 9, len(stories))
    level = np.ones(len(stories))
    if varies == "problem":
        level = draw.gamma(0.5, 2, len(stories))
    elif varies == "story":
        level = np.repeat(draw.gamma(0.5, 2, STORIES), problems)
    renamed = draw.poisson(concepts * truth * level)
    found = rate(renamed.tolist(), concepts.tolist(), stories.astype(str).tolist())
    assert found.low is not None
    assert found.high is not None
    counts, sizes = (np.bincount(stories, each, STORIES) for each in (renamed, concepts))
    drawn = draw.integers(0, STORIES, (DRAWS, STORIES))
    low, high = np.quantile(counts[drawn].sum(1) / sizes[drawn].sum(1), [0.025, 0.975])
    return [(found.low, found.high), (low, high)]


def _held(ends: npt.NDArray[np.float64], truth: float) -> Held:
    below, above = float(np.mean(ends[:, 1] < truth)), float(np.mean(ends[:, 0] > truth))
    return Held(1 - below - above, below, above, float(np.mean(ends[:, 1] - ends[:, 0])))


def main() -> None:
    """Measure all rates."""
    parser = argparse.ArgumentParser(description="Coverage and width of the interval of rare drift.")
    parser.add_argument("--samples", type=int, default=1000, help="of each cell")
    options = parser.parse_args()
    print("varies   rate    held  below above width   bootstrap: the same")
    for varies, truth in product(VARIES, RATES):
        both = ("{:.3f} {:.3f} {:.3f} {:.4f}".format(*each) for each in coverage(varies, truth, options.samples))
        print(f"{varies:<8} {truth:<6}  {'  '.join(both)}", flush=True)


if __name__ == "__main__":
    main()
