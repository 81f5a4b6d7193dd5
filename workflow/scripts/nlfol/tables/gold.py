"""The table of gold formulas that patches correct."""

from __future__ import annotations

from typing import Any

import polars as pl

from nlfol.tables.table import Column, Kind, Table


def corrections(rows: pl.DataFrame) -> Table:
    """Every gold formula that a patch corrects, with the reason."""
    columns = (
        Column("dataset", "Dataset", Kind.TEXT),
        Column("item", "Item", Kind.TEXT),
        Column("kind", "Kind", Kind.TEXT),
        Column("published", "Published", Kind.PROSE),
        Column("corrected", "Corrected", Kind.PROSE),
        Column("relation", "Relation", Kind.TEXT),
        Column("regained", "Regained", Kind.TEXT),
        Column("refused", "Refused", Kind.TEXT),
        Column("reason", "Reason", Kind.PROSE),
    )
    return Table(
        "corrections",
        "Corrected gold formulas",
        "Gold formulas that a reviewed patch corrects, with what was wrong.",
        columns,
        tuple(rows.select(column.name for column in columns).iter_rows()),
        (
            *(_counted(str(dataset), of_dataset) for (dataset,), of_dataset in _by_dataset(rows)),
            "Published: –, where it could not be read. Relation: of the corrected formula to the published one.",
            "Regained: why the sentence would be refused, as published. Refused: why it is refused all the same.",
        ),
        long=True,
    )


def _by_dataset(rows: pl.DataFrame) -> Any:
    return rows.group_by(["dataset"], maintain_order=True)


def _counted(dataset: str, rows: pl.DataFrame) -> str:
    kinds = rows["kind"].value_counts(parallel=False).sort("count", "kind", descending=[True, False])
    listed = ", ".join(f"{kind} {count}" for kind, count in kinds.iter_rows())
    regained = rows["regained"].count()
    return f"{dataset}: {rows.height} corrected ({listed}); {regained} of them would be refused as published."
