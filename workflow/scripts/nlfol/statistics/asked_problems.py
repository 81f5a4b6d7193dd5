"""What the items of problems are, for tables of the answers to them; and scores by depth."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import polars as pl

from nlfol.problems.problem import Problem
from nlfol.statistics.clusters import ClusteredMean, clustered_mean
from nlfol.statistics.series import Series
from nlfol.store import files, schemas
from nlfol.tasks.problem_texts import labels


@dataclass(frozen=True, slots=True)
class Asked:
    """A problem that was asked about.

    Attributes:
        story: the cluster of its scores.
        right: the label that is right.
        labels: all of them.
        depth: of the problem; None where that is not known.
    """

    story: str
    right: str
    labels: tuple[str, ...]
    depth: int | None


Items = Mapping[tuple[str, str], Mapping[str, Asked]]
"""By dataset and task, the problems by item."""


def items_of(paths: Iterable[Path]) -> Items:
    """The usable problems of ITEMS files.

    Raises:
        StoreError: if a file is missing or of another schema, or one of its items is no problem.
    """
    found: dict[tuple[str, str], Mapping[str, Asked]] = {}
    for path in paths:
        table = files.read(path, schemas.ITEMS)
        said = files.metadata_of(table)
        rows = [row for row in table.to_pylist() if row["status"] == "usable"]
        if any(row["problem"] is None for row in rows):
            raise files.StoreError(f"{path}: an item that is no problem; delete the file and run again")
        found[said["dataset"], said["task"]] = {row["item"]: _asked(row) for row in rows}
    return found


def _asked(row: Mapping[str, Any]) -> Asked:
    problem = Problem.from_row(json.loads(row["problem"]))
    return Asked(row["story"], row["formula"], tuple(labels(problem).values()), row["category"])


def depths(series: Iterable[Series], items: Items) -> Iterator[dict[str, Any]]:
    """The rows of ``problem_schemas.DEPTHS``: each model's scores over the problems of a depth."""
    for one in series:
        source = one.source
        asked = items.get((source.dataset, source.task))
        if asked is None or one.answers.is_empty():
            continue
        by_depth = {item: facts.depth for item, facts in asked.items()}
        depth = pl.col("item").replace_strict(by_depth, return_dtype=pl.Int32)
        grouped = one.answers.with_columns(depth.alias("depth")).sort("depth", "item", maintain_order=True)
        for (value,), answers in grouped.group_by("depth", maintain_order=True):
            yield {
                "dataset": source.dataset,
                "task": source.task,
                "task_kind": source.task_kind,
                "protocol": source.protocol,
                "metric": one.metric,
                "presentation": one.presentation,
                "model": source.model,
                "kind": source.kind,
                "depth": value,
                **mean_of(answers),
            }


def mean_of(answers: pl.DataFrame, score: str = "score") -> dict[str, Any]:
    """Items, seeds, mean, deviation over seeds, and interval of answers: ``item``, ``story``, ``seed`` and a score."""
    by_seed = answers.group_by("seed", maintain_order=True).agg(score)[score].to_list()
    means = [fmean(scores) for scores in by_seed]
    items = answers.group_by("item", maintain_order=True).agg(pl.col("story").first(), pl.col(score).mean())
    found = clustered_mean(items[score].to_list(), items["story"].to_list())
    return {
        "items": found.items,
        "seeds": len(means),
        "mean": fmean(means),
        "deviation": stdev(means) if len(means) > 1 else None,
        **interval(found),
    }


def interval(found: ClusteredMean) -> dict[str, float | None]:
    """The ends of an interval."""
    return {"low": found.low, "high": found.high}
