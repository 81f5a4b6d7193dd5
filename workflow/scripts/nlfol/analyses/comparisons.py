"""Comparisons of models, and of each with and without thinking."""

from __future__ import annotations

from nlfol.analyses.analysis import Analysis, Rows
from nlfol.statistics.comparisons import comparisons
from nlfol.statistics.thinking import thinking
from nlfol.store.analysis_schemas import DIFFERENCES, THINKING
from nlfol.tables import comparisons as tables
from nlfol.tables.forms import DrawnForm

ANALYSIS = Analysis(
    rows=(
        Rows(DIFFERENCES, lambda given: comparisons(given.series())),
        Rows(THINKING, lambda given: thinking(given.series(), given.made["differences"])),
    ),
    tables=(
        DrawnForm("differences", ("differences",), tables.differences),
        DrawnForm("thinking", ("thinking",), tables.thinking),
        DrawnForm("agreement", ("differences",), tables.agreement),
    ),
)
