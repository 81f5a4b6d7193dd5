"""Paired comparisons, by definition, against statsmodels and by simulation."""

import random
from itertools import combinations

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import mcnemar
from tests.unit.results.by_definition import p_value, paired

from nlfol.results.statistics.clusters import clustered_mean
from nlfol.results.statistics.differences import difference, difference_of_differences, holm, quotient
from nlfol.results.statistics.flips import flip_test, flipped

scores = st.sampled_from([0.0, 0.2, 0.5, 1.0])


@settings(max_examples=40)
@given(st.lists(st.lists(st.tuples(scores, scores), min_size=1, max_size=6), min_size=5, max_size=8))
def test_paired_interval_and_p_match_definition(stories: list[list[tuple[float, float]]]) -> None:
    first, second = ([[pair[side] for pair in story] for story in stories] for side in (0, 1))
    names = [str(place) for place, story in enumerate(stories) for _ in story]
    found = difference([x for story in first for x in story], [x for story in second for x in story], names)
    assert (found.low, found.high) == pytest.approx(paired(first, second), abs=1e-9)
    if found.mean:
        assert found.p == pytest.approx(p_value(first, second), abs=1e-6)
    assert found.low is not None
    assert found.high is not None
    assert (found.p < 0.05) == (not found.low <= 0 <= found.high)


