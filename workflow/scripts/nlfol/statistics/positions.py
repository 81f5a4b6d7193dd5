"""Whether it matters where the right candidate is shown: answers by the position of the gold formula."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import polars as pl

from nlfol.statistics.summary import load


def positions(paths: Iterable[Path]) -> Iterator[dict[str, Any]]:
    """The rows of ``schemas.POSITIONS`` for scores files, in the files' order.

    Only dialogue models' choices of a candidate have a position; other answers make no rows.

    Raises:
        SummaryError: if the metadata of a file are wanting.
        StoreError: if a file is missing or no scores file.
    """
    for path in paths:
        source, scores = load(path)
        if source.asked.form != "choice":
            continue
        shown = scores.filter(pl.col("position").is_not_null())
        counts = shown.group_by("presentation", "position").agg(answers=pl.len(), right=pl.col("score").sum())
        seat = {name: number for number, name in enumerate(shown["presentation"].unique(maintain_order=True))}
        for row in sorted(counts.to_dicts(), key=lambda row: (seat[row["presentation"]], row["position"])):
            yield {
                "dataset": source.dataset,
                "task": source.task,
                "task_kind": source.task_kind,
                "protocol": source.protocol,
                "presentation": row["presentation"],
                "model": source.model,
                "position": row["position"],
                "answers": row["answers"],
                "right": int(row["right"]),
            }
