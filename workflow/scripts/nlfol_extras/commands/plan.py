"""``nlfol plan``: the items that it takes to tell two models apart, by simulating the paired test of the tables.

Two models with the means ``mean ± difference / 2`` answer items in stories, of one size or drawn from those of a pilot.
A model solves an item with a probability q, of a beta distribution with its mean, whose variance is the share ``item``
of an answer's, mean * (1 - mean); the rest varies from seed to seed. The q of an item for both models have the
correlation ``correlation``, and those of two items of a story the correlation ``within_story``: they are functions of
normal variables (a Gaussian copula) whose own correlations are solved for.

A sample is told apart if the p of ``statistics.differences`` is at most 0.05 / pairs of models, which is what Holm's
method asks of the first. Of n items, power is near Φ(√(n / n₁) - z), with z the normal quantile of the level. So each
round of samples tells n₁, and by it the next n; a last, larger one settles it. The test is another from 20 stories on
(of unequal ones, as many as count as 20), so either fewer are enough, or as many and more are searched.
``benchmarks/planning.py`` measures the power that is kept.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil, sqrt
from pathlib import Path
from typing import TypedDict, cast

import numpy as np
import numpy.typing as npt
import polars as pl
from scipy.optimize import brentq
from scipy.special import betaincinv, ndtr, ndtri

from nlfol.mappings import AnyRow
from nlfol.results.statistics.clusters import LEAST_STORIES, Array
from nlfol.results.statistics.differences import difference
from nlfol.results.statistics.flips import LEAST_FLIPPED
from nlfol.store.files import read_frame
from nlfol.store.schemas import CELLS
from nlfol_extras.analyses.facets import FACETS
from nlfol_extras.analyses.variance import DRAW

ROUNDS = (200, 200, 1_000, 3_000)
"""Samples of each round."""

LEVEL = 0.05

MOST_ITEMS = 20_000
"""Items that are simulated at most."""

_POINTS = np.linspace(-6, 6, 1_201)
_EXTREME = 1e-3


class PlanError(ValueError):
    """A plan that cannot be made, with the option to change."""


@dataclass(frozen=True, slots=True)
class Design:
    """Assumptions about models and items; see above."""

    mean: float = 0.5
    story_size: float = 8
    item: float = 0.7
    within_story: float = 0.1
    correlation: float = 0.5
    sizes: tuple[int, ...] = ()
    """Items of a pilot's stories, of which stories are drawn; none if all have ``story_size``."""

    @property
    def drawn_from(self) -> npt.NDArray[np.int64]:
        """Return the sizes of stories that are drawn."""
        return np.array(self.sizes or (max(1, round(self.story_size)),))


class Plan(TypedDict):
    """Items in stories, for each model and seed; answers of all models; the level of p, and the power."""

    items: int
    stories: int
    seeds: int
    answers: int
    level: float
    power: float


@dataclass(frozen=True, slots=True)
class Simulation:
    """Samples of two models whose means differ."""

    design: Design
    difference: float
    seeds: int
    level: float

    def power(self, stories: int, samples: int, seed: int = 0) -> float:
        """Return the share of samples in which the models are told apart."""
        draw = np.random.default_rng((seed, stories, samples))
        known, all_sizes = self.design, self.design.drawn_from
        curves = self._curves()
        shared = _latent(known.correlation, *curves)
        within = _latent(known.within_story, curves[0], curves[0])
        apart = 0
        for _ in range(samples):
            sizes = draw.choice(all_sizes, stories)
            names = cast("Sequence[str]", np.repeat(np.arange(stories), sizes))
            of_story, of_item = (_pair(draw, count, shared) for count in (stories, len(names)))
            levels = sqrt(within) * np.repeat(of_story, sizes, axis=1) + sqrt(1 - within) * of_item
            right = [np.interp(level, _POINTS, curve) for level, curve in zip(levels, curves, strict=True)]
            first, second = (draw.binomial(self.seeds, some) / self.seeds for some in right)
            apart += difference(first.tolist(), second.tolist(), names).p <= self.level
        return apart / samples

    def _curves(self) -> tuple[Array, Array]:
        """Return q of both models at each of ``_POINTS``."""
        share = min(1 - _EXTREME, max(_EXTREME, self.design.item))
        whole = 1 / share - 1
        means = (self.design.mean + side * self.difference / 2 for side in (1, -1))
        first, second = (np.asarray(betaincinv(mean * whole, (1 - mean) * whole, ndtr(_POINTS))) for mean in means)
        return first, second


def _pair(draw: np.random.Generator, count: int, correlation: float) -> Array:
    one, other = draw.normal(size=(2, count))
    return np.stack([one, correlation * one + sqrt(1 - correlation**2) * other])


