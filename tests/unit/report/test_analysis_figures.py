"""Figures of analyses: sizes of generated items, scores over measures, and benchmarks against one another."""

import json
import re
from typing import Any

import polars as pl
import vl_convert
from tests.stored import frame, marks

from nlfol.results.analyses.analysis import analysis_of, schema_of
from nlfol.results.analyses.benchmark_pairs import HERE, Benchmark
from nlfol.results.analyses.benchmarks import OPERATORS, benchmarks, powers, scatter
from nlfol.results.analyses.curves import GAIN, curves_figure, gains_figure
from nlfol.results.analyses.generated import counts_figure
from nlfol.results.analyses.registry import TOPICS
from nlfol.results.analyses.strategies import STRATEGIES, strategies_figure
from nlfol.results.analyses.verification import confusions


def size(**given: Any) -> dict[str, Any]:
    return {"dataset": "k_sat", "measure": "category", "value": 2.0, "items": 5, **given}


def test_size_figure_bins_measures_but_lists_categories() -> None:
    categories = [size(value=float(value)) for value in range(2, 60, 3)]
    depths = [size(measure="depth", value=float(value), items=value) for value in range(3, 16) if value != 7]
    figure = counts_figure(pl.DataFrame([*categories, *depths, size(measure="depth", value=30.0, items=9)]))
    found = [(mark["panel"], mark["measure"], mark["bin"], mark["items"]) for mark in marks(figure)]
    assert found[:20] == [("k_sat", "category", str(value), 5) for value in range(2, 60, 3)]
    bars = {"0–4": 3 + 4, "5–9": 5 + 6 + 8 + 9, "10–14": 60, "15–19": 15, "20–24": 0, "25–29": 0, "30–34": 9}
    assert found[20:] == [("k_sat", "depth", *bar) for bar in bars.items()]


def test_size_figure_draws_chosen_measure_per_dataset() -> None:
    rows = [
        size(**place, value=value)
        for place in ({}, {"dataset": "regular"}, {"dataset": "regular", "measure": "depth"})
        for value in (3.0, 5.0)
    ]
    # No bar stands alone; nor are there any of a measure that scores are not drawn over.
    others = [size(measure="depth"), size(measure="letters"), size(measure="letters", value=3.0)]
    figure = counts_figure(pl.DataFrame([*rows[:2], *others, *rows[2:]]))
    assert figure is not None
    drawn = vl_convert.vegalite_to_svg(figure.specification)
    assert drawn.count('aria-roledescription="bar"') == 4
    assert [name for name in ("k_sat", "regular") if f">{name}<" in drawn] == ["k_sat", "regular"]
    assert len(marks(figure)) == 6


def score(**given: Any) -> dict[str, Any]:
    question = {"dataset": "k_sat", "task": "round_trip", "metric": "truth", "presentation": "zero_shot"}
    value = {"measure": "category", "bin": "3", "start": 3.0, "end": 3.0, "sensitive": "all"}
    score = {"items": 9, "mean": 0.5, "deviation": None, "low": 0.25, "high": 0.75}
    return {**question, "model": "m", "kind": "chat", **value, **score, **given}


def test_curve_figure_draws_chosen_measure_and_presentation() -> None:
    # A panel for each question, with all models; at first the first measure and presentation of the rows.
    shown = [score(model=model, bin=f"{n}", start=n, end=n) for model in ("m", "n") for n in (1.0, 2.0, 3.0)]
    others = [
        score(presentation="few_shot"),
        score(measure="depth"),
        score(sensitive="false"),
        score(presentation=GAIN),
    ]
    figure = curves_figure(pl.DataFrame([*shown, score(sensitive="true"), *others]))
    assert figure is not None
    drawn = vl_convert.vegalite_to_svg(figure.specification)
    assert drawn.count('aria-roledescription="point"') == 6 + 1
    assert len(marks(figure)) == 6 + 1 + 2
    # The axis is called by the measure, and there is one panel.
    assert re.findall(r">category<|>k_sat · round_trip: truth<", drawn) == [">category<", ">k_sat · round_trip: truth<"]


