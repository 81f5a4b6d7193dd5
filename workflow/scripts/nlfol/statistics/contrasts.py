"""Paired contrasts of two series of scores, and the models that are significantly the best."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import polars as pl

from nlfol.statistics.differences import difference, holm
from nlfol.statistics.summary import Series


def paired(
    first: Series, second: Series, means: tuple[str, str] | None = None, name: str = "difference"
) -> dict[str, Any] | None:
    """Return the columns of ``store.columns.contrast`` but ``adjusted``, over common items; None without any.

    Args:
        first: the series from which ``second`` is subtracted.
        second: the other series.
        means: names of both means; None leaves them out.
        name: name of the difference.
    """
    common = first.items.join(second.items, on="item", suffix="_second", maintain_order="left")
    if common.is_empty():
        return None
    scores, others = common["score"].to_list(), common["score_second"].to_list()
    found = asdict(difference(scores, others, common["story"].to_list()))
    of_means = (common["score"].mean(), common["score_second"].mean())
    return {
        **dict(zip(means or (), of_means if means else (), strict=True)),
        "available": first.source.available,
        name: found.pop("mean"),
        **found,
    }


def adjust(family: Sequence[dict[str, Any]]) -> None:
    """Adjust the p-values of rows that are one family, by Holm."""
    for row, adjusted in zip(family, holm([row["p"] for row in family]), strict=True):
        row["adjusted"] = adjusted


def significantly_best(differences: pl.DataFrame, level: float = 0.05) -> set[tuple[str, str, str, str, str]]:
    """Return the models that beat every other at a question: (dataset, task, metric, presentation, model).

    ``differences`` has rows of ``analyses.comparisons.DIFFERENCES``; ``level`` is of the adjusted p-values.
    """
    beaten: dict[tuple[str, str, str, str], dict[str, list[bool]]] = {}
    for row in differences.to_dicts():
        models = beaten.setdefault((row["dataset"], row["task"], row["metric"], row["presentation"]), {})
        significant = row["adjusted"] is not None and row["adjusted"] < level
        models.setdefault(row["first"], []).append(significant and row["difference"] > 0)
        models.setdefault(row["second"], []).append(significant and row["difference"] < 0)
    return {(*question, model) for question, models in beaten.items() for model, wins in models.items() if all(wins)}
