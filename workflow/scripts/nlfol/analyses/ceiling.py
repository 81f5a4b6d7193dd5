"""Translations by published gold, by corrected gold, and by all formulas that are accepted of a sentence."""

from collections.abc import Iterator

import polars as pl

from nlfol.analyses.analysis import Analysis
from nlfol.analyses.choices import blocks, scored
from nlfol.analyses.scores import SPREAD
from nlfol.analyses.translations import TRANSLATION, references
from nlfol.statistics.summary import KINDS
from nlfol.tables import columns
from nlfol.tables.table import Kind, Row, Score, TableForm
from nlfol.tasks.logical_translation import ACCEPTED, CORRECTED, EQUIVALENCE


def _with_readings(cells: pl.DataFrame, figures: pl.DataFrame) -> Iterator[Row]:
    """Yield the rows of datasets whose readings are known, and below each what the models of papers reach on it."""
    rows = [row for row in blocks(cells, [TRANSLATION], KINDS) if (TRANSLATION, ACCEPTED) in row["cells"]]
    yield from (row for row in rows if row["kind"] != "chance")
    for dataset in dict.fromkeys(row["dataset"] for row in rows):
        of_dataset = figures.filter(dataset=dataset, task=TRANSLATION, metric=EQUIVALENCE)
        for figure in of_dataset.to_dicts():
            said = Score(figure["mean"], figure["deviation"])
            about = {"items": figure["items"], "available": figure["items"], "kind": "published"}
            yield {**figure, **about, "model": f"{figure['model']} ({figure['paper']})", "said": said, "cells": {}}


TABLE = TableForm(
    "ceiling",
    "Published, corrected and accepted gold",
    "Shares of translations that are equivalent to the published gold formula, to the corrected one, and to any that "
    "is accepted of the sentence.",
    (
        *columns.texts("dataset", "model"),
        columns.column("items", None, Kind.SAMPLE, lambda row: columns.sample_of(row) if row["items"] else None),
        columns.column(
            "published", None, Kind.SCORE, lambda row: row.get("said") or scored(row, TRANSLATION, EQUIVALENCE)
        ),
        columns.column(CORRECTED, None, Kind.SCORE, lambda row: scored(row, TRANSLATION, CORRECTED)),
        columns.column(ACCEPTED, None, Kind.SCORE, lambda row: scored(row, TRANSLATION, ACCEPTED)),
    ),
    (
        SPREAD,
        "Below: what models reach in a paper, by published gold.",
        "FOLIO's second reading helped to correct it and to find accepted formulas: by these its score says little.",
        references,
    ),
    ("cells", "figures"),
    _with_readings,
    nothing="No dataset has gold: accepted.",
)

ANALYSIS = Analysis(tables=(TABLE,))
