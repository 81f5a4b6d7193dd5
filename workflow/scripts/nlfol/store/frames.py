"""Stages' files as data frames."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import polars as pl
import pyarrow as pa

from nlfol.store import files


def read_frame(path: Path, schema: pa.Schema) -> pl.DataFrame:
    """Read a stage's file; errors as of ``files.read``."""
    frame = pl.from_arrow(files.read(path, schema).replace_schema_metadata())
    assert isinstance(frame, pl.DataFrame)
    return frame


def read_frames(paths: Iterable[Path], schema: pa.Schema) -> pl.DataFrame:
    """Read files of one schema as one frame, without rows where there is no file; errors as of ``files.read``."""
    read = (files.read(path, schema).replace_schema_metadata() for path in paths)
    frame = pl.from_arrow(pa.concat_tables([schema.empty_table().replace_schema_metadata(), *read]))
    assert isinstance(frame, pl.DataFrame)
    return frame
