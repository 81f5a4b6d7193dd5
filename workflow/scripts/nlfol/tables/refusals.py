"""Tables of what was refused, and of what is left."""

from __future__ import annotations

import polars as pl

from nlfol.tables.table import Column, Kind, Table

_ENDS = {
    ("ingestion", "read"): "as read",
    ("ingestion", "usable"): "usable",
    ("ontology", "usable"): "usable",
    ("candidates", "usable"): "candidate sets",
}

_PLACE = (
    Column("dataset", "Dataset", Kind.TEXT),
    Column("stage", "Stage", Kind.TEXT),
    Column("task", "Task", Kind.TEXT),
)

_ANSWERS = "Stage answers: rows of a file of answers that are about nothing asked. Training: answers that none learns."


def funnel(refusals: pl.DataFrame) -> Table:
    """Step by step, from what the source holds to the candidate sets of each task."""
    steps = refusals.filter(pl.col("item").is_null())
    lost = refusals.filter(pl.col("item").is_not_null()).group_by("dataset", "order").len("refused")
    joined = steps.join(lost, on=["dataset", "order"], how="left", maintain_order="left")
    rows = tuple(
        (
            row["dataset"],
            row["stage"],
            row["task"],
            row["reason"] or _ENDS[row["stage"], row["step"]],
            row["refused"],
            row["stories"],
            row["sentences"],
            row["corrected"],
            row["regained"],
        )
        for row in joined.iter_rows(named=True)
    )
    return Table(
        "funnel",
        "From the source to the candidate sets",
        "Sentences refused for each reason, and the stories and sentences left after it.",
        (
            *_PLACE,
            Column("step", "Step", Kind.TEXT),
            Column("refused", "Refused", Kind.COUNT),
            Column("stories", "Stories", Kind.COUNT),
            Column("sentences", "Sentences", Kind.COUNT),
            Column("corrected", "Corrected", Kind.COUNT),
            Column("regained", "Regained", Kind.COUNT),
        ),
        rows,
        (
            "A sentence is refused once, for the first reason found. Each task starts from the usable sentences.",
            "Stories: those with a sentence left.",
            "Corrected: sentences left whose gold formula a patch corrects.",
            "Regained: sentences left that are usable by corrections, and would be refused as published.",
        ),
    )


def refused(refusals: pl.DataFrame) -> Table:
    """How many sentences each reason refused."""
    counts = (
        refusals.filter(pl.col("item").is_not_null())
        .group_by("dataset", "stage", "task", "reason", maintain_order=True)
        .agg(sentences=pl.len().cast(pl.Int64), stories=pl.col("story").drop_nulls().n_unique().cast(pl.Int64))
    )
    return Table(
        "refused",
        "Refused sentences by reason",
        "Sentences that did not go on from a stage, and the stories they belong to.",
        (
            *_PLACE,
            Column("reason", "Reason", Kind.TEXT),
            Column("sentences", "Sentences", Kind.COUNT),
            Column("stories", "Stories", Kind.COUNT),
        ),
        tuple(counts.iter_rows()),
        (_ANSWERS,),
    )


def refused_rows(refusals: pl.DataFrame) -> Table:
    """Every refused sentence."""
    rows = refusals.filter(pl.col("item").is_not_null()).select("dataset", "stage", "task", "item", "reason", "detail")
    return Table(
        "refused_rows",
        "Refused sentences",
        "Every sentence that did not go on from a stage, with the thing at fault.",
        (
            *_PLACE,
            Column("item", "Item", Kind.TEXT),
            Column("reason", "Reason", Kind.TEXT),
            Column("detail", "Detail", Kind.PROSE),
        ),
        tuple(rows.iter_rows()),
        (_ANSWERS,),
        long=True,
    )
