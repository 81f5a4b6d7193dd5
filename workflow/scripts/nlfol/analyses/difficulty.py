"""Scores by the difficulty of items."""

from __future__ import annotations

import polars as pl

from nlfol.analyses.analysis import Analysis, Given, Rows
from nlfol.statistics.difficulty import MOST, difficulties
from nlfol.store.claim_schemas import DIFFICULTY
from nlfol.tables import difficulty as tables
from nlfol.tables.forms import DrawnForm


def _counts(given: Given) -> dict[str, dict[str, dict[str, int]]]:
    """Return the operators and quantifiers of each dataset's items, where its language has them."""
    found = {}
    for dataset, measures in given.measures().items():
        counted = {name: measures.select("item", pl.col(name).cast(pl.Int64)).drop_nulls() for name in MOST}
        found[dataset] = {name: dict(frame.rows()) for name, frame in counted.items() if not frame.is_empty()}
    return found


ANALYSIS = Analysis(
    rows=(Rows(DIFFICULTY, lambda given: difficulties(given.series(), _counts(given))),),
    tables=(DrawnForm("difficulty", ("difficulty",), tables.difficulty),),
)
