"""Planned samples, against figures worked out elsewhere and by simulation."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.stored import stored

from nlfol.analyses.comparisons import DIFFERENCES
from nlfol.analyses.seeds import VARIANCES
from nlfol.statistics.differences import difference
from nlfol.statistics.pilots import pilots
from nlfol.statistics.planning import Assumptions, detectable, items_needed
from nlfol.store.schemas import CELLS


@pytest.mark.parametrize(("mean", "expected"), [(0.5, 1570), (0.7, 1319), (0.9, 566)])
def test_independent_models_on_independent_items(mean: float, expected: int) -> None:
    """Five points at power .8, one seed, one pair: (1.96 + 0.84)² 2 p (1 - p) / .05²."""
    given = Assumptions(mean=mean, correlation=0)
    needed = items_needed(0.05, 2, 1, 0.8, given)
    assert needed == pytest.approx(expected, abs=5)
    assert detectable(needed, 2, 1, 0.8, given) == pytest.approx(0.05, rel=1e-3)


def test_what_makes_a_run_larger() -> None:
    plain = items_needed(0.05, 2, 1, 0.8, Assumptions())
    assert items_needed(0.05, 6, 1, 0.8, Assumptions()) > plain
    assert items_needed(0.05, 2, 3, 0.8, Assumptions()) < plain
    assert items_needed(0.05, 2, 1, 0.9, Assumptions()) > plain
    assert items_needed(0.05, 2, 1, 0.8, Assumptions(together=0.1)) == pytest.approx(1.7 * plain, abs=1)


def test_the_planned_power_is_reached() -> None:
    """Two models whose difficulties go together at .5, half of the variance between items, under three seeds."""
    given = Assumptions(mean=0.5, item=0.5, correlation=0.5)
    items = items_needed(0.15, 2, 3, 0.8, given)
    draw = np.random.default_rng(11)
    stories = [str(number) for number in range(items)]
    told = 0
    for _ in range(300):
        shared, either = draw.beta(0.5, 0.5, items), draw.random(items) < 0.5
        own = [np.where(either, shared, draw.beta(0.5, 0.5, items)) for _ in range(2)]
        # Means of .575 and .425.
        scores = [draw.binomial(3, level) / 3 for level in (own[0] + 0.15 * (1 - own[0]), 0.85 * own[1])]
        told += difference(scores[0].tolist(), scores[1].tolist(), stories).p < 0.05
    assert 0.74 <= told / 300 <= 0.92


TASK = {"dataset": "tarski", "task": "mine", "task_kind": "most_similar", "metric": "accuracy"}


def run_of(given: Assumptions, items: int, models: tuple[str, ...] = ("a", "b")) -> dict[str, list[dict[str, Any]]]:
    """The rows of a run in which these assumptions hold, of stories of 8."""
    of_one = replace(given, correlation=0).variance(3) / 2
    cell = TASK | {
        "seeds": 3,
        "items": items,
        "stories": items // 8,
        "mean": given.mean,
        "error": (of_one / items) ** 0.5,
    }
    return {
        "cells": [stored(CELLS, **cell, model=model, kind="chat") for model in models]
        + [stored(CELLS, **cell | {"metric": "tied"}, model="a", kind="chat"), stored(CELLS, **cell, kind="chance")],
        "variances": [stored(VARIANCES, **TASK, item=given.item)],
        "differences": [stored(DIFFERENCES, **TASK, items=items, error=(given.variance(3) / items) ** 0.5)][
            : len(models) - 1
        ],
    }


def test_a_run_says_what_to_assume() -> None:
    given = Assumptions(mean=0.7, item=0.6, correlation=0.4, together=0.05)
    (found,) = pilots(**run_of(given, 10_000))
    assert (found.dataset, found.task, found.models, found.items, found.seeds) == ("tarski", "mine", 2, 10_000, 3)
    for name in ("mean", "item", "correlation", "together", "story"):
        assert getattr(found.given, name) == pytest.approx(getattr(given, name), rel=1e-3)


def test_one_model_leaves_the_correlation_open() -> None:
    (found,) = pilots(**run_of(Assumptions(correlation=0.2), 1000, ("a",)))
    assert (found.models, found.given.correlation) == (2, Assumptions().correlation)


@pytest.mark.parametrize("mean", [0.0, 1.0])
def test_who_is_always_wrong_or_right_plans_all_the_same(mean: float) -> None:
    rows = run_of(Assumptions(), 200)
    still = [row | {"mean": mean, "error": 0.0} for row in rows["cells"]]
    (found,) = pilots(still, [], [row | {"error": 0.0} for row in rows["differences"]])
    assert 0 < detectable(200, 2, 3, 0.8, found.given) < 0.05
