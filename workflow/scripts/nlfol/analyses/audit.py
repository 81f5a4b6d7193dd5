"""Checks of candidate sets."""

from __future__ import annotations

from nlfol.analyses.analysis import Analysis
from nlfol.tables import audits
from nlfol.tables.forms import DrawnForm

ANALYSIS = Analysis(tables=(DrawnForm("audit", ("audits",), audits.audit),))
