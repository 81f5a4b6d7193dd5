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


def main(name: str, cells: Path, refusals: Path, outputs: Mapping[str, Path]) -> None:
    """Write a table.

    Args:
        name: one of ``registry.TABLES``.
        cells: a file of ``schemas.CELLS``.
        refusals: a file of ``schemas.REFUSALS``.
        outputs: the file to write for each suffix ("csv", "md", "tex").

    Raises:
        TableError: if there is no such table or no renderer for a suffix.
        StoreError: if a file is missing or of another schema.
    """
    unknown = sorted(set(outputs).difference(RENDERERS))
    if unknown:
        raise TableError(f"table {name!r}: no renderer for {', '.join(unknown)}; there are {', '.join(RENDERERS)}")
    table = build(name, Sources(_frame(cells, schemas.CELLS), _frame(refusals, schemas.REFUSALS)))
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
            Path(snakemake.input.cells),
            Path(snakemake.input.refusals),
            {Path(path).suffix.removeprefix("."): Path(path) for path in snakemake.output},
        )
