"""The test of positions, against every permutation, against Cochran's Q, and by simulation."""

import random

import numpy as np
import pytest
from benchmarks.claims import position_rate
from statsmodels.stats.contingency_tables import StratifiedTable, cochrans_q
from tests.unit.results.by_definition import position_effect

from nlfol_extras.analyses.positions import PositionTest, expected_scores, position_test

Items = list[tuple[int, list[tuple[int, float]]]]


def outcome(items: Items) -> PositionTest | None:
    rows = [(str(place), size, *answer) for place, (size, answers) in enumerate(items) for answer in answers]
    names, sizes, positions, scores = map(list, zip(*rows, strict=True))
    return position_test(names, sizes, positions, scores)


@pytest.mark.parametrize("kind", ["several seeds", "one seed", "one order", "a seed more than places"])
def test_position_test_matches_exhaustive_permutation(kind: str) -> None:
    draw = random.Random(kind)
    items: Items = []
    for _ in range(25):
        size = draw.randint(1, 4)
        places = draw.sample(range(1, size + 1), size)
        seeds = {"several seeds": 3, "one seed": 1, "one order": 3}.get(kind, size + 1)
        shown = [places[0] if kind == "one order" else places[seed % size] for seed in range(seeds)]
        items.append((size, [(position, float(draw.random() < 0.3 + 0.1 * position)) for position in shown]))
    found = outcome(items)
    assert found is not None
    statistic, freedom, p = position_effect(items)
    assert (found.statistic, found.freedom, found.p) == pytest.approx((statistic, freedom, p), rel=1e-9)


def test_position_test_equals_cochran_q_for_complete_designs() -> None:
    draw = random.Random("cochran")
    scores = np.array([[float(draw.random() < 0.2 + 0.2 * place) for place in range(4)] for _ in range(30)])
    found = outcome([(4, [(place + 1, score) for place, score in enumerate(row)]) for row in scores])
    expected = cochrans_q(scores)
    assert found is not None
    assert (found.statistic, found.p) == pytest.approx((expected.statistic, expected.pvalue))


def test_position_test_equals_mantel_haenszel_for_pairs_asked_once() -> None:
    """But for n - 1 of n items: there positions are drawn without replacement, here each for itself."""
    draw = random.Random("mantel")
    items: Items = [(2, [(draw.randint(1, 2), float(draw.random() < 0.4))]) for _ in range(400)]
    found = outcome(items)
    table = np.zeros((2, 2))
    for _, ((position, score),) in items:
        table[position - 1, int(score)] += 1
    expected = StratifiedTable([table]).test_null_odds()
    assert found is not None
    assert found.statistic == pytest.approx(expected.statistic, rel=0.02)


def test_position_test_controls_for_set_size() -> None:
    """Later positions are never right, as they occur in larger sets; within sizes nothing differs."""
    small: Items = [(2, [(1, 1.0), (2, 1.0)])] * 10
    large: Items = [(4, [(place, float(number == place)) for place in (1, 2, 3, 4)]) for number in (1, 2, 3, 4) * 5]
    found = outcome([*small, *large])
    assert found is not None
    assert found.p == pytest.approx(1)
    # By position: 15 of 30, 15 of 30, 5 of 20, 5 of 20 are right.
    assert expected_scores([2, 4, 4], [1.0, 0.0, 1.0]).tolist() == [1.0, 0.5, 0.5]


def test_position_test_detects_first_position_bias() -> None:
    found = outcome([(4, [(1 + number % 4, float(number % 4 == 0))]) for number in range(24)])
    assert found is not None
    assert found.p < 1e-4


def test_position_test_is_none_without_variation() -> None:
    assert position_test([], [], [], []) is None
    assert outcome([(2, [(1, 1.0), (2, 1.0)])]) is None
    assert outcome([(1, [(1, 1.0)]), (1, [(1, 0.0)])]) is None


def test_position_outside_set_raises_error() -> None:
    with pytest.raises(ValueError, match="a position lies outside its set"):
        position_test(["a"], [2], [3], [1.0])


@pytest.mark.parametrize(("seeds", "one_order"), [(5, False), (1, False), (5, True)])
def test_position_test_keeps_type_i_error_rate(seeds: int, *, one_order: bool) -> None:
    """A tenth of the benchmark; the draws are fixed, so this cannot fail by chance."""
    assert position_rate(0.3, 0.3, 200, seeds=seeds, one_order=one_order) <= 0.06
