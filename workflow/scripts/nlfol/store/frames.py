"""Stages' files, and files of published figures, as data frames."""

from collections.abc import Iterable
from pathlib import Path

import polars as pl
import pyarrow as pa

from nlfol.store import files

_COLUMNS = {
    **dict.fromkeys(("table", "dataset", "task", "metric", "presentation", "model", "second"), pl.String),
    **dict.fromkeys(("mean", "deviation"), pl.Float64),
    "items": pl.Int64,
}


def read_frame(path: Path, schema: pa.Schema) -> pl.DataFrame:
    """Read a stage's file; errors as ``files.read``."""
    frame = pl.from_arrow(files.read(path, schema).replace_schema_metadata())
    assert isinstance(frame, pl.DataFrame)
    return frame


def read_frames(paths: Iterable[Path], schema: pa.Schema) -> pl.DataFrame:
    """Read files of one schema as one frame, empty without files; errors as ``files.read``."""
    read = (files.read(path, schema).replace_schema_metadata() for path in paths)
    frame = pl.from_arrow(pa.concat_tables([schema.empty_table().replace_schema_metadata(), *read]))
    assert isinstance(frame, pl.DataFrame)
    return frame


def read_figures(path: Path) -> pl.DataFrame:
    """Read a CSV file of published figures; ``paper`` is its name.

    Raises:
        StoreError: if it is missing, or not of the form of ``resources/published``.
    """
    try:
        return pl.read_csv(path, schema=_COLUMNS).with_columns(paper=pl.lit(path.stem))
    except (OSError, pl.exceptions.PolarsError) as error:
        raise files.StoreError(f"{path}: no table of published figures as in resources/published: {error}") from error