def test_curve_figure_draws_seed_bands_and_hides_intervals_for_many_models() -> None:
    said = [{"bin": f"{n}", "start": n, "end": n} for n in (1.0, 2.0)]
    (first, *_), (plain, *_) = (
        marks(curves_figure(pl.DataFrame([score(deviation=spread, **place) for place in said])))
        for spread in (0.125, None)
    )
    assert (first["below"], first["above"]) == (0.375, 0.625)
    assert (plain["below"], plain["above"]) == (None, None)

    def areas(models: str) -> int:
        rows = [score(model=model, deviation=0.125, **place) for model in models for place in said]
        figure = curves_figure(pl.DataFrame(rows))
        assert figure is not None
        return vl_convert.vegalite_to_svg(figure.specification).count('aria-roledescription="area mark container"')

    # Of four models intervals and deviations, of five deviations alone.
    assert (areas("abcd"), areas("abcde")) == (8, 5)


def test_gain_figure_is_centred_on_zero() -> None:
    figure = gains_figure(pl.DataFrame([score(), score(presentation=GAIN, mean=-0.5)]))
    (mark,) = marks(figure)
    assert (mark["mean"], mark["opens"]) == (-0.5, None)
    assert figure is not None
    assert '"domain": [-1, 1]' in json.dumps(figure.specification)


def test_confusion_figure_counts_verifier_answers_by_truth() -> None:
    """A verifier that always says yes has no negatives."""
    counts = {"true_positives": 3, "false_positives": 3, "true_negatives": 0, "false_negatives": 0}
    yes = {"dataset": "made", "task": "verify", "model": "yes", "group": "all", **counts}
    figure = confusions(pl.DataFrame([yes, {**yes, "group": "size"}]))
    assert [(mark["case"], mark["answers"]) for mark in marks(figure)] == [
        ("true positives", 3),
        ("false positives", 3),
    ]


def test_curve_mark_uses_bin_middle_and_chance_lacks_interval() -> None:
    figure = curves_figure(pl.DataFrame([score(bin="5–9", start=5.0, end=9.0, kind="chance")]))
    (mark,) = marks(figure)
    assert (mark["value"], mark["low"], mark["high"]) == (7, None, None)


def test_curve_mark_links_to_explorer_items() -> None:
    figure = curves_figure(
        pl.DataFrame([score(measure="operators"), score(measure="operators", bin="5–9", end=9.0), score()])
    )
    question = "dataset=k_sat&task=round_trip&model=m&presentation=zero_shot&metric=truth"
    assert {(mark["measure"], mark["value"]): mark["opens"] for mark in marks(figure)} == {
        ("operators", 3): f"#items?{question}&operators=3",
        ("operators", 6): None,
        ("category", 3): None,
    }


def column(dataset: str, *scores: float) -> Benchmark:
    return Benchmark(HERE, dataset, "trip", "truth", "zero_shot", dict(zip("abcd", scores, strict=True)))


COMPARED = benchmarks(
    [
        (column("d", 0.1, 0.2, 0.3, 0.5), column("e", 0.2, 0.1, 0.4, 0.5)),
        (column("d", 0.1, 0.2, 0.3, 0.5), column("f", 0.5, 0.5, 0.5, 0.5)),
    ]
)
ROWS = pl.DataFrame(COMPARED)
FIRST = "d · trip · truth"


def test_figures_are_absent_for_empty_tables() -> None:
    declared = [each for topic in TOPICS for each in analysis_of(topic).figures]
    assert len(declared) == 22
    for names, draw in declared:
        assert draw(*(frame(schema_of(name)) for name in names)) is None
    assert curves_figure(pl.DataFrame([score(measure="constants"), score(sensitive="false")])) is None


