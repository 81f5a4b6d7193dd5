"""Scores by informalizer and formalizer."""

from __future__ import annotations

from nlfol.analyses.analysis import Analysis, Given, Rows
from nlfol.statistics.crossed import crossed
from nlfol.statistics.series import Series, load_all, series_of
from nlfol.store.round_trip_schemas import CROSSED
from nlfol.tables import round_trip
from nlfol.tables.forms import DrawnForm


def _asked(given: Given) -> list[tuple[str, Series]]:
    paths, informalizers = given.files["crossed_scores"], given.settings["informalizers"]
    return [
        (informalizer, one)
        for path, informalizer in zip(paths, informalizers, strict=True)
        for one in series_of(load_all([path]))
    ]


ANALYSIS = Analysis(
    rows=(Rows(CROSSED, lambda given: crossed(_asked(given))),),
    tables=(DrawnForm("crossed", ("crossed",), round_trip.crossed),),
)
