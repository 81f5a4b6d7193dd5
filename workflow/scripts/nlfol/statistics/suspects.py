"""Scores without the items whose gold formula is in doubt (``gold_audit``), beside the scores of all items.

Suspects are items that no dialogue model translates as the gold formula has it. So the scores of translations can only
rise without them, whether or not the gold formulas are wrong; other tasks do not choose them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from nlfol.statistics.summary import load, summarise

_KEPT = ("dataset", "task", "task_kind", "protocol", "metric", "presentation", "model", "kind", "items", "available")
_SCORE = ("mean", "deviation", "low", "high")


def without_suspects(paths: Iterable[Path], suspects: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """The rows of ``claim_schemas.WITHOUT_SUSPECTS``: one a cell whose model was asked a suspect item.

    Args:
        paths: of scores files; their order is the order of the rows.
        suspects: rows of ``analysis_schemas.GOLD_AUDIT``.

    Raises:
        SummaryError: if a file cannot be summarised.
        StoreError: if a file is missing or no scores file.
    """
    doubted: dict[str, set[str]] = {}
    for row in suspects:
        doubted.setdefault(row["dataset"], set()).add(row["item"])
    for path in paths if doubted else ():
        source, scores = load(path)
        named = doubted.get(source.dataset, set())
        asked = named & set(scores["item"])
        if not asked or source.kind == "chance":
            continue
        left = summarise(path, source, scores.filter(~pl.col("item").is_in(named)))
        cells = {(cell["metric"], cell["presentation"]): cell for cell in left}
        for cell in summarise(path, source, scores):
            # Of a model that was asked suspects alone nothing is left.
            other = cells.get((cell["metric"], cell["presentation"]), {})
            yield {
                **{name: cell[name] for name in _KEPT},
                "suspects": cell["items"] - other.get("items", 0),
                **{name: cell[name] for name in _SCORE},
                **{f"{name}_without": other.get(name) for name in _SCORE},
            }