def test_scatter_draws_point_per_model() -> None:
    figure = scatter(ROWS)
    assert figure is not None
    points = marks(figure)
    assert [(mark["model"], mark["x"], mark["y"]) for mark in points[:2]] == [("a", 0.1, 0.2), ("b", 0.2, 0.1)]
    assert points[0]["pair"] == f"{FIRST} – e · trip · truth"
    assert points[0]["said"] == "ρ = 0.86 [-0.59, 1.00], p = 0.145"
    assert points[4]["said"] == "no correlation: all scores are equal"
    drawn = vl_convert.vegalite_to_svg(figure.specification)
    assert drawn.count('aria-roledescription="point"') == 4
    assert "ρ = 0.86" in drawn
    # The axes are called by what they show.
    assert {f">{title}<" for title in (FIRST, "e · trip · truth")} <= set(re.findall(r">[^<>]+<", drawn))


def test_operator_scatter_draws_point_per_operator_count() -> None:
    first, second = (
        Benchmark(HERE, dataset, "trip", "truth", "", {"0": 1.0, "1": 0.5, "2": value})
        for dataset, value in (("d", 0.25), ("e", 0.0))
    )
    rows = pl.DataFrame(benchmarks([(first, second)], OPERATORS))
    assert scatter(rows) is None
    figure = scatter(rows, OPERATORS)
    assert [(mark["operator"], mark["x"], mark["y"]) for mark in marks(figure)] == [
        (0, 1, 1),
        (1, 0.5, 0.5),
        (2, 0.25, 0),
    ]
    assert figure is not None
    assert ">Operators<" in vl_convert.vegalite_to_svg(figure.specification)


def test_power_figure_shows_both_directions() -> None:
    figure = powers(ROWS)
    assert figure is not None
    of_first = [(mark["other"][0], mark["said"], mark["power"]) for mark in marks(figure) if mark["benchmark"] == FIRST]
    # Five of six pairs are ordered alike; f ties all, so that it agrees with everything, and tells nothing.
    assert of_first == [
        ("e", "other given chosen", 5 / 6),
        ("e", "chosen given other", 5 / 6),
        ("f", "other given chosen", 1),
        ("f", "chosen given other", 1 / 2),
    ]
    # The benchmarks that are second in all pairs can be chosen, too.
    assert [mark["other"] for mark in marks(figure)[4:]] == [FIRST] * 4
    drawn = vl_convert.vegalite_to_svg(figure.specification)
    assert drawn.count('aria-roledescription="point"') == 4


def test_strategy_figure_draws_gain_with_interval_per_dataset() -> None:
    def row(gain: float | None, model: str = "m", dataset: str = "d") -> dict[str, Any]:
        ends = {"low": None, "high": None} if gain is None else {"low": gain - 0.25, "high": gain + 0.25}
        said = {"dataset": dataset, "model": model, "strategy": "tuned", "base_strategy": "direct", "items": 4}
        return {**said, "gain": gain, **ends, "comparison": "instructions" if dataset == "other" else "strategies"}

    # Where too few items make pairs there is no gain, and no point.
    assert strategies_figure(frame(STRATEGIES, row(None))) is None
    figure = strategies_figure(frame(STRATEGIES, row(0.5), row(-0.25, "n"), row(0.0, dataset="other"), row(None, "o")))
    assert [tuple(mark[name] for name in ("panel", "model", "mean", "low", "high")) for mark in marks(figure)] == [
        ("d: tuned less direct", "m", 0.5, 0.25, 0.75),
        ("d: tuned less direct", "n", -0.25, -0.5, 0.0),
        ("other: tuned less direct, same examples", "m", 0.0, -0.25, 0.25),
    ]
    assert figure is not None
    drawn = vl_convert.vegalite_to_svg(figure.specification)
    assert drawn.count('aria-roledescription="point"') == 3
    assert "Gain in the share of right answers" in drawn
