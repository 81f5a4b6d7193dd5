"""Files of published figures."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from nlfol.store.files import StoreError

_COLUMNS = {
    **dict.fromkeys(("table", "dataset", "task", "metric", "presentation", "model", "second"), pl.String),
    **dict.fromkeys(("mean", "deviation"), pl.Float64),
    "items": pl.Int64,
}


def read_figures(path: Path) -> pl.DataFrame:
    """Read a CSV file of published figures; ``paper`` is its name.

    Raises:
        StoreError: if it is missing, or not of the form of ``resources/published``.
    """
    try:
        return pl.read_csv(path, schema=_COLUMNS).with_columns(paper=pl.lit(path.stem))
    except (OSError, pl.exceptions.PolarsError) as error:
        raise StoreError(f"{path}: no table of published figures as in resources/published: {error}") from error
