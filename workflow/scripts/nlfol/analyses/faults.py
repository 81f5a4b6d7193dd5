"""Faults of translations, and other scores of them."""

from __future__ import annotations

from nlfol.analyses.analysis import Analysis, Rows
from nlfol.statistics.correlations import correlations
from nlfol.statistics.faults import faults
from nlfol.store.analysis_schemas import CORRELATIONS, FAULTS
from nlfol.tables import translations
from nlfol.tables.forms import DrawnForm

ANALYSIS = Analysis(
    rows=(
        Rows(CORRELATIONS, lambda given: correlations(given.loaded())),
        Rows(FAULTS, lambda given: faults(given.loaded())),
    ),
    tables=(
        DrawnForm("other_metrics", ("cells", "correlations"), translations.other_metrics),
        DrawnForm("faults", ("faults",), translations.faults),
    ),
)
