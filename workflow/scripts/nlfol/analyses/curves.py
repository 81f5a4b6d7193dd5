"""Scores over what is measured of generated items, and of the items up to a size."""

from __future__ import annotations

from nlfol.analyses.analysis import Analysis, Rows
from nlfol.statistics.bounded import bounded
from nlfol.statistics.curves import curves
from nlfol.store.analysis_schemas import CURVES
from nlfol.store.round_trip_schemas import BOUNDED
from nlfol.tables import generated
from nlfol.tables.forms import DrawnForm

ANALYSIS = Analysis(
    rows=(
        Rows(CURVES, lambda given: curves(given.series(), given.measures())),
        Rows(BOUNDED, lambda given: bounded(given.series(), given.measures())),
    ),
    tables=(DrawnForm("curves", ("curves",), generated.curves),),
)
