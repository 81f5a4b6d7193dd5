"""Published figures beside those of an experiment."""

from __future__ import annotations

import polars as pl

from nlfol.analyses.analysis import Analysis
from nlfol.tables import published as tables
from nlfol.tables.forms import DrawnForm
from nlfol.tables.table import Table

_MEASURED = (
    *("cells", "bounded", "differences", "task_agreements", "correlations", "complexity", "diversity"),
    *("classification", "drift", "stability", "ratings"),
)


def _published(*frames: pl.DataFrame) -> Table:
    *measured, figures = frames
    return tables.published(figures, tables.Measured(*measured))


ANALYSIS = Analysis(tables=(DrawnForm("published", (*_MEASURED, "figures"), _published),))
