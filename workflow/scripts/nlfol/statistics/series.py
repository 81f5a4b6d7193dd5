"""The scores of one model in one task, metric and presentation: what comparisons are made of."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from nlfol.statistics.summary import Origin, load

TASK = ("dataset", "task", "task_kind", "protocol")
"""The columns ``store.columns.TASK``."""


@dataclass(frozen=True)
class Series:
    """One model's scores.

    Attributes:
        source: dataset, task and model.
        metric: of the score.
        presentation: what candidates were shown as; "" where none are.
        answers: ``item``, ``story``, ``seed`` and ``score``, one row an item and seed.
    """

    source: Origin
    metric: str
    presentation: str
    answers: pl.DataFrame

    @property
    def question(self) -> tuple[str, str, str, str]:
        """Return dataset, task, metric and presentation; models are compared on equal ones."""
        return self.source.dataset, self.source.task, self.metric, self.presentation

    @cached_property
    def items(self) -> pl.DataFrame:
        """``item``, ``story`` and ``score``, averaged over seeds, in the order in which items were asked."""
        return self.answers.group_by("item", maintain_order=True).agg(
            pl.col("story").first(), pl.col("score").mean(), pl.col("score").sum().alias("right")
        )

    def named(self, *names: str) -> dict[str, Any]:
        """Return columns of a row about the series: of its source, or its metric, presentation or number of seeds."""
        return {
            name: getattr(self if name in ("metric", "presentation", "seeds") else self.source, name) for name in names
        }

    @property
    def seeds(self) -> int:
        """Number of seeds."""
        return self.answers["seed"].n_unique()


def series_of(loaded: Iterable[tuple[Origin, pl.DataFrame]]) -> Iterator[Series]:
    """Yield the series of scores files, of the metrics that rate answers, in the files' order."""
    for source, scores in loaded:
        for (presentation, metric), answers in scores.group_by(["presentation", "metric"], maintain_order=True):
            if source.asked.rates(str(metric)):
                columns = answers.select("item", "story", "seed", "score")
                yield Series(source, str(metric), str(presentation), columns)


def load_all(paths: Iterable[Path]) -> list[tuple[Origin, pl.DataFrame]]:
    """Read scores files.

    Raises:
        SummaryError: as ``summary.load``.
        StoreError: if a file is missing or no scores file.
    """
    return [load(path) for path in paths]
