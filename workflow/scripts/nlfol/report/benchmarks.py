"""The figures of benchmarks against one another: the scores of models in two of them, and predictive powers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import altair as alt

from nlfol.analyses.charts import ROW, Figure, Rows, chart, figure, share, tips


def scatter(rows: Rows) -> Figure | None:
    """The scores of each model in two benchmarks of the reader's choice; None where there are no two.

    Args:
        rows: of ``round_trip_schemas.BENCHMARKS``.
    """
    drawn = [
        {"pair": _pair(row), "model": model, "first": first, "second": second, "said": _correlation(row)}
        for row in rows
        for model, first, second in zip(row["models"], row["first_scores"], row["second_scores"], strict=True)
    ]
    if not drawn:
        return None
    chosen = _choice([row["pair"] for row in drawn], "pair", "Benchmarks")
    data: Any = {"values": drawn}
    base = alt.Chart(data, width=360, height=300).encode(
        x=alt.X("first:Q", title="Score in the first", scale=alt.Scale(zero=False)),
        y=alt.Y("second:Q", title="Score in the second", scale=alt.Scale(zero=False)),
        tooltip=tips("model", first="first", second="second"),
    )
    points = base.mark_point(filled=True, size=60)
    names = base.mark_text(align="left", dx=6, fontSize=9).encode(text="model:N")
    said = (
        alt.Chart(data)
        .mark_text(align="left", baseline="top")
        .encode(x=alt.value(4), y=alt.value(4), text=alt.Text("said:N", aggregate="min"))
    )
    layers = alt.layer(points, names, said).add_params(chosen).transform_filter(alt.datum["pair"] == chosen)
    return figure(
        drawn,
        "benchmarks",
        "Benchmarks against one another",
        "Score of each model in two benchmarks, with Pearson's correlation and interval at 95 %. Choose both below.",
        layers,
    )


def powers(rows: Rows) -> Figure | None:
    """The predictive powers between a benchmark of the reader's choice and all others; None where there are none."""
    drawn = []
    for row in rows:
        first, second = _name(row, "first"), _name(row, "second")
        for one, other, of_one, of_other in ((first, second, "first", "second"), (second, first, "second", "first")):
            for said, power in (("other given chosen", of_other), ("chosen given other", of_one)):
                drawn.append(
                    {
                        "chosen": one,
                        "other": other,
                        "said": said,
                        "models": len(row["models"]),
                        "power": row[f"power_{power}"],
                        **{end: row[f"power_{power}_{end}"] for end in ("low", "high")},
                    }
                )
    if not drawn:
        return None
    chosen = _choice([row["chosen"] for row in drawn], "benchmark", "Benchmark")
    data: Any = {"values": drawn}
    base = (
        chart(height=ROW)
        .properties(data=data)
        .encode(
            y=alt.Y("other:N", title=None, sort=None, axis=alt.Axis(labelLimit=400)),
            yOffset=alt.YOffset("said:N", sort=None),
            tooltip=tips("other", "said", "models", power="power", low="from", high="to"),
        )
    )
    bars = base.mark_bar().encode(
        x=share("power", "Predictive power"), color=alt.Color("said:N", title=None, sort=None)
    )
    rule = base.mark_rule(strokeWidth=2).encode(x=share("low", "Predictive power"), x2="high:Q")
    layers = alt.layer(bars, rule).add_params(chosen).transform_filter(alt.datum["chosen"] == chosen)
    return figure(
        drawn,
        "powers",
        "Predictive power of benchmarks",
        "How often one benchmark orders two models as another does, with the jackknife's interval at 95 % over models. "
        "Choose a benchmark below.",
        layers,
    )


def _choice(values: list[str], name: str, title: str) -> alt.Parameter:
    options = list(dict.fromkeys(values))
    return alt.param(name=name, value=options[0], bind=alt.binding_select(options=options, name=f"{title} "))


def _pair(row: Mapping[str, Any]) -> str:
    return f"{_name(row, 'first')} – {_name(row, 'second')}"


def _name(row: Mapping[str, Any], which: str) -> str:
    named = (row[f"{which}_{part}"] for part in ("dataset", "task", "metric", "presentation"))
    return f"{' · '.join(filter(None, named))} ({row[f'{which}_source']})"


def _correlation(row: Mapping[str, Any]) -> str:
    if row["rho"] is None:
        return "no correlation: all scores are equal"
    interval = "" if row["rho_low"] is None else f" [{row['rho_low']:.3f}, {row['rho_high']:.3f}]"
    return f"correlation {row['rho']:.3f}{interval}"
