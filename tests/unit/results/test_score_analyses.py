"""Comparisons over files of scores, by hand; those of recorded answers are in ``test_recorded_comparisons``."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import polars as pl
import pytest
from tests.stored import unshown
from tests.unit.results.by_definition import p_value

from nlfol.logic.readings import Rule
from nlfol.results.analyses.comparisons import comparisons, thinking
from nlfol.results.analyses.drawing import form_of
from nlfol.results.analyses.faults import DISTANCE, EDIT, FAULTS_TABLE, GROUPS, RULES, faults
from nlfol.results.statistics.contrasts import significantly_best
from nlfol.results.statistics.summary import Origin, Series, series_of
from nlfol.results.tables.opening import Number
from nlfol.results.tables.rendering import RENDERERS
from nlfol.results.tables.table import Sample
from nlfol_extras.analyses.seeds import seed_repetitions

Loaded = tuple[Origin, pl.DataFrame]


def origin(model: str, task_kind: str = "most_similar", kind: str = "chat") -> Origin:
    protocol = None if task_kind == "logical_translation" else "audited"
    return Origin("toy", task_kind, task_kind, protocol, model, kind, 4)


def loaded(source: Origin, metric: str, scores: dict[int | None, Iterable[float]], **columns: list[Any]) -> Loaded:
    """Items "a:0", "a:1", "b:0", "b:1" in two stories; further columns item by item, under each seed."""
    names = ["a:0", "a:1", "b:0", "b:1"]
    rows = [
        {"item": item, "story": item[0], "presentation": "", "seed": seed, "metric": metric, "score": float(score)}
        | {name: values[place] for name, values in columns.items()}
        for seed, asked in scores.items()
        for place, (item, score) in enumerate(zip(names, asked, strict=False))
    ]
    return source, unshown(pl.DataFrame(rows))


def both_seeds(scores: list[float]) -> dict[int | None, Iterable[float]]:
    return {3: scores, 12: scores}


def series(*files: Loaded) -> list[Series]:
    return list(series_of(files))


def test_score_analyses_mark_samples_in_every_table() -> None:
    """Four of nine items."""
    first = (replace(origin("m"), available=9), loaded(origin("m"), "accuracy", both_seeds([1, 0, 1, 1]))[1])
    second = (replace(origin("n"), available=9), loaded(origin("n"), "accuracy", both_seeds([1, 1, 0, 0]))[1])
    found = series(first, second)
    rows = pl.DataFrame(comparisons(found))
    repeated = pl.DataFrame(seed_repetitions(found))
    for table in (
        *(form_of(name).table(rows) for name in ("differences", "agreement")),
        form_of("repetitions").table(repeated),
    ):
        assert {cell for row in table.rows for cell in row if isinstance(cell, Sample)} == {Sample(4, 9)}
        assert "items_available" in RENDERERS["csv"](table)


def test_comparisons_use_items_common_to_both_models() -> None:
    first = loaded(origin("m"), "accuracy", both_seeds([1, 0, 1, 1]))
    second = loaded(origin("n"), "accuracy", both_seeds([1, 1]))
    (row,) = comparisons(series(first, second))
    assert (row["items"], row["difference"], row["table"]) == (2, -0.5, "dialogue")


def test_comparisons_skip_chance_and_other_kinds() -> None:
    chat = loaded(origin("m"), "accuracy", both_seeds([1, 0, 1, 1]))
    chance = loaded(origin("chance", kind="chance"), "accuracy", {None: (0.2,) * 4})
    embedding = loaded(origin("e", kind="embedding"), "accuracy", {None: (1, 1, 0, 0.5)})
    assert comparisons(series(chat, chance, embedding)) == []


def test_comparisons_pair_unseeded_embedding_models() -> None:
    first = loaded(origin("e", kind="embedding"), "accuracy", {None: (1, 1, 0, 0.5)})
    second = loaded(origin("f", kind="embedding"), "accuracy", {None: (1, 0, 0, 0.5)})
    (row,) = comparisons(series(first, second))
    assert (row["table"], row["difference"], row["both"]) == ("embedding", 0.25, (1 + 0.25) / 4)


def test_comparisons_adjust_p_values_per_table() -> None:
    """Three models of twelve stories: two comparisons at one p, one at 1."""
    names = [f"{story}:0" for story in "abcdefghijkl"]

    def model(name: str, score: float) -> Loaded:
        rows = [{"item": item, "story": item[0], "presentation": "", "metric": "accuracy"} for item in names]
        return origin(name), unshown(pl.DataFrame([row | {"seed": 3, "score": score} for row in rows]))

    rows = comparisons(series(model("m", 1.0), model("n", 0.0), model("o", 0.0)))
    p = p_value([[1]] * 12, [[0]] * 12)
    assert [row["p"] for row in rows] == pytest.approx([p, p, 1], rel=1e-3)
    assert [row["adjusted"] for row in rows] == pytest.approx([3 * p, 3 * p, 1], rel=1e-3)
    assert significantly_best(pl.DataFrame(rows)) == {("toy", "most_similar", "accuracy", "", "m")}


def test_faults_count_cases_per_group() -> None:
    source = origin("m", "logical_translation")
    columns: dict[str, list[Any]] = {
        "outcome": ["answered", "answered", "answered", "truncated"],
        "verdict": ["not_equivalent", "not_equivalent", "invalid", None],
        "means": ["structure", "structure", "signature", None],
        "relation": ["weaker", "independent", None, None],
        "fault": ["quantifier", None, None, None],
        "distance": ["off_by_one", "further", None, None],
        "edits": ["quantifier (∀ to ∃)", None, None, None],
        "rule": ["either", None, None, None],
    }
    _, scores = loaded(source, "equivalence", {3: (0,) * 4}, **columns)
    rows = faults(iter([(source, scores.iter_slices(3))]))
    assert [(row["group"], row["case"], row["count"], row["share"]) for row in rows] == [
        ("answers", "not_equivalent", 2, 0.5),
        ("answers", "invalid", 1, 0.25),
        ("answers", "truncated", 1, 0.25),
        ("invalid", "signature", 1, 1.0),
        ("relation", "independent", 1, 0.5),
        ("relation", "weaker", 1, 0.5),
        ("fault", "no_single_change", 1, 0.5),
        ("fault", "quantifier", 1, 0.5),
        ("distance", "further", 1, 0.5),
        ("distance", "off_by_one", 1, 0.5),
        ("edit", "quantifier (∀ to ∃)", 1, 1.0),
        ("rule", "either", 1, 0.5),
        ("rule", "independent", 1, 0.5),
    ]


def test_number_of_edits_opens_nothing_and_that_of_distances_its_answers() -> None:
    row = {"dataset": "toy", "task": "t", "model": "m", "case": "off by one"}
    edits, distances = (Number({**row, "group": GROUPS[group]}, "count", "") for group in (EDIT, DISTANCE))
    assert FAULTS_TABLE.opens(edits) is None
    assert (FAULTS_TABLE.opens(distances) or {})["distance"] == "off_by_one"


def test_faults_know_every_rule() -> None:
    assert {*Rule} < {*RULES}


def test_thinking_comparison_pairs_models_differing_in_thinking_only() -> None:
    """d = (1, 1/2, 0, -1) over two stories; what a model is called and what it is besides do not matter."""
    with_thinking = replace(origin("m"), thinking=True, apart_from_thinking="weights")
    without = replace(origin("n"), thinking=False, apart_from_thinking="weights")
    other = replace(origin("o"), thinking=False, apart_from_thinking="other weights")
    unsaid = origin("m-non-thinking")
    first = loaded(with_thinking, "accuracy", both_seeds([1, 1, 1, 0]))
    second = loaded(without, "accuracy", {3: (0, 1, 1, 1), 12: (0, 0, 1, 1)})
    others = [loaded(source, "accuracy", both_seeds([0, 0, 0, 0])) for source in (other, unsaid)]
    found = series(second, *others, first)
    compared = comparisons(found)
    (row,) = thinking(found, compared)
    assert (row["thinking"], row["plain"], row["items"], row["stories"]) == ("m", "n", 4, 2)
    assert (row["score"], row["score_plain"], row["difference"]) == (3 / 4, 5 / 8, 1 / 8)
    # Four models: six comparisons. The pair has the p-values that it has among them, though the other way round.
    (same,) = [one for one in compared if {one["first"], one["second"]} == {"m", "n"}]
    assert (same["first"], same["difference"]) == ("n", -1 / 8)
    assert (row["p"], row["adjusted"]) == pytest.approx((same["p"], same["adjusted"]))
