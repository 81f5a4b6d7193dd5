"""Which gold formulas of a dataset patches correct, and how the corrected ones stand to the published ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nlfol.logic.measuring import free_variables
from nlfol.logic.reading import parse
from nlfol.logic.relations import relation
from nlfol.store import files, schemas


def corrections(dataset: str, triples: Path) -> list[dict[str, Any]]:
    """The rows of ``analysis_schemas.CORRECTIONS`` for one dataset, in its order.

    Raises:
        StoreError: if the file is missing or no TRIPLES file.
    """
    rows = []
    for row in files.rows(triples, schemas.TRIPLES):
        if (correction := row["correction"]) is None:
            continue
        rows.append(
            {
                "dataset": dataset,
                "item": row["item"],
                "kind": correction["kind"],
                "published": correction["published"],
                "corrected": row["formula"],
                "relation": _relation(correction["published"], row["formula"]),
                "regained": row["regained"],
                "refused": row["reason"],
                "reason": correction["reason"],
                "evidence": correction["evidence"],
            }
        )
    return rows


def _relation(published: str | None, corrected: str) -> str | None:
    if published is None:
        return None
    first = parse(published)
    return None if free_variables(first) else relation(first, parse(corrected)).kind.value
