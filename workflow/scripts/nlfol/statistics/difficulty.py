"""Scores by how difficult items are.

By how complex the gold formulas are: items of equally many operators, or quantifiers, go together. And by how other
models do: what is difficult for a model must not be told from its own answers, so its items go together by the mean
score of the other models that were asked the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import fsum
from typing import Any

import polars as pl

from nlfol.statistics.clusters import clustered_mean
from nlfol.statistics.series import Series
from nlfol.statistics.summary import COMPARED

MOST = {"operators": 5, "quantifiers": 3}
"""Numbers from which on items go together."""


def difficulty(series: Series, counts: Mapping[str, Mapping[str, int]]) -> Iterator[dict[str, Any]]:
    """The mean of one model's scores over the items of each number, with its interval (``clusters``).

    Args:
        series: of the model.
        counts: for each measure of ``MOST``, how many each item of the dataset has; left out where none has it.

    Yields:
        ``measure``, ``number`` ("0", ..., "5+"), ``items``, ``mean``, ``low`` and ``high``.
    """
    for measure, most in MOST.items():
        if measure not in counts:
            continue
        of_item = pl.col("item").replace_strict(counts[measure], return_dtype=pl.Int64).clip(upper_bound=most)
        for (group,), items in (
            series.items.with_columns(of_item.alias("number")).sort("number").group_by("number", maintain_order=True)
        ):
            number = f"{group}+" if group == most else str(group)
            yield _mean_row(measure, number, items["score"].to_list(), items["story"].to_list())


MODELS, OTHERS = "models", "others"
"""The groups of items by how many models solve them, and by the mean score of the other models."""

NONE, SOME, EVERY = "none", "some", "every"
"""Of the models: who solves an item, that is, whose every answer to it is right; none where no answer of any is."""

SCORES = ("0", "to 0.5", "below 1", "1")
"""Mean scores of the others: 0, above 0 up to a half, above it, 1."""


def difficulties(
    series: Iterable[Series], counts: Mapping[str, Mapping[str, Mapping[str, int]]]
) -> Iterator[dict[str, Any]]:
    """The rows of ``claim_schemas.DIFFICULTY``, question by question; of each task its first metric counts.

    Args:
        series: the scores.
        counts: of each dataset with formulas, what ``difficulty`` takes.
    """
    questions: dict[tuple[str, ...], list[Series]] = {}
    for one in series:
        if one.source.kind in COMPARED and one.metric == one.source.asked.metrics[0] and not one.answers.is_empty():
            questions.setdefault(one.question, []).append(one)
    for models in questions.values():
        if len(models) > 1:
            yield from _by_models(models)
        for place, one in enumerate(models):
            others = models[:place] + models[place + 1 :]
            for row in (*_by_others(one, others), *difficulty(one, counts.get(one.source.dataset, {}))):
                group, case = row.pop("measure"), row.pop("number")
                yield {**_said(one), "model": one.source.model, "group": group, "case": case, **row, "named": []}


def _said(one: Series) -> dict[str, Any]:
    said = {name: getattr(one.source, name) for name in ("dataset", "task", "task_kind", "protocol")}
    return {**said, "metric": one.metric, "presentation": one.presentation}


def _means(models: Sequence[Series]) -> pl.DataFrame:
    """``item``, ``story`` and the ``scores`` of each model, over the items that all were asked."""
    whole = models[0].items.select("item", "story", pl.concat_list("score").alias("scores"))
    for one in models[1:]:
        asked = one.items.select("item", pl.col("score").alias("next"))
        joined = whole.join(asked, on="item", maintain_order="left")
        whole = joined.select("item", "story", pl.concat_list("scores", "next").alias("scores"))
    return whole


def _by_models(models: Sequence[Series]) -> Iterator[dict[str, Any]]:
    found: dict[str, list[tuple[str, str, list[float]]]] = {NONE: [], SOME: [], EVERY: []}
    for item, story, scores in _means(models).rows():
        case = NONE if not any(scores) else EVERY if all(score == 1 for score in scores) else SOME
        found[case].append((item, story, scores))
    for case, items in found.items():
        if items:
            means = [fsum(scores) / len(scores) for _, _, scores in items]
            row = _mean_row(MODELS, case, means, [story for _, story, _ in items])
            named = [item for item, _, _ in items] if case != SOME else []
            yield {
                **_said(models[0]),
                "model": None,
                "group": row.pop("measure"),
                "case": row.pop("number"),
                **row,
                "named": named,
            }


def _by_others(one: Series, others: Sequence[Series]) -> Iterator[dict[str, Any]]:
    if not others:
        return
    groups: dict[str, tuple[list[float], list[str]]] = {name: ([], []) for name in SCORES}
    for _, story, (own, *rest) in _means([one, *others]).rows():
        mean = fsum(rest) / len(rest)
        place = 3 if all(score == 1 for score in rest) else 2 if mean > 0.5 else 1 if mean else 0
        groups[SCORES[place]][0].append(own)
        groups[SCORES[place]][1].append(story)
    for case, (scores, stories) in groups.items():
        if scores:
            yield _mean_row(OTHERS, case, scores, stories)


def _mean_row(measure: str, number: str, scores: Sequence[float], stories: Sequence[str]) -> dict[str, Any]:
    found = clustered_mean(scores, stories)
    values = {name: getattr(found, name) for name in ("items", "mean", "low", "high")}
    return {"measure": measure, "number": number, **values}
