"""What becomes of answers between two tasks, or between a problem and the same in other words.

The changes are the classes of figure 7 of "Are LLMs Stable Formal Logic Translators in Logical Reasoning Across
Linguistically Diversified Texts?", and one that it does not have. An answer is wrong *without consistency* where one
symbol for each concept would make it right (causes ``drift`` and ``drift_and_collision``), else *otherwise*.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any

from nlfol.alignment import Cause
from nlfol.statistics.aligned import Aligned, Entries
from nlfol.tasks.program_alignment import CAUSES

INCONSISTENT = frozenset((Cause.DRIFT.value, Cause.DRIFT_AND_COLLISION.value))

CHANGES = (
    "fixed_by_consistency",
    "fixed_otherwise",
    "remaining_otherwise",
    "newly_introduced_otherwise",
    "remaining_without_consistency",
    "newly_introduced_without_consistency",
)
"""The last one is not in the paper."""

TASKS, DATASETS = "tasks", "datasets"


def change(before: str, after: str) -> str | None:
    """The class of a transition from one cause to another; None where both answers are right."""
    right = Cause.RIGHT.value
    if after == right:
        consistency = "by_consistency" if before in INCONSISTENT else "otherwise"
        return None if before == right else f"fixed_{consistency}"
    new = "newly_introduced" if before == right else "remaining"
    return f"{new}_{'without_consistency' if after in INCONSISTENT else 'otherwise'}"


def transitions(loaded: Sequence[Aligned], entries: Entries) -> list[dict[str, Any]]:
    """The rows of ``stability_schemas.TRANSITIONS``: pairs of tasks first, each in the order of the files.

    Args:
        loaded: the programs of all jobs, in the order of the experiment's datasets and tasks.
        entries: of the datasets.
    """
    return [row for between, first, second in _pairs(loaded, entries) for row in _between(between, first, second)]


def _pairs(loaded: Sequence[Aligned], entries: Entries) -> Iterator[tuple[str, Aligned, Aligned]]:
    by_model: dict[tuple[str, str], dict[str, Aligned]] = {}
    for one in loaded:
        by_model.setdefault((one.about["dataset"], one.about["model"]), {})[one.about["task"]] = one
    for tasks in by_model.values():
        for first, second in combinations(tasks.values(), 2):
            yield TASKS, first, second
    for (dataset, model), tasks in by_model.items():
        originals = by_model.get((entries[dataset].get("of", ""), model), {})
        for task, one in tasks.items():
            if task in originals:
                yield DATASETS, originals[task], one


def _between(between: str, first: Aligned, second: Aligned) -> Iterator[dict[str, Any]]:
    counts = Counter(_causes(first.rows, second.rows))
    about = {
        f"{place}_{name}": one.about[name]
        for place, one in (("first", first), ("second", second))
        for name in ("dataset", "task", "strategy")
    }
    for before in CAUSES:
        for after in CAUSES:
            if counts[before, after]:
                yield {
                    "between": between,
                    **about,
                    **{name: second.about[name] for name in ("model", "kind")},
                    "before": before,
                    "after": after,
                    "change": change(before, after),
                    "answers": counts[before, after],
                }


def _causes(first: Iterable[Any], second: Iterable[Any]) -> Iterator[tuple[str, str]]:
    """The causes of answers to the same items under the same seeds."""
    known = {(row["item"], row["seed"]): row["cause"] for row in first}
    for row in second:
        before = known.get((row["item"], row["seed"]))
        if before is not None:
            yield before, row["cause"]
