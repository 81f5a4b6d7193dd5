"""Rows and frames of stored schemas, of which a test gives the fields that it is about, and what is drawn from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import polars as pl
import pyarrow as pa

from nlfol.results.analyses.comparisons import RANKS
from nlfol.results.statistics.summary import COMPARED
from nlfol.results.tables.table import Table
from nlfol.store.schemas import COMPONENTS, EVIDENCE, SCORES

if TYPE_CHECKING:
    from nlfol.results.analyses.figure import Figure

EXPLAINED = pa.schema(
    [*SCORES, *(EVIDENCE.field(name) for name in ("relation", "counter_model", "on_boards", "blocks"))]
)
"""Rows of SCORES with their evidence, as analyses read them."""

_USUAL = {"status": "usable", "language": "first_order", "noun": "thing", "outcome": "answered", "round": 1, "step": 1}


def stored(schema: pa.Schema | pa.StructType, **given: Any) -> dict[str, Any]:
    """Return a row of a schema, or a value of a structure, with fields that are not given null, or empty if required.

    The story of an item is what stands before the colon.
    """
    names = {field.name for field in schema}
    assert given.keys() <= names, given.keys() - names
    if "item" in given and "story" in names:
        given = {"story": given["item"].split(":")[0], **given}
    return {field.name: given[field.name] if field.name in given else _empty(field) for field in schema}


def frame(schema: pa.Schema, *rows: Mapping[str, Any]) -> pl.DataFrame:
    """Return a frame of rows as ``stored`` makes them."""
    table = pa.Table.from_pylist([stored(schema, **row) for row in rows], schema=schema)
    made = pl.from_arrow(table.replace_schema_metadata())
    assert isinstance(made, pl.DataFrame)
    return made


def ranks_of(cells: Iterable[Mapping[str, Any]], *possible: str) -> list[dict[str, Any]]:
    """Return rows of RANKS for the models of cells; only some, or else all, may be the best."""
    models: dict[tuple[str, ...], list[str]] = {}
    for cell in cells:
        if cell["kind"] in COMPARED:
            question = tuple(cell[name] for name in ("dataset", "task", "task_kind", "metric", "presentation"))
            models.setdefault(question, []).append(cell["model"])
    names, rows = ("dataset", "task", "task_kind", "metric", "presentation"), []
    for question, of_question in models.items():
        best = [model for model in of_question if model in possible] or of_question
        for model in of_question:
            about = {**dict(zip(names, question, strict=True)), "model": model, "models": len(of_question)}
            ends = {"first": 1 if model in best else 2, "last": 1 if best == [model] else len(of_question)}
            rows.append(stored(RANKS, **about, **ends, possibly_best=model in best))
    return rows


def unshown(answers: pl.DataFrame) -> pl.DataFrame:
    """Return answers that could be read, if nothing else is said, to requests of which nothing is known."""
    shown = pl.Struct(dict.fromkeys(COMPONENTS, pl.String))
    read = {} if "outcome" in answers.columns else {"outcome": pl.lit("answered")}
    return answers.with_columns(**read, unread=pl.lit(False), shown=pl.lit(None, shown))


def records(table: Table) -> list[dict[str, Any]]:
    """Return the cells of each row of a table by their columns' names."""
    names = [column.name for column in table.columns]
    return [dict(zip(names, row, strict=True)) for row in table.rows]


def marks(figure: Figure | None) -> list[dict[str, Any]]:
    """Return the marks of a figure that there is."""
    assert figure is not None
    (drawn,) = figure.specification["datasets"].values()
    return list(drawn)


def _empty(field: pa.Field[Any]) -> Any:
    if field.nullable:
        return None
    if field.name in _USUAL:
        return _USUAL[field.name]
    if isinstance(field.type, pa.StructType):
        return {part.name: _empty(part) for part in field.type}
    if pa.types.is_list(field.type):
        return []
    return "" if pa.types.is_string(field.type) else pa.scalar(0, pa.int64()).cast(field.type).as_py()
