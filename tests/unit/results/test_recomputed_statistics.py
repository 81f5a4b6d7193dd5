"""The statistics of ``benchmarks/recomputed_tables.py``, which know nothing of nlfol, against those of nlfol."""

import random

import pytest
from benchmarks import recomputed_statistics as recomputed

from nlfol.results.statistics.above_chance import above_chance, above_difference
from nlfol.results.statistics.clusters import rate, ratio
from nlfol.results.statistics.differences import difference

SIZES = (1, 1, 2, 3, 5, 8)
STORIES = [f"story {place}" for place, size in enumerate(SIZES) for _ in range(size)]


@pytest.fixture(params=range(5))
def draw(request: pytest.FixtureRequest) -> random.Random:
    return random.Random(request.param)


def scores(draw: random.Random, *values: float) -> list[float]:
    return [draw.choice(values) for _ in STORIES]


@pytest.mark.parametrize("is_rate", [False, True])
def test_recomputed_ratios_and_rates_match_library(draw: random.Random, *, is_rate: bool) -> None:
    wholes = scores(draw, 1, 2, 4)
    parts = [draw.choice([0, whole / 2, whole]) for whole in wholes]
    ours = (rate if is_rate else ratio)(parts, wholes, STORIES)
    found = recomputed.ratio(parts, wholes, STORIES, is_rate=is_rate)
    assert found is not None
    assert (found.value, *found.ends) == pytest.approx((ours.mean, ours.low, ours.high), rel=1e-9)


def test_recomputed_differences_match_library(draw: random.Random) -> None:
    first, second = scores(draw, 0, 0.5, 1), scores(draw, 0, 1, 1)
    ours, found = difference(first, second, STORIES), recomputed.difference(first, second, STORIES)
    expected = {
        "value": ours.mean,
        **{name: getattr(ours, name) for name in ("low", "high", "p", "detectable", "freedom")},
    }
    assert found == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize("stories", [26, 60])
@pytest.mark.parametrize("apart", [0.0, 0.3, 0.9])
def test_recomputed_flips_match_library(stories: int, apart: float) -> None:
    draw = random.Random(f"{stories} {apart}")
    names = [str(draw.randrange(stories)) for _ in range(4 * stories)] + [*map(str, range(stories))]
    first = [float(draw.random() < 0.5 + apart / 2) for _ in names]
    second = [draw.choice((0, 1 / 3, 2 / 3)) if draw.random() > apart else 0.0 for _ in names]
    ours, found = difference(first, second, names), recomputed.difference(first, second, names)
    assert (found["low"], found["high"], found["p"]) == pytest.approx((ours.low, ours.high, ours.p), rel=1e-8)


def test_recomputed_scores_above_chance_match_library(draw: random.Random) -> None:
    first, second = ((scores(draw, 0, 1), scores(draw, 0.25, 0.5)) for _ in range(2))
    ours = above_chance(*first, STORIES)
    one, other = (recomputed.above(*side, STORIES) for side in (first, second))
    assert ours is not None
    assert one is not None
    assert other is not None
    assert (one.value, *one.ends) == pytest.approx((ours.mean, ours.low, ours.high), rel=1e-9)
    apart = above_difference(first, second, STORIES)
    assert apart is not None
    together = recomputed.correlation(one.of_score, other.of_score)
    bounds = recomputed.newcombe((one.value, one.bounds), (other.value, other.bounds), together)
    assert (*bounds(recomputed.TAIL), recomputed.p_value(bounds)) == pytest.approx(
        (apart.low, apart.high, apart.p), rel=1e-8
    )
