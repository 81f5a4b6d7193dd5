"""What solved examples in the prompt change (∀uto∃∨∧L, figure 16): the score with them less that without, by item."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from nlfol.statistics.comparisons import adjust
from nlfol.statistics.series import Series
from nlfol.statistics.summary import COMPARED
from nlfol.statistics.thinking import paired

WITH, WITHOUT = "few_shot", "zero_shot"
"""The presentations that are compared."""


def few_shot(series: Iterable[Series]) -> list[dict[str, Any]]:
    """The rows of ``round_trip_schemas.FEW_SHOT``, in the order of the series.

    The p-values of all rows are one family and are adjusted together (``differences.holm``).
    """
    asked: dict[tuple[str, ...], dict[str, Series]] = {}
    for one in series:
        if one.source.kind in COMPARED and one.presentation in (WITH, WITHOUT):
            source = one.source
            asked.setdefault((source.dataset, source.task, one.metric, source.model), {})[one.presentation] = one
    rows = []
    for shown in asked.values():
        found = paired(shown[WITH], shown[WITHOUT]) if len(shown) == 2 else None
        if found is not None:
            source = shown[WITH].source
            found["score_zero_shot"] = found.pop("score_second")
            names = ("dataset", "task", "task_kind", "protocol", "model")
            rows.append({**{n: getattr(source, n) for n in names}, "metric": shown[WITH].metric, **found})
    adjust(rows)
    return rows
