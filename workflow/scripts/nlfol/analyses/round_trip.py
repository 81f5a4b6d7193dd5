"""Round trips: scores by round, why chains end, and the effect of solved examples."""

from __future__ import annotations

from nlfol.analyses.analysis import Analysis, Rows
from nlfol.statistics.few_shot import few_shot
from nlfol.statistics.stops import stops
from nlfol.store.round_trip_schemas import FEW_SHOT, STOPS
from nlfol.tables import round_trip
from nlfol.tables.forms import DrawnForm

ANALYSIS = Analysis(
    rows=(
        Rows(STOPS, lambda given: stops(given.loaded())),
        Rows(FEW_SHOT, lambda given: few_shot(given.series())),
    ),
    tables=(
        DrawnForm("round_trip", ("cells", "bounded", "stops", "figures", "best"), round_trip.round_trip),
        DrawnForm("few_shot", ("few_shot",), round_trip.few_shot),
    ),
)
