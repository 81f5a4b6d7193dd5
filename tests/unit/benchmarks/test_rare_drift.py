"""A tenth of what ``benchmarks/rare_drift.py`` measures: coverage and width of the interval of rare drift."""

import pytest
from benchmarks.rare_drift import VARIES, coverage


@pytest.mark.parametrize("varies", VARIES)
def test_interval_of_rare_drift_holds_truth_and_is_narrow(varies: str) -> None:
    ours, bootstrap = coverage(varies, 0.035, 100)
    # The standard error of a coverage of .95 is .022 here.
    assert ours.held >= 0.88
    assert ours.held >= bootstrap.held
    assert ours.width < 0.045
