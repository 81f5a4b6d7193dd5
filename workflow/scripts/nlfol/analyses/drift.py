"""Drift, collision and consistency of the symbols of programs, and causes of wrong answers."""

from __future__ import annotations

from nlfol.analyses.analysis import Analysis, Rows
from nlfol.statistics.drift import causes, drift
from nlfol.store.stability_schemas import CAUSES, DRIFT
from nlfol.tables import stability as tables
from nlfol.tables.forms import DrawnForm

ANALYSIS = Analysis(
    rows=(
        Rows(DRIFT, lambda given: drift(given.programs(), given.settings["wordings"])),
        Rows(CAUSES, lambda given: causes(given.programs(), given.settings["wordings"])),
    ),
    tables=(
        DrawnForm("drift", ("drift",), tables.drift),
        DrawnForm("consistency", ("drift",), tables.consistency),
        DrawnForm("causes", ("causes",), tables.causes),
    ),
)
