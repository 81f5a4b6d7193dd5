"""Tokens, time and money of answers."""

from __future__ import annotations

from nlfol.analyses.analysis import Analysis, Rows
from nlfol.statistics.costs import costs
from nlfol.store.analysis_schemas import COSTS
from nlfol.tables import costs as tables
from nlfol.tables.forms import DrawnForm

ANALYSIS = Analysis(
    rows=(Rows(COSTS, lambda given: costs(given.files["responses"])),),
    tables=(DrawnForm("costs", ("costs",), tables.costs),),
)
