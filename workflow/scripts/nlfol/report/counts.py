"""The figure of how many generated items there are of each size."""

from __future__ import annotations

from bisect import bisect_right
from itertools import groupby
from typing import Any

import altair as alt

from nlfol.analyses.charts import Figure, Rows, chart, choice, figure, panels, tips
from nlfol.statistics.curves import MOST_BINS, bins
from nlfol.store.analysis_schemas import CATEGORY


def counts(rows: Rows) -> Figure | None:
    """Draw the number of items by value of a measure that the reader chooses; None without rows.

    Args:
        rows: of ``analysis_schemas.COUNTS``.
    """
    if not rows:
        return None
    groups = groupby(rows, key=lambda row: (row["dataset"], row["measure"]))
    drawn = [mark for (dataset, measure), group in groups for mark in _marks(dataset, measure, list(group))]
    chosen = choice(drawn, "measure")
    bars = (
        chart(height=160)
        .mark_bar()
        .encode(
            x=alt.X(
                "bin:O",
                title="Value of the measure",
                sort=alt.EncodingSortField("start", op="min"),
                axis=alt.Axis(labelAngle=0, labelOverlap=True),
            ),
            y=alt.Y("items:Q", title="Items", axis=alt.Axis(tickMinStep=1)),
            tooltip=tips("panel", "measure", "bin", items="items"),
        )
        .add_params(chosen)
        .transform_filter(alt.datum.measure == chosen)
    )
    return figure(
        drawn,
        "counts",
        "Size of generated items",
        "How many generated items have each value, or range of values, of a measure. Choose the measure below. "
        "Category: the measure that generation was stratified by.",
        panels(bars, drawn).resolve_scale(x="independent"),
    )


def _marks(dataset: str, measure: str, rows: Rows) -> list[dict[str, Any]]:
    made = bins([row["value"] for row in rows], None if measure == CATEGORY else MOST_BINS)
    starts, items = [each.start for each in made], [0] * len(made)
    for row in rows:
        items[bisect_right(starts, row["value"]) - 1] += row["items"]
    said = {"panel": dataset, "measure": measure, "opens": None}
    return [said | {"bin": each.bin, "start": each.start, "items": n} for each, n in zip(made, items, strict=True)]
