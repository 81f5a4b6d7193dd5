"""Refusals of several datasets; those of one are worked out in ``test_recorded_analyses``."""

from typing import Any

import polars as pl
from tests.stored import frame

from nlfol.analyses.refusals import FUNNEL, REFUSALS


def test_steps_of_two_datasets_are_told_apart() -> None:
    read: dict[str, Any] = {"dataset": "toy", "stage": "ingestion", "step": "read", "order": 0}
    lost = read | {"step": "refused", "order": 1, "reason": "syntax"}
    every = frame(REFUSALS, read, lost, lost | {"item": "1:0"}, lost | {"item": "1:1"})
    other = every.with_columns(dataset=pl.lit("other")).filter(pl.col("item").is_null())
    rows = FUNNEL.table(pl.concat([every, other])).rows
    assert [row[4] for row in rows if row[0] == "other"] == [None, None]
    assert [row[4] for row in rows if row[0] == "toy"] == [None, 2]
