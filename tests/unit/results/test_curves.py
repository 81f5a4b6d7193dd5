"""Scores over measures of the items."""

from itertools import pairwise
from typing import Any

import polars as pl
import pytest
from tests.stored import frame, stored

from nlfol.results.analyses.curves import CURVES, GAIN, MOST_MARKS, curves, curves_figure
from nlfol.results.analyses.verification import labelled
from nlfol.results.statistics.binning import Bin, bins
from nlfol.results.statistics.clusters import ratio
from nlfol.results.statistics.differences import difference
from nlfol.results.statistics.summary import Origin, Series
from nlfol.store.schemas import COMPONENTS, MEASURE_NAMES, MEASURES

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


def test_curves_match_worked_example() -> None:
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


SIZES = measures(*({"story": story, "category": 1 if story < "f" else 2} for story in "abcdefghij"))
"""Ten items, each a story, in two categories."""


def verified(said: dict[str, dict[str, float]], *, seeds: int = 1) -> list[Any]:
    """Rows of a verifier with a given share of right answers, by class, for each item."""
    rows = [
        {"item": f"{story}:0", "story": story, "seed": seed, "presentation": shown, "metric": "right"}
        | {"verdict": None if shown else "equivalent", "score": score}
        for seed in range(seeds)
        for shown, scores in said.items()
        for story, score in scores.items()
    ]
    source = Origin("made", "verify", "verification", None, "m", "chat", 10)
    return curves([], {"made": SIZES}, [(source, labelled(pl.DataFrame(rows, infer_schema_length=None)))])


def test_constant_verifier_has_equal_f1_at_all_sizes() -> None:
    every, none = dict.fromkeys("abcdefghij", 1.0), dict.fromkeys("abcdefghij", 0.0)
    for said, expected in (
        ({"equivalent": every, "perturbation": none}, 2 / 3),
        ({"equivalent": none, "perturbation": every}, 0),
        ({"equivalent": every, "perturbation": every}, 1),
    ):
        found = [row for row in verified(said, seeds=3) if row["sensitive"] == "all"]
        assert [(row["measure"], row["bin"], row["items"], row["mean"]) for row in found] == [
            ("category", "1", 5, pytest.approx(expected)),
            ("category", "2", 5, pytest.approx(expected)),
        ]
        assert {(row["metric"], row["presentation"], row["seeds"], row["deviation"]) for row in found} == {
            ("f1", "", 3, 0)
        }


def test_curve_f1_matches_definition_and_omits_undefined() -> None:
    equivalent = dict(zip("abcdefghij", (1.0, 1.0, 0.0, 1.0, 1.0, *[1.0] * 5), strict=True))
    other = dict(zip("abcdefghij", (1.0, 0.0, 1.0, 1.0, 1.0, *[1.0] * 5), strict=True))
    first, _ = (row for row in verified({"equivalent": equivalent, "perturbation": other}) if row["sensitive"] == "all")
    # Four of five are found, one is not, and one is taken for equivalent.
    expected = ratio([2, 2, 0, 2, 2], [2, 3, 1, 2, 2], list("abcde"))
    assert (first["mean"], first["low"], first["high"]) == (8 / 10, expected.low, expected.high)
    # Pairs of a model's, all different and said to be, have nothing positive.
    rows = [{"item": "a:0", "story": "a", "seed": 3, "presentation": "", "metric": "right", "score": 1.0}]
    of_model = labelled(pl.DataFrame(rows).with_columns(verdict=pl.lit("not_equivalent")))
    source = Origin("made", "verify", "verification", None, "m", "chat", 10)
    assert curves([], {"made": SIZES}, [(source, of_model)]) == []
    # Chance answers a model's pair without knowing what it is.
    assert labelled(pl.DataFrame(rows).with_columns(verdict=pl.lit(None, pl.String))).is_empty()


def shown_as(presentation: str, scores: dict[str, float], seed: int = 3) -> Series:
    answered = answers(*((story, seed, score) for story, score in scores.items()))
    parts = dict.fromkeys(COMPONENTS, "alike") | ({} if presentation == "zero_shot" else {"examples": "two"})
    told = answered.with_columns(
        unread=pl.lit(value=False), shown=pl.struct([pl.lit(v).alias(k) for k, v in parts.items()])
    )
    return Series(SOURCE, "equivalence", presentation, told)


def test_example_gain_is_paired_by_item() -> None:
    without = dict.fromkeys("abcdefghij", 0.0)
    with_examples = without | {"a": 1.0, "b": 1.0}
    series = [shown_as("zero_shot", without), shown_as("few_shot", with_examples)]
    found = [
        row for row in curves(series, {"made": SIZES}) if row["presentation"] == GAIN and row["sensitive"] == "all"
    ]
    assert [(row["bin"], row["items"], row["mean"]) for row in found] == [("1", 5, 2 / 5), ("2", 5, 0)]
    expected = difference([1, 1, 0, 0, 0], [0] * 5, list("abcde"))
    assert (found[0]["low"], found[0]["high"]) == (expected.low, expected.high)
    # A model that answers alike with and without them gains nothing, at no size.
    alike = [shown_as(shown, with_examples) for shown in ("zero_shot", "few_shot")]
    assert {row["mean"] for row in curves(alike, {"made": SIZES}) if row["presentation"] == GAIN} == {0}
    # Answers under other seeds make no pair.
    apart = [shown_as("zero_shot", without), shown_as("few_shot", with_examples, seed=12)]
    assert [row for row in curves(apart, {"made": SIZES}) if row["presentation"] == GAIN] == []


def test_ungenerated_datasets_lack_curves() -> None:
    plain = MEASURED.with_columns(category=pl.lit(None, pl.Float64))
    assert curves([SERIES], {"made": plain}) == []
    assert curves([SERIES], {}) == []


def test_curve_bins_depend_on_dataset_rather_than_asked_items() -> None:
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
def test_bins_match_expected_ranges(values: list[float], expected: list[Bin]) -> None:
    assert bins(values, 12) == expected


def test_bins_partition_value_range() -> None:
    for top in (13, 100, 999, 12345):
        made = bins(range(top + 1), 12)
        assert len(made) <= 12
        assert made[0].start == 0
        assert made[-1].end >= top
        assert all(second.start == first.end + 1 for first, second in pairwise(made))


def test_curve_figure_is_bounded_and_prefers_first_metrics() -> None:
    """One of two panels is drawn where each has a hundred models and two measures."""
    about = {"dataset": "d", "task": "t", "task_kind": "round_trip", "presentation": "zero_shot", "kind": "chat"}
    value = {
        "bin": "1",
        "start": 1.0,
        "end": 1.0,
        "sensitive": "all",
        "items": 9,
        "stories": 9,
        "seeds": 1,
        "mean": 0.5,
    }
    rows = [
        stored(CURVES, **about, **value, metric=metric, measure=measure, model=str(model))
        for metric in ("compliance", "truth_uncopied")
        for measure in ("depth", "category")
        for model in range(MOST_MARKS // 2)
    ]
    whole, part = (curves_figure(frame(CURVES, *chosen)) for chosen in (rows[:-1], rows[: MOST_MARKS // 2 + 9]))
    assert whole is not None
    assert "The first 2 of 4 panels of a measure; all are in curves.arrow." in whole.caption
    (drawn,) = whole.specification["datasets"].values()
    assert {(row["panel"], row["measure"]) for row in drawn} == {
        ("d · t: truth_uncopied", "category"),
        ("d · t: truth_uncopied", "depth"),
    }
    assert part is not None
    assert "panels of a measure" not in part.caption
