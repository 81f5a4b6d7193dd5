"""Write one table in every form asked for."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl
import pyarrow as pa

from nlfol.store import files, schemas
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
}


def main(name: str, sources: Mapping[str, Path], outputs: Mapping[str, Path]) -> None:
    """Write a table.

    Args:
        name: one of ``registry.TABLES``.
        sources: the file behind each field of ``registry.Sources``, of the schema of that name.
        outputs: the file to write for each suffix ("csv", "md", "tex").

    Raises:
        TableError: if there is no such table or no renderer for a suffix.
        StoreError: if a file is missing or of another schema.
    """
    unknown = sorted(set(outputs).difference(RENDERERS))
    if unknown:
        raise TableError(f"table {name!r}: no renderer for {', '.join(unknown)}; there are {', '.join(RENDERERS)}")
    table = build(name, Sources(**{source: _frame(path, SCHEMAS[source]) for source, path in sources.items()}))
    for suffix, path in outputs.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(RENDERERS[suffix](table), encoding="utf-8", newline="\n")


def _frame(path: Path, schema: pa.Schema) -> pl.DataFrame:
    frame = pl.from_arrow(files.read(path, schema))
    assert isinstance(frame, pl.DataFrame)
    return frame


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.wildcards.table,
            {source: Path(path) for source, path in snakemake.input.items()},
            {Path(path).suffix.removeprefix("."): Path(path) for path in snakemake.output},
        )
