"""Ranks of models, by definition, at their edges and by simulation."""

from typing import Any

import numpy as np
import polars as pl
import pytest
from benchmarks.ranks import shown
from tests.unit.results.test_pairing import arm

from nlfol.results.analyses.comparisons import ranked
from nlfol.results.statistics.clusters import student_quantile
from nlfol.results.statistics.flips import flipped
from nlfol.results.statistics.ranks import ranks
from nlfol.results.statistics.summary import Series

NAMES = [f"{number // 4:02}" for number in range(120)]


def places(scores: Any, names: list[str] = NAMES) -> list[tuple[int, int, bool]]:
    return [(rank.first, rank.last, rank.is_possibly_best) for rank in ranks(np.asarray(scores, float).T, names)]


def test_ranks_match_definition() -> None:
    """Model by model, of 30 stories of four items."""
    draw = np.random.default_rng(3)
    scores = np.array([draw.random(120) < level for level in (0.62, 0.64, 0.6, 0.45, 0.2)], dtype=float)
    sums = scores.reshape(5, 30, 4).sum(axis=2)
    left = (sums - sums.mean(axis=1, keepdims=True)) * (30 / 29) ** 0.5
    signs, wider = 1 - 2 * flipped(30), student_quantile(30) / 1.959963984540054
    error = np.array([[(np.square(a - b).sum() + 2) ** 0.5 for a in left] for b in left])
    ahead = np.array([[(a - b).sum() for a in sums] for b in sums]) / error
    spread = np.array([[np.square(a - b).sum() ** 0.5 or np.inf for a in left] for b in left])
    drawn = np.array([[signs @ (a - b) for a in left] for b in left]) / spread[:, :, None]
    most = wider * np.quantile(drawn.max(axis=(0, 1)), 0.95)
    possible = [ahead[m].max() <= wider * np.quantile(drawn[m].max(axis=0), 0.95) for m in range(5)]
    assert 1 < sum(possible) < 4
    first = [1 + int((ahead[m] > most).sum()) for m in range(5)]
    last = [5 - int((ahead[:, m] > most).sum()) for m in range(5)]
    expected = [(max(first[m], 1 if possible[m] else 2), last[m], bool(possible[m])) for m in range(5)]
    assert places(scores) == expected


def test_only_possibly_best_model_has_first_rank() -> None:
    draw = np.random.default_rng(1)
    levels = (0.9, 0.3, 0.3)
    assert places([draw.random(120) < level for level in levels]) == [(1, 1, True), (2, 3, False), (2, 3, False)]


def test_equal_models_few_stories_and_single_model_have_every_rank() -> None:
    scores = [[1.0, 0.0] * 60] * 3
    assert places(scores) == [(1, 3, True)] * 3
    assert places(np.eye(2)[[0] * 4 + [1]].T, list("abcdd")) == [(1, 2, True)] * 2
    assert places(scores[:1]) == [(1, 1, True)]


def of(series: Series, scores: list[float]) -> Series:
    return Series(
        series.source, series.metric, series.presentation, series.answers.with_columns(score=pl.Series(scores))
    )


def test_ranked_models_were_shown_the_same_items() -> None:
    """Two models with other candidates in six of 40 items, and fewer, are in no rank; another kind is."""
    alike = [arm(name, items=40) for name in "abc"]
    other, fewer = arm("d", items=40, candidates="other"), arm("e", items=30)
    found = list(ranked([*alike, other, fewer]))
    assert [row["model"] for row in found] == ["a", "b", "c"]
    assert {(row["models"], row["items"], row["stories"]) for row in found} == {(3, 40, 40)}
    half = of(alike[1], [float(number % 4 == 0) for number in range(80)])
    none = of(alike[2], [0.0] * 80)
    assert [row["possibly_best"] for row in ranked([alike[0], half, none])] == [True, False, False]


def test_wide_intervals_have_no_ranks() -> None:
    assert list(ranked([arm(items=8), arm("n", items=8)])) == []


@pytest.mark.parametrize(("board", "alone"), [("ten at .60", 0), (".70, nine at .50", 0.8)])
def test_best_model_is_shown_and_rarely_left_out(board: str, alone: float) -> None:
    """A part of ``benchmarks/ranks.py``; by Holm over all pairs .54 are shown."""
    found = shown(board, 60)
    assert found.alone >= alone
    assert found.left_out <= 0.12
    assert found.wrong <= 0.05


def test_three_right_answers_against_none_leave_both_possibly_best() -> None:
    scores = np.zeros((24, 2))
    scores[:3, 0] = 1
    stories = [f"s{number}" for number in range(24)]
    assert [rank.is_possibly_best for rank in ranks(scores, stories)] == [True, True]
    scores[:10, 0] = 1
    assert [rank.is_possibly_best for rank in ranks(scores, stories)] == [True, False]
