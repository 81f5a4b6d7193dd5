"""The formula of the documents for planned samples, against figures worked out elsewhere and by simulation."""

import re
from math import ceil
from typing import Any

import numpy as np
import pytest
from tests.examples import ROOT

from nlfol.results.statistics.differences import difference


@pytest.fixture(scope="module")
def items_needed() -> Any:
    text = (ROOT / "docs/console.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(from statistics import NormalDist\n.*?)```", text, re.DOTALL)
    names: dict[str, Any] = {}
    exec(code, names)
    return names["items_needed"]


@pytest.mark.parametrize(("mean", "expected"), [(0.5, 1570), (0.7, 1319), (0.9, 566)])
def test_sample_plan_matches_independent_formula(items_needed: Any, mean: float, expected: int) -> None:
    """Five points at power .8, one seed, one pair: (1.96 + 0.84)² 2 p (1 - p) / .05²."""
    assert items_needed(0.05, 2, 1, mean=mean, correlation=0) == pytest.approx(expected, abs=5)


def test_sample_plan_grows_with_models_power_and_clustering(items_needed: Any) -> None:
    plain = items_needed(0.05, 2, 1)
    assert items_needed(0.05, 6, 1) > plain
    assert items_needed(0.05, 2, 3) < plain
    assert items_needed(0.05, 2, 1, power=0.9) > plain
    assert items_needed(0.05, 2, 1, together=0.1) == pytest.approx(1.7 * plain)


def test_sample_plan_reaches_power(items_needed: Any) -> None:
    """Two models whose difficulties go together at .5, half of the variance between items, under three seeds."""
    items = ceil(items_needed(0.15, 2, 3, item=0.5))
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