def test_paired_difference_is_antisymmetric() -> None:
    draw = random.Random("sides")
    stories = [str(number // 4) for number in range(80)]
    first, second = ([draw.choice((0, 0.5, 1)) for _ in stories] for _ in range(2))
    one, other = difference(first, second, stories), difference(second, first, stories)
    assert one.low is not None
    assert one.high is not None
    assert (other.mean, other.low, other.high) == pytest.approx((-one.mean, -one.high, -one.low))
    assert one.p == pytest.approx(other.p)


def test_single_item_stories_match_mcnemar() -> None:
    first = [1.0] * 40 + [1.0] * 15 + [0.0] * 4 + [0.0] * 20
    second = [1.0] * 40 + [0.0] * 15 + [1.0] * 4 + [0.0] * 20
    found = difference(first, second, [str(number) for number in range(79)])
    exact = float(mcnemar([[40, 15], [4, 20]], exact=True).pvalue)
    assert found.p == pytest.approx(exact, abs=0.005)


@pytest.mark.parametrize("stories", [20, 40])
def test_flip_interval_holds_unrejected_differences(stories: int) -> None:
    """Ends are where the share of flips with a total at least as far from 0 passes 0.05; here, of no skew."""
    draw = np.random.default_rng(stories)
    half = draw.normal(0.5, 2, stories // 2).round()
    sums, sizes = np.concatenate([half, 1 - half]), np.full(stories, 8.0)
    signs = 1 - 2 * flipped(stories)

    def rejected(value: float) -> float:
        apart = sums - value * sizes
        return float(np.mean(np.abs(signs @ apart) >= abs(apart.sum()) - 1e-9))

    low, high, p = flip_test(sums, sizes)
    assert p == rejected(0)
    for end, out in ((low, -1e-6), (high, 1e-6)):
        assert rejected(end + out) < 0.05 <= rejected(end - out)


def test_skewed_stories_extend_interval_towards_their_tail() -> None:
    sizes = np.full(30, 8.0)
    tail = np.array([6.0, 5.0, 4.0] + [0.0] * 27)
    spread = np.array([3.0, -3.0, 2.0, -2.0] * 7 + [0.0] * 2) + tail.mean()
    (low, high, _), (other_low, other_high, _) = (flip_test(sums, sizes) for sums in (tail, spread))
    assert (high - tail.mean() / 8) / (tail.mean() / 8 - low) > 2
    assert (other_high - tail.mean() / 8) / (tail.mean() / 8 - other_low) == pytest.approx(1, abs=0.15)


def test_flips_take_every_way_of_few_stories() -> None:
    """Eight stories are flipped in all 256 ways, equally often, and any two independently."""
    ways, counts = np.unique(flipped(26)[:, :8], axis=0, return_counts=True)
    assert (len(ways), set(counts)) == (256, {16})
    np.testing.assert_array_equal((1 - 2 * flipped(200)).T @ (1 - 2 * flipped(200)), 4096 * np.eye(200))


def test_rare_story_difference_stays_insignificant() -> None:
    """One right answer in each of six stories against none, and all of a story's eight: no sign of another mean."""
    stories = [str(number // 8) for number in range(168)]
    scattered = [float(number % 8 == 0 and number < 48) for number in range(168)]
    together = [float(number < 8) for number in range(168)]
    assert difference(scattered, together, stories).p > 0.5
    # As the exact sign test of six stories.
    assert difference(scattered, [0.0] * 168, stories).p == 2 * 0.5**6


def test_paired_difference_matches_worked_example() -> None:
    """d = (1, 1, -1, 0, 0, 0, 0, 0, 0, 0), mean 1/10."""
    found = difference([1, 1, *[0] * 8], [0, 0, 1, *[0] * 7], list("aabbccddee"))
    assert (found.mean, found.items, found.stories) == (0.1, 10, 5)
    assert found.error == pytest.approx((5 / 4 * (1.8**2 + 1.2**2 + 3 * 0.2**2)) ** 0.5 / 10)


def test_paired_error_matches_regression() -> None:
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
    # Newcombe's interval is nearly the regression's, away from 0 and 1.
    assert (found.low, found.high) == pytest.approx(tuple(fit.conf_int()[0]), abs=0.015)


def test_detectable_difference_has_80_percent_power() -> None:
    """Half and a little more right, 300 items for themselves: (t at 0.975 + t at 0.8) times the root of 0.5 / 300."""
    draw = random.Random("power")
    stories = [str(number // 5) for number in range(300)]
    apart = 2.85 * (0.5 / 300) ** 0.5
    detected = 0
    for _ in range(300):
        first, second = ([float(draw.random() < 0.5 + more) for _ in stories] for more in (apart / 2, -apart / 2))
        found = difference(first, second, stories)
        assert found.detectable == pytest.approx(apart, rel=0.35)
        detected += found.p < 0.05
    assert 0.74 <= detected / 300 <= 0.86


@pytest.mark.parametrize(("first", "second"), [([0.8, 0.3, 0.9] * 4, [0.8, 0.3, 0.9] * 4), ([1.0] * 60, [1.0] * 60)])
def test_zero_difference_keeps_nonzero_interval(first: list[float], second: list[float]) -> None:
    found = difference(first, second, [str(number // 2) for number in range(len(first))])
    assert (found.mean, found.error, found.p) == (0, 0, 1)
    assert found.low is not None
    assert found.high is not None
    assert found.low < -1 / len(first)
    assert found.high > 1 / len(first)


def test_paired_interval_keeps_coverage_when_few_items_differ() -> None:
    """Three of a hundred items are expected to differ; Student's interval would hold the difference in 80 %."""
    draw = random.Random("few differ")
    stories = [str(number) for number in range(100)]
    second = [float(number % 2) for number in range(100)]
    held = 0
    for _ in range(400):
        first = [float(draw.random() < 0.06) if score == 0 else score for score in second]
        found = difference(first, second, stories)
        assert found.low is not None
        assert found.high is not None
        held += found.low <= 0.03 <= found.high
    assert held / 400 >= 0.92


def test_paired_interval_stays_within_bounds() -> None:
    found = difference([1.0] * 5, [0.0] * 5, list("abcde"))
    assert found.low is not None
    assert (found.low > 0, found.high) == (True, 1)


def test_four_stories_lack_paired_interval() -> None:
    found = difference([1.0] * 4, [0.0, 1.0, 0.0, 0.0], list("abcd"))
    assert (found.error, found.low, found.high, found.detectable, found.p) == (None, None, None, None, 1)


def test_sparse_difference_has_finite_error() -> None:
    """A difference is no share: what is said of shares divides by nothing here."""
    first, second = [0.0] * 18, [1.0] * 3 + [0.0] * 15
    found = difference(first, second, [str(number % 6) for number in range(18)])
    assert found.mean == pytest.approx(-1 / 6)
    assert found.error is not None


def test_equal_scores_have_p_1() -> None:
    assert difference([1, 0, 1], [1, 0, 1], ["a", "b", "c"]).p == 1.0


@given(st.lists(st.floats(0, 1, width=16), min_size=1, max_size=8))
def test_holm_matches_closed_bonferroni_test(values: list[float]) -> None:
    """An adjusted p is the greatest of Bonferroni's over all sets of hypotheses with its own among them."""
    places = range(len(values))
    sets = [chosen for size in range(1, len(values) + 1) for chosen in combinations(places, size)]
    bonferroni = {chosen: min(1.0, len(chosen) * min(values[place] for place in chosen)) for chosen in sets}
    closed = [max(p for chosen, p in bonferroni.items() if place in chosen) for place in places]
    assert holm(values) == pytest.approx(closed)


def test_holm_accepts_empty_list() -> None:
    assert holm([]) == []


def test_paired_difference_rejects_mismatched_lengths() -> None:
    with pytest.raises(ValueError, match="1 and 2 scores"):
        difference([1.0], [1.0, 0.0], ["a"])


def test_large_sample_p_stays_positive() -> None:
    stories = [str(number) for number in range(2_000)]
    assert 0 < difference([1.0] * 2_000, [0.0] * 2_000, stories).p < 1e-9


four = st.tuples(scores, scores, scores, scores)


@settings(max_examples=40)
@given(st.lists(st.lists(four, min_size=1, max_size=6), min_size=5, max_size=8))
def test_contrast_intervals_contain_estimate_and_keep_width(
    stories: list[list[tuple[float, float, float, float]]],
) -> None:
    names = [str(place) for place, story in enumerate(stories) for _ in story]
    a, b, c, d = ([float(each[side]) for story in stories for each in story] for side in range(4))
    mean, low, high = difference_of_differences((a, b), (c, d), names)
    assert mean == pytest.approx(np.mean(a) - np.mean(b) - np.mean(c) + np.mean(d), abs=1e-12)
    assert low is not None
    assert high is not None
    assert -2 <= low <= mean <= high <= 2
    assert high - low > 0.01
    nothing = [0.0] * len(a)
    found = difference(a, b, names)
    assert difference_of_differences((a, b), (nothing, nothing), names)[0] == pytest.approx(found.mean, abs=1e-12)
    if sum(b):
        ratio, least, most = quotient(a, b, names)
        assert least is not None
        assert most is not None
        assert least <= ratio <= most
        assert most - least > 0.01
        # Each end is the quotient at which the difference to b's multiple has 0 as its end.
        one, other = (clustered_mean(each, names) for each in (a, b))
        assert one.low is not None
        assert other.low is not None
        assert (least == 0) == (one.low == 0)
        assert (most == float("inf")) == (other.low == 0)


def test_quotient_with_constant_denominator_scales_interval() -> None:
    """If the denominator is certain to be alike, the interval is that of the numerator over it."""
    names = [str(number) for number in range(40)]
    scores = [1.0] * 30 + [0.0] * 10
    value, low, high = quotient(scores, [1.0] * 40, names)
    one, other = clustered_mean(scores, names), clustered_mean([1.0] * 40, names)
    assert other.low is not None
    assert value == 0.75
    assert low == pytest.approx(one.low)
    assert high is not None
    assert one.high is not None
    assert one.high < high < one.high / other.low


@pytest.mark.parametrize("mean", [0.02, 0.5, 0.95])
@pytest.mark.parametrize("correlated", [True, False])
def test_contrast_intervals_keep_coverage(mean: float, correlated: bool) -> None:
    """24 items in eight stories; four means that are equal, so that the difference is 0 and the quotient 1."""
    draw = np.random.default_rng([int(100 * mean), correlated])
    names = [str(number // 3) for number in range(24)]
    held, quotients = [], []
    for _ in range(200):
        level = draw.random(24) if correlated else draw.random((4, 24))
        again = draw.random((4, 24)) < 0.3
        a, b, c, d = (np.where(again, draw.random((4, 24)), level) < mean).astype(float).tolist()
        _, low, high = difference_of_differences((a, b), (c, d), names)
        assert low is not None
        assert high is not None
        held.append(low <= 0 <= high)
        if sum(b):
            _, low, high = quotient(a, b, names)
            assert low is not None
            assert high is not None
            quotients.append(low <= 1 <= high)
    assert np.mean(held) >= 0.93
    assert np.mean(quotients) >= 0.93
