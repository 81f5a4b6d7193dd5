"""Paired contrasts of two series of scores, and the models that are significantly the best."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import polars as pl

from nlfol.statistics.differences import difference, holm
from nlfol.statistics.pairing import COMPARISONS, Pairs, pairs
from nlfol.statistics.summary import Series


def paired(
    first: Series, second: Series, comparison: str, means: tuple[str, str] | None = None, name: str = "difference"
) -> dict[str, Any]:
    """Return the columns of ``store.columns.contrast`` and ``pairing`` but ``adjusted``, of two arms.

    Args:
        first: the arm from which ``second`` is subtracted.
        second: the other one.
        comparison: name of what is compared, see ``pairing.COMPARISONS``.
        means: names of both means; None leaves them out.
        name: name of the difference.
    """
    return contrast(pairs(first, second, COMPARISONS[comparison]), first.source.available, means, name)


def contrast(
    made: Pairs, available: int, means: tuple[str, str] | None = None, name: str = "difference"
) -> dict[str, Any]:
    """Return the columns of pairs, as ``paired``; without figures where they are too few."""
    common = made.items
    counts = {"items": common.height, "stories": common["story"].n_unique(), "available": available, **made.counts}
    if not made.are_enough:
        figures = (*(means or ()), name, "error", "low", "high", "p", "detectable")
        return counts | dict.fromkeys(figures)
    scores, others = common["score"].to_list(), common["score_second"].to_list()
    found = asdict(difference(scores, others, common["story"].to_list()))
    of_means = (common["score"].mean(), common["score_second"].mean())
    named = dict(zip(means or (), of_means if means else (), strict=True))
    return counts | named | {name: found.pop("mean")} | found


def adjust(family: Sequence[dict[str, Any]]) -> None:
    """Adjust the p-values of rows that are one family, by Holm; rows without one are in no family."""
    known = [row for row in family if row["p"] is not None]
    for row in family:
        row["adjusted"] = None
    for row, adjusted in zip(known, holm([row["p"] for row in known]), strict=True):
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
