"""Paired comparisons, against scipy, statsmodels and enumeration."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import permutation_test
from scipy.stats import t as student
from statsmodels.stats.contingency_tables import mcnemar

from nlfol.statistics import differences
from nlfol.statistics.differences import difference, holm, sign_flip


def enumerated(sums: list[Fraction]) -> float:
    """The definition: every choice of signs."""
    seen = abs(sum(sums, Fraction(0)))
    flipped = [
        abs(sum((s * v for s, v in zip(signs, sums, strict=True)), Fraction(0)))
        for signs in product((1, -1), repeat=len(sums))
    ]
    return sum(value >= seen for value in flipped) / len(flipped)


fractions = st.fractions(min_value=-3, max_value=3, max_denominator=6)


@given(st.lists(fractions, min_size=1, max_size=9))
def test_sign_flip_is_what_enumeration_gives(sums: list[Fraction]) -> None:
    assert sign_flip(sums) == pytest.approx(enumerated(sums))


def test_sign_flip_is_scipys_permutation_test() -> None:
    draw = random.Random(5)
    values = [draw.randint(-3, 5) for _ in range(12)]
    theirs = permutation_test(
        (np.array(values, dtype=float),), np.sum, permutation_type="samples", n_resamples=np.inf, vectorized=False
    )
    assert sign_flip([Fraction(value) for value in values]) == pytest.approx(float(theirs.pvalue))


def test_one_item_a_story_is_exact_mcnemar() -> None:
    first = [1.0] * 40 + [1.0] * 15 + [0.0] * 4 + [0.0] * 20
    second = [1.0] * 40 + [0.0] * 15 + [1.0] * 4 + [0.0] * 20
    found = difference(first, second, [str(number) for number in range(79)])
    assert found.p == pytest.approx(float(mcnemar([[40, 15], [4, 20]], exact=True).pvalue))


def test_difference_by_hand() -> None:
    """d = (1, 1, -1, 0), mean 1/4; D = (2, -1); signs give 3, 1, -1, -3, all at least 1 away."""
    found = difference([1, 1, 0, 0], [0, 0, 1, 0], ["a", "a", "b", "b"])
    assert (found.mean, found.items, found.stories, found.p) == (0.25, 4, 2, 1.0)
    assert found.error == pytest.approx((2 * (1.5**2 + 1.5**2)) ** 0.5 / 4)


def test_error_and_interval_are_those_of_a_regression() -> None:
    draw = random.Random(9)
    stories = [str(number // 4) for number in range(120)]
    first = [draw.choice((0, 0.2, 0.8, 1)) for _ in stories]
    second = [draw.choice((0, 0.4, 1)) for _ in stories]
    found = difference(first, second, stories)
    fit = sm.OLS(np.array(first) - np.array(second), np.ones(120)).fit(
        cov_type="cluster", cov_kwds={"groups": np.arange(120) // 4}, use_t=True
    )
    assert found.mean == pytest.approx(float(fit.params[0]))
    assert found.error == pytest.approx(float(fit.bse[0]))
    assert (found.low, found.high) == pytest.approx(tuple(fit.conf_int()[0]))


def test_detectable_difference_is_detected_four_times_in_five() -> None:
    """Many normal differences with the true mean at the smallest detectable one; the seed is fixed."""
    draw = random.Random("power")
    stories = [str(number) for number in range(60)]
    detected = 0
    for _ in range(400):
        noise = [round(draw.gauss(0, 0.1), 3) for _ in stories]
        error = 0.1 / 60**0.5
        found = difference([round(0.5 + value + 2.85 * error, 3) for value in noise], [0.5] * 60, stories)
        assert found.low is not None
        assert found.detectable == pytest.approx(2.85 * error, rel=0.35)
        detected += found.low > 0
    assert 0.75 <= detected / 400 <= 0.85


@pytest.mark.parametrize(("second", "mean"), [([0.8, 0.3, 0.9], 0.0), ([0.7, 0.2, 0.8], 0.1)])
def test_a_sample_without_spread_is_not_certain(second: list[float], mean: float) -> None:
    found = difference([0.8, 0.3, 0.9], second, ["a", "b", "c"])
    assert found.mean == pytest.approx(mean)
    assert found.error == pytest.approx(0)
    assert found.low is not None
    assert found.high is not None
    assert found.low < mean - 0.4
    assert found.high > mean + 0.4


def test_stories_that_are_all_alike_are_not_certain() -> None:
    """In each of 30 stories each model solves one item that the other does not."""
    found = difference([1.0, 0.0] * 30, [0.0, 1.0] * 30, [str(number // 2) for number in range(60)])
    assert (found.mean, found.error) == (0, 0)
    assert found.high == pytest.approx(1.959963984540054 * 32**-0.5)


def test_what_is_detected_is_what_the_interval_tells_from_nothing() -> None:
    """Of Student's interval by his quantiles, of Bonett and Price's by those of the normal distribution."""
    stories = [str(number) for number in range(40)]
    some = difference([1.0] * 14 + [0.0] * 26, [0.0] * 40, stories)
    assert some.error is not None
    assert some.detectable == pytest.approx((student.ppf(0.975, 39) + student.ppf(0.8, 39)) * some.error)
    few = difference([1.0] * 2 + [0.0] * 38, [0.0] * 40, stories)
    assert few.low is not None
    assert few.high is not None
    assert few.detectable == pytest.approx((few.high - few.low) / 2 * (1 + 0.8416212335729143 / 1.959963984540054))


def test_no_difference_seen_is_not_certain() -> None:
    """Nothing differs, so each of 8 stories counts as one item: one more for each model, of 10, and 1.96² / 50."""
    found = difference([1.0] * 16, [1.0] * 16, [str(number // 2) for number in range(16)])
    assert (found.mean, found.error) == (0, 0)
    assert (found.low, found.high) == pytest.approx((-0.2771808, 0.2771808))


def test_few_items_that_differ_have_bonett_and_prices_interval() -> None:
    """Of 100 items, each a story of its own, 3 differ: (3 + 1) - 1 of 102, and 5 / 102 less its square."""
    found = difference([1.0] * 50 + [0.0] * 50, [1.0] * 47 + [0.0] * 53, [str(number) for number in range(100)])
    n = 99 + 2  # effective: what G / (G - 1) takes away
    mean = 0.03 * 99 / n
    half = 1.959963984540054 * (((0.03 * 99 + 2) / n - mean**2) / n) ** 0.5
    assert (found.low, found.high) == pytest.approx((mean - half, mean + half))
    assert found.mean == pytest.approx(0.03)


def test_interval_holds_the_difference_where_few_items_differ() -> None:
    """Three of a hundred items are expected to differ; Student's interval would hold the difference in 80 %."""
    draw = random.Random("few differ")
    stories = [str(number) for number in range(100)]
    held = 0
    for _ in range(400):
        first = [float(draw.random() < 0.03) for _ in stories]
        found = difference(first, [0.0] * 100, stories)
        assert found.low is not None
        assert found.high is not None
        held += found.low <= 0.03 <= found.high
    assert held / 400 >= 0.92


