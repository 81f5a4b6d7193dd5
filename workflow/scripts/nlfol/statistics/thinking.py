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

from nlfol.statistics.differences import difference
from nlfol.statistics.series import Series

_QUESTION = ("dataset", "task", "metric", "presentation")


def thinking(series: Iterable[Series], compared: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows of ``analysis_schemas.THINKING``: each entry that thinks with each that does not, question by question.

    Args:
        series: the scores.
        compared: the rows of ``comparisons.comparisons`` for them. These pairs are among those, so a pair has one
            p-value and is adjusted once, there.
    """
    adjusted = {
        (*(row[name] for name in _QUESTION), frozenset((row["first"], row["second"]))): row["adjusted"]
        for row in compared
    }
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
    for row in rows:
        pair = frozenset((row["thinking"], row["plain"]))
        row["adjusted"] = adjusted[(*(row[name] for name in _QUESTION), pair)]
    return rows


def _compared(first: Series, second: Series) -> dict[str, Any] | None:
    found = paired(first, second)
    if found is None:
        return None
    source = first.source
    found["score_plain"] = found.pop("score_second")
    return {
        "dataset": source.dataset,
        "task": source.task,
        "task_kind": source.task_kind,
        "protocol": source.protocol,
        "metric": first.metric,
        "presentation": first.presentation,
        "thinking": source.model,
        "plain": second.source.model,
        **found,
    }


def paired(first: Series, second: Series) -> dict[str, Any] | None:
    """Both means over the common items, and their difference with what ``differences`` says of it; None without any."""
    common = first.items.join(second.items, on="item", suffix="_second", maintain_order="left")
    if common.is_empty():
        return None
    scores, others = common["score"].to_list(), common["score_second"].to_list()
    found = asdict(difference(scores, others, common["story"].to_list()))
    means = {name: common[name].mean() for name in ("score", "score_second")}
    return {**means, "available": first.source.available, "difference": found.pop("mean"), **found}
