"""Members of candidate sets."""

from __future__ import annotations

from nlfol.analyses.analysis import Analysis, Rows
from nlfol.statistics.edit_mix import edit_mix
from nlfol.store.schemas import EDIT_MIX
from nlfol.tables import candidates
from nlfol.tables.forms import DrawnForm

ANALYSIS = Analysis(
    rows=(Rows(EDIT_MIX, lambda given: [row for path in given.files["candidates"] for row in edit_mix(path)]),),
    tables=(
        DrawnForm("edit_mix", ("edit_mix",), candidates.edit_mix),
        DrawnForm("set_sizes", ("edit_mix",), candidates.set_sizes),
    ),
)
