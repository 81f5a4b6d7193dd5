"""Parts that the schemas of stages' files share."""

from __future__ import annotations

from typing import Any

import pyarrow as pa


def schema(name: str, version: int, fields: list[pa.Field[Any]]) -> pa.Schema:
    """Return a schema whose metadata give its name and version."""
    return pa.schema(fields, metadata={"nlfol.schema": name, "nlfol.version": str(version)})


def field(name: str, kind: pa.DataType, *, null: bool = False) -> pa.Field[Any]:
    """Return a column, or a part of one; ``null`` allows rows without a value."""
    return pa.field(name, kind, nullable=null)


TASK = [
    field("dataset", pa.string()),
    field("task", pa.string()),  # the entry's name in the configuration
    field("task_kind", pa.string()),  # see tasks.registry.TASKS
    field("protocol", pa.string(), null=True),  # audited or paper; null without candidates
]
