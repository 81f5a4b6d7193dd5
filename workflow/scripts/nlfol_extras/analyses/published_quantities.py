"""Quantities that published figures are of, and why nothing here is measured that some of them are."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Any, NamedTuple

from nlfol.results.statistics.published_ways import Figure

GROWING = ("formulas", "trees")
"""Counts that grow with the items, and those of papers are of ten batches: shares tell."""

_NEVER = {
    ("solt", "5"): "asked of people; nlfol sheets counts such answers",
    ("solt", "8"): "tokens of four stages that nlfol does not have; its own are in the table costs",
    ("solt", "9"): "costs of four stages that nlfol does not have; its own are in the table costs",
    ("solt", "11"): "word vectors are not read",
}
"""Tables of papers that nothing here measures."""


def above_chance(score: float, chance: float | None) -> float | None:
    """Return how far a score is from chance to 1, as a share; None if chance is not known or is 1."""
    return None if chance is None or chance == 1 else (score - chance) / (1 - chance)


class Asked(NamedTuple):
    """Quantities that an experiment has: by published dataset and model, kinds of task and presentations."""

    tasks: Mapping[tuple[str, str], Mapping[str, Set[str]]]

    @classmethod
    def of(cls, keys: Iterable[Sequence[str]]) -> "Asked":
        """Collect the keys (dataset, task, metric, presentation, model, second) of what is measured."""
        tasks: dict[tuple[str, str], dict[str, set[str]]] = {}
        for dataset, task, _, presentation, model, _ in keys:
            tasks.setdefault((dataset, model), {}).setdefault(task, set()).add(presentation)
        return cls(tasks)

    def missing(self, figures: Iterable[Figure], papers: Set[str]) -> Iterator[tuple[Any, str]]:
        """Yield the figures of datasets and models that are asked here, and why nothing here is their quantity.

        ``papers`` are those of which some other figure's task is asked; one dataset's name is in several.
        """
        datasets = {dataset for dataset, _ in self.tasks if dataset}
        models = {model for _, model in self.tasks}
        for figure in figures:
            named = str(figure["dataset"] or ""), str(figure["model"] or "")
            if figure["paper"] not in papers or (named[0] and named[0] not in datasets):
                continue
            if never := _NEVER.get((str(figure["paper"]), str(figure["table"]))):
                yield figure, never
            elif figure["second"] is not None and figure["second"] not in models:
                continue
            elif named in self.tasks or (not named[0] and named[1] in models) or not named[1]:
                yield figure, self._reason(figure, self.tasks.get(named, {}))

    @staticmethod
    def _reason(figure: Figure, tasks: Mapping[str, Set[str]]) -> str:
        task, presentation = str(figure["task"] or ""), str(figure["presentation"] or "")
        if figure["metric"] in GROWING:
            return "grows with the number of items"
        if task not in tasks:
            return "not asked here" if task else "not measured here"
        return "not measured here" if presentation in tasks[task] else "not asked in this presentation"
