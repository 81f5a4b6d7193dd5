"""Agreement of two series of answers."""

import pytest
from statsmodels.stats.inter_rater import cohens_kappa

from nlfol.results.statistics.agreement import agreement


def test_agreement_counts_four_cases_and_kappa() -> None:
    first = [1.0] * 6 + [1.0] * 2 + [0.0] * 1 + [0.0] * 3
    second = [1.0] * 6 + [0.0] * 2 + [1.0] * 1 + [0.0] * 3
    found = agreement(first, second)
    shares = (found["both"], found["first_only"], found["second_only"], found["neither"])
    assert shares == pytest.approx((6 / 12, 2 / 12, 1 / 12, 3 / 12))
    assert found["kappa"] == pytest.approx(float(cohens_kappa([[6, 2], [1, 3]])["kappa"]))


def test_agreement_splits_random_ties() -> None:
    found = agreement([0.5, 1.0], [0.5, 1.0])
    assert (found["both"], found["first_only"], found["second_only"], found["neither"]) == (0.625, 0.125, 0.125, 0.125)


def test_constant_agreement_lacks_kappa() -> None:
    assert agreement([1.0, 1.0], [1.0, 1.0])["kappa"] is None


@pytest.mark.parametrize(("first", "second"), [([], []), ([1.0], [])])
def test_agreement_rejects_mismatched_lengths(first: list[float], second: list[float]) -> None:
    with pytest.raises(ValueError, match="scores; both must have the same length"):
        agreement(first, second)
