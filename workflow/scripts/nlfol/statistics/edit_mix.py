"""What candidate sets are made of: members by role and change, items by number of perturbations."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl

from nlfol.candidates.sets import Role
from nlfol.store import files, schemas


def edit_mix(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of ``schemas.EDIT_MIX`` for one file of candidates: roles in canonical order, changes by frequency.

    Refused items are not counted; a task without candidate sets makes no rows.

    Raises:
        StoreError: if the file is missing or of another schema.
    """
    table = files.read(path, schemas.ITEMS)
    about = files.metadata_of(table)
    items = pl.from_arrow(table.select(["item", "status", "candidates"]))
    assert isinstance(items, pl.DataFrame)
    usable = items.filter(pl.col("status") == "usable", pl.col("candidates").list.len() > 0)
    row = dict.fromkeys(schemas.EDIT_MIX.names)
    row |= {name: about.get(name) for name in ("dataset", "task", "task_kind", "protocol")}
    members = usable.select("item", "candidates").explode("candidates").unnest("candidates")
    for role in Role:
        of_role = members.filter(pl.col("role") == role.value)
        counts = of_role.group_by("edits", "change").len("count").sort("change")
        made = {"role": role.value, "total": len(of_role)}
        for found in sorted(counts.to_dicts(), key=lambda found: (found["edits"], -found["count"])):
            yield row | made | found
    sizes = members.group_by("item").agg(perturbations=(pl.col("role") == Role.PERTURBATION.value).sum())
    for found in sizes.group_by("perturbations").len("count").sort("perturbations").to_dicts():
        yield row | {"total": len(usable)} | found
