"""Problems and the same problems in other words."""

from __future__ import annotations

from nlfol.analyses.analysis import Analysis, Rows
from nlfol.statistics.stability import stability
from nlfol.store.stability_schemas import STABILITY
from nlfol.tables import stability as tables
from nlfol.tables.forms import DrawnForm

ANALYSIS = Analysis(
    rows=(
        Rows(
            STABILITY,
            lambda given: stability(given.series("problem_scores"), given.programs(), given.settings["wordings"]),
        ),
    ),
    tables=(
        DrawnForm("stability", ("stability",), tables.stability),
        DrawnForm("types", ("stability",), tables.types),
    ),
)
