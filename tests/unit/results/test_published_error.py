"""Agreement of published figures with ours, against statsmodels."""

import pytest
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

from nlfol.results.statistics.published_error import WIDEST, agreement, decimals, wilson


@pytest.mark.parametrize(("right", "items"), [(0, 20), (37, 159), (1565, 1565)])
def test_wilson_interval_matches_statsmodels(right: int, items: int) -> None:
    assert wilson(right / items, items) == pytest.approx(proportion_confint(right, items, method="wilson"))


@pytest.mark.parametrize("ours", [60, 70, 78, 80, 82, 95])
def test_two_share_agreement_matches_newcombe_interval(ours: int) -> None:
    low, high = confint_proportions_2indep(ours, 100, 140, 200, method="newcomb", compare="diff")
    found = agreement((ours / 100, *wilson(ours / 100, 100)), 0.7, 200, digits=9)
    assert found == ("cannot tell" if low <= 0 <= high else "no")


def test_agreement_without_item_count_uses_own_interval() -> None:
    assert agreement((0.5, 0.46, 0.54), 0.54, None, digits=9) == "yes"
    assert agreement((0.5, 0.46, 0.54), 0.56, None, digits=9) == "no"
    assert agreement((0.5, 0.46, 0.54), 0.56, 50, digits=9) == "cannot tell"


def test_agreement_allows_for_rounding() -> None:
    """A printed 0.61 is anything from 0.605 on."""
    assert agreement((0.56, 0.52, 0.606), 0.61, None, digits=2) == "yes"
    assert agreement((0.56, 0.52, 0.604), 0.61, None, digits=2) == "no"


def test_agreement_is_undecided_for_wide_intervals() -> None:
    """For five items with .8 right, the interval holds most of what may be published."""
    assert agreement((0.8, *wilson(0.8, 5)), 0.47, None, digits=2) == "cannot tell"
    assert agreement((0.0, 0.0, 0.43), 0.52, None, digits=2) == "no"
    half = 0.49 * WIDEST
    assert agreement((0.8, 0.8 - half, 0.8 + half), 0.8, None, digits=2) == "yes"


def test_agreement_scales_width_to_metric_range() -> None:
    assert agreement((80, 76, 84), 79, None, digits=0, metric="accuracy_percent") == "yes"
    assert agreement((80, 74, 86), 79, None, digits=0, metric="accuracy_percent") == "cannot tell"


@pytest.mark.parametrize(("value", "digits"), [(0.25, 2), (3.0, 0), (10000.0, 0), (48.83, 2), (0.0, 0), (0.001, 3)])
def test_decimals_counts_digits_after_point(value: float, digits: int) -> None:
    assert decimals(value) == digits
