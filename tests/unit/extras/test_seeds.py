"""Repetition over seeds, against all choices of answers."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlfol_extras.analyses.seeds import repetitions


@given(st.integers(1, 6).flatmap(lambda n: st.tuples(st.just(n), st.lists(st.integers(0, n), min_size=1, max_size=5))))
def test_repetition_scores_average_over_seed_choices(asked: tuple[int, list[int]]) -> None:
    seeds, counts = asked
    found = repetitions(counts, seeds)
    assert found["consistent"] == pytest.approx(sum(count in (0, seeds) for count in counts) / len(counts))
    for k in range(1, seeds + 1):
        chosen = [[[place < count for place in places] for places in combinations(range(seeds), k)] for count in counts]
        choices = [choice for item in chosen for choice in item]
        assert found["any_right"][k - 1] == pytest.approx(sum(map(any, choices)) / len(choices))
        assert found["all_right"][k - 1] == pytest.approx(sum(map(all, choices)) / len(choices))


@pytest.mark.parametrize(("counts", "seeds"), [([], 2), ([3], 2), ([-1], 2), ([0], 0)])
def test_repetitions_reject_invalid_counts(counts: list[int], seeds: int) -> None:
    with pytest.raises(ValueError, match="counts of right answers"):
        repetitions(counts, seeds)
