from __future__ import annotations

import polars as pl

from nlfol.statistics.difficulty import difficulty
from nlfol.statistics.series import Series
from nlfol.statistics.summary import Origin

SOURCE = Origin("toy", "logical_translation", "logical_translation", None, "m", "chat", 4)
ANSWERS = pl.DataFrame(
    [
        {"item": item, "story": item[0], "seed": seed, "score": score}
        for item, scores in {"a:0": (1, 0), "a:1": (1, 1), "b:0": (0, 0), "b:1": (1, 1)}.items()
        for seed, score in zip((3, 12), map(float, scores), strict=True)
    ]
)
COUNTS = {
    "operators": {"a:0": 1, "a:1": 5, "b:0": 1, "b:1": 9, "c:0": 3},
    "quantifiers": {"a:0": 0, "a:1": 0, "b:0": 2, "b:1": 0, "c:0": 0},
}


def test_items_go_together_by_number() -> None:
    rows = list(difficulty(Series(SOURCE, "equivalence", "", ANSWERS), COUNTS))
    assert [(row["measure"], row["number"], row["items"], row["mean"]) for row in rows] == [
        ("operators", "1", 2, 0.25),
        ("operators", "5+", 2, 1.0),
        ("quantifiers", "0", 3, 2.5 / 3),
        ("quantifiers", "2", 1, 0.0),
    ]


def test_one_story_gives_no_interval() -> None:
    rows = list(difficulty(Series(SOURCE, "equivalence", "", ANSWERS), COUNTS))
    assert [row["low"] is None for row in rows] == [False, False, False, True]
