"""Scores without the items whose gold formula is in doubt."""

from __future__ import annotations

from nlfol.analyses.analysis import Analysis, Rows
from nlfol.statistics.suspects import without_suspects
from nlfol.store.claim_schemas import WITHOUT_SUSPECTS
from nlfol.tables import gold
from nlfol.tables.forms import DrawnForm

ANALYSIS = Analysis(
    rows=(
        Rows(
            WITHOUT_SUSPECTS,
            lambda given: without_suspects(given.files["scores"], given.frame("gold_audit").to_dicts()),
        ),
    ),
    tables=(DrawnForm("without_suspects", ("without_suspects",), gold.without_suspects),),
)
