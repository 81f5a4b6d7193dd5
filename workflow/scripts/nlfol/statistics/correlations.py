"""How far BLEU and LE go with equivalence (the paper's table 5).

The point-biserial correlation is Pearson's between a score and being right, 0 or 1. It is taken at each seed over the
translations that could be read, since for others there is no score but 0; the paper does the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from statistics import fmean, stdev
from typing import Any

import polars as pl

from nlfol.statistics.summary import Origin
from nlfol.tasks.task import AnswerForm

COMPARED = ("bleu", "le")
"""The scores that are compared with equivalence."""


def correlations(loaded: Iterable[tuple[Origin, pl.DataFrame]]) -> list[dict[str, Any]]:
    """The rows of ``schemas.CORRELATIONS``: one a translation task, dialogue model and score."""
    rows = []
    for source, scores in loaded:
        if source.asked.form is not AnswerForm.FORMULA or source.kind != "chat" or scores.is_empty():
            continue
        right = scores.filter(pl.col("metric") == "equivalence")
        rows += [_row(source, metric, scores.filter(pl.col("metric") == metric), right) for metric in COMPARED]
    return rows


def _row(source: Origin, metric: str, scores: pl.DataFrame, right: pl.DataFrame) -> dict[str, Any]:
    paired = scores.join(right.select("item", "seed", pl.col("score").alias("right")), on=["item", "seed"])
    read = paired.filter(pl.col("formula").is_not_null())
    found = [_correlation(answers) for _, answers in read.group_by("seed", maintain_order=True)]
    known = [value for value in found if value is not None]
    return {
        "dataset": source.dataset,
        "task": source.task,
        "model": source.model,
        "metric": metric,
        "answers": paired.height,
        "read": read.height,
        "correlation": fmean(known) if known else None,
        "low": min(known, default=None),
        "high": max(known, default=None),
        "deviation": stdev(known) if len(known) > 1 else None,
    }


def _correlation(answers: pl.DataFrame) -> float | None:
    """None where all are right, all wrong, or all score alike: then there is nothing to go together."""
    if answers["right"].n_unique() < 2 or answers["score"].n_unique() < 2:
        return None
    from scipy.stats import pointbiserialr

    return float(pointbiserialr(answers["right"].to_list(), answers["score"].to_list()).statistic)
