"""The figure of scores over what is measured of generated items: small multiples, one a model and dataset."""

from __future__ import annotations

from typing import Any

import altair as alt

from nlfol.analyses.charts import POINT, Figure, Rows, choice, figure, opened, share, tips

_MEASURES = (
    *("category", "operators", "depth", "conjunctions", "disjunctions", "negations"),
    *("quantifiers", "states", "edges", "density"),
)
"""Those of the published figures (∀uto∃∨∧L, arXiv 2410.08437, figures 5 and 11 to 15), quantifiers beside them."""

_DETECTED = {"all": "all items", "true": "every edit detected"}


def curves(rows: Rows) -> Figure | None:
    """Scores over a measure, both of the reader's choice; None where no dataset is generated.

    Args:
        rows: of ``analysis_schemas.CURVES``.
    """
    drawn = [_mark(row) for row in rows if row["measure"] in _MEASURES and row["sensitive"] in _DETECTED]
    if not drawn:
        return None
    base = alt.Chart(width=200, height=140).encode(
        x=alt.X("value:Q", title="Value of the measure"),
        color=alt.Color("shown:N", title="Shown as", sort=None),
        detail="chosen:N",
        tooltip=tips("model", "shown", "chosen", "bin", "items"),
    )
    dashes = alt.StrokeDash(
        "chosen:N", title="Items", sort=list(_DETECTED.values()), legend=alt.Legend(symbolType="stroke")
    )
    chosen = [choice(drawn, "measure"), choice(drawn, "metric")]
    axis = share("mean", "Mean score", alt.Y)
    layers = alt.layer(
        base.mark_area(opacity=0.15).encode(y=share("low", "Mean score", alt.Y), y2="high:Q"),
        base.mark_line().encode(y=axis, strokeDash=dashes),
        base.mark_point(**POINT | {"size": 25}).encode(y=axis),
    ).add_params(*chosen)
    for parameter, name in zip(chosen, ("measure", "metric"), strict=True):
        layers = layers.transform_filter(alt.datum[name] == parameter)
    order = {name: list(dict.fromkeys(row[name] for row in drawn)) for name in ("model", "panel")}
    data: Any = {"values": drawn}
    panels = (
        layers.facet(
            row=alt.Row("model:N", title=None, sort=order["model"]),
            column=alt.Column("panel:N", title=None, sort=order["panel"]),
            data=data,
        )
        .resolve_scale(x="independent")
        .resolve_axis(y="independent")
    )
    return figure(
        drawn,
        "curves",
        "Scores over the size of generated items",
        "Mean score of each model over the items of each value, or range of values, of a measure, with the interval at "
        "95 % over stories. Choose measure and metric below. Category: the measure that generation was stratified by. "
        "Dashed: only the items of which every edit that was tried is proven to change the meaning.",
        panels,
    )


def _mark(row: dict[str, Any]) -> dict[str, Any]:
    chance = row["kind"] == "chance"
    # Of all measures the explorer knows but two.
    found = row["measure"] in ("operators", "quantifiers") and row["start"] == row["end"] and row["sensitive"] == "all"
    return {
        "panel": f"{row['dataset']} · {row['task']}",
        "shown": row["presentation"] or "no candidates",
        "chosen": _DETECTED[row["sensitive"]],
        "value": (row["start"] + row["end"]) / 2,
        **{name: row[name] for name in ("model", "metric", "measure", "bin", "items", "mean")},
        # Chance is known exactly for the items.
        **{name: None if chance else row[name] for name in ("low", "high")},
        "opens": opened(row, **{row["measure"]: row["bin"]}) if found else None,
    }
