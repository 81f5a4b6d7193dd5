"""Transitions of answers between tasks, and between wordings."""

from __future__ import annotations

from nlfol.analyses.analysis import Analysis, Rows
from nlfol.statistics.transitions import transitions
from nlfol.store.stability_schemas import TRANSITIONS
from nlfol.tables import stability as tables
from nlfol.tables.forms import DrawnForm

ANALYSIS = Analysis(
    rows=(Rows(TRANSITIONS, lambda given: transitions(given.programs(), given.settings["wordings"])),),
    tables=(DrawnForm("transitions", ("transitions",), tables.transitions),),
)
