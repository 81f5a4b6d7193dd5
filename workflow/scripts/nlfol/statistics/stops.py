"""Why dialogues of several rounds ended."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import polars as pl

from nlfol.statistics.summary import Origin


def stops(loaded: Iterable[tuple[Origin, pl.DataFrame]]) -> list[dict[str, Any]]:
    """The rows of ``round_trip_schemas.STOPS``, in the order of the files; reasons that occur alone."""
    rows = []
    for source, scores in loaded:
        # Each metric of a dialogue says the same.
        ended = scores.filter(pl.col("stop").is_not_null(), pl.col("metric").is_in(source.asked.metrics[:1]))
        said = {name: getattr(source, name) for name in ("dataset", "task", "task_kind", "protocol", "model", "kind")}
        counted = ended.group_by("presentation", "stop", maintain_order=True).agg(pl.len().alias("count"))
        rows += [{**said, **row} for row in counted.to_dicts()]
    return rows
