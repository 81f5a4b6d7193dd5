"""How many items of a generated dataset have each value of what is measured of them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from nlfol.store import analysis_schemas, files
from nlfol.store.analysis_schemas import CATEGORY


def counts(dataset: str, measures: Path) -> list[dict[str, Any]]:
    """The rows of ``analysis_schemas.COUNTS`` for a dataset (∀uto∃∨∧L, arXiv 2410.08437, figures 9 and 10).

    There are none where nothing was generated, and none of a measure that is 0 of every item that has it.

    Raises:
        StoreError: if the file is missing or no MEASURES file.
    """
    found: dict[str, Counter[float]] = {name: Counter() for name in (CATEGORY, *analysis_schemas.MEASURE_NAMES)}
    for rows in files.chunks(measures, analysis_schemas.MEASURES):
        for name, counted in found.items():
            counted.update(row[name] for row in rows if row[name] is not None)
    if not found[CATEGORY]:
        return []
    return [
        {"dataset": dataset, "measure": name, "value": value, "items": counted[value]}
        for name, counted in found.items()
        if any(counted)
        for value in sorted(counted)
    ]
