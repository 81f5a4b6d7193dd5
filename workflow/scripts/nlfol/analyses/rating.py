"""Ratings of problems in other words."""

from __future__ import annotations

from nlfol.analyses.analysis import Analysis, Rows
from nlfol.statistics.ratings import original_readers, ratings
from nlfol.store.problem_schemas import RATINGS
from nlfol.tables import rating as tables
from nlfol.tables.forms import DrawnForm

ANALYSIS = Analysis(
    rows=(Rows(RATINGS, lambda given: ratings(given.loaded(), original_readers(given.files["problem_items"]))),),
    tables=(DrawnForm("rating", ("ratings", "figures"), tables.rating),),
)
