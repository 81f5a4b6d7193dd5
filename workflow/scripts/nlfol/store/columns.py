"""What the schemas of stages' files are put together from."""

from __future__ import annotations

from typing import Any

import pyarrow as pa


def schema(name: str, version: int, fields: list[pa.Field[Any]]) -> pa.Schema:
    """A schema that says in its metadata what it is called, and in which version."""
    return pa.schema(fields, metadata={"nlfol.schema": name, "nlfol.version": str(version)})


def field(name: str, kind: pa.DataType, *, null: bool = False) -> pa.Field[Any]:
    """A column, or a part of one; without a value in some rows where it says so."""
    return pa.field(name, kind, nullable=null)


TASK = [
    field("dataset", pa.string()),
    field("task", pa.string()),  # the entry's name in the configuration
    field("task_kind", pa.string()),  # logical_translation, most_similar, ranking
    field("protocol", pa.string(), null=True),  # audited or paper; null where there are no candidates
]
