"""Means with cluster-robust errors, against statsmodels and scipy."""

from __future__ import annotations

import random

import numpy as np
import pytest
import statsmodels.api as sm
from scipy.stats import t as student
from statsmodels.stats.proportion import proportion_confint

from nlfol.statistics.clusters import Method, clustered_error, clustered_mean, ratio


def test_by_hand() -> None:
    """Two stories of two items: r = (0.5, -0.5), error = sqrt(2 * 0.5) / 4."""
    found = clustered_mean([1, 1, 0, 1], ["a", "a", "b", "b"])
    assert (found.mean, found.items, found.stories) == (0.75, 4, 2)
    assert found.error == pytest.approx((2 * (0.5**2 + 0.5**2)) ** 0.5 / 4)


@pytest.mark.parametrize("seed", range(5))
def test_error_is_that_of_a_regression_on_a_constant(seed: int) -> None:
    draw = random.Random(seed)
    stories = [draw.choice("abcdefghijkl") for _ in range(80)]
    level = {story: draw.random() for story in stories}
    values = np.array([float(draw.random() < level[story]) for story in stories])
    _, error, groups = clustered_error(values, stories)
    codes = np.unique(stories, return_inverse=True)[1]
    fit = sm.OLS(values, np.ones(80)).fit(cov_type="cluster", cov_kwds={"groups": codes}, use_t=True)
    assert groups == len(set(stories))
    assert error == pytest.approx(float(fit.bse[0]), rel=1e-12)


