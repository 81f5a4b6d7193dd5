"""What thinking before an answer changes (the paper's table 6).

Two entries belong together where one thinks, the other does not, and their models are the same otherwise: weights with
their revision and adapter, precision, chat template, and whether answers are held to the schema; behind an interface
its address, the model's name and the form of answers. Names decide nothing. Sampling, limits and seeds may differ,
since providers advise others for thinking. An interface's entry thinks where it states a ``reasoning_effort`` other
than ``none``, and does not where it states ``none``; one that states nothing is neither.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from itertools import product
from typing import Any

from nlfol.statistics.differences import difference, holm
from nlfol.statistics.series import Series


def thinking(series: Iterable[Series]) -> list[dict[str, Any]]:
    """The rows of ``analysis_schemas.THINKING``: each entry that thinks with each that does not, question by question.

    The p-values of all rows are one family and are adjusted together (``differences.holm``).
    """
    found: dict[tuple[str | None, ...], dict[bool, list[Series]]] = {}
    for one in series:
        source = one.source
        if source.thinking is not None and source.apart_from_thinking is not None:
            pairs = found.setdefault((*one.question, source.apart_from_thinking), {True: [], False: []})
            pairs[source.thinking].append(one)
    rows = [
        row
        for pairs in found.values()
        for first, second in product(pairs[True], pairs[False])
        if (row := _compared(first, second)) is not None
    ]
    for row, adjusted in zip(rows, holm([row["p"] for row in rows]), strict=True):
        row["adjusted"] = adjusted
    return rows


def _compared(first: Series, second: Series) -> dict[str, Any] | None:
    common = first.items.join(second.items, on="item", suffix="_second", maintain_order="left")
    if common.is_empty():
        return None
    scores, others = common["score"].to_list(), common["score_second"].to_list()
    paired = asdict(difference(scores, others, common["story"].to_list()))
    source = first.source
    return {
        "dataset": source.dataset,
        "task": source.task,
        "task_kind": source.task_kind,
        "protocol": source.protocol,
        "metric": first.metric,
        "presentation": first.presentation,
        "thinking": source.model,
        "plain": second.source.model,
        "score": common["score"].mean(),
        "score_plain": common["score_second"].mean(),
        "difference": paired.pop("mean"),
        **paired,
    }
