"""Members of candidate sets by role and change, and sizes of the sets."""

from collections.abc import Iterator
from pathlib import Path
from typing import cast

import polars as pl

from nlfol.facts import Role
from nlfol.results.analyses.analysis import Analysis, Rows
from nlfol.results.statistics.summary import OF_TASK
from nlfol.results.tables import columns
from nlfol.results.tables.opening import Filter, Number
from nlfol.results.tables.table import Kind, TableForm
from nlfol.store.columns import Int32, TaskColumns, row_schema
from nlfol.store.files import read_frame
from nlfol.store.origins import metadata_at
from nlfol.store.schemas import ITEMS


class EditMixRow(TaskColumns):
    """Rows of members by role and change, and of items by number of perturbations."""

    role: str | None  # of members; null for items
    change: list[str] | None  # edits or laws that made them
    edits: Int32 | None
    perturbations: Int32 | None  # of an item's set; null for members
    count: int
    total: int  # members of that role, or items, of the dataset and task


EDIT_MIX = row_schema("edit_mix", 1, EditMixRow)


def edit_mix(path: Path) -> Iterator[EditMixRow]:
    """Yield the rows of ``EDIT_MIX`` on usable items: roles in canonical order, changes by frequency."""
    about, items = metadata_at(path), read_frame(path, ITEMS)
    usable = items.filter(pl.col("status") == "usable", pl.col("candidates").list.len() > 0)
    row = cast("EditMixRow", {**dict.fromkeys(EDIT_MIX.names), **{name: about.get(name) for name in OF_TASK}})
    members = usable.select("item", "candidates").explode("candidates").unnest("candidates")
    for role in Role:
        of_role = members.filter(pl.col("role") == role.value)
        counts = of_role.group_by("edits", "change").len("count").sort("change").rows()
        for edits, change, count in sorted(counts, key=lambda counted: (counted[0], -counted[2])):
            yield {**row, "role": role.value, "total": len(of_role), "edits": edits, "change": change, "count": count}
    sizes = members.group_by("item").agg(
        perturbations=pl.col("role").is_in([Role.PERTURBATION.value, Role.CORNER.value]).sum()
    )
    for perturbations, count in sizes.group_by("perturbations").len("count").sort("perturbations").rows():
        yield {**row, "total": len(usable), "perturbations": perturbations, "count": count}


def _of_role(number: Number) -> Filter | None:
    change = None if number.row["change"] is None else str(number.row["change"]).replace(", ", " ")
    return {**{name: number.row[name] for name in ("dataset", "task", "role")}, "change": change or "none"}


_SHARE = columns.column("share", None, Kind.SHARE, lambda row: row["count"] / row["total"])

EDIT_MIX_TABLE = TableForm(
    "edit_mix",
    "Members of the candidate sets",
    "Members by role and by the edits or laws that made them, with their share of the role.",
    (
        *columns.texts("dataset", "task", "protocol", "role"),
        columns.column("change", None, Kind.TEXT, lambda row: ", ".join(row["change"]) or None),
        columns.count("edits"),
        columns.column("members", None, Kind.COUNT, lambda row: row["count"]),
        _SHARE,
    ),
    ("Edits: elementary edits that made a perturbation; of two, the change names both in their order.",),
    ("edit_mix",),
    lambda mix: mix.filter(pl.col("role").is_not_null()).to_dicts(),
    opens=_of_role,
)

SET_SIZES = TableForm(
    "set_sizes",
    "Sizes of the candidate sets",
    "Items by the number of perturbations in their set.",
    (
        *columns.texts("dataset", "task", "protocol"),
        *columns.counts("perturbations"),
        columns.column("items", None, Kind.COUNT, lambda row: row["count"]),
        _SHARE,
    ),
    ("Items of which no fair set can be made are in the tables of what was refused.",),
    ("edit_mix",),
    lambda mix: mix.filter(pl.col("perturbations").is_not_null()).to_dicts(),
    opens=lambda number: number.named("dataset", "task", "perturbations") | {"status": "usable"},
)

ANALYSIS = Analysis(
    rows=(Rows(EDIT_MIX, lambda given: [row for path in given.files["candidates"] for row in edit_mix(path)]),),
    tables=(EDIT_MIX_TABLE, SET_SIZES),
)
