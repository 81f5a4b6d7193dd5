"""Repetition over seeds; variance by item, order and sampling, against quadratic forms and by simulation."""

from collections.abc import Sequence
from itertools import combinations
from statistics import fmean

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.results.by_definition import components, products

from nlfol.results.statistics.summary import Origin
from nlfol_extras.analyses.seeds import Item, repetitions, variance_rows, variances

Answers = Sequence[tuple[int | None, float]]


def items_of(answers: Sequence[Answers]) -> list[Item]:
    return [Item([score for _, score in one], [position for position, _ in one]) for one in answers]


def drawn(seed: int, count: int, seeds: int, sizes: Sequence[int]) -> list[Answers]:
    """Scores with the variances 4 of items, 1 of order, 2.25 of sampling; gold formulas go from place to place."""
    draw = np.random.default_rng(seed)
    found: list[Answers] = []
    for _ in range(count):
        level, size = draw.normal(0, 2), int(draw.choice(sizes))
        at = draw.normal(0, 1, size)
        found.append([(s % size + 1, float(level + at[s % size] + draw.normal(0, 1.5))) for s in range(seeds)])
    return found


@pytest.mark.parametrize("seed", range(3))
def test_variance_components_match_definition(seed: int) -> None:
    answers = drawn(seed, 40, 5, (2, 3, 4))
    found = variances(items_of(answers))
    item, order, sampling = products(answers)
    assert min(item, order, sampling) > 0
    assert (found.item, found.order, found.sampling) == pytest.approx((item, order, sampling))
    assert found.within == pytest.approx(order + sampling)
    assert found.repeated == 40


def test_variance_components_equal_anova_for_balanced_designs() -> None:
    answers = drawn(7, 30, 6, (3,))
    found = variances(items_of(answers))
    assert (found.order, found.sampling) == pytest.approx(components(answers))


def test_variance_estimators_recover_known_components() -> None:
    """Over 20 samples of 400 items, most of whose sets are too large for 5 seeds to come back to a place."""
    found = [variances(items_of(drawn(seed, 400, 5, range(2, 9)))) for seed in range(20)]
    assert fmean(one.item for one in found) == pytest.approx(4, rel=0.05)
    assert fmean(one.within for one in found) == pytest.approx(3.25, rel=0.05)
    assert fmean(one.order or 0 for one in found) == pytest.approx(1, rel=0.15)
    assert fmean(one.sampling or 0 for one in found) == pytest.approx(2.25, rel=0.1)
    assert {0 < one.repeated < 400 for one in found} == {True}


def test_variance_components_match_worked_example() -> None:
    """Means 1/2, 1/2, 1 and 0; within items 1/2, 1/2, 0 and 0. Between: 1/6 less 1/4 over 2."""
    found = variances(
        items_of([[(1, 1.0), (2, 0.0)], [(1, 0.0), (2, 1.0)], [(1, 1.0), (2, 1.0)], [(2, 0.0), (1, 0.0)]])
    )
    assert (found.item, found.within) == pytest.approx((1 / 6 - 1 / 8, 1 / 4))
    assert (found.order, found.sampling, found.repeated) == (None, None, 0)


def test_constant_order_variance_is_all_sampling() -> None:
    answers: list[Answers] = [[(3, 1.0), (3, 0.0)], [(1, 1.0), (1, 1.0)]]
    for ordered in (answers, [[(None, score) for _, score in one] for one in answers]):
        found = variances(items_of(ordered))
        assert (found.order, found.sampling, found.within, found.repeated) == (None, 1 / 4, 1 / 4, 0)


def test_variances_reject_too_few_items_or_unequal_lengths() -> None:
    with pytest.raises(ValueError, match="1 items"):
        variances([Item([1.0, 0.0], [1, 2])])
    with pytest.raises(ValueError, match="2 items"):
        variances([Item([1.0, 0.0], [1, 2]), Item([1.0], [1])])


def test_variance_rows_include_only_chat_models_with_multiple_seeds() -> None:
    def loaded(kind: str, seeds: Sequence[int | None]) -> tuple[Origin, pl.DataFrame]:
        rows = [
            {"item": item, "presentation": "", "seed": seed, "metric": metric, "position": 1, "score": score}
            for seed in seeds
            for item, score in (("a", 1.0), ("b", float(seed == 3)))
            for metric in ("accuracy",)
        ]
        return Origin("toy", "k", "most_similar", "audited", kind, kind, 9), pl.DataFrame(rows)

    found = variance_rows([loaded("chat", (3, 12)), loaded("chat", (3,)), loaded("embedding", (None,))])
    (row,) = found
    assert (row["model"], row["items"], row["available"], row["seeds"]) == ("chat", 2, 9, 2)
    # Means 1 and 1/2: 1/8 less 1/4 over 2 is nothing; within 0 and 1/2.
    assert (row["variance"], row["item"], row["within"], row["sampling"]) == (1 / 4, 0, 1, 1)


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
