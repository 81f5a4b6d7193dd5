"""Ratings of models as verifiers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from nlfol.analyses.analysis import Analysis, Given, Rows
from nlfol.statistics.verifications import pairs_of, verifications
from nlfol.store import files
from nlfol.store.round_trip_schemas import VERIFICATIONS
from nlfol.store.schemas import ITEMS
from nlfol.tables import verification
from nlfol.tables.forms import DrawnForm


def _verifications(given: Given) -> Iterator[dict[str, Any]]:
    pairs = {}
    for path in given.files["verification_items"]:
        table = files.read(path, ITEMS)
        about = files.metadata_of(table)
        pairs[about["dataset"], about["task"]] = pairs_of(table.to_pylist())
    for source, answers in given.loaded("verification_scores"):
        yield from verifications(source, answers, pairs[source.dataset, source.task])


ANALYSIS = Analysis(
    rows=(Rows(VERIFICATIONS, _verifications),),
    tables=(
        DrawnForm("verification", ("verifications",), verification.verification),
        DrawnForm("verification_strata", ("verifications",), verification.verification_strata),
    ),
)
