"""Problems behind items, and means of answers to them."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

import polars as pl

from nlfol.problems.problem import Problem
from nlfol.statistics.clusters import clustered_mean
from nlfol.statistics.summary import deviation
from nlfol.store import files, schemas
from nlfol.tasks.item import labels


@dataclass(frozen=True, slots=True)
class Asked:
    """A problem behind an item: its cluster, its right label, all labels, and its depth if known."""

    story: str
    right: str
    labels: tuple[str, ...]
    depth: int | None


Items = Mapping[tuple[str, str], Mapping[str, Asked]]
"""Problems by item, of each dataset and task."""


def items_of(paths: Iterable[Path]) -> Items:
    """Read the usable problems of ITEMS files; raises ``StoreError`` if a file or one of its problems is unreadable."""
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


def mean_of(answers: pl.DataFrame, score: str = "score") -> dict[str, Any]:
    """Return items, seeds, mean, deviation over seeds and interval of answers (item, story, seed, score)."""
    by_seed = answers.group_by("seed", maintain_order=True).agg(score)[score].to_list()
    means = [fmean(scores) for scores in by_seed]
    items = answers.group_by("item", maintain_order=True).agg(pl.col("story").first(), pl.col(score).mean())
    found = clustered_mean(items[score].to_list(), items["story"].to_list())
    return {
        "items": found.items,
        "seeds": len(means),
        "mean": fmean(means),
        "deviation": deviation(means, found.items),
        "low": found.low,
        "high": found.high,
    }
