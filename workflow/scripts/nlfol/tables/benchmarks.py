"""The table of benchmarks against one another."""

from __future__ import annotations

from typing import Any

import polars as pl

from nlfol.tables.table import Column, Kind, P, Score, Table

PARTS = ("dataset", "task", "metric", "presentation", "source")
"""What tells a benchmark from another."""


def benchmarks(rows: pl.DataFrame) -> Table:
    """How far the scores of models in one benchmark go with those in another."""
    return Table(
        "benchmarks",
        "Benchmarks against one another",
        "Over the models that both have scores of: Pearson's correlation, Kendall's tau, and the predictive power, the "
        "share of ordered pairs of models that one benchmark orders as the other does.",
        (
            *(Column(name, _header(name).capitalize(), Kind.TEXT) for name in PARTS),
            *(Column(f"second_{name}", f"Second: {_header(name)}", Kind.TEXT) for name in PARTS),
            Column("models", "Models", Kind.COUNT),
            Column("rho", "Correlation", Kind.SCORE),
            Column("p", "p", Kind.SHARE),
            Column("tau", "Kendall's tau", Kind.SHARE),
            Column("power_first", "P(first given second)", Kind.SCORE),
            Column("power_second", "P(second given first)", Kind.SCORE),
        ),
        tuple(
            (
                *(row[f"first_{name}"] or None for name in PARTS),
                *(row[f"second_{name}"] or None for name in PARTS),
                len(row["models"]),
                _score(row, "rho"),
                None if row["p"] is None else P(row["p"]),
                row["tau"],
                _score(row, "power_first"),
                _score(row, "power_second"),
            )
            for row in rows.to_dicts()
        ),
        (
            "Source: here, or the file in resources/published and its table. At least three models in common.",
            "Correlation: interval at 95 % by Fisher's transform, p two-sided; – where all scores are equal.",
            "P: of the ordered pairs of which the given one scores the first no less, the share of which both do.",
            "Its interval at 95 %: jackknife over models.",
            "p is not adjusted: each row asks another question.",
        ),
        long=True,
    )


def _header(name: str) -> str:
    return "shown as" if name == "presentation" else name


def _score(row: dict[str, Any], name: str) -> Score | None:
    return None if row[name] is None else Score(row[name], None, row[f"{name}_low"], row[f"{name}_high"])
