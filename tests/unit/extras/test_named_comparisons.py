"""Comparisons of models or tasks that an experiment names are one family, whatever else it compares."""

from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.stats import ttest_rel
from tests.examples import default
from tests.stored import frame

from nlfol.config import ConfigurationError, read_configuration
from nlfol.results.analyses.comparisons import comparisons as comparisons_rows
from nlfol.results.statistics.differences import holm
from nlfol.results.statistics.summary import Origin, Series
from nlfol.store.schemas import COMPONENTS
from nlfol_extras.analyses.named_comparisons import NAMED, ranks
from nlfol_extras.analyses.named_comparisons import named_comparisons as named_comparisons_rows

named_comparisons: Callable[..., list[Any]] = named_comparisons_rows

comparisons: Callable[..., list[Any]] = comparisons_rows

SHOWN = pl.Struct(dict.fromkeys(COMPONENTS, pl.String))


def models(**pairs: Any) -> Any:
    """Return named pairs of models."""
    return {"model": pairs, "task": {}}


def series(model: str, scores: Any, metric: str = "both", *, task: str = "ranking", **shown: str) -> Series:
    """Return answers to items of one story each; ``shown`` are components of the request that are not "same"."""
    names = [str(place) for place in range(len(scores))]
    answers = pl.DataFrame(
        {"item": names, "story": names, "seed": 1, "score": [float(one) for one in scores], "unread": False},
        {"item": pl.String, "story": pl.String, "seed": pl.Int64, "score": pl.Float64, "unread": pl.Boolean},
    ).with_columns(shown=pl.lit(dict.fromkeys(COMPONENTS, "same") | shown, SHOWN))
    return Series(Origin("toy", task, "ranking", "audited", model, "chat", len(scores)), metric, "english", answers)


def board(models: int, seed: int, items: int = 204) -> np.ndarray[Any, Any]:
    """Return the scores of models that are equally good on items of unequal difficulty."""
    draw = np.random.default_rng(seed)
    return (draw.normal(size=(models, items)) + draw.normal(size=items) > 0).astype(float)


def test_named_pair_is_adjusted_in_its_own_family() -> None:
    scores = board(24, seed=3)
    scores[1, np.flatnonzero(scores[1] == 0)[:25]] = 1  # an adapter that puts 25 of 204 right
    listed = [series(f"m{number}", row) for number, row in enumerate(scores)]
    pairs = [("m1", "m0"), ("m3", "m2"), ("m5", "m4"), ("m7", "nobody")]
    named = named_comparisons(listed, models(adapters=pairs, prompts=[("m9", "m8")]))
    assert [(row["comparison"], row["first"], row["second"]) for row in named] == [
        *(("adapters", *pair) for pair in pairs[:3]),
        ("prompts", "m9", "m8"),
    ]
    (among,) = [row for row in comparisons(listed) if {row["first"], row["second"]} == {"m0", "m1"}]
    assert named[0]["p"] == pytest.approx(among["p"])
    assert named[0]["difference"] == pytest.approx(abs(among["difference"]))
    assert named[0]["adjusted"] == pytest.approx(4 * named[0]["p"])
    assert named[0]["adjusted"] < 0.05 < among["adjusted"]


def test_named_side_metrics_are_not_adjusted() -> None:
    rows = named_comparisons(
        [series(name, board(2, seed=5)[place], "equivalence") for place, name in enumerate("ab")],
        models(one=[("a", "b")]),
    )
    assert [row["adjusted"] for row in rows] == [None]
    assert rows[0]["p"] is not None


def test_comparisons_chosen_by_results_err_more_often_than_named_ones() -> None:
    """The best against all and the neighbours in rank, of equal models, against comparisons named beforehand."""
    chosen = named = 0
    for seed in range(200):
        scores = board(24, seed)
        ranked = scores[np.argsort(-scores.mean(axis=1))]
        of_best, of_neighbours = ttest_rel(ranked[1:], ranked[0], axis=1), ttest_rel(ranked[2:], ranked[1:-1], axis=1)
        chosen += min(holm([*of_best.pvalue, *of_neighbours.pvalue])) < 0.05
        named += min(holm([*ttest_rel(scores[::2], scores[1::2], axis=1).pvalue])) < 0.05
    assert named <= 20
    assert chosen >= 25


