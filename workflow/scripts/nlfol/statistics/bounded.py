"""Scores of the generated items up to a size, which ∀uto∃∨∧L holds against other benchmarks (appendix K.4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import polars as pl

from nlfol.statistics.curves import said_of, summarised
from nlfol.statistics.series import Series
from nlfol.store.analysis_schemas import CATEGORY

LIMITS = (("operators_published", 6.0), ("operators_published", 30.0), ("depth", 7.0))
"""Measures with the greatest value of the items: as published for FOLIO, Multi-LogiEval and HumanEval."""


def bounded(series: Iterable[Series], measures: Mapping[str, pl.DataFrame]) -> list[dict[str, Any]]:
    """The rows of ``round_trip_schemas.BOUNDED``, in the order of the series; arguments as of ``curves.curves``."""
    generated = {dataset: frame for dataset, frame in measures.items() if frame[CATEGORY].count()}
    rows = []
    for one in series:
        frame = generated.get(one.source.dataset)
        for measure, most in LIMITS if frame is not None else ():
            assert frame is not None
            small = frame.filter(pl.col(measure) <= most).select("item")
            answers = one.answers.join(small, on="item", how="semi")
            if not answers.is_empty():
                rows.append({**said_of(one), "measure": measure, "most": most, **summarised(answers)})
    return rows
