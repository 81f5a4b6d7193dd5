"""Planned samples, against figures worked out elsewhere and by simulation."""

import numpy as np
import pytest

from nlfol.statistics.differences import difference
from nlfol.statistics.planning import Assumptions, detectable, items_needed


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