def test_interval_lies_between_the_greatest_differences() -> None:
    found = difference([1.0, 1.0, 0.0], [0.0, 0.0, 0.0], ["a", "a", "b"])
    assert found.high == 1


def test_one_story_has_no_interval() -> None:
    found = difference([1.0, 1.0], [0.0, 1.0], ["a", "a"])
    assert (found.error, found.low, found.high, found.detectable) == (None, None, None, None)


def test_no_difference_has_p_one() -> None:
    assert difference([1, 0, 1], [1, 0, 1], ["a", "b", "c"]).p == 1.0


@pytest.mark.parametrize(
    "numerators",
    [
        (3_001, -517, 2_222, 1_019, -64, 901, 4_040),
        # Rounded to the grid, fewer sums are as far from 0 as the one seen.
        (2_461, -2_281, -3_232, -4, -3_768, 3_318, 2_846),
    ],
)
def test_coarse_grid_never_makes_p_smaller(monkeypatch: pytest.MonkeyPatch, numerators: tuple[int, ...]) -> None:
    sums = [Fraction(numerator, 840) for numerator in numerators]
    exact = sign_flip(sums)
    monkeypatch.setattr(differences, "_MAX_GRID", 300)
    assert exact <= sign_flip(sums) <= exact + 0.1


def test_many_stories_on_a_coarse_grid_keep_the_power_of_the_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of 600 steps is rounded to a whole number of about 20; the errors do not all fall on one side."""
    draw = random.Random("coarse 2")
    sizes = [Fraction(1, 2), Fraction(1, 3), Fraction(1, 5), Fraction(1, 7), Fraction(1, 9)]
    sums = [draw.choice(sizes) * draw.choice((1,) * 11 + (-1,) * 9) for _ in range(600)]
    exact = sign_flip(sums)
    assert exact == pytest.approx(0.021091562717)
    monkeypatch.setattr(differences, "_MAX_GRID", 12_000)
    assert exact <= sign_flip(sums) <= 1.5 * exact


@given(st.lists(st.floats(0, 1, width=16), min_size=1, max_size=8))
def test_holm_is_the_closed_test_by_bonferroni(values: list[float]) -> None:
    """An adjusted p is the greatest of Bonferroni's over all sets of hypotheses with its own among them."""
    places = range(len(values))
    sets = [chosen for size in range(1, len(values) + 1) for chosen in combinations(places, size)]
    bonferroni = {chosen: min(1.0, len(chosen) * min(values[place] for place in chosen)) for chosen in sets}
    closed = [max(p for chosen, p in bonferroni.items() if place in chosen) for place in places]
    assert holm(values) == pytest.approx(closed)


def test_holm_of_none() -> None:
    assert holm([]) == []


def test_wrong_arguments() -> None:
    with pytest.raises(ValueError, match="1 and 2 scores"):
        difference([1.0], [1.0, 0.0], ["a"])


def test_no_sample_is_so_large_that_p_is_nothing() -> None:
    """Two of 2 to the power of 2,000 choices of signs, which is below the least number that there is."""
    assert 0 < sign_flip([Fraction(1)] * 2_000) < 1e-300
