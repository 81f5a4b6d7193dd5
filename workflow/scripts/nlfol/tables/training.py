"""The table of fine-tuned models beside their bases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from nlfol.tables.comparisons import SAMPLE, TEST, sample
from nlfol.tables.table import Column, Kind, P, Score, Table

_GAIN = (
    "Gain: the tuned model less its base, item by item, with the interval at 95 % (clusters: stories). Base, task: the "
    "same, and the first of its kind where that is another."
)


def training(rows: pl.DataFrame) -> Table:
    """Accuracy and dispersion of each model with a trained adapter, and of its base."""
    return Table(
        "training",
        "Fine-tuned models",
        "Share of right answers, and dispersion of symbols, with an adapter that was trained and without.",
        (
            Column("dataset", "Dataset", Kind.TEXT),
            Column("task", "Task", Kind.TEXT),
            Column("model", "Model", Kind.TEXT),
            Column("training", "Training", Kind.TEXT),
            Column("base", "Base", Kind.TEXT),
            Column("base_task", "Base, task", Kind.TEXT),
            Column("presentation", "Shown as", Kind.TEXT),
            Column("items", "Items", Kind.SAMPLE),
            Column("right_base", "Right, base", Kind.SHARE),
            Column("right", "Right, tuned", Kind.SHARE),
            Column("gain", "Gain", Kind.SCORE),
            Column("p", "p", Kind.SHARE),
            Column("adjusted", "Adjusted p", Kind.SHARE),
            Column("detectable", "Detectable", Kind.SHARE),
            Column("dispersion_base", "Dispersion, base", Kind.SCORE),
            Column("dispersion", "Dispersion, tuned", Kind.SCORE),
        ),
        tuple(
            (
                *(row[name] for name in ("dataset", "task", "model", "training", "base", "base_task")),
                row["presentation"] or None,
                sample(row),
                *(row[name] for name in ("right_base", "right")),
                Score(row["gain"], None, row["low"], row["high"], row["adjusted"] < 0.05),
                *(P(row["p"]), P(row["adjusted"]), row["detectable"]),
                *(_score(row, name) for name in ("dispersion_base", "dispersion")),
            )
            for row in rows.to_dicts()
        ),
        (
            _GAIN,
            TEST,
            "Adjusted: by Holm over all rows of this table. Bold: adjusted p below 0.05.",
            "Dispersion: as in the table of stability, of the items asked of both.",
            SAMPLE,
        ),
    )


def _score(row: Mapping[str, Any], name: str) -> Score | None:
    return None if row[name] is None else Score(row[name], None, row[f"{name}_low"], row[f"{name}_high"])
