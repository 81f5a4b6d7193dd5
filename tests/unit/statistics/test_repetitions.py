"""pass@k, pass^k and consistency."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlfol.analyses.seeds import repetitions


def test_by_hand() -> None:
    """Three items under two seeds: right twice, once, never."""
    found = repetitions([2, 1, 0], 2)
    assert found.any_right == pytest.approx((0.5, 2 / 3))
    assert found.all_right == pytest.approx((0.5, 1 / 3))
    assert found.consistent == pytest.approx(2 / 3)


@given(st.integers(1, 6).flatmap(lambda n: st.tuples(st.just(n), st.lists(st.integers(0, n), min_size=1, max_size=5))))
def test_is_the_mean_over_all_choices_of_seeds(asked: tuple[int, list[int]]) -> None:
    seeds, counts = asked
    found = repetitions(counts, seeds)
    for k in range(1, seeds + 1):
        chosen = [[[place < count for place in places] for places in combinations(range(seeds), k)] for count in counts]
        choices = [choice for item in chosen for choice in item]
        assert found.any_right[k - 1] == pytest.approx(sum(map(any, choices)) / len(choices))
        assert found.all_right[k - 1] == pytest.approx(sum(map(all, choices)) / len(choices))


@pytest.mark.parametrize(("counts", "seeds"), [([], 2), ([3], 2), ([-1], 2), ([0], 0)])
def test_wrong_arguments(counts: list[int], seeds: int) -> None:
    with pytest.raises(ValueError, match="counts of right answers"):
        repetitions(counts, seeds)
