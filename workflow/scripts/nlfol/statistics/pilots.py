"""Figures of a run about its models and items: they plan the next run, and say which differences this one tells.

The assumptions of ``planning`` are estimated from each task's first metric. The squared standard error of a mean times
its items is the variance of an item's score with its design effect, and that of a difference likewise; ρ and r are such
that the formula gives both. No correlation r is above .95: models that answered alike need not do so again.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from nlfol.statistics.planning import Assumptions
from nlfol.statistics.summary import COMPARED
from nlfol.tasks.registry import TASKS

Row = Mapping[str, Any]

_MOST = 0.95


@dataclass(frozen=True, slots=True)
class Pilot:
    """A task on a dataset as it was run; ``models`` are at least two."""

    dataset: str
    task: str
    models: int
    items: int
    seeds: int
    given: Assumptions


def pilots(cells: Iterable[Row], variances: Iterable[Row], differences: Iterable[Row]) -> Iterator[Pilot]:
    """Yield what a run says of each task; of what it does not say, such as r of one model, the usual is assumed."""
    asked = [row for row in cells if row["kind"] in COMPARED and row["items"]]
    found: dict[tuple[str, str], tuple[list[Row], ...]] = {}
    for place, rows in enumerate((asked, variances, differences)):
        for row in rows:
            if row["metric"] in TASKS[row["task_kind"]].metrics[:1]:
                found.setdefault((row["dataset"], row["task"]), ([], [], []))[place].append(row)
    for (dataset, task), (scored, varied, paired) in found.items():
        items, stories, seeds = (max(row[name] for row in scored) for name in ("items", "stories", "seeds"))
        given = _assumed(items / stories, seeds, scored, varied, paired)
        yield Pilot(dataset, task, max(2, len({row["model"] for row in scored})), items, seeds, given)


def _assumed(story: float, seeds: int, scored: list[Row], varied: list[Row], paired: list[Row]) -> Assumptions:
    usual = Assumptions()
    items = max(row["items"] for row in scored)
    # Half an item is added on both sides, so that means of 0 and 1 say something, too.
    mean = (items * fmean(row["mean"] for row in scored) + 0.5) / (items + 1)
    share = _mean((row["item"] for row in varied), usual.item)
    single = mean * (1 - mean)
    variance = single * (share + (1 - share) / seeds)
    design = max(1.0, _mean(map(_variance, scored), variance) / variance)
    together = (design - 1) / (story - 1) if story > 1 else 0.0
    of_pair = _mean(map(_variance, paired), None)
    correlation = usual.correlation
    if of_pair is not None and share:
        correlation = min(_MOST, (variance - of_pair / design / 2) / (single * share))
    return Assumptions(mean, share, correlation, together, story)


def _variance(row: Row) -> float | None:
    return None if row["error"] is None else row["items"] * row["error"] ** 2


def _mean(values: Iterable[float | None], usual: Any) -> Any:
    known = [value for value in values if value is not None]
    return fmean(known) if known else usual
