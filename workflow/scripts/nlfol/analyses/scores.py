"""Means of all scores, with their intervals and outcomes."""

from __future__ import annotations

from nlfol.analyses.analysis import Analysis, Rows
from nlfol.statistics.summary import cells
from nlfol.store.schemas import CELLS
from nlfol.tables import claims, scores
from nlfol.tables.forms import DrawnForm

ANALYSIS = Analysis(
    rows=(Rows(CELLS, lambda given: cells(given.files["scores"])),),
    tables=(
        DrawnForm("scores", ("cells", "best"), scores.every_score),
        DrawnForm("above_chance", ("cells",), claims.above_chance),
    ),
)
