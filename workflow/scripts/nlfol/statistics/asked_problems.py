"""Problems behind items."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nlfol.problems.problem import Problem
from nlfol.store import files, schemas
from nlfol.tasks.item import labels


@dataclass(frozen=True, slots=True)
class Asked:
    """A problem behind an item: its cluster, its right label, all labels, and its depth if known."""

    story: str
    right: str
    labels: tuple[str, ...]
    depth: int | None


Items = Mapping[tuple[str, str], Mapping[str, Asked]]
"""Problems by item, of each dataset and task."""


def items_of(paths: Iterable[Path]) -> Items:
    """Read the usable problems of ITEMS files; raises ``StoreError`` if a file or one of its problems is unreadable."""
    found: dict[tuple[str, str], Mapping[str, Asked]] = {}
    for path in paths:
        table = files.read(path, schemas.ITEMS)
        said = files.metadata_of(table)
        rows = [row for row in table.to_pylist() if row["status"] == "usable"]
        if any(row["problem"] is None for row in rows):
            raise files.StoreError(f"{path}: an item that is no problem; delete the file and run again")
        found[said["dataset"], said["task"]] = {row["item"]: _asked(row) for row in rows}
    return found


def _asked(row: Mapping[str, Any]) -> Asked:
    problem = Problem.from_row(json.loads(row["problem"]))
    return Asked(row["story"], row["formula"], tuple(labels(problem).values()), row["category"])
