"""Tables of generated datasets: how much they repeat themselves, how large their items are, and scores over that."""

from __future__ import annotations

from statistics import fmean, median
from typing import Any

import polars as pl

from nlfol.tables.table import Cell, Column, Kind, Score, Table

COUNTED = ("items", "formulas", "trees", "trees_share", "sharing")
"""What may be published of a dataset, by the names of the columns."""


def diversity(rows: pl.DataFrame, figures: pl.DataFrame) -> Table:
    """How diverse each dataset is, and below it what is published of one with the same name.

    Args:
        rows: of ``analysis_schemas.DIVERSITY``.
        figures: the columns of ``resources/published``; of datasets, by the names of the columns here.
    """
    drawn: list[tuple[Cell, ...]] = []
    for row in rows.to_dicts():
        drawn.append(_ours(row))
        published = figures.filter(
            pl.col("task").is_null(), pl.col("dataset") == row["dataset"], pl.col("metric").is_in(COUNTED)
        )
        if not published.is_empty():
            drawn.append(_published(row["dataset"], dict(published.select("metric", "mean").rows())))
    return Table(
        "diversity",
        "Diversity of the datasets",
        "How often formulas and trees repeat, and how many single edits of a formula change its meaning.",
        (
            Column("dataset", "Dataset", Kind.TEXT),
            Column("source", "Source", Kind.TEXT),
            Column("items", "Items", Kind.COUNT),
            Column("refused", "Refused", Kind.COUNT),
            Column("formulas", "Unique formulas", Kind.COUNT),
            Column("trees", "Unique trees", Kind.COUNT),
            Column("trees_share", "Share", Kind.SHARE),
            Column("sharing", "Sharing a tree", Kind.COUNT),
            Column("constant", "Constant", Kind.COUNT),
            Column("constant_unknown", "Unknown", Kind.COUNT),
            Column("edits", "Edits", Kind.COUNT),
            Column("undecided", "Undecided", Kind.COUNT),
            Column("sensitivity", "Sensitivity", Kind.SCORE),
            Column("operators", "Operators", Kind.SHARE),
        ),
        tuple(drawn),
        (
            "Unique trees: derivation trees of generated items without their vocabulary; Share: of the items.",
            "Sharing a tree: items whose tree another item has with another formula.",
            "Constant: true everywhere or nowhere, or matching all words or none; Unknown: undecided.",
            "Sensitivity: of the edits tried, the share proven to change the meaning; interval at 95 % over stories.",
            "A mistake that changes no meaning is not found.",
        ),
    )


def _ours(row: dict[str, Any]) -> tuple[Cell, ...]:
    sensitivity = row["sensitivity"]
    seen = None if sensitivity is None else Score(sensitivity, None, row["sensitivity_low"], row["sensitivity_high"])
    counted = ("refused", *COUNTED[1:], "constant", "constant_unknown", "edits", "undecided")
    return row["dataset"], "here", row["items"], *(row[name] for name in counted), seen, row["operators"]


def _published(dataset: str, found: dict[str, float]) -> tuple[Cell, ...]:
    counts = {name: int(mean) for name, mean in found.items() if name != "trees_share"}
    told = (counts.get(name) for name in ("items", "refused", "formulas", "trees"))
    return dataset, "published", *told, found.get("trees_share"), counts.get("sharing"), *[None] * 6


def counts(rows: pl.DataFrame) -> Table:
    """How the values of each measure spread over the items of each generated dataset.

    Args:
        rows: of ``analysis_schemas.COUNTS``.
    """
    drawn: list[tuple[Cell, ...]] = []
    for (dataset, measure), group in rows.group_by("dataset", "measure", maintain_order=True):
        values: list[float] = group["value"].repeat_by(group["items"]).explode().to_list()
        drawn.append((dataset, measure, len(values), min(values), median(values), fmean(values), max(values)))
    return Table(
        "counts",
        "Size of generated items",
        "How the values of each measure spread over the generated items of a dataset.",
        (
            Column("dataset", "Dataset", Kind.TEXT),
            Column("measure", "Measure", Kind.TEXT),
            Column("items", "Items", Kind.COUNT),
            *(Column(name, name.capitalize(), Kind.SHARE) for name in ("least", "median", "mean", "greatest")),
        ),
        tuple(drawn),
        (
            "Category: the measure that generation was stratified by. Items: those that have the measure.",
            "A measure that is 0 of every item of a dataset is left out.",
            "How many items have each value is in the report and in counts.arrow.",
        ),
        long=True,
    )


def curves(rows: pl.DataFrame) -> Table:
    """Scores by category: over all items, and over those of which every edit tried is detected."""
    named = ("dataset", "task", "metric", "presentation", "model", "bin")
    by_category = rows.filter(pl.col("measure") == "category")
    detected = {
        tuple(row[name] for name in named): row
        for row in by_category.filter(pl.col("sensitive") == "true").iter_rows(named=True)
    }
    drawn = []
    for row in by_category.filter(pl.col("sensitive") == "all").iter_rows(named=True):
        key = tuple(row[name] for name in named)
        sensitive = detected.get(key)
        drawn.append(
            (
                *key,
                row["items"],
                _score(row),
                None if sensitive is None else sensitive["items"],
                None if sensitive is None else _score(sensitive),
            )
        )
    return Table(
        "curves",
        "Scores by category",
        "Mean score of each model over the generated items of a category: the value that their generation was "
        "stratified by, such as a number of operators.",
        (
            *(Column(name, name.capitalize(), Kind.TEXT) for name in named[:3]),
            Column("presentation", "Shown as", Kind.TEXT),
            Column("model", "Model", Kind.TEXT),
            Column("category", "Category", Kind.TEXT),
            Column("items", "Items", Kind.COUNT),
            Column("score", "Score", Kind.SCORE),
            Column("sensitive_items", "Sensitive items", Kind.COUNT),
            Column("sensitive", "Score on these", Kind.SCORE),
        ),
        tuple(drawn),
        (
            "Score: mean over items and seeds ± deviation over seeds, with the interval at 95 % over stories.",
            "Sensitive items: those of which every single edit that was tried is proven to change the meaning.",
            "Over any other measure of the items, the scores are in the report and in curves.arrow.",
        ),
        long=True,
    )


def _score(row: dict[str, Any]) -> Score:
    # Chance is known exactly for the items: it has no interval.
    low, high = (None, None) if row["kind"] == "chance" else (row["low"], row["high"])
    return Score(row["mean"], row["deviation"], low, high)
