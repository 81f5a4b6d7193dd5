"""Stages' files as data frames."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pyarrow as pa

from nlfol.store import files


def read_frame(path: Path, schema: pa.Schema) -> pl.DataFrame:
    """Read a stage's file; errors as of ``files.read``."""
    frame = pl.from_arrow(files.read(path, schema).replace_schema_metadata())
    assert isinstance(frame, pl.DataFrame)
    return frame
