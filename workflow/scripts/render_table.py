"""Write one table in every form asked for."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl
import pyarrow as pa

from nlfol.store import analysis_schemas, files, schemas
from nlfol.store.logs import job_log
from nlfol.tables.registry import Sources, build
from nlfol.tables.rendering import RENDERERS
from nlfol.tables.table import TableError

if TYPE_CHECKING:
    snakemake: Any


SCHEMAS = {
    "cells": schemas.CELLS,
    "refusals": schemas.REFUSALS,
    "positions": schemas.POSITIONS,
    "edit_mix": schemas.EDIT_MIX,
    "costs": schemas.COSTS,
    "audits": schemas.AUDITS,
    "differences": analysis_schemas.DIFFERENCES,
    "task_agreements": analysis_schemas.TASK_AGREEMENTS,
    "repetitions": analysis_schemas.REPETITIONS,
    "correlations": analysis_schemas.CORRELATIONS,
    "faults": analysis_schemas.FAULTS,
    "complexity": analysis_schemas.COMPLEXITY,
}


_FIGURES = {
    **dict.fromkeys(("table", "dataset", "task", "metric", "presentation", "model", "second"), pl.String),
    **dict.fromkeys(("mean", "deviation"), pl.Float64),
}


def main(name: str, sources: Mapping[str, Sequence[Path]], figures: Path, outputs: Mapping[str, Path]) -> None:
    """Write a table.

    Args:
        name: one of ``registry.TABLES``.
        sources: the files behind each field of ``registry.Sources``, of the schema of that name, in the order of rows.
        figures: the published figures, a CSV file as in ``resources/published``.
        outputs: the file to write for each suffix ("csv", "md", "tex").

    Raises:
        TableError: if there is no such table or no renderer for a suffix.
        StoreError: if a file is missing or of another schema.
    """
    unknown = sorted(set(outputs).difference(RENDERERS))
    if unknown:
        raise TableError(f"table {name!r}: no renderer for {', '.join(unknown)}; there are {', '.join(RENDERERS)}")
    frames = {source: _frame(paths, SCHEMAS[source]) for source, paths in sources.items()}
    table = build(name, Sources(**frames, figures=read_figures(figures)))
    for suffix, path in outputs.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(RENDERERS[suffix](table), encoding="utf-8", newline="\n")


def read_figures(path: Path) -> pl.DataFrame:
    """Read a CSV file of published figures.

    Raises:
        TableError: if it is missing, or not of the form of ``resources/published``.
    """
    try:
        return pl.read_csv(path, schema=_FIGURES)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise TableError(f"{path}: no table of published figures as in resources/published: {error}") from error


def _frame(paths: Sequence[Path], schema: pa.Schema) -> pl.DataFrame:
    read = (files.read(path, schema).replace_schema_metadata() for path in paths)
    frame = pl.from_arrow(pa.concat_tables([schema.empty_table().replace_schema_metadata(), *read]))
    assert isinstance(frame, pl.DataFrame)
    return frame


def _paths(named: str | Sequence[str]) -> list[Path]:
    return [Path(named)] if isinstance(named, str) else [Path(path) for path in named]


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.wildcards.table,
            {source: _paths(path) for source, path in snakemake.input.items() if source != "figures"},
            Path(snakemake.input.figures),
            {Path(path).suffix.removeprefix("."): Path(path) for path in snakemake.output},
        )