def test_configuration_resolves_and_checks_named_comparisons() -> None:
    values = default()
    first, second, *_ = values["models"]
    values["comparisons"] = {"a": {"pairs": [[first, second]]}, "b": {"against": first}}
    compared = read_configuration(values).compared()
    assert compared["model"]["a"] == [(first, second)]
    assert compared["model"]["b"] == [(model, first) for model in values["models"] if model != first]
    values["comparisons"]["a"]["pairs"] = [[first, f"{second}x"]]
    with pytest.raises(ConfigurationError, match=rf"comparisons.a.models names {second}x.*did you mean {second}"):
        read_configuration(values)


def test_named_tasks_are_compared_within_models() -> None:
    listed = [
        series(model, scores, task=task, reasoning=task)
        for model in "ab"
        for task, scores in (("asked", [1, 1, 1, 0, 0]), ("reasoned", [1, 0, 0, 0, 0]))
    ]
    rows = named_comparisons(listed, {"model": {}, "task": {"reasoning": [("asked", "reasoned"), ("asked", "none")]}})
    assert [(row["model"], row["first"], row["second"], row["differ"]) for row in rows] == [
        ("a", "asked", "reasoned", "reasoning"),
        ("b", "asked", "reasoned", "reasoning"),
    ]
    assert [row["difference"] for row in rows] == [pytest.approx(0.4)] * 2
    # Another text is another question.
    other = series("a", [1, 1, 1, 0, 0], task="reasoned", text="another")
    (row,) = named_comparisons([listed[0], other], {"model": {}, "task": {"reasoning": [("asked", "reasoned")]}})
    assert (row["refused"], row["refusal"], row["differ"]) == (5, "text", "")


def test_configuration_checks_names_of_compared_tasks() -> None:
    values = default()
    first, second, *_ = values["tasks"]
    values["comparisons"] = {"a": {"tasks": [[first, second]]}}
    assert read_configuration(values).compared()["task"] == {"a": [(first, second)]}
    values["comparisons"]["a"]["tasks"] = [[first, f"{second}x"]]
    with pytest.raises(ConfigurationError, match=rf"comparisons.a.tasks names {second}x.*did you mean {second}"):
        read_configuration(values)


RANKED = {
    "kept": ("abcd", (0, 6, 1.0)),
    "one pair": ("abdc", (1, 6, 2 / 3)),
    "reversed": ("dcba", (6, 6, -1.0)),
    # b, c and d are one; nobody has turned: τ_b = 3 / √(6 · 3).
    "tied": ("abbb", (0, 6, 3 / 18**0.5)),
    "all tied": ("aaaa", (0, 6, None)),
    "two models": ("ab", (None, None, None)),
}
"""Planted orders: each model's answers to the second task have the mean of another one's to the first."""


@pytest.mark.parametrize("name", RANKED)
def test_ranks_count_pairs_of_models_in_planted_orders(name: str) -> None:
    order, expected = RANKED[name]
    means = {model: np.arange(8) < right for model, right in zip("abcd", (1, 3, 5, 7), strict=True)}
    tasks = [("asked", "reasoned"), ("asked", "shorter")]
    listed = [
        series(model, means[alike if task == "reasoned" else model], task=task)
        for task in ("asked", "reasoned", "shorter")
        for model, alike in zip("abcd", order, strict=False)
    ]
    rows = named_comparisons(listed, {"model": {}, "task": {"reasoning": tasks}})
    ranked, kept = ranks(frame(NAMED, *rows))
    found = ranked["turned"], ranked["pairs_of_models"], ranked["tau"]
    assert found == (expected if expected[2] is None else (*expected[:2], pytest.approx(expected[2])))
    assert ranked["reason"] == {"two models": "fewer than 3 models", "all tied": "all tied"}.get(name)
    assert ranked["share"] == (None if expected[0] is None else expected[0] / 6)
    assert (kept["first"], kept["second"], kept["tau"]) == (*tasks[1], None if len(order) == 2 else 1)


def test_ranks_of_compared_models_are_those_of_first_and_second_ones() -> None:
    right = {"a": 1, "b": 2, "c": 3, "a-plain": 2, "b-plain": 1, "c-plain": 4}
    listed = [series(model, np.arange(5) < count) for model, count in right.items()]
    pairs = [(f"{model}-plain", model) for model in "abc"]
    # None of the answers of d is to the same text: it has no rank.
    listed += [series("d", [1] * 5), series("d-plain", [0] * 5, text="another")]
    rows = named_comparisons(listed, models(JSON=[*pairs, ("d-plain", "d")]))
    (row,) = ranks(frame(NAMED, *rows))
    assert (row["comparison"], row["first"], row["models"], row["turned"], row["share"]) == ("JSON", None, 3, 1, 1 / 3)
    assert row["tau"] == pytest.approx(1 / 3)
