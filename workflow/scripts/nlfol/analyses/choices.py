"""Scores of tasks with candidate sets."""

from __future__ import annotations

from nlfol.analyses.analysis import Analysis
from nlfol.tables import scores
from nlfol.tables.forms import DrawnForm

ANALYSIS = Analysis(
    tables=(
        DrawnForm("dialogue", ("cells", "best"), scores.dialogue),
        DrawnForm("embedding", ("cells", "best"), scores.embedding),
    )
)
