from dataclasses import replace

import polars as pl
import pytest
from tests.stored import frame

from nlfol.results.analyses.drawing import form_of
from nlfol.results.statistics.summary import Origin, Series
from nlfol_extras.analyses.difficulty import DIFFICULTY, difficulties, difficulty

SOURCE = Origin("toy", "logical_translation", "logical_translation", None, "m", "chat", 4)


def of(model: str, scores: dict[str, tuple[float, ...]]) -> Series:
    rows = [
        {"item": item, "story": item[0], "seed": seed, "score": score}
        for item, of_item in scores.items()
        for seed, score in zip((3, 12), of_item, strict=False)
    ]
    return Series(replace(SOURCE, model=model), "equivalence", "", pl.DataFrame(rows))


M = of("m", {"a:0": (1, 0), "a:1": (1, 1), "b:0": (0, 0), "b:1": (1, 1)})
COUNTS = {
    "operators": {"a:0": 1, "a:1": 5, "b:0": 1, "b:1": 9, "c:0": 3},
    "quantifiers": {"a:0": 0, "a:1": 0, "b:0": 2, "b:1": 0, "c:0": 0},
}


def test_difficulty_groups_items_by_complexity_number() -> None:
    rows = list(difficulty(M, COUNTS))
    # So few stories give no interval.
    assert [(row["group"], row["case"], row["items"], row["mean"], row["low"]) for row in rows] == [
        ("operators", "1", 2, 0.25, None),
        ("operators", "5+", 2, 1.0, None),
        ("quantifiers", "0", 3, 2.5 / 3, None),
        ("quantifiers", "2", 1, 0.0, None),
    ]


def test_difficulty_skips_whole_story_items() -> None:
    stories = M.answers.with_columns(item=pl.lit("story ") + pl.col("story"))
    assert not list(difficulty(replace(M, answers=stories), COUNTS))


def test_difficulty_groups_items_by_solving_models() -> None:
    """Model n was not asked b:2. Means of m: 1, 1/2, 0, 1, 0; of n: 1, 1, 0, 0; of o: 1, 1/2, 0, 1."""
    m = of("m", {"a:0": (1, 1), "a:1": (1, 0), "b:0": (0, 0), "b:1": (1, 1), "b:2": (0, 0)})
    n = of("n", {"a:0": (1,), "a:1": (1,), "b:0": (0,), "b:1": (0,)})
    o = of("o", {"a:0": (1, 1), "a:1": (0, 1), "b:0": (0, 0), "b:1": (1, 1)})
    chance = replace(m, source=replace(SOURCE, model="chance", kind="chance"))
    rows = list(difficulties([m, n, chance, o], {}))
    by_models = [row for row in rows if row["group"] == "models"]
    assert [(row["model"], row["case"], row["items"], row["named"]) for row in by_models] == [
        (None, "none", 1, ["b:0"]),
        (None, "some", 2, []),
        (None, "every", 1, ["a:0"]),
    ]
    table = form_of("unsolved").table(frame(DIFFICULTY, *by_models))
    assert table.rows == (("toy", "logical_translation", "equivalence", None, 4, 1, "b:0"),)
    assert [row["mean"] for row in by_models] == pytest.approx([0, (2 / 3 + 2 / 3) / 2, 1])
    assert (by_models[1]["low"], by_models[1]["high"]) == (None, None)
    # Others of m: 1, 3/4, 0, 1/2. Others of n: 1, 1/2, 0, 1.
    others = {name: [row for row in rows if row["model"] == name] for name in ("m", "n", "o", "chance")}
    assert [(row["case"], row["items"], row["mean"]) for row in others["m"]] == [
        ("0", 1, 0),
        ("to 0.5", 1, 1),
        ("below 1", 1, 0.5),
        ("1", 1, 1),
    ]
    assert [(row["case"], row["items"], row["mean"]) for row in others["n"]] == [
        ("0", 1, 0),
        ("to 0.5", 1, 1),
        ("1", 2, 0.5),
    ]
    assert others["chance"] == []


def test_single_model_is_grouped_by_complexity_only() -> None:
    rows = list(difficulties([M], {"toy": COUNTS}))
    assert {(row["model"], row["group"]) for row in rows} == {("m", "operators"), ("m", "quantifiers")}
    assert [(row["case"], row["items"], row["mean"]) for row in rows[:2]] == [("1", 2, 0.25), ("5+", 2, 1.0)]
