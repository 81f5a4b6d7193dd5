"""Scores by how complex the gold formulas are: items of equally many operators, or quantifiers, go together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl

from nlfol.statistics.clusters import clustered_mean
from nlfol.statistics.series import Series

MOST = {"operators": 5, "quantifiers": 3}
"""Numbers from which on items go together."""


def difficulty(series: Series, counts: Mapping[str, Mapping[str, int]]) -> Iterator[dict[str, Any]]:
    """The mean of one model's scores over the items of each number, with its interval (``clusters``).

    Args:
        series: of the model.
        counts: for each measure of ``MOST``, how many each item of the dataset has; left out where none has it.

    Yields:
        ``measure``, ``number`` ("0", ..., "5+"), ``items``, ``mean``, ``low`` and ``high``.
    """
    for measure, most in MOST.items():
        if measure not in counts:
            continue
        number = pl.col("item").replace_strict(counts[measure], return_dtype=pl.Int64).clip(upper_bound=most)
        for (group,), items in (
            series.items.with_columns(number.alias("number")).sort("number").group_by("number", maintain_order=True)
        ):
            found = clustered_mean(items["score"].to_list(), items["story"].to_list())
            yield {
                "measure": measure,
                "number": f"{group}+" if group == most else str(group),
                "items": found.items,
                "mean": found.mean,
                "low": found.low,
                "high": found.high,
            }
