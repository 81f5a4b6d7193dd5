"""What the seeds of a dialogue model say together: rows of ``schemas.REPETITIONS``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from nlfol.statistics.repetitions import repetitions
from nlfol.statistics.series import Series


def seed_repetitions(series: Iterable[Series]) -> list[dict[str, Any]]:
    """One row a series of a dialogue model."""
    return [_row(one) for one in series if one.source.kind == "chat" and not one.answers.is_empty()]


def _row(one: Series) -> dict[str, Any]:
    found = repetitions([round(right) for right in one.items["right"].to_list()], one.seeds)
    source = one.source
    return {
        "dataset": source.dataset,
        "task": source.task,
        "task_kind": source.task_kind,
        "protocol": source.protocol,
        "metric": one.metric,
        "presentation": one.presentation,
        "model": source.model,
        "items": one.items.height,
        "available": source.available,
        "seeds": one.seeds,
        "any_right": list(found.any_right),
        "all_right": list(found.all_right),
        "consistent": found.consistent,
    }
