"""How problems in other words are rated, by rater: means from 1 to 5 of the answers that could be read.

An answer that cannot be read says nothing of the problem, so it is counted beside the means and not in them; of each
item the ratings are averaged over seeds first, and the stories of the originals are clusters.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from nlfol.statistics.clusters import clustered_mean
from nlfol.statistics.summary import Origin
from nlfol.store.origins import metadata_at
from nlfol.tasks.rating import RATING, Rating, rated
from nlfol.tasks.task import AnswerForm

NAMES = Rating.other_metrics
"""The mean, and the four criteria."""


def original_readers(paths: Iterable[Path]) -> dict[tuple[str, str], str]:
    """By dataset and task of ITEMS files of problems in other words, the reader of the originals.

    Raises:
        StoreError: if a file is missing or no stage's file.
    """
    said = map(metadata_at, paths)
    return {(about["dataset"], about["task"]): about["original_reader"] for about in said if "original_reader" in about}


def ratings(
    loaded: Iterable[tuple[Origin, pl.DataFrame]], readers: Mapping[tuple[str, str], str]
) -> Iterator[dict[str, Any]]:
    """The rows of ``problem_schemas.RATINGS``, in the order of the files; of tasks of other kinds there are none.

    Args:
        loaded: scores files.
        readers: of ``original_readers``.
    """
    for source, scores in loaded:
        if source.asked.form is not AnswerForm.RATING or scores.is_empty():
            continue
        answers = scores.filter(pl.col("metric") == RATING)
        read = scores.filter(pl.col("outcome") == "answered")
        count = answers.filter(pl.col("outcome") == "answered").height
        yield {
            **{name: getattr(source, name) for name in ("dataset", "task", "task_kind", "protocol", "model", "kind")},
            "reader": readers.get((source.dataset, source.task)),
            "items": answers["item"].n_unique(),
            "answers": answers.height,
            "unread": answers.height - count,
            **{key: value for name in NAMES for key, value in _mean(read, name).items()},
        }


def _mean(read: pl.DataFrame, name: str) -> dict[str, float | None]:
    """A mean with its interval, from 1 to 5."""
    ends = (name, f"{name}_low", f"{name}_high")
    items = (
        read.filter(pl.col("metric") == name).group_by("item").agg(pl.col("story").first(), pl.col("score").mean())
    ).sort("item")
    if items.is_empty():
        return dict.fromkeys(ends)
    found = clustered_mean(items["score"].to_list(), items["story"].to_list())
    values = (found.mean, found.low, found.high)
    return {end: None if value is None else rated(value) for end, value in zip(ends, values, strict=True)}
