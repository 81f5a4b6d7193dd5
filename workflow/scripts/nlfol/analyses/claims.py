"""Tests of the paper's claims."""

from __future__ import annotations

from nlfol.analyses.analysis import Analysis, Rows
from nlfol.statistics.claims import claims
from nlfol.store.claim_schemas import CLAIMS
from nlfol.tables import claims as tables
from nlfol.tables.forms import DrawnForm

ANALYSIS = Analysis(
    rows=(Rows(CLAIMS, lambda given: claims(given.series(), given.frame("thinking").to_dicts())),),
    tables=(DrawnForm("claims", ("claims",), tables.claims),),
)
