"""Translations over ontologies of models' own, beside those over the given ones."""

from __future__ import annotations

from typing import Any

from nlfol.analyses.analysis import Analysis, Given, Rows
from nlfol.statistics.ontologies import Own, ontologies
from nlfol.store import files
from nlfol.store.analysis_schemas import ONTOLOGIES
from nlfol.store.schemas import ITEMS
from nlfol.tables import ontologies as tables
from nlfol.tables.forms import DrawnForm


def _ontologies(given: Given) -> list[dict[str, Any]]:
    sentences: dict[tuple[str, str], dict[str, int]] = {}
    for path in given.files["own_items"]:
        table = files.read(path, ITEMS)
        about = files.metadata_of(table)
        counts = {
            row["item"]: max(1, len(row["candidates"])) for row in table.select(["item", "candidates"]).to_pylist()
        }
        sentences[about["dataset"], about["task"]] = counts
    own = [
        Own((source, scores), given.settings["scopes"][source.task], sentences[source.dataset, source.task])
        for source, scores in given.loaded("own_scores")
    ]
    return ontologies(own, given.loaded("given_scores"))


ANALYSIS = Analysis(
    rows=(Rows(ONTOLOGIES, _ontologies),),
    tables=(DrawnForm("ontologies", ("ontologies",), tables.ontologies),),
)
