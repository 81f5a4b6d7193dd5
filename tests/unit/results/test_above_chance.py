"""Scores above chance, by definition and by simulation."""

import random

import pytest
from benchmarks.claims import above_rates
from tests.unit.results.by_definition import above, halved

from nlfol.results.statistics.above_chance import above_chance
from nlfol.results.statistics.clusters import clustered_mean

STORIES = [str(number // 4) for number in range(48)]


def nested(values: list[float]) -> list[list[float]]:
    return [values[start : start + 4] for start in range(0, len(values), 4)]


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9, 1.0])
def test_above_chance_interval_and_p_match_definition(share: float) -> None:
    draw = random.Random(share)
    chances = [1 / draw.randint(2, 9) for _ in STORIES]
    scores = [
        sum(draw.random() < share + (1 - share) * chance for _ in range(3)) / 3 if share < 1 else 1.0
        for chance in chances
    ]
    found = above_chance(scores, chances, STORIES)
    assert found is not None
    expected = above(nested(scores), nested(chances))
    assert (found.mean, found.low, found.high) == pytest.approx(expected, rel=1e-9)
    p = halved(lambda tail: above(nested(scores), nested(chances), tail))
    assert found.p == pytest.approx(p, rel=1e-6, abs=1e-11)
    assert (found.items, found.stories) == (48, 12)


def test_above_chance_with_constant_chance_rescales_mean() -> None:
    scores = [float(number % 3 == 0) for number in range(48)]
    found, raw = above_chance(scores, [0.25] * 48, STORIES), clustered_mean(scores, STORIES)
    assert found is not None
    assert raw.low is not None
    assert raw.high is not None
    expected = [(value - 0.25) / 0.75 for value in (raw.mean, raw.low, raw.high)]
    assert [found.mean, found.low, found.high] == pytest.approx(expected)


def test_above_chance_accounts_for_item_sizes() -> None:
    """A guesser's scores vary less about the chance of each item than about their mean."""
    chances = [0.9, 0.9, 0.1, 0.1] * 12
    draw = random.Random("sizes")
    scores = [float(draw.random() < chance) for chance in chances]
    alone = [str(number) for number in range(48)]
    found, raw = above_chance(scores, chances, alone), clustered_mean(scores, alone)
    assert found is not None
    assert None not in (found.low, found.high, raw.low, raw.high)
    assert (found.high - found.low) / 2 < 0.8 * (raw.high - raw.low)  # type: ignore[operator]


def test_above_chance_is_undefined_at_certain_chance() -> None:
    assert above_chance([1.0, 0.0], [0.0, 0.0], ["a", "b"]) is None
    assert above_chance([1.0, 1.0], [1.0, 1.0], ["a", "b"]) is None


def test_above_chance_with_single_story_lacks_interval() -> None:
    found = above_chance([1.0, 0.0], [0.25, 0.25], ["a", "a"])
    assert found is not None
    assert (found.mean, found.low, found.high, found.p) == (1 / 3, None, None, 1.0)


def test_above_chance_at_exact_chance_has_p_1() -> None:
    found = above_chance([1.0, 0.0], [0.75, 0.25], ["a", "b"])
    assert found is not None
    assert (found.mean, found.p) == (0.0, 1.0)


def test_above_chance_rejects_mismatched_lengths() -> None:
    with pytest.raises(ValueError, match="1 scores and 2 chances of items in 1 stories"):
        above_chance([1.0], [0.5, 0.5], ["a"])


@pytest.mark.parametrize("share", [0.0, 0.3, 0.9])
def test_above_chance_keeps_coverage_and_type_i_error(share: float) -> None:
    """A tenth of the benchmark; the draws are fixed, so this cannot fail by chance."""
    found = above_rates(share, 0.1, samples=200)
    assert found.coverage >= 0.92
    assert found.disagree == 0
    if share == 0:
        assert found.rejected <= 0.06
