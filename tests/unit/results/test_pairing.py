"""Pairs of answers: a second factor is refused and counted, and a difference of too few items is not given."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.stats import t as student

from nlfol.results.analyses.comparisons import comparisons as comparisons_rows
from nlfol.results.statistics.contrasts import adjust, paired
from nlfol.results.statistics.pairing import COMPARISONS, pairs
from nlfol.results.statistics.summary import Origin, Series
from nlfol.store.evidence import served
from nlfol.store.schemas import COMPONENTS

comparisons: Callable[..., list[Any]] = comparisons_rows

SHOWN = pl.Struct(dict.fromkeys(COMPONENTS, pl.String))
PLACES = range(8)


def arm(named: str = "m", *, items: int = 8, seeds: tuple[int | None, ...] = (3, 12), **changed: Any) -> Series:
    """Answers to items of one story each; ``changed`` is shown under seed 3 of the first six items."""
    rows = [
        {
            "item": f"{place}:0",
            "story": str(place),
            "seed": seed,
            "score": float(place % 2),
            "unread": place == 0,
            "shown": {**dict.fromkeys(COMPONENTS, "same"), **(changed if seed == 3 and place < 6 else {})},
        }
        for place in range(items)
        for seed in seeds
    ]
    types = {"item": pl.String, "story": pl.String, "seed": pl.Int64, "score": pl.Float64, "unread": pl.Boolean}
    answers = pl.DataFrame(rows, {**types, "shown": SHOWN})
    return Series(Origin("toy", "ranking", "ranking", "audited", named, "chat", 8), "both", "english", answers)


@pytest.mark.parametrize("comparison", COMPARISONS)
def test_pairing_refuses_second_factor(comparison: str) -> None:
    equal = COMPARISONS[comparison].equal
    assert {"text", "candidates"} - COMPARISONS[comparison].factor <= set(equal)
    for component in COMPONENTS:
        planted: dict[str, Any] = {component: "other"}
        found = paired(arm(), arm("n", **planted), comparison).columns
        if component in equal:
            # With equal seeds each item keeps its pair under the other seed.
            assert (found["refused"], found["refusal"]) == (6 if "seed" in equal else 12, component)
        else:
            assert (found["refused"], found["refusal"]) == (0, None)


def test_comparisons_within_one_model_refuse_another_served_model() -> None:
    """A provider may put other weights behind an alias between the days on which two arms were asked."""
    one_model = {name for name, comparison in COMPARISONS.items() if "served" in comparison.equal}
    assert one_model >= {"thinking", "few_shot", "reading", "wording", "strategies", "instructions", "ontologies"}
    assert one_model.isdisjoint(("models", "training", "kinds"))
    found = paired(arm(served="m-2025"), arm("n", served="m-2026"), "strategies").columns
    assert (found["pairs"], found["refused"], found["refusal"]) == (10, 6, "served")


def test_failed_requests_count_as_served_by_the_arms_model() -> None:
    answers = arm(served=None).answers
    assert answers["shown"].struct.field("served").null_count() == 6
    filled = served(answers)["shown"].struct.field("served")
    assert filled.to_list() == ["same"] * 16
    local = arm(items=6, seeds=(3,), served=None).answers  # no server names a model
    assert served(local).equals(local)


def test_pairing_matches_seeds_and_counts_unread_answers() -> None:
    found = paired(arm(seeds=(3, 12, 20)), arm("n", seeds=(12, 3)), "models").columns
    assert (found["pairs"], found["refused"], found["items"]) == (16, 0, 8)
    assert (found["unread"], found["unread_second"]) == (2, 2)
    *means, apart = paired(arm(seeds=(3,)), arm("n", seeds=(4,)), "models")
    assert (apart["pairs"], apart["refused"], apart["refusal"]) == (0, 8, "seed")
    assert [*means, apart["p"], apart["low"]] == [None] * 5


def test_difference_needs_half_its_items_paired() -> None:
    """Six of eight items are refused under their only seed; of a sample, its own items count."""
    found = paired(arm(seeds=(3,)), arm("n", seeds=(3,), prompt="other"), "models")
    columns = found.columns
    assert (columns["items"], columns["refused"], columns["refusal"], found.difference) == (2, 6, "prompt", None)
    sample = paired(arm(), arm("n", items=3), "models")
    assert (sample.columns["items"], sample.columns["refusal"], sample.difference) == (3, None, 0)


def test_agreement_has_interval_over_stories() -> None:
    """Models that agree on all answers but those to one item of eight: kappa is far lower than the share."""
    other = arm("n", seeds=(3,))
    changed = replace(other, answers=other.answers.with_columns(score=pl.col("score") * (pl.col("item") != "1:0")))
    found = pairs(arm(seeds=(3,)), changed, COMPARISONS["models"]).agreement
    assert found["agree"] == 7 / 8
    assert found["agree_low"] is not None
    assert found["agree_high"] is not None
    assert 0.4 < found["agree_low"] < 7 / 8 < found["agree_high"] < 1
    assert found["kappa"] == 3 / 4


def test_pairing_reports_unshared_items_as_reason() -> None:
    other = arm("n")
    renamed = pl.when(pl.col("story") > "1").then("x" + pl.col("item")).otherwise("item")
    answers = other.answers.with_columns(item=renamed)
    found = paired(arm(), Series(other.source, other.metric, other.presentation, answers), "models")
    assert (found.columns["items"], found.columns["refusal"], found.difference) == (2, "items", None)


def test_adjustment_skips_rows_without_difference() -> None:
    rows: list[dict[str, Any]] = [{"p": 0.01}, {"p": None}, {"p": 0.03}]
    adjust(rows)
    assert [row["adjusted"] for row in rows] == [0.02, None, 0.03]


def test_adjustment_families_share_columns_and_skip_exploratory_rows() -> None:
    rows: list[dict[str, Any]] = [
        {"p": 0.01, "dataset": "a", "metric": "right"},
        {"p": 0.02, "dataset": "a", "metric": "right"},
        {"p": 0.01, "dataset": "b", "metric": "right"},
        {"p": 0.01, "dataset": "a", "metric": "executable", "adjusted": 1.0},
    ]
    adjust(rows, "dataset", counts=lambda row: row["metric"] == "right")
    assert [row["adjusted"] for row in rows] == [0.02, 0.02, 0.01, None]


def test_detectable_difference_grows_with_model_count() -> None:
    """Ten models make 45 pairs, of which Holm holds the first to .05 / 45."""
    names = [f"m{number}" for number in range(10)]
    two, ten = (comparisons([scattered(name) for name in names[:count]]) for count in (2, 10))
    assert len(ten) == 45
    half, freedom = (two[0]["high"] - two[0]["low"]) / 2, two[0]["freedom"]
    quantile = student(freedom).ppf
    assert two[0]["detectable"] == pytest.approx(half * (quantile(0.975) + quantile(0.8)) / quantile(0.975))
    adjusted = half * (quantile(1 - 0.025 / 45) + quantile(0.8)) / quantile(0.975)
    assert ten[0]["detectable"] == pytest.approx(adjusted)
    # With normal quantiles it would be 1.46 times as large.
    assert ten[0]["detectable"] == pytest.approx(1.46 * two[0]["detectable"], rel=0.1)


def scattered(name: str) -> Series:
    """Answers of a model that is right about other items than the next one."""
    one = arm(name, items=80, seeds=(3,))
    draw = np.random.default_rng([*name.encode()])
    return replace(one, answers=one.answers.with_columns(score=pl.Series(draw.integers(0, 2, 80).astype(float))))


def verifier(name: str, yes: float, no: float, **changed: Any) -> list[Series]:
    """Answers to 60 pairs of each class; a model is right about these shares of them."""
    found = []
    for presentation, share in (("equivalent", yes), ("perturbation", no)):
        one = arm(name, items=60, seeds=(3,), **(changed if presentation == "perturbation" else {}))
        score = pl.Series(np.arange(60) % 20 < 20 * share).cast(pl.Float64)
        source = replace(one.source, task="verification", task_kind="verification")
        answers = one.answers.with_columns(score=score)
        found.append(replace(one, source=source, metric="right", presentation=presentation, answers=answers))
    return found


def test_verifier_comparison_combines_both_item_classes() -> None:
    """A model that says yes more often is better about one class and worse about the other; neither is better."""
    rows = comparisons([*verifier("yes", 0.9, 0.5), *verifier("no", 0.5, 0.9), *verifier("good", 0.9, 0.9)])
    found = {(row["first"], row["second"], row["presentation"]): row for row in rows}
    whole = found["yes", "no", ""]
    assert (whole["metric"], whole["difference"], whole["items"], whole["pairs"]) == ("right", 0, 60, 60)
    assert found["yes", "no", "equivalent"]["p"] < 0.001
    assert {row["adjusted"] for row in rows if row["presentation"]} == {None}
    better = found["yes", "good", ""]
    assert better["difference"] == pytest.approx(-0.2)
    assert better["adjusted"] < 0.001
    # Shares of answers are of the classes alone.
    assert better["both"] is None
    assert found["yes", "good", "equivalent"]["both"] is not None


def test_verifier_pairing_refuses_classes_shown_differently() -> None:
    rows = comparisons([*verifier("one", 0.5, 0.5), *verifier("other", 0.5, 0.5, prompt="other")])
    (whole,) = (row for row in rows if not row["presentation"])
    assert (whole["pairs"], whole["refused"], whole["refusal"]) == (54, 6, "prompt")


def test_pairing_treats_unknown_as_equal_only_on_both_sides() -> None:
    known, unknown = arm(), arm("n")
    hidden = Series(unknown.source, "both", "english", unknown.answers.with_columns(shown=pl.lit(None, SHOWN)))
    assert pairs(hidden, hidden, COMPARISONS["metrics"]).refused == 0
    assert pairs(known, hidden, COMPARISONS["metrics"]).refused == 16
