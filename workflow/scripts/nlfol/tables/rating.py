"""The table of ratings: models' beside the published ones of people and models."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from nlfol.statistics.ratings import NAMES
from nlfol.tables.table import Cell, Column, Kind, Score, Table
from nlfol.tasks.rating import RATING


def rating(rows: pl.DataFrame, figures: pl.DataFrame) -> Table:
    """How problems in other words are rated.

    Args:
        rows: of ``problem_schemas.RATINGS``.
        figures: the published figures.
    """
    drawn: list[tuple[Cell, ...]] = []
    for (dataset,), group in rows.group_by("dataset", maintain_order=True):
        for row in group.to_dicts():
            scores = (_score(row, name) for name in NAMES)
            counts = (row["items"], *((None, None) if row["kind"] == "chance" else (row["answers"], row["unread"])))
            drawn.append((str(dataset), row["task"], row["model"], "here", *counts, *scores))
        drawn += _published(figures, str(dataset), group["reader"][0])
    return Table(
        "rating",
        "Ratings of problems in other words",
        "How well problems keep their meaning in other words, as rated from 1 (not at all) to 5 (fully).",
        (
            Column("dataset", "Dataset", Kind.TEXT),
            Column("task", "Task", Kind.TEXT),
            Column("model", "Rater", Kind.TEXT),
            Column("source", "Source", Kind.TEXT),
            Column("items", "Items", Kind.COUNT),
            Column("answers", "Answers", Kind.COUNT),
            Column("unread", "Unread", Kind.COUNT),
            *(Column(name, name.replace("_", " ").capitalize(), Kind.SCORE) for name in NAMES),
        ),
        tuple(drawn),
        (
            "Rating: the mean of the four criteria to its right. In “scores” a rating r is (r - 1) / 4.",
            "Means are over answers that could be read; Unread counts the others.",
            "Intervals are at 95 % over items; problems with the same original statements are one story, a cluster.",
            "Chance rates at random: 3 is its expectation.",
            "Published: SoLT's table 1, over all four criteria; its texts and instructions are not these.",
        ),
    )


def published_name(reader: str) -> str:
    """What SoLT calls the problems that a reader reads."""
    return "folio" if reader == "folio_questions" else reader


def _published(figures: pl.DataFrame, dataset: str, reader: str | None) -> list[tuple[Cell, ...]]:
    """Those of the problems of which a dataset has the other words."""
    chosen = figures.filter(pl.col("dataset") == published_name(reader or ""), pl.col("metric") == RATING)
    return [
        (dataset, None, row["model"], "published", None, None, None, Score(row["mean"]), *[None] * (len(NAMES) - 1))
        for row in chosen.to_dicts()
    ]


def _score(row: Mapping[str, Any], name: str) -> Score | None:
    if row[name] is None:
        return None
    # Chance is known exactly for the items: it has no interval.
    ends = (None, None) if row["kind"] == "chance" else (row[f"{name}_low"], row[f"{name}_high"])
    return Score(row[name], None, *ends)
