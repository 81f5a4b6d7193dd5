"""What translations got wrong: by outcome, by relation to the gold formula, and by the change that mends them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import polars as pl

from nlfol.statistics.summary import Origin
from nlfol.tasks.task import AnswerForm

ANSWERS, INVALID, RELATION, FAULT = "answers", "invalid", "relation", "fault"
"""The groups of counts: all that was asked, formulas that are invalid, and the two views of those not equivalent."""

NO_SINGLE_CHANGE = "no_single_change"
"""A translation that no one change makes equivalent."""


def faults(loaded: Iterable[tuple[Origin, pl.DataFrame]]) -> list[dict[str, Any]]:
    """The rows of ``schemas.FAULTS``: within a group, each count with its share of the group."""
    rows = []
    for source, scores in loaded:
        if source.asked.form is AnswerForm.FORMULA and source.kind in ("chat", "written"):
            rows += _rows(source, scores.filter(pl.col("metric") == "equivalence"))
    return rows


def _rows(source: Origin, answers: pl.DataFrame) -> list[dict[str, Any]]:
    verdict = pl.coalesce("verdict", "outcome")
    different = answers.filter(pl.col("verdict") == "not_equivalent")
    groups = {
        ANSWERS: answers.select(verdict.alias("case"))["case"],
        INVALID: answers.filter(pl.col("verdict") == "invalid")["means"],
        RELATION: different["relation"].fill_null("unknown"),
        FAULT: different["fault"].fill_null(NO_SINGLE_CHANGE),
    }
    rows = []
    for group, cases in groups.items():
        counted = cases.value_counts(name="count", parallel=False).to_dicts()
        rows += [
            {
                "dataset": source.dataset,
                "task": source.task,
                "model": source.model,
                "group": group,
                "case": row[cases.name],
                "count": row["count"],
                "share": row["count"] / cases.len(),
            }
            for row in sorted(counted, key=lambda row: (-row["count"], row[cases.name]))
        ]
    return rows
