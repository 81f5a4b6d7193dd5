"""How many sentences remain after each step from the source to the usable triples."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from nlfol.datasets.reason import STEPS, Reason


def funnel(sentences: Iterable[Mapping[str, Any]], triples: Iterable[Mapping[str, Any]] = ()) -> list[dict[str, Any]]:
    """Count what remains, from the rows of the two files alone.

    Args:
        sentences: rows of the sentences file.
        triples: rows of the triples file of the same dataset; without them the funnel ends at the sentences.

    Returns:
        Mappings with ``step``, ``stories`` and ``sentences``: the first step is "as read", the last "usable", and
        between them stand those of ``reason.STEPS`` that took something away.

    Raises:
        ValueError: if a row has a reason that is none of ``Reason``.
    """
    rows = list(sentences)
    left = [(row["story"], row["item"]) for row in rows]
    reasons = {row["item"]: Reason(row["reason"]) for row in (*rows, *triples) if row["reason"] is not None}
    steps = [_counted("as read", left)]
    for step, taken in STEPS:
        kept = [(story, item) for story, item in left if reasons.get(item) not in taken]
        if len(kept) < len(left):
            steps.append(_counted(step, kept))
        left = kept
    steps.append(_counted("usable", left))
    return steps


def refusals(rows: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """How many rows each reason refused, in the order of ``Reason``."""
    counts = dict.fromkeys(Reason, 0)
    for row in rows:
        if row["reason"] is not None:
            counts[Reason(row["reason"])] += 1
    return {reason.value: count for reason, count in counts.items() if count}


def _counted(step: str, left: list[tuple[str, str]]) -> dict[str, Any]:
    return {"step": step, "stories": len({story for story, _ in left}), "sentences": len(left)}
