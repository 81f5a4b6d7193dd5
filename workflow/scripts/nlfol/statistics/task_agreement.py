"""Whether an item solved in one task is solved in another: most similar against ranking (the paper's table 8)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from itertools import product
from typing import Any

from nlfol.statistics.agreement import agreement
from nlfol.statistics.series import Series
from nlfol.statistics.summary import COMPARED, Origin


def task_agreements(series: Iterable[Series]) -> list[dict[str, Any]]:
    """The rows of ``schemas.TASK_AGREEMENTS``: items in both tasks, each under each of its common seeds.

    Entries of one protocol are compared, each most similar one with each ranking one.
    """
    found: dict[tuple[str | None, ...], dict[str, list[Series]]] = {}
    for one in series:
        asked = one.source.asked
        if asked.has_candidates() and one.metric == asked.metrics[0] and one.source.kind in COMPARED:
            key = one.source.dataset, one.source.protocol, one.source.model, one.presentation
            found.setdefault(key, {}).setdefault(asked.form, []).append(one)
    return [
        row
        for tasks in found.values()
        for chosen, ranked in product(tasks.get("choice", []), tasks.get("order", []))
        if (row := _row(chosen, ranked)) is not None
    ]


def _row(chosen: Series, ranked: Series) -> dict[str, Any] | None:
    common = chosen.answers.join(ranked.answers, on=["item", "seed"], suffix="_ranked", nulls_equal=True)
    if common.is_empty():
        return None
    source: Origin = chosen.source
    return {
        "dataset": source.dataset,
        "protocol": source.protocol,
        "model": source.model,
        "presentation": chosen.presentation,
        "most_similar": source.task,
        "ranking": ranked.source.task,
        "items": common["item"].n_unique(),
        "available": min(source.available, ranked.source.available),
        **asdict(agreement(common["score"].to_list(), common["score_ranked"].to_list())),
    }
