"""The figure of how large generated items are."""

from __future__ import annotations

from typing import Any

import polars as pl
import vl_convert

from nlfol.analyses.charts import Figure
from nlfol.analyses.generated import counts_figure


def row(**given: Any) -> dict[str, Any]:
    return {"dataset": "k_sat", "measure": "category", "value": 2.0, "items": 5, **given}


def marks(figure: Figure | None) -> list[tuple[str, str, str, int]]:
    assert figure is not None
    (found,) = figure.specification["datasets"].values()
    return [(mark["panel"], mark["measure"], mark["bin"], mark["items"]) for mark in found]


def test_there_is_no_figure_without_generated_items() -> None:
    assert counts_figure(pl.DataFrame([], schema=list(row()))) is None


def test_each_category_has_a_bar_and_many_values_of_another_measure_share_some() -> None:
    categories = [row(value=float(value)) for value in range(2, 60, 3)]
    depths = [row(measure="depth", value=float(value), items=value) for value in range(3, 16) if value != 7]
    found = marks(counts_figure(pl.DataFrame([*categories, *depths, row(measure="depth", value=30.0, items=9)])))
    assert found[:20] == [("k_sat", "category", str(value), 5) for value in range(2, 60, 3)]
    bars = [
        ("0–4", 3 + 4),
        ("5–9", 5 + 6 + 8 + 9),
        ("10–14", 60),
        ("15–19", 15),
        ("20–24", 0),
        ("25–29", 0),
        ("30–34", 9),
    ]
    assert found[20:] == [("k_sat", "depth", *bar) for bar in bars]


def test_only_the_chosen_measure_is_drawn_in_a_panel_for_each_dataset() -> None:
    rows = [row(), row(value=5.0), row(dataset="regular", value=3.0), row(dataset="regular", measure="depth")]
    figure = counts_figure(pl.DataFrame(rows))
    assert figure is not None
    drawn = vl_convert.vegalite_to_svg(figure.specification)
    assert drawn.count('aria-roledescription="bar"') == 3
    assert [name for name in ("k_sat", "regular") if f">{name}<" in drawn] == ["k_sat", "regular"]
    assert len(marks(figure)) == 4
