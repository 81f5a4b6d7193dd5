"""The figure of scores over measures of generated items."""

from __future__ import annotations

from typing import Any

import polars as pl
import vl_convert

from nlfol.analyses.curves import curves_figure


def row(**given: Any) -> dict[str, Any]:
    question = {"dataset": "k_sat", "task": "round_trip", "metric": "truth", "presentation": "zero_shot"}
    value = {"measure": "category", "bin": "3", "start": 3.0, "end": 3.0, "sensitive": "all"}
    score = {"items": 9, "mean": 0.5, "low": 0.25, "high": 0.75}
    return {**question, "model": "m", "kind": "chat", **value, **score, **given}


def test_there_is_no_figure_without_curves() -> None:
    assert curves_figure(pl.DataFrame([], schema=list(row()))) is None
    assert curves_figure(pl.DataFrame([row(measure="constants"), row(sensitive="false")])) is None


def test_only_the_chosen_measure_and_metric_are_drawn() -> None:
    """A panel for each model and dataset; at first the first measure and metric of the rows."""
    shown = [row(model=model, bin=f"{n}", start=n, end=n) for model in ("m", "n") for n in (1.0, 2.0, 3.0)]
    others = [row(metric="compliance"), row(measure="depth"), row(sensitive="false")]
    figure = curves_figure(pl.DataFrame([*shown, row(sensitive="true"), *others]))
    assert figure is not None
    drawn = vl_convert.vegalite_to_svg(figure.specification)
    assert drawn.count('aria-roledescription="point"') == 6 + 1
    (marks,) = figure.specification["datasets"].values()
    assert len(marks) == 6 + 1 + 2


def test_a_range_stands_at_its_middle_and_chance_has_no_interval() -> None:
    figure = curves_figure(pl.DataFrame([row(bin="5–9", start=5.0, end=9.0, kind="chance")]))
    assert figure is not None
    ((mark,),) = figure.specification["datasets"].values()
    assert (mark["value"], mark["low"], mark["high"]) == (7, None, None)


def test_a_mark_opens_items_that_the_explorer_can_choose() -> None:
    figure = curves_figure(
        pl.DataFrame([row(measure="operators"), row(measure="operators", bin="5–9", end=9.0), row()])
    )
    assert figure is not None
    (marks,) = figure.specification["datasets"].values()
    question = "dataset=k_sat&task=round_trip&model=m&presentation=zero_shot&metric=truth"
    assert [mark["opens"] for mark in marks] == [f"#items?{question}&operators=3", None, None]
