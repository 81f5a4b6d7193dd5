"""Benchmarks against one another, on the published scores of ∀uto∃∨∧L and by hand."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import yaml
from tests.stored import marks, stored

from nlfol.config import read_configuration
from nlfol.report.printing import panels
from nlfol.results.analyses.analysis import WAYS, Given
from nlfol.results.analyses.benchmark_pairs import (
    HERE,
    Benchmark,
    Quantity,
    chosen_pairs,
    labelled,
    measured_benchmarks,
    published_benchmarks,
)
from nlfol.results.analyses.benchmark_sizes import over_sizes
from nlfol.results.analyses.benchmarks import (
    ANALYSIS,
    BENCHMARKS,
    MOST_CHOSEN,
    MOST_DRAWN,
    OPERATORS,
    powers,
    predictive_power,
    scatter,
)
from nlfol.results.analyses.benchmarks import (
    benchmarks as benchmarks_rows,
)
from nlfol.results.analyses.curves import BOUNDED
from nlfol.results.statistics.binning import LIMITS, bounded_name
from nlfol.results.statistics.clusters import student_quantile
from nlfol.results.statistics.published_error import published_quantity
from nlfol.results.statistics.published_ways import ways
from nlfol.results.statistics.summary import Origin
from nlfol.store import files
from nlfol.store.files import read_figures
from nlfol.store.schemas import CELLS
from nlfol.tasks.registry import TASKS, task_of

benchmarks: Callable[..., list[Any]] = benchmarks_rows

ROOT = Path(__file__).parents[3]
PUBLISHED = published_benchmarks(read_figures(ROOT / "resources/published/autoeval.csv"))

TABLES = {
    "8": (0.804, 0.892),
    "9": (0.840, 0.875),
    "10": (0.781, 0.789),
    "11": (0.624, 0.719),
    "12": (0.846, 0.883),
    "14": (0.756, 0.789),
}
"""For each printed table the correlation with the other benchmark, and its predictive power given the round trip."""


def of_table(number: str) -> list[Benchmark]:
    return [each for each in PUBLISHED if each.source == f"autoeval {number}"]


@pytest.mark.parametrize(("number", "expected"), TABLES.items())
def test_correlations_and_predictive_power_match_published_values(number: str, expected: tuple[float, float]) -> None:
    (row,) = benchmarks([tuple(of_table(number))])
    assert (round(row["rho"], 3), round(row["power_second"], 3)) == expected
    assert len(row["points"]) == 16
    assert row.keys() == set(BENCHMARKS.names)
    assert row["rho_low"] < row["rho"] < row["rho_high"]
    assert row["power_second_low"] < row["power_second"] <= row["power_second_high"]


def test_text_measures_reproduce_weaker_published_correlations() -> None:
    trip, *measures = of_table("13")
    rows = benchmarks((trip, measure) for measure in measures)
    assert [row["second_metric"] for row in rows] == ["bleu", "rouge", "meteor", "bertscore"]
    assert [round(row["rho"], 3) for row in rows] == [0.399, 0.415, 0.464, 0.334]
    assert [round(row["power_second"], 3) for row in rows] == [0.744, 0.752, 0.785, 0.694]


def test_published_benchmarks_exclude_counts_and_dataset_facts() -> None:
    assert not [each for each in PUBLISHED if each.metric.startswith("count_") or each.dataset == "k_sat"]
    assert {each.source for each in PUBLISHED} == {f"autoeval {n}" for n in (6, *range(8, 15), 16, 18, 19, 20)}


def test_predictive_power_matches_worked_example() -> None:
    """The second benchmark says a > b = c: pairs ab, ac, bc, cb; the first says b > a = c: ac and bc."""
    power, low, high = predictive_power([1, 2, 1], [2, 1, 1])
    assert power == 2 / 4
    # The jackknife over three models would span everything, and holds too little for fewer than eight.
    assert (low, high) == (None, None)


def test_jackknife_interval_matches_worked_example() -> None:
    """Twelve models in one order, but for the last two: of 66 pairs one is turned."""
    y = list(range(12))
    x = [*range(10), 11, 10]
    power, low, high = predictive_power([float(each) for each in x], [float(each) for each in y])
    assert power == pytest.approx(65 / 66)
    # Without one of the last two all 55 pairs agree; without another one 54 do.
    without = [54 / 55] * 10 + [1.0] * 2
    mean = sum(without) / 12
    error = (11 / 12 * sum((each - mean) ** 2 for each in without)) ** 0.5
    assert low == pytest.approx(65 / 66 - student_quantile(12) * error)
    assert high == 1


@pytest.mark.parametrize(("models", "has_interval"), [(7, False), (8, True)])
def test_predictive_power_interval_needs_8_models(models: int, has_interval: bool) -> None:
    scores = [float(number) for number in range(models)]
    _, low, high = predictive_power(scores, [*scores[:-2], scores[-1], scores[-2]])
    assert (low is not None, high is not None) == (has_interval, has_interval)


def column(source: str, dataset: str, task: str, *scores: float) -> Benchmark:
    return Benchmark(source, dataset, task, "truth", "", dict(zip("abcdefgh", scores, strict=False)))


def test_constant_scores_lack_correlation() -> None:
    (row,) = benchmarks([(column(HERE, "d", "t", 1, 1, 1), column(HERE, "e", "t", 1, 2, 3))])
    assert [row[name] for name in ("rho", "rho_low", "rho_high", "p", "tau")] == [None] * 5
    assert (row["power_first"], row["power_second"]) == (1, 0.5)


def test_benchmark_correlation_needs_3_models_and_interval_needs_4() -> None:
    first, second = column(HERE, "d", "t", 1, 2, 3), column(HERE, "e", "t", 1, 3, 2)
    (row,) = benchmarks([(first, second)])
    assert (row["points"], row["rho_low"], row["rho_high"]) == (["a", "b", "c"], None, None)
    assert row["rho"] == pytest.approx(1 / 2)
    assert row["tau"] == pytest.approx(1 / 3)
    assert benchmarks([(first, column(HERE, "e", "t", 1, 3))]) == []


TRIP = {"dataset": "made", "task": "trip", "task_kind": "round_trip", "presentation": "zero_shot", "kind": "chat"}
QUESTIONS = {**TRIP, "dataset": "q", "task": "ask", "task_kind": "question_answering", "presentation": "english"}
LIMIT = {"measure": "operators_published", "most": 6.0}


def compared(cells: list[dict[str, Any]], bounded: list[dict[str, Any]], **names: str) -> list[tuple[str, ...]]:
    ours = measured_benchmarks(pl.DataFrame(cells), pl.DataFrame(bounded), (), names)
    known = {(one.quantity.dataset, one.quantity.kind) for one in ours}
    shown = ("source", "dataset", "metric", "presentation")
    return [
        tuple(getattr(each, name) for each in pair for name in shown) for pair in chosen_pairs(ours, PUBLISHED, known)
    ]


def test_round_trips_pair_with_published_columns_and_sizes() -> None:
    truth = [{**TRIP, "metric": "truth", "presentation": shown} for shown in ("zero_shot", "few_shot")]
    cells = [
        {**row, "model": model, "mean": 0.5} for row in (*truth, {**QUESTIONS, "metric": "right"}) for model in "abc"
    ]
    bounded = [{**row, **LIMIT} for row in cells[:6]] + [{**row, **LIMIT, "most": 30.0} for row in cells[:6]]
    found = compared(cells, bounded, q="folio")
    ours, six, asked = "here", ("truth_operators_6", "zero_shot"), ("here", "q", "right", "english")
    # Table 8 has the questions of FOLIO, with 6 operators; the reader says that these are FOLIO's.
    assert [pair for pair in found if pair[0] == pair[4] == ours] == [(*asked, ours, "made", *six)]
    assert (*asked, "autoeval 8", "folio", "accuracy", "english") in found
    assert (*asked, "autoeval 8", "propositional", *six) in found
    # FOLIO in formulas, its translation and its wording are in tables 9, 12 and 13, Multi-LogiEval in 10 and 11.
    beside = {(pair[4], pair[2]) for pair in found if pair[:2] == (ours, "made") and pair[4] != ours}
    assert beside == {(f"autoeval {n}", f"truth_operators_{30 if n in (10, 11) else 6}") for n in range(8, 14)}
    assert not [pair for pair in found if "bbh" in pair]  # the first metric is not among the cells
    # Without the name they are ordinary questions, paired by the first metric, which they do not have here.
    assert [pair for pair in compared(cells, bounded) if pair[0] == pair[4] == ours] == []


def test_unpaired_published_benchmarks_go_with_all_round_trips() -> None:
    """BBH is in a table of its own; HumanEval, there too, has its round trips in table 14."""
    cells = [{**TRIP, "metric": "truth_uncopied", "model": model, "mean": 0.5} for model in "abc"]
    found = [pair for pair in compared(cells, [], made="propositional") if {"bbh", "humaneval"} & {*pair}]
    assert found == [
        ("here", "made", "truth_uncopied", "zero_shot", "autoeval 6", "bbh", "accuracy_percent_online", ""),
        *(
            (
                f"autoeval {table}",
                "propositional",
                metric,
                "zero_shot",
                *("autoeval 6", "bbh", "accuracy_percent_online", ""),
            )
            for table, metric in ((8, "truth_operators_6"), (10, "truth_operators_30"))
        ),
    ]
    every = {(one.dataset, one.task) for one in PUBLISHED if one.is_trip}
    rows = [row for row in benchmarks(chosen_pairs([], PUBLISHED, every)) if row["second_dataset"] == "bbh"]
    # By the CSV file alone; it has no score of gpt-4o-mini.
    by_hand = (0.53, 0.53, 0.45, 0.47, 0.55, 0.49, 0.58)
    assert {row["first_source"]: round(row["rho"], 2) for row in rows} == {
        f"autoeval {table}": rho for table, rho in zip(range(8, 15), by_hand, strict=True)
    }


@pytest.mark.parametrize(
    ("way", "label"),
    [
        ({}, ""),
        ({"reasoning": 9}, "; here: asked with reasoning"),
        ({"temperatures": {"gpt-4o": 0.0}}, "; here: temperature: 0.0, not 0.1"),
        ({"prompt": "own", "glossary": "glosses"}, "; here: asked with nlfol's own prompt; glosses shown"),
    ],
)
def test_published_benchmarks_say_what_differs_here(way: dict[str, Any], label: str) -> None:
    cells = [
        {**TRIP, "protocol": None, "metric": "truth", "model": model, "mean": 0.5, "seeds": 1}
        for model in next(iter(PUBLISHED)).scores
    ]
    ours = measured_benchmarks(pl.DataFrame(cells), pl.DataFrame([{**row, **LIMIT} for row in cells]))
    warm = {"gpt-4o": 0.1, "gpt-4o-mini": 0.1, "gpt-3.5-turbo": 0.1} | way.get("temperatures", {})
    sampled = [{"model": cell["model"], "temperature": warm.get(cell["model"], 1.0)} for cell in cells]
    task = {"task": "trip", "prompt": "published", "glossary": "symbols", "reasoning": 0} | way
    task.pop("temperatures", None)
    asked = ways(pl.DataFrame([task, *sampled], WAYS), pl.DataFrame(cells))
    rows = benchmarks(labelled(chosen_pairs(ours, PUBLISHED, set()), PUBLISHED, asked))
    # Round trips of any formulas stand in the place of the paper's, beside questions, translations and codes.
    assert {"".join(row["second_source"].partition(";")[1:]) for row in rows} == {label}
    figure = scatter(pl.DataFrame(rows))
    assert all(mark["said"].endswith(label) and ";" not in mark["pair"] for mark in marks(figure))
    assert any(mark["other"].endswith(label) for mark in marks(powers(pl.DataFrame(rows))))


def test_round_trip_english_pairs_with_published_informalization() -> None:
    overlap = [{**TRIP, "dataset": "f", "metric": "rouge_l", "model": model, "mean": 0.5} for model in "abc"]
    truth = [{**TRIP, **LIMIT, "metric": "truth", "model": model, "mean": 0.5} for model in "abc"]
    found = compared(overlap, truth, f="folio")
    assert ("here", "f", "rouge_l", "zero_shot", "autoeval 13", "folio", "rouge", "") in found
    # Not of another measure, which is about the same English.
    assert {pair[6] for pair in found if pair[:3] == ("here", "f", "rouge_l") and pair[4] == "autoeval 13"} == {
        "rouge",
        "truth_operators_6",
    }
    assert ("here", "f", "rouge_l", "zero_shot", "here", "made", "truth_operators_6", "zero_shot") in found


def test_verification_benchmark_uses_f1() -> None:
    """It is right of every equivalent pair: the two halves of its answers are no benchmarks."""
    said = {**TRIP, "task": "verify", "task_kind": "verification", "metric": "right", "model": "yes"}
    cells = [{**said, "presentation": shown, "mean": mean} for shown, mean in (("equivalent", 1.0), ("different", 0.0))]
    verified: list[dict[str, Any]] = [{**said, "case": None, "f1": 2 / 3}, {**said, "case": "1", "f1": 1.0}]
    found = measured_benchmarks(pl.DataFrame(cells), pl.DataFrame(), verified)
    assert [(one.metric, one.scores["yes"]) for one in found if one.leads] == [("f1", 2 / 3)]


def sized(operators: str, scores: dict[str, dict[str, float]], dataset: str, task: str, metric: str) -> Any:
    """Files of scores of five items of each number of operators, and their measures."""
    items = [(f"{place}{number}", float(place)) for place in operators for number in range(5)]
    loaded = [
        (
            Origin(dataset, task, task, None, model, "chat", len(items)),
            pl.DataFrame(
                [
                    {"item": item, "presentation": "zero_shot", "metric": metric, "score": of_model[item[0]]}
                    for item, _ in items
                ]
            ),
        )
        for model, of_model in scores.items()
    ]
    return loaded, pl.DataFrame(items, schema=["item", "operators_published"], orient="row")


def test_operator_points_use_shared_models() -> None:
    """The third model has translated alone, and three operators has the first set alone."""
    falling = {"a": dict(zip("0123", (1.0, 0.5, 0.25, 0.0), strict=True)), "b": dict.fromkeys("0123", 0.5)}
    trips, of_trips = sized("0123", falling, "made", "round_trip", "truth")
    alike = falling | {"c": dict.fromkeys("0123", 0.0)}
    translated, of_translated = sized("012", alike, "f", "logical_translation", "equivalence")
    of_quantity = Quantity("f", "logical_translation", "equivalence", "")
    pair = (
        Benchmark(HERE, "made", "round_trip", "truth_operators_6", "zero_shot", {}, unlimited="truth"),
        Benchmark(
            HERE, "f", "logical_translation", "equivalence", "zero_shot", {}, of_quantity, unlimited="equivalence"
        ),
    )
    files_of = [*trips, *translated]
    found = list(over_sizes([pair, pair], files_of, {"made": of_trips, "f": of_translated}))
    (row,) = benchmarks(found, OPERATORS)
    assert (row["over"], row["points"], row["first_metric"]) == ("operators", ["0", "1", "2"], "truth")
    assert row["first_scores"] == row["second_scores"] == [0.75, 0.5, 0.375]
    assert row["rho"] == pytest.approx(1)
    # Fewer than five items of a number are too few; constant scores have no correlation.
    few = of_translated.filter(pl.col("item") != "20")
    (less,) = over_sizes([pair], files_of, {"made": of_trips, "f": few})
    assert [*less[1].scores] == ["0", "1"]
    same, _ = sized(
        "012", {name: dict.fromkeys("0123", 0.5) for name in "ab"}, "f", "logical_translation", "equivalence"
    )
    (flat,) = benchmarks(over_sizes([pair], [*trips, *same], {"made": of_trips, "f": of_translated}), OPERATORS)
    assert (flat["rho"], flat["p"]) == (None, None)


def grid() -> list[Benchmark]:
    """The columns of ``config/autoeval.yaml``, with scores by chance."""
    config = yaml.safe_load((ROOT / "config/autoeval.yaml").read_text())
    models = [name for name, entry in config["models"].items() if entry["kind"] == "chat"]
    drawn = random.Random(7)
    found = []
    for dataset in config["datasets"]:
        for task, entry in config["tasks"].items():
            if dataset not in entry.get("datasets", [dataset]):
                continue
            kind = TASKS[entry.get("task", task)]
            for shown in entry.get("presentations", ("equivalent", "perturbation")):
                for metric in kind.metrics:
                    row = {"dataset": dataset, "task": task, "task_kind": kind.kind, "presentation": shown}
                    row |= {"metric": metric, "kind": "chat", "case": None}
                    found += [{**row, "model": model, "mean": drawn.random(), "f1": 0.5} for model in models]
    bounded = [{**row, "measure": measure, "most": most} for row in found for measure, most in LIMITS]
    verified = [row for row in found if row["task_kind"] == "verification"]
    return measured_benchmarks(pl.DataFrame(found), pl.DataFrame(bounded), verified)


def test_published_grid_figures_stay_small() -> None:
    ours = grid()
    known = {(one.quantity.dataset, one.quantity.kind) for one in ours}
    rows = benchmarks(chosen_pairs(ours, PUBLISHED, known))
    assert len(rows) == 288
    assert all(len(row["points"]) == 16 - (row["second_dataset"] == "bbh") for row in rows)
    for draw, bytes_most, number, kept in (
        (scatter, 600_000, MOST_DRAWN, f"first {MOST_DRAWN} of {len(rows)} pairs"),
        (powers, 100_000, MOST_CHOSEN, f"first {MOST_CHOSEN} of 61 benchmarks"),
    ):
        figure = draw(pl.DataFrame(rows))
        assert figure is not None
        assert kept in figure.caption
        assert len(json.dumps(figure.specification)) < bytes_most
        assert sum(1 for _ in panels(figure.specification)) == number
    # Each benchmark of powers has all that it is compared with; those come first that stand beside published scores.
    shown = {(mark["benchmark"], mark["other"]) for mark in marks(powers(pl.DataFrame(rows)))}
    first = "k_sat · round_trip · truth_operators_6"
    assert len([pair for pair in shown if pair[0] == first]) == 7


@pytest.mark.parametrize("count", [2, 3])
def test_published_comparison_needs_3_own_models(tmp_path: Path, count: int) -> None:
    models = list(dict.fromkeys(model for one in PUBLISHED for model in one.scores))[:count]
    about = {
        "dataset": "first_order_names",
        "task": "round_trip",
        "task_kind": "round_trip",
        "kind": "chat",
        "items": 9,
    }
    about |= {"metric": "truth", "presentation": "zero_shot"}
    size = {"measure": "operators_published", "most": 6.0}
    cells = [{**about, "model": model, "mean": place / 8} for place, model in enumerate(models)]
    files.write(tmp_path / "cells.arrow", CELLS, [stored(CELLS, **cell) for cell in cells], {})
    files.write(tmp_path / "bounded.arrow", BOUNDED, [stored(BOUNDED, **cell, **size) for cell in cells], {})
    given = {"cells": [tmp_path / "cells.arrow"], "bounded": [tmp_path / "bounded.arrow"], "scores": [], "measures": []}
    rows = ANALYSIS.rows[0].compute(Given({**given, "figures": [ROOT / "resources/published/autoeval.csv"]}))
    assert bool(list(rows)) == (count == 3)


def test_measured_benchmarks_keep_only_scored_dialogue_models() -> None:
    said = {"dataset": "d", "task": "trip", "task_kind": "round_trip", "presentation": "zero_shot", "kind": "chat"}
    cells = pl.DataFrame(
        [
            {**said, "metric": "truth", "model": "a", "mean": 0.5},
            {**said, "metric": "truth", "model": "b", "mean": 0.25},
            {**said, "metric": "truth", "model": "none", "mean": None},
            {**said, "metric": "copied", "model": "a", "mean": 0.5},
            {**said, "metric": "truth", "model": "reader", "mean": 1.0, "kind": "reader"},
        ]
    )
    row = {**said, "metric": "truth", "model": "a", "mean": 0.75, "measure": "operators_published", "most": 6.0}
    found = measured_benchmarks(cells, pl.DataFrame([row]))
    assert [(each.metric, each.scores) for each in found] == [
        ("truth", {"a": 0.5, "b": 0.25}),
        ("truth_operators_6", {"a": 0.75}),
    ]
    assert bounded_name({"metric": "truth", "measure": "depth", "most": 7.0}) == "truth_depth_7"


def test_benchmark_experiment_covers_published_comparisons() -> None:
    values = yaml.safe_load((ROOT / "config/autoeval_benchmarks.yaml").read_text())
    configuration = read_configuration(values)
    asked = {
        (configuration.published_names[dataset], *published_quantity(task.kind, metric, shown))
        for dataset, name in configuration.pairs()
        for task in [task_of(configuration.tasks[name])]
        for shown in task.entry.shown_as
        for metric in (*task.metrics, *task.other_metrics)
    }
    compared = {one.quantity for one in PUBLISHED if one.source[9:] in (*TABLES, "13") and not one.is_trip}
    # HumanEval is code, which is not executed here.
    assert compared - asked == {("humaneval", "code", "pass_at_1", "")}
    models = {model for one in PUBLISHED if one.source[9:] in TABLES for model in one.scores}
    assert models <= values["models"].keys()
