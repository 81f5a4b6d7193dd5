"""Scores of logical translation."""

from __future__ import annotations

from nlfol.analyses.analysis import Analysis
from nlfol.tables import scores
from nlfol.tables.forms import DrawnForm

ANALYSIS = Analysis(tables=(DrawnForm("logical_translation", ("cells", "best"), scores.logical_translation),))
