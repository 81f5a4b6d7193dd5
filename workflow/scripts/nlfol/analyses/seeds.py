"""Answers over seeds: repetition, and the variance by item, order and sampling."""

from __future__ import annotations

from nlfol.analyses.analysis import Analysis, Rows
from nlfol.statistics.seed_repetitions import seed_repetitions
from nlfol.statistics.variances import variance_rows
from nlfol.store.analysis_schemas import REPETITIONS
from nlfol.store.claim_schemas import VARIANCES
from nlfol.tables import comparisons, difficulty
from nlfol.tables.forms import DrawnForm

ANALYSIS = Analysis(
    rows=(
        Rows(REPETITIONS, lambda given: seed_repetitions(given.series())),
        Rows(VARIANCES, lambda given: variance_rows(given.loaded())),
    ),
    tables=(
        DrawnForm("repetitions", ("repetitions",), comparisons.repetitions),
        DrawnForm("variances", ("variances",), difficulty.variances),
    ),
)
