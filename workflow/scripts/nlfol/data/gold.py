"""Gold rows that a dataset refuses, counted over all rows of its source, with the reason and remedy of each."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import astuple
from pathlib import Path
from typing import NamedTuple

from nlfol.data.reason import Fate
from nlfol.mappings import AnyRow
from nlfol.store import files, schemas
from nlfol.store.origins import metadata_at
from nlfol.store.problem_schemas import PROBLEMS
from nlfol.validation import shortened

_KEY = "refused"
_NAMED = 5
"""Rows that a message names; it counts the others."""


class Gold(NamedTuple):
    """The number of rows of a dataset's source, and those refused; the draws of a generated set are no such rows."""

    rows: int
    refused: tuple[Fate, ...] = ()

    def told(self, dataset: str) -> str:
        """Return how many rows are refused, and of the first the item, reason and remedy; empty if none is."""
        if not self.refused:
            return ""
        left = len(self.refused) - _NAMED
        lines = [f"{dataset}: {len(self.refused)} of {self.rows:,} gold rows refused; no model is asked about them"]
        lines += [f"  {fate.item}: {refusal(fate)}" for fate in self.refused[:_NAMED]]
        return "\n".join([*lines, *([f"  and {left} more"] if left > 0 else [])])


def refusal(fate: Fate) -> str:
    """Return the reason why a row is refused, and what is wrong with it."""
    return f"{fate.reason}: {shortened(fate.detail)}" if fate.detail else str(fate.reason)


def gold_of(rows: Iterable[AnyRow]) -> Gold:
    """Return the gold of rows of TRIPLES or PROBLEMS; a problem that is no item yet is a story of its own."""
    fates = [Fate(row["item"], row.get("story", row["item"]), row["reason"], row["detail"]) for row in rows]
    return Gold(len(fates), tuple(fate for fate in fates if fate.reason is not None))


def stored(refused: Iterable[Fate]) -> dict[str, str]:
    """Return the metadata of an ITEMS file on the rows that the dataset refuses."""
    return {_KEY: json.dumps([astuple(fate) for fate in refused], ensure_ascii=False)}


def gold_in(metadata: Mapping[str, str]) -> list[Fate]:
    """Return the rows that the dataset refuses, from the metadata of an ITEMS file."""
    return [Fate(*fate) for fate in json.loads(metadata.get(_KEY, "[]"))]


def read_gold(path: Path) -> Gold:
    """Return the gold of a TRIPLES or PROBLEMS file; raises ``StoreError`` if it is neither."""
    about = metadata_at(path)
    table = files.read(path, PROBLEMS if about["nlfol.schema"] == "problems" else schemas.TRIPLES)
    kept = [name for name in ("item", "story", "reason", "detail") if name in table.column_names]
    return Gold(table.num_rows) if "exemplars" in about else gold_of(table.select(kept).to_pylist())
