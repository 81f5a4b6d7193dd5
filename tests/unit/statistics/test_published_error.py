"""Whether published figures agree with ours, against statsmodels."""

import pytest
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

from nlfol.statistics.published_error import agrees, decimals, wilson


@pytest.mark.parametrize(("right", "items"), [(0, 20), (37, 159), (1565, 1565)])
def test_wilson(right: int, items: int) -> None:
    assert wilson(right / items, items) == pytest.approx(proportion_confint(right, items, method="wilson"))


@pytest.mark.parametrize("ours", [60, 70, 78, 80, 82, 95])
def test_two_shares_agree_where_newcombes_interval_holds_0(ours: int) -> None:
    low, high = confint_proportions_2indep(ours, 100, 140, 200, method="newcomb", compare="diff")
    found = agrees((ours / 100, *wilson(ours / 100, 100)), 0.7, 200, digits=9)
    assert found == (low <= 0 <= high)


def test_without_a_number_of_items_our_interval_decides() -> None:
    assert agrees((0.5, 0.4, 0.6), 0.6, None, digits=9)
    assert not agrees((0.5, 0.4, 0.6), 0.61, None, digits=9)
    assert agrees((0.5, 0.4, 0.6), 0.61, 50, digits=9)


def test_what_is_rounded_away_is_no_difference() -> None:
    """As printed, 0.61 is anything from 0.605 on."""
    assert agrees((0.5, 0.4, 0.606), 0.61, None, digits=2)
    assert not agrees((0.5, 0.4, 0.604), 0.61, None, digits=2)


@pytest.mark.parametrize(("value", "digits"), [(0.25, 2), (3.0, 0), (10000.0, 0), (48.83, 2), (0.0, 0), (0.001, 3)])
def test_digits(value: float, digits: int) -> None:
    assert decimals(value) == digits
