"""Scores with and without items whose gold formula is in doubt."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.unit.statistics.test_score_summary import score_row, scores_file

from nlfol.analyses.suspects import without_suspects

__all__ = ["scores_file"]

Write = Callable[..., Path]
SCORES = {"a:0": 1.0, "a:1": 0.0, "b:0": 0.0, "b:1": 1.0}
SUSPECT = [{"dataset": "toy", "item": "a:1"}, {"dataset": "elsewhere", "item": "b:1"}]


def test_suspects_are_left_out(scores_file: Write) -> None:
    path = scores_file([score_row(item, seed, score) for seed in (3, 12) for item, score in SCORES.items()])
    (row,) = without_suspects([path], SUSPECT)
    assert (row["items"], row["available"], row["suspects"]) == (4, 4, 1)
    assert [row[name] for name in ("mean", "deviation", "low", "high")] == pytest.approx([0.5, None, None, None])
    assert [row[f"{name}_without"] for name in ("mean", "deviation", "low", "high")] == pytest.approx(
        [2 / 3, None, None, None]
    )


def test_nothing_is_left(scores_file: Write) -> None:
    path = scores_file([score_row("a:1", 3, 0.0)])
    (row,) = without_suspects([path], SUSPECT)
    assert (row["items"], row["suspects"], row["mean"], row["mean_without"]) == (1, 1, 0, None)


def test_no_row_where_no_suspect_was_asked(scores_file: Write) -> None:
    asked = scores_file([score_row("a:0", 3, 1.0)])
    guessed = scores_file([score_row("a:1", None, 0.0)], name="chance.arrow", model="chance", kind="chance")
    assert list(without_suspects([asked, guessed], SUSPECT)) == []
    assert list(without_suspects([asked], [])) == []
