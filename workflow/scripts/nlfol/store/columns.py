"""Parts that the schemas of stages' files share."""

from __future__ import annotations

from typing import Any

import pyarrow as pa


def schema(name: str, version: int, *fields: pa.Field[Any]) -> pa.Schema:
    """Return a schema of fields whose metadata give its name and version."""
    return pa.schema(list(fields), metadata={"nlfol.schema": name, "nlfol.version": str(version)})


def field(name: str, kind: pa.DataType, *, null: bool = False) -> pa.Field[Any]:
    """Return a column, or a part of one; ``null`` allows rows without a value."""
    return pa.field(name, kind, nullable=null)


def struct(*parts: pa.Field[Any]) -> pa.StructType:
    """Return the type of values with several parts."""
    return pa.struct(list(parts))


def structs(name: str, *parts: pa.Field[Any]) -> pa.Field[Any]:
    """Return a column of lists of values with several parts."""
    return field(name, pa.list_(struct(*parts)))


TASK = [
    field("dataset", pa.string()),
    field("task", pa.string()),  # the entry's name in the configuration
    field("task_kind", pa.string()),  # see facts.FACTS
    field("protocol", pa.string(), null=True),  # audited or paper; null without candidates
]


def texts(*names: str, null: bool = False) -> list[pa.Field[Any]]:
    """Return columns of words."""
    return [field(name, pa.string(), null=null) for name in names]


def counts(*names: str, null: bool = False) -> list[pa.Field[Any]]:
    """Return columns of whole numbers."""
    return [field(name, pa.int64(), null=null) for name in names]


def numbers(*names: str, null: bool = False) -> list[pa.Field[Any]]:
    """Return columns of other numbers."""
    return [field(name, pa.float64(), null=null) for name in names]


def intervals(*names: str, null: bool = True) -> list[pa.Field[Any]]:
    """Return columns of figures, ``null`` if without a divisor, with intervals at 95 %, null for too few stories."""
    return [
        each
        for name in names
        for each in (*numbers(name, null=null), *numbers(f"{name}_low", f"{name}_high", null=True))
    ]


def mean(*, null: bool = False) -> list[pa.Field[Any]]:
    """Return the columns of a mean with its interval at 95 % over stories, which is null for one story."""
    return [*numbers("mean", null=null), *numbers("low", "high", null=True)]


def pairing() -> list[pa.Field[Any]]:
    """Return the columns of the pairs of answers that a difference is of, see ``statistics.pairing``."""
    return [
        *counts("pairs", "refused"),  # pairs compared; and those that differ in more than what is compared
        # The component in which most of these differ; "items" where too few items are in both arms; null where neither.
        *texts("refusal", null=True),
        *counts("unread", "unread_second"),  # answers in pairs that could not be read, were cut off or never came
    ]


def contrast(*means: str, difference: str = "difference") -> list[pa.Field[Any]]:
    """Return the columns of two means over common items and their difference, as ``statistics.contrasts.paired``.

    Means, difference and p are null where too few items make pairs.
    """
    return [
        *counts("items", "available", "stories"),  # items of both, of those that the dataset offers
        *numbers(*means, difference, null=True),
        # Cluster-robust standard error and interval at 95 %; null for too few stories.
        *numbers("error", "freedom", "low", "high", null=True),  # freedom: degrees of, of the error
        *numbers("p", null=True),  # two-sided, of equal means; belongs to the interval
        *numbers("adjusted", null=True),  # by Holm over the family; null where a row is in none
        # The smallest difference told from 0 with probability 0.8, at 0.05 by the rows adjusted together; null as low.
        *numbers("detectable", null=True),
    ]
