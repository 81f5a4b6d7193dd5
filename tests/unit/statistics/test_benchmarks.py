"""Benchmarks against one another, on the published scores of ∀uto∃∨∧L and by hand."""

from pathlib import Path

import polars as pl
import pytest

from nlfol.analyses.benchmarks import (
    BENCHMARKS,
    HERE,
    Benchmark,
    benchmarks,
    measured_benchmarks,
    pairs,
    predictive_power,
    published_benchmarks,
)
from nlfol.statistics.binning import bounded_name
from nlfol.statistics.clusters import student_quantile
from nlfol.store.files import read_figures

PUBLISHED = published_benchmarks(read_figures(Path(__file__).parents[3] / "resources/published/autoeval.csv"))

TABLES = {
    "8": (0.804, 0.892),
    "9": (0.840, 0.875),
    "10": (0.781, 0.789),
    "11": (0.624, 0.719),
    "12": (0.846, 0.883),
    "14": (0.756, 0.789),
}
"""Of each printed table the correlation with the other benchmark, and its predictive power given the round trip."""


def of_table(number: str) -> list[Benchmark]:
    return [each for each in PUBLISHED if each.source == f"autoeval {number}"]


@pytest.mark.parametrize(("number", "expected"), TABLES.items())
def test_published_correlations_and_predictive_powers(number: str, expected: tuple[float, float]) -> None:
    (row,) = benchmarks([tuple(of_table(number))])  # type: ignore[list-item]  # of two columns
    assert (round(row["rho"], 3), round(row["power_second"], 3)) == expected
    assert len(row["models"]) == 16
    assert row.keys() == set(BENCHMARKS.names)
    assert row["rho_low"] < row["rho"] < row["rho_high"]
    assert row["power_second_low"] < row["power_second"] <= row["power_second_high"]


def test_published_measures_of_texts_say_less() -> None:
    trip, *measures = of_table("13")
    rows = benchmarks((trip, measure) for measure in measures)
    assert [row["second_metric"] for row in rows] == ["bleu", "rouge", "meteor", "bertscore"]
    assert [round(row["rho"], 3) for row in rows] == [0.399, 0.415, 0.464, 0.334]
    assert [round(row["power_second"], 3) for row in rows] == [0.744, 0.752, 0.785, 0.694]


def test_counts_and_facts_of_datasets_are_no_benchmarks() -> None:
    assert not [each for each in PUBLISHED if each.metric.startswith("count_") or each.dataset == "k_sat"]
    assert {each.source for each in PUBLISHED} == {f"autoeval {n}" for n in (6, *range(8, 15), 16, 18, 19, 20)}


def test_predictive_power_by_hand() -> None:
    """Of a, b and c the second benchmark says a > b = c: pairs ab, ac, bc, cb; the first says b > a = c: ac and bc."""
    power, low, high = predictive_power([1, 2, 1], [2, 1, 1])
    assert power == 2 / 4
    # The jackknife over three models would span everything, and holds too little for fewer than eight.
    assert (low, high) == (None, None)


def test_the_jackknife_by_hand() -> None:
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
def test_eight_models_are_the_fewest_of_which_there_is_an_interval(models: int, has_interval: bool) -> None:
    scores = [float(number) for number in range(models)]
    _, low, high = predictive_power(scores, [*scores[:-2], scores[-1], scores[-2]])
    assert (low is not None, high is not None) == (has_interval, has_interval)


def column(source: str, dataset: str, task: str, *scores: float) -> Benchmark:
    return Benchmark(source, dataset, task, "truth", "", dict(zip("abcdefgh", scores, strict=False)))


def test_scores_that_are_all_equal_correlate_with_nothing() -> None:
    (row,) = benchmarks([(column(HERE, "d", "t", 1, 1, 1), column(HERE, "e", "t", 1, 2, 3))])
    assert [row[name] for name in ("rho", "rho_low", "rho_high", "p", "tau")] == [None] * 5
    assert (row["power_first"], row["power_second"]) == (1, 0.5)


def test_three_models_have_no_interval_of_fisher_and_two_no_row() -> None:
    first, second = column(HERE, "d", "t", 1, 2, 3), column(HERE, "e", "t", 1, 3, 2)
    (row,) = benchmarks([(first, second)])
    assert (row["models"], row["rho_low"], row["rho_high"]) == (["a", "b", "c"], None, None)
    assert row["rho"] == pytest.approx(1 / 2)
    assert row["tau"] == pytest.approx(1 / 3)
    assert benchmarks([(first, column(HERE, "e", "t", 1, 3))]) == []


def test_which_are_compared() -> None:
    ours = [column(HERE, "d", "t"), column(HERE, "d", "t"), column(HERE, "e", "t")]
    theirs = [column("p 1", "d", "k"), column("p 1", "f", "k"), column("p 2", "f", "k"), column("p 2", "g", "k")]
    found = [
        (first.source, first.dataset, second.source, second.dataset)
        for first, second in pairs(ours, theirs, {("d", "k")})
    ]
    # Not two metrics of one task, and of what is published alone only tables about what the experiment has.
    assert found == [
        (HERE, "d", HERE, "e"),
        (HERE, "d", HERE, "e"),
        *((HERE, dataset, each.source, each.dataset) for dataset in "dde" for each in theirs),
        ("p 1", "d", "p 1", "f"),
    ]


def test_what_was_measured() -> None:
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
