"""Attribution of broken round trips to their halves."""

from __future__ import annotations

from nlfol.analyses.analysis import Analysis, Rows
from nlfol.statistics.attribution import attributions
from nlfol.store.round_trip_schemas import ATTRIBUTIONS
from nlfol.tables import round_trip
from nlfol.tables.forms import DrawnForm

ANALYSIS = Analysis(
    rows=(Rows(ATTRIBUTIONS, lambda given: attributions(given.loaded("round_trip_scores"))),),
    tables=(DrawnForm("attribution", ("attributions",), round_trip.attribution),),
)
