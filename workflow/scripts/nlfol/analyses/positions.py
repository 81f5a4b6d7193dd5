"""Right answers by the position of the gold formula."""

from __future__ import annotations

from nlfol.analyses.analysis import Analysis, Rows
from nlfol.statistics.positions import positions, sizes_of
from nlfol.store.claim_schemas import POSITIONS
from nlfol.tables import candidates
from nlfol.tables.forms import DrawnForm

ANALYSIS = Analysis(
    rows=(
        Rows(POSITIONS, lambda given: positions(given.files["choice_scores"], sizes_of(given.files["choice_items"]))),
    ),
    tables=(DrawnForm("positions", ("positions",), candidates.positions),),
)
