"""Ranks of several models by max-T over stories: the best that are shown, and the ranks that are wrong.

    python benchmarks/ranks.py [--samples 200]

Workload: 208 items in 26 stories, difficulties logit-normal (stories and items with the deviation 1) and the same for
all models, under one seed or three; the models' true scores are those of ``BOARDS``.

* alone: samples in which one model alone is possibly best; set: mean number of the possibly best;
* left out: samples in which the truly best, the first of several, is not among them;
* wrong: samples in which some model's true rank lies outside its ranks; ranks: their mean number.

Measured at 200 samples (standard error of a share .035 at most):

    =====================  =====  ====  ========  =====  =====
    true scores            alone  set   left out  wrong  ranks
    =====================  =====  ====  ========  =====  =====
    ten at .60             .00    9.5   .045      .000   9.9
    .50 to .68             .00    4.9   .005      .010   8.2
    the same, three seeds  .05    3.3   .000      .000   6.0
    .75, nine at .65       .09    5.4   .000      .000   9.2
    .80, nine at .65       .65    1.7   .000      .000   8.4
    .70, nine at .50       .94    1.1   .000      .000   8.2
    =====================  =====  ====  ========  =====  =====
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.special import expit

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.intervals import centre

from nlfol.results.statistics.ranks import ranks

BOARDS: dict[str, tuple[Sequence[float], int]] = {
    "ten at .60": ([0.6] * 10, 1),
    ".50 to .68": ([0.5 + 0.02 * place for place in range(10)], 1),
    "the same, three seeds": ([0.5 + 0.02 * place for place in range(10)], 3),
    ".75, nine at .65": ([0.75] + [0.65] * 9, 1),
    ".80, nine at .65": ([0.8] + [0.65] * 9, 1),
    ".70, nine at .50": ([0.7] + [0.5] * 9, 1),
}
"""True scores, and seeds."""

STORIES, SIZE = 26, 8


class Shown(NamedTuple):
    """Shares of samples and mean numbers; see above."""

    alone: float
    possible: float
    left_out: float
    wrong: float
    ranks: float


def shown(board: str, samples: int) -> Shown:
    """Draw samples of a board; the draws depend on the arguments alone."""
    means, seeds = BOARDS[board]
    draw = np.random.default_rng([*board.encode()])
    stories = np.repeat(np.arange(STORIES), SIZE).astype(str).tolist()
    levels = np.array([centre(mean, np.hypot(1, 1)) for mean in means])
    truth = np.array(means)
    # Equal models have each of the ranks that they share.
    least, most = 1 + (truth[:, None] < truth - 1e-9).sum(axis=1), (truth[:, None] <= truth + 1e-9).sum(axis=1)
    counts = []
    for _ in range(samples):
        hard = np.repeat(draw.normal(size=STORIES), SIZE) + draw.normal(size=STORIES * SIZE)
        scores = draw.binomial(seeds, expit(levels + hard[:, None])) / seeds
        found = ranks(scores, stories)
        possible = np.array([rank.is_possibly_best for rank in found])
        first, last = np.array([(rank.first, rank.last) for rank in found]).T
        counts.append(
            (
                possible.sum() == 1,
                possible.sum(),
                not possible[truth.argmax()],
                ((first > most) | (last < least)).any(),
                (1 + last - first).mean(),
            )
        )
    return Shown(*np.mean(np.array(counts, dtype=np.float64), axis=0).tolist())


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Errors of ranks, and who is shown as best.")
    parser.add_argument("--samples", type=int, default=200, help="of each board")
    options = parser.parse_args()
    print(f"{'true scores':<22} alone  set   left out  wrong  ranks")
    for board in BOARDS:
        found = shown(board, options.samples)
        rates = f"{found.alone:.2f}   {found.possible:<4.1f}  {found.left_out:.3f}     {found.wrong:.3f}"
        print(f"{board:<22} {rates}  {found.ranks:.1f}", flush=True)


if __name__ == "__main__":
    main()
