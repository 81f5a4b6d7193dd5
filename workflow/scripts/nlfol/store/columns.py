"""Parts that the schemas of stages' files share."""

from __future__ import annotations

from functools import cache
from types import NoneType
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    TypedDict,
    TypeVar,
    cast,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

import pyarrow as pa

from nlfol.mappings import JsonDict

Int32 = Annotated[int, pa.int32()]
Float32 = Annotated[float, pa.float32()]

Row = TypeVar("Row")


class Ends(NamedTuple):
    """A figure with the ends of its interval, as rows are made of it; all null where nothing is known."""

    mean: float | None = None
    low: float | None = None
    high: float | None = None


_ENDS = "ends"
KnownInterval = Annotated[float | Ends, _ENDS]
Interval = Annotated[float | Ends | None, _ENDS]
"""A figure, null without a divisor, and two more columns: its interval at 95 %, as ``x_low`` and ``x_high``.

These are null for too few stories. ``with_ends`` makes all three of ``Ends``.
"""

_TYPES: dict[Any, pa.DataType] = {str: pa.string(), bool: pa.bool_(), int: pa.int64(), float: pa.float64()}


_SCHEMAS: dict[type, pa.Schema] = {}


def row_schema(name: str, version: int, row: type) -> pa.Schema:
    """Return the schema of a type of rows, a ``TypedDict``: a column for each of its keys, null with ``| None``."""
    made = schema(name, version, *_columns(row))
    _SCHEMAS.setdefault(row, made)
    return made


def schema_of(row: type) -> pa.Schema:
    """Return the first schema that was made of a type of rows."""
    return _SCHEMAS[row]


@cache
def _intervals(row: type) -> tuple[str, ...]:
    return tuple(
        name
        for name, annotation in get_type_hints(row, include_extras=True).items()
        if _ENDS in getattr(annotation, "__metadata__", ())
    )


def with_ends(kind: type[Row], row: Row) -> Row:
    """Return a row of a type with the three columns of each ``Interval``."""
    made: JsonDict = dict(cast("Any", row))
    for name in _intervals(cast("type", kind)):
        made[name], made[f"{name}_low"], made[f"{name}_high"] = made[name] or Ends()
    return cast("Row", made)


def _columns(row: type) -> list[pa.Field[Any]]:
    columns = []
    for name, annotation in get_type_hints(row, include_extras=True).items():
        if _ENDS in getattr(annotation, "__metadata__", ()):
            columns.append(field(name, pa.float64(), null=annotation == Interval))
            columns += [field(f"{name}_{end}", pa.float64(), null=True) for end in ("low", "high")]
            continue
        parts = get_args(annotation)
        is_optional = NoneType in parts
        columns.append(field(name, _type(parts[0] if is_optional else annotation), null=is_optional))
    return columns


def _type(annotation: Any) -> pa.DataType:
    if get_origin(annotation) is Annotated:
        kind: pa.DataType = annotation.__metadata__[0]
        return kind
    if get_origin(annotation) is Literal:
        return pa.string()
    if get_origin(annotation) is list:
        return pa.list_(_type(get_args(annotation)[0]))
    return pa.struct(_columns(annotation)) if is_typeddict(annotation) else _TYPES[annotation]


def schema(name: str, version: int, *fields: pa.Field[Any]) -> pa.Schema:
    """Return a schema of fields whose metadata give its name and version."""
    return pa.schema(list(fields), metadata={"nlfol.schema": name, "nlfol.version": str(version)})


def field(name: str, kind: pa.DataType, *, null: bool = False) -> pa.Field[Any]:
    """Return a column, or a part of one; ``null`` allows rows without a value."""
    return pa.field(name, kind, nullable=null)


class TaskColumns(TypedDict):
    """Columns that name a task on a dataset."""

    dataset: str
    task: str  # the entry's name in the configuration
    task_kind: str  # see facts.FACTS
    protocol: str | None  # audited or paper; null without candidates


class Pairing(TypedDict):
    """Columns of the pairs of answers that a difference is of, see ``statistics.pairing``."""

    pairs: int  # compared
    refused: int  # that differ in more than what is compared
    # The component in which most of these differ; "items" where too few items are in both arms; null where neither.
    refusal: str | None
    unread: int  # answers in pairs that could not be read, were cut off or never came
    unread_second: int


class Tested(TypedDict):
    """Columns of what a difference is known by, see ``statistics.contrasts.paired``; null for too few stories."""

    error: float | None  # cluster-robust standard error
    freedom: float | None  # degrees of, of the error
    low: float | None  # interval at 95 %
    high: float | None
    p: float | None  # two-sided, of equal means; belongs to the interval; null where too few items make pairs
    adjusted: float | None  # by Holm over the family; null where a row is in none
    # The smallest difference told from 0 with probability 0.8, at 0.05 by the rows adjusted together.
    detectable: float | None
