"""The figures of benchmarks against one another."""

from __future__ import annotations

import polars as pl
import vl_convert

from nlfol.analyses.benchmarks import HERE, Benchmark, benchmarks, powers, scatter


def column(dataset: str, *scores: float) -> Benchmark:
    return Benchmark(HERE, dataset, "trip", "truth", "zero_shot", dict(zip("abcd", scores, strict=True)))


COMPARED = benchmarks(
    [
        (column("d", 0.1, 0.2, 0.3, 0.5), column("e", 0.2, 0.1, 0.4, 0.5)),
        (column("d", 0.1, 0.2, 0.3, 0.5), column("f", 0.5, 0.5, 0.5, 0.5)),
    ]
)
ROWS = pl.DataFrame(COMPARED)
FIRST = "d · trip · truth · zero_shot (here)"


def test_there_is_no_figure_without_rows() -> None:
    assert scatter(ROWS.clear()) is None
    assert powers(ROWS.clear()) is None


def test_each_model_is_a_point_of_the_chosen_pair() -> None:
    figure = scatter(ROWS)
    assert figure is not None
    (marks,) = figure.specification["datasets"].values()
    assert [(mark["model"], mark["first"], mark["second"]) for mark in marks[:2]] == [("a", 0.1, 0.2), ("b", 0.2, 0.1)]
    assert marks[0]["pair"] == f"{FIRST} – e · trip · truth · zero_shot (here)"
    assert marks[0]["said"].startswith("correlation 0.855 [")
    assert marks[4]["said"] == "no correlation: all scores are equal"
    drawn = vl_convert.vegalite_to_svg(figure.specification)
    assert drawn.count('aria-roledescription="point"') == 4
    assert "correlation 0.855" in drawn


def test_powers_of_the_chosen_benchmark_both_ways() -> None:
    figure = powers(ROWS)
    assert figure is not None
    (marks,) = figure.specification["datasets"].values()
    of_first = [(mark["other"][0], mark["said"], mark["power"]) for mark in marks if mark["chosen"] == FIRST]
    # Five of six pairs are ordered alike; f ties all, so that it agrees with everything, and tells nothing.
    assert of_first == [
        ("e", "other given chosen", 5 / 6),
        ("e", "chosen given other", 5 / 6),
        ("f", "other given chosen", 1),
        ("f", "chosen given other", 1 / 2),
    ]
    drawn = vl_convert.vegalite_to_svg(figure.specification)
    assert drawn.count('aria-roledescription="bar"') == 4