def _latent(correlation: float, first: Array, second: Array) -> float:
    """Return the correlation of two normal variables whose values on two curves have the given one, or come near."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(80)
    weights = weights / weights.sum()
    one, other = (np.interp(nodes, _POINTS, curve) for curve in (first, second))
    means, squares = zip(*((weights @ some, weights @ some**2) for some in (one, other)), strict=True)
    spread = sqrt((squares[0] - means[0] ** 2) * (squares[1] - means[1] ** 2))

    def beyond(latent: float) -> float:
        turned = latent * nodes[:, None] + sqrt(1 - latent**2) * nodes
        product = (weights * one) @ np.interp(turned, _POINTS, second) @ weights
        return float((product - means[0] * means[1]) / spread) - correlation

    if correlation <= 0:
        return 0.0
    return 1.0 if beyond(1.0) <= 0 else float(brentq(beyond, 0, 1))


def planned(difference: float, design: Design, *, seeds: int, models: int, power: float) -> Plan:
    """Return the items with which the paired test tells two of some models apart with a probability.

    Args:
        difference: of the two means.
        design: what is known of models and items.
        seeds: under which each item is asked.
        models: that are compared in pairs, as one family.
        power: the probability.

    Raises:
        PlanError: if the means were not between 0 and 1.
    """
    if not 0 < design.mean - difference / 2 < design.mean + difference / 2 < 1:
        raise PlanError(f"--difference {difference} about --mean {design.mean} leaves 0 to 1; change one of the two")
    level = LEVEL / (models * (models - 1) // 2)
    simulation, size = Simulation(design, difference, seeds, level), float(design.drawn_from.mean())
    critical, wanted = float(ndtri(1 - level / 2)), float(ndtri(power))
    single = 2 * design.mean * (1 - design.mean) * (design.item * (1 - design.correlation) + (1 - design.item) / seeds)
    items = (critical + wanted) ** 2 * single / difference**2
    flipped = ceil(LEAST_FLIPPED * float(np.square(design.drawn_from).mean()) / size**2)
    ends = (LEAST_STORIES, flipped - 1), (flipped, int(MOST_ITEMS / size))
    least, most = ends[simulation.power(flipped - 1, ROUNDS[0]) < power]
    stories = simulated = min(most, max(least, ceil(items / size)))
    for count in ROUNDS:
        simulated, reached = stories, simulation.power(stories, count)
        # None or all of the samples tell a bound of n alone.
        quantile = critical + float(ndtri(min(1 - 0.5 / count, max(0.5 / count, reached))))
        stories = min(most, max(least, ceil(simulated * ((critical + wanted) / quantile) ** 2)))
    expected = float(ndtr(quantile * sqrt(stories / simulated) - critical))
    items = round(stories * size)
    return {
        "items": items,
        "stories": stories,
        "seeds": seeds,
        "answers": items * seeds * models,
        "level": round(level, 6),
        "power": round(expected, 2),
    }


def pilots(results: Path) -> Iterator[tuple[AnyRow, Design]]:
    """Yield each question of a folder of results with what its tables ``facets`` and ``scores`` tell of it.

    Raises:
        PlanError: if there are no such tables, or no question with two models.
    """
    paths = [results / f"tables/{name}.arrow" for name in ("facets", "cells")]
    if missing := [path for path in paths if not path.exists()]:
        raise PlanError(f"{missing[0]} is missing; give the folder of the results of a finished run")
    facets, cells = (read_frame(path, schema) for path, schema in zip(paths, (FACETS, CELLS), strict=True))
    question = ["dataset", "task", "presentation"]
    of_one = facets.drop_nulls("dataset").group_by(*question, "metric", maintain_order=True)
    found = False
    for (dataset, task, presentation, metric), rows in of_one:
        about = {"dataset": dataset, "task": task, "presentation": presentation}
        scores = cells.filter(
            pl.all_horizontal(pl.col(name) == value for name, value in {**about, "metric": metric}.items()),
            pl.col("kind") == "chat",
        )
        if rows["models"][0] > 1 and scores.height:
            found = True
            design = told(rows, cast("float", scores["mean"].mean()))
            path = results / f"items/{dataset}/{task}.arrow"
            stories = pl.read_ipc(path, columns=["story"])["story"].to_list() if path.exists() else []
            yield about, replace(design, sizes=tuple(sorted(Counter(stories).values())))
    if not found:
        raise PlanError(f"{paths[0]}: no question was asked of two dialogue models; give --mean and the like instead")


def told(rows: pl.DataFrame, mean: float) -> Design:
    """Return what components of the variance tell; under one seed, draws count as of items."""
    parts = {tuple(row["component"].split(" × ")): row["variance"] for row in rows.to_dicts()}
    answer = sum(value for facets, value in parts.items() if facets != ("model",))
    items = {facets: value for facets, value in parts.items() if facets not in (("model",), (DRAW,))}
    total = sum(items.values())
    if not total:
        return replace(Design(mean, rows["items"][0] / rows["stories"][0]), item=0.0)
    alike = sum(value for facets, value in items.items() if "model" not in facets)
    together = sum(value for facets, value in items.items() if facets[-1] == "story")
    return Design(mean, rows["items"][0] / rows["stories"][0], total / answer, together / total, alike / total)


def plans(
    pilot: Path | None,
    given: AnyRow,
    difference: float,
    *,
    seeds: Sequence[int],
    models: int,
    power: float,
) -> Iterator[AnyRow]:
    """Yield a plan for each question of a pilot, or one without, and number of seeds; what is given goes first.

    Raises:
        PlanError: as ``planned`` and ``pilots``.
    """
    given = {**given, "sizes": ()} if "story_size" in given else given
    for about, design in pilots(pilot) if pilot else [({}, Design())]:
        for count in seeds:
            plan = planned(difference, replace(design, **given), seeds=count, models=models, power=power)
            yield {**about, **plan}
