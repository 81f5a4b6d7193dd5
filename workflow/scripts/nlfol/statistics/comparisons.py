"""Every two models of one kind on the questions that both were asked.

The p-values of one table, that is of all models of one kind over all its datasets and columns, are one family and are
adjusted together (``differences.holm``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from itertools import combinations
from typing import Any

import polars as pl

from nlfol.statistics.agreement import agreement
from nlfol.statistics.differences import difference, holm
from nlfol.statistics.series import Series
from nlfol.statistics.summary import COMPARED, Origin
from nlfol.tasks.task import AnswerForm


def comparisons(series: Iterable[Series]) -> list[dict[str, Any]]:
    """The rows of ``schemas.DIFFERENCES``, questions and models in the order of their first series."""
    asked: dict[tuple[str, ...], list[Series]] = {}
    for one in series:
        if one.source.kind in COMPARED:
            asked.setdefault((*one.question, one.source.kind), []).append(one)
    rows = [
        row
        for models in asked.values()
        for first, second in combinations(models, 2)
        if (row := _compared(first, second)) is not None
    ]
    families: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        families.setdefault(row["table"], []).append(row)
    for family in families.values():
        adjust(family)
    return rows


def _compared(first: Series, second: Series) -> dict[str, Any] | None:
    common = first.items.join(second.items, on="item", suffix="_second", maintain_order="left")
    if common.is_empty():
        return None
    found = difference(common["score"].to_list(), common["score_second"].to_list(), common["story"].to_list())
    source = first.source
    return {
        "dataset": source.dataset,
        "task": source.task,
        "task_kind": source.task_kind,
        "protocol": source.protocol,
        "metric": first.metric,
        "presentation": first.presentation,
        "table": table_of(source),
        "first": source.model,
        "second": second.source.model,
        "available": source.available,
        **{("difference" if name == "mean" else name): value for name, value in asdict(found).items()},
        **_agreement(first, second),
    }


def table_of(source: Origin) -> str:
    """The table in which scores are shown, and whose comparisons are one family."""
    if source.asked.form is AnswerForm.FORMULA:
        return "logical_translation"
    if source.asked.has_candidates():
        return "embedding" if source.kind == "embedding" else "dialogue"
    return "scores"


def _agreement(first: Series, second: Series) -> dict[str, float | None]:
    """Of the answers to the same items under the same seeds; null where the models share no seed."""
    common = first.answers.join(second.answers, on=["item", "seed"], suffix="_second", nulls_equal=True)
    names = ("both", "first_only", "second_only", "neither", "kappa")
    if common.is_empty():
        return dict.fromkeys(names)
    return asdict(agreement(common["score"].to_list(), common["score_second"].to_list()))


def adjust(family: Sequence[dict[str, Any]]) -> None:
    """Adjust the p-values of rows that are one family, by Holm."""
    for row, adjusted in zip(family, holm([row["p"] for row in family]), strict=True):
        row["adjusted"] = adjusted


def significantly_best(differences: pl.DataFrame, level: float = 0.05) -> set[tuple[str, str, str, str, str]]:
    """The models that beat every other at a question: (dataset, task, metric, presentation, model).

    Args:
        differences: rows of ``schemas.DIFFERENCES``.
        level: of the adjusted p-values.
    """
    beaten: dict[tuple[str, str, str, str], dict[str, list[bool]]] = {}
    for row in differences.to_dicts():
        models = beaten.setdefault((row["dataset"], row["task"], row["metric"], row["presentation"]), {})
        significant = row["adjusted"] < level
        models.setdefault(row["first"], []).append(significant and row["difference"] > 0)
        models.setdefault(row["second"], []).append(significant and row["difference"] < 0)
    return {(*question, model) for question, models in beaten.items() for model, wins in models.items() if all(wins)}