def test_interval_away_from_the_ends_is_students() -> None:
    stories = [str(number // 5) for number in range(200)]
    scores = [float(number % 5 < 2 + number // 5 % 2) for number in range(200)]
    found = clustered_mean(scores, stories)
    assert found.method is Method.STUDENT
    assert found.error is not None
    assert (found.low, found.high) == pytest.approx(student.interval(0.95, 39, loc=found.mean, scale=found.error))


def test_items_of_their_own_near_the_end_have_wilsons_interval() -> None:
    """With a story for each item and G / (G - 1) taken out, the effective number is just below the number itself."""
    scores = [1.0] * 97 + [0.0] * 3
    found = clustered_mean(scores, [str(number) for number in range(100)])
    assert found.method is Method.WILSON
    assert (found.low, found.high) == pytest.approx(proportion_confint(97 * 0.99, 99, method="wilson"), abs=1e-9)


def test_all_right_is_not_certain() -> None:
    """Nothing varies, so each story counts as one item: Wilson's interval for 10 of 10."""
    found = clustered_mean([1.0] * 50, [str(number // 5) for number in range(50)])
    assert (found.error, found.high) == (0.0, 1.0)
    assert found.low == pytest.approx(proportion_confint(10, 10, method="wilson")[0])


def test_clustered_items_know_less() -> None:
    scores = [1.0] * 25 + [0.0] * 25
    apart = clustered_mean(scores, [str(number) for number in range(50)])
    together = clustered_mean(scores, [str(number // 5) for number in range(50)])
    assert apart.error is not None
    assert together.error is not None
    assert together.error > 2 * apart.error


def test_one_story_has_no_interval() -> None:
    found = clustered_mean([1.0, 0.0], ["a", "a"])
    assert (found.mean, found.error, found.low, found.high, found.method) == (0.5, None, None, None, None)


@pytest.mark.parametrize(
    ("label", "sizes", "shape", "bounds"),
    [
        pytest.param("coverage", (60, 5), (4, 1), (0.92, 0.98), id="8 in 10 right"),
        # Taking the error as known holds it in 91 %.
        pytest.param("few stories", (4, 10), (0.8, 3.2), (0.94, 1), id="2 in 10 right in 4 stories"),
    ],
)
def test_coverage_of_the_interval(
    label: str, sizes: tuple[int, int], shape: tuple[float, float], bounds: tuple[float, float]
) -> None:
    """About 95 % of intervals hold the true mean, where stories differ; seeds fixed, so this cannot fail by chance."""
    draw = random.Random(label)
    stories, items = sizes
    held = 0
    for _ in range(400):
        scores: list[float] = []
        for _ in range(stories):
            level = draw.betavariate(*shape)
            scores += [float(draw.random() < level) for _ in range(items)]
        found = clustered_mean(scores, [str(number // items) for number in range(stories * items)])
        assert found.low is not None
        assert found.high is not None
        held += found.low <= shape[0] / sum(shape) <= found.high
    assert bounds[0] <= held / 400 <= bounds[1]


def test_effective_items_are_adjusted_for_the_degrees_of_freedom() -> None:
    """Korn and Graubard: by the squared ratio of Student's quantiles for n - 1 items and G - 1 stories."""
    scores = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0] + [0.0] * 6 + [1.0, 1.0, 0.0, 0.0, 0.0, 0.0]
    found = clustered_mean(scores, [str(number // 6) for number in range(18)])
    # Residuals of the stories 0, -1, 1.
    assert found.error == pytest.approx((3 / 2 * 2) ** 0.5 / 18)
    independent = (1 / 6 * 5 / 6) / (3 / 18**2)
    adjusted = independent * (student.ppf(0.975, 17) / student.ppf(0.975, 2)) ** 2
    assert (found.low, found.high) == pytest.approx(
        proportion_confint(adjusted / 6, adjusted, method="wilson"), abs=1e-9
    )


@pytest.mark.parametrize("scores", [[1.0, 0.0] * 30, [0.5] * 60, [1 / 3] * 60])
def test_stories_that_are_all_alike_are_not_certain_far_from_the_ends_either(scores: list[float]) -> None:
    found = clustered_mean(scores, [str(number // 2) for number in range(60)])
    expected = proportion_confint(30 * found.mean, 30, method="wilson")
    assert (found.low, found.high) == pytest.approx(expected)


@pytest.mark.parametrize(("scores", "stories"), [([], []), ([1.0], ["a", "b"])])
def test_wrong_arguments(scores: list[float], stories: list[str]) -> None:
    with pytest.raises(ValueError, match="one entry for each item"):
        clustered_mean(scores, stories)


def test_items_that_are_all_alike_but_for_rounding_are_as_many_as_stories() -> None:
    """The mean of ten thirds is a little off a third, so the deviations from it are not quite 0."""
    stories = [str(number % 3) for number in range(10)]
    thirds = clustered_mean([1 / 3] * 10, stories)
    # Wilson's interval of three items, of which one is right.
    z = 1.959963984540054
    half = z * (2 / 27 + z**2 / 36) ** 0.5 / (1 + z**2 / 3)
    assert thirds.low == pytest.approx((1 / 3 + z**2 / 6) / (1 + z**2 / 3) - half)


def test_a_ratio_of_sums_by_hand() -> None:
    """Three stories, (y, x) = (1, 2), (1, 1), (0, 1): R = 1/2, r = 0, 1/2, -1/2, error = sqrt(3/2 * 1/2) / 4."""
    found = ratio([1, 1, 0, 0], [2, 1, 1, 0], ["a", "b", "c", "c"])
    assert (found.mean, found.items, found.stories) == (0.5, 3, 3)
    assert found.error == pytest.approx((3 / 2 / 2) ** 0.5 / 4)


def test_a_ratio_to_ones_is_a_mean() -> None:
    scores, stories = [1.0, 0.25, 0.0, 1.0, 0.5], ["a", "a", "b", "c", "c"]
    assert ratio(scores, [1.0] * 5, stories) == clustered_mean(scores, stories)


def test_the_error_of_f1_is_that_of_the_bootstrap_over_stories() -> None:
    draw = np.random.default_rng(7)
    level = np.repeat(draw.uniform(0.4, 0.95, 300), 4)
    truth = draw.random(1200) < 0.5
    said = np.where(draw.random(1200) < level, truth, ~truth)
    stories = [str(number // 4) for number in range(1200)]
    parts, wholes = 2.0 * (truth & said), 1.0 * truth + said
    found = ratio(parts.tolist(), wholes.tolist(), stories)
    assert found.mean == 2 * (truth & said).sum() / (truth.sum() + said.sum())
    of_story = np.stack([parts.reshape(300, 4).sum(1), wholes.reshape(300, 4).sum(1)])
    again = of_story[:, draw.integers(0, 300, (4000, 300))].sum(2)
    assert found.error == pytest.approx(float(np.std(again[0] / again[1])), rel=0.05)
    assert (found.low, found.high) == pytest.approx(np.quantile(again[0] / again[1], [0.025, 0.975]), abs=0.005)


def test_a_ratio_to_nothing() -> None:
    with pytest.raises(ValueError, match="a ratio to nothing"):
        ratio([0.0, 0.0], [0.0, 0.0], ["a", "b"])
    with pytest.raises(ValueError, match="2 parts, but 1 wholes"):
        ratio([0.0, 0.0], [0.0], ["a", "b"])
