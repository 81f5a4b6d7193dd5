"""Parts that the schemas of stages' files share."""

from __future__ import annotations

from types import NoneType
from typing import Annotated, Any, TypedDict, get_args, get_origin, get_type_hints, is_typeddict

import pyarrow as pa

Int32 = Annotated[int, pa.int32()]
Float32 = Annotated[float, pa.float32()]

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


def _columns(row: type) -> list[pa.Field[Any]]:
    return [_column(name, annotation) for name, annotation in get_type_hints(row, include_extras=True).items()]


def _column(name: str, annotation: Any) -> pa.Field[Any]:
    inner = [part for part in get_args(annotation) if part is not NoneType]
    if NoneType in get_args(annotation):
        return field(name, _type(inner[0]), null=True)
    return field(name, _type(annotation))


def _type(annotation: Any) -> pa.DataType:
    if get_origin(annotation) is Annotated:
        kind: pa.DataType = annotation.__metadata__[0]
        return kind
    if get_origin(annotation) is list:
        return pa.list_(_type(get_args(annotation)[0]))
    return pa.struct(_columns(annotation)) if is_typeddict(annotation) else _TYPES[annotation]


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


class TaskColumns(TypedDict):
    """Columns that name a task on a dataset."""

    dataset: str
    task: str  # the entry's name in the configuration
    task_kind: str  # see facts.FACTS
    protocol: str | None  # audited or paper; null without candidates


TASK = _columns(TaskColumns)


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
