"""Write one table in every form asked for."""

from collections.abc import Mapping, Sequence
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


def main(name: str, cells: Path, refusals: Path, audits: Sequence[Path], outputs: Mapping[str, Path]) -> None:
    """Write a table.

    Args:
        name: one of ``registry.TABLES``.
        cells: a file of ``schemas.CELLS``.
        refusals: a file of ``schemas.REFUSALS``.
        audits: files of ``schemas.AUDITS``; their order is the order of the table's rows.
        outputs: the file to write for each suffix ("csv", "md", "tex").

    Raises:
        TableError: if there is no such table or no renderer for a suffix.
        StoreError: if a file is missing or of another schema.
    """
    unknown = sorted(set(outputs).difference(RENDERERS))
    if unknown:
        raise TableError(f"table {name!r}: no renderer for {', '.join(unknown)}; there are {', '.join(RENDERERS)}")
    sources = Sources(
        cells=_frame([cells], schemas.CELLS),
        refusals=_frame([refusals], schemas.REFUSALS),
        audits=_frame(audits, schemas.AUDITS),
    )
    table = build(name, sources)
    for suffix, path in outputs.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(RENDERERS[suffix](table), encoding="utf-8", newline="\n")


def _frame(paths: Sequence[Path], schema: pa.Schema) -> pl.DataFrame:
    read = (files.read(path, schema).replace_schema_metadata() for path in paths)
    frame = pl.from_arrow(pa.concat_tables([schema.empty_table().replace_schema_metadata(), *read]))
    assert isinstance(frame, pl.DataFrame)
    return frame


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.wildcards.table,
            Path(snakemake.input.cells),
            Path(snakemake.input.refusals),
            [Path(path) for path in snakemake.input.audits],
            {Path(path).suffix.removeprefix("."): Path(path) for path in snakemake.output},
        )
