"""Scores over measures of the items."""

from itertools import pairwise
from typing import Any

import polars as pl
import pytest
from tests.stored import frame

from nlfol.analyses.curves import CURVES, curves
from nlfol.statistics.binning import Bin, bins
from nlfol.statistics.summary import Origin, Series
from nlfol.store.schemas import MEASURE_NAMES, MEASURES

SOURCE = Origin("made", "translate", "logical_translation", None, "m", "chat", 6)


def measures(*rows: dict[str, Any]) -> pl.DataFrame:
    about = {"edits": 2, "detected": 2}
    made = frame(MEASURES, *({"item": f"{row['story']}:0", **about, **row} for row in rows))
    return made.with_columns(pl.col("category", *MEASURE_NAMES).cast(pl.Float64))


def answers(*rows: tuple[str, int, float]) -> pl.DataFrame:
    return pl.DataFrame(
        [{"item": f"{story}:0", "story": story, "seed": seed, "score": score} for story, seed, score in rows]
    )


MEASURED = measures(
    {"story": "a", "category": 1, "depth": 2, "letters": 1},
    {"story": "b", "category": 1, "depth": 3, "letters": 1},
    {"story": "c", "category": 2, "depth": 3, "letters": 1, "detected": 1},
    {"story": "d", "category": 2, "depth": None, "letters": 1, "edits": 0, "detected": 0},
)
SERIES = Series(
    SOURCE,
    "equivalence",
    "",
    answers(*((story, 3, score) for story, score in zip("abcd", (1.0, 0.0, 1.0, 1.0), strict=True))).vstack(
        answers(*((story, 12, score) for story, score in zip("abcd", (1.0, 1.0, 0.0, 1.0), strict=True)))
    ),
)


def test_by_hand() -> None:
    found = curves([SERIES], {"made": MEASURED})
    assert all(row.keys() == set(CURVES.names) for row in found)
    said = [
        (row["measure"], row["bin"], row["sensitive"], row["items"], row["mean"], row["deviation"]) for row in found
    ]
    # Means at seed 3 and at seed 12: 1/2 and 1, then 1 and 1/2; of so few seeds and items nothing says how they vary.
    assert said == [
        ("category", "1", "all", 2, 0.75, None),
        ("category", "2", "all", 2, 0.75, None),
        ("category", "1", "true", 2, 0.75, None),
        # Of d no edit was tried: it is neither.
        ("category", "2", "false", 1, 0.5, None),
        # d has no depth; all have as many letters, and nothing else.
        ("depth", "2", "all", 1, 1.0, None),
        ("depth", "3", "all", 2, 0.5, None),
        ("depth", "2", "true", 1, 1.0, None),
        ("depth", "3", "true", 1, 0.5, None),
        ("depth", "3", "false", 1, 0.5, None),
    ]
    assert {(row["low"], row["high"]) for row in found} == {(None, None)}


def test_datasets_that_were_not_generated_have_no_curves() -> None:
    plain = MEASURED.with_columns(category=pl.lit(None, pl.Float64))
    assert curves([SERIES], {"made": plain}) == []
    assert curves([SERIES], {}) == []


def test_the_bins_are_of_the_dataset_and_not_of_the_items_asked() -> None:
    every = measures(*({"story": f"{n:02}", "category": n % 2, "depth": n} for n in range(41)))
    asked = Series(SOURCE, "equivalence", "", answers(("07", 3, 1.0), ("08", 3, 0.0)))
    found = [row for row in curves([asked], {"made": every}) if (row["measure"], row["sensitive"]) == ("depth", "all")]
    assert [(row["bin"], row["start"], row["end"], row["items"]) for row in found] == [("5–9", 5, 9, 2)]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([3, 1, 1], [Bin("1", 1, 1), Bin("3", 3, 3)]),
        (range(12), [Bin(str(n), n, n) for n in range(12)]),
        (range(13), [Bin(f"{n}–{n + 1}", n, n + 1) for n in range(0, 14, 2)]),
        (range(7, 40), [Bin(f"{n}–{n + 4}", n, n + 4) for n in range(5, 40, 5)]),
        # Eighths are exact.
        ([n / 8 for n in range(40)], [Bin(f"{n / 2:g}–{(n + 1) / 2:g}", n / 2, (n + 1) / 2) for n in range(10)]),
    ],
)
def test_bins(values: list[float], expected: list[Bin]) -> None:
    assert bins(values, 12) == expected


def test_every_value_lies_in_one_bin() -> None:
    for top in (13, 100, 999, 12345):
        made = bins(range(top + 1), 12)
        assert len(made) <= 12
        assert made[0].start == 0
        assert made[-1].end >= top
        assert all(second.start == first.end + 1 for first, second in pairwise(made))
