"""Ways of asking, of published figures and of ours: components of which one that differs keeps the two apart.

What a paper does not say, or does not apply, is empty in its file and is compared with nothing.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from typing import Any, NamedTuple

import polars as pl

from nlfol.store.files import ASKED

UNKNOWN = "unknown"

GROWING = ("formulas", "trees")
"""Counts that grow with the items, and those of papers are of ten batches: shares tell."""

_NEVER = {
    ("solt", "5"): "asked of people; nlfol sheets counts such answers",
    ("solt", "8"): "tokens of four stages that nlfol does not have; its own are in the table costs",
    ("solt", "9"): "costs of four stages that nlfol does not have; its own are in the table costs",
    ("solt", "11"): "word vectors are not read",
}
"""Tables of papers that nothing here measures."""

Way = Mapping[str, object]
"""Values of ``ASKED`` of answers to one task by one model; no key where there is none, ``UNKNOWN`` if not recorded."""


Figure = Mapping[str, object]
"""A published figure, by column."""


def ways(asked: pl.DataFrame, cells: pl.DataFrame) -> dict[tuple[str, str], Way]:
    """Return the way in which each model was asked each task; answers from files have none that is known."""
    tasks = {row["task"]: row for row in asked.to_dicts()}
    found: dict[tuple[str, str], Way] = {}
    for row in cells.to_dicts():
        way = tasks.get(row["task"]) if row["kind"] == "chat" else None
        known = dict.fromkeys(("prompt", "glossary", "shots", "reasoning"), UNKNOWN) if way is None else _known(way)
        found[row["task"], row["model"]] = {**known, "runs": row["seeds"]}
    return found


def _known(way: Mapping[str, object]) -> Way:
    return {
        "prompt": "published" if str(way["prompt"] or "").startswith("published") else "own",
        "glossary": way["glossary"],
        "shots": way["shots"],
        "reasoning": "yes" if way["reasoning"] else "no",
    }


def differences(figure: Figure, asked: Iterable[Way]) -> list[str]:
    """Return in words the components of our ways that differ from a figure's, in the order of ``ASKED``."""
    every = list(asked)
    return [
        _WORDS[name](way.get(name), figure[name])
        for name in ASKED
        if figure[name] is not None
        for way in [next((way for way in every if way.get(name) != figure[name]), None)]
        if way is not None
    ]


def above_chance(score: float, chance: float | None) -> float | None:
    """Return how far a score is from chance to 1, as a share; None if chance is not known or is 1."""
    return None if chance is None or chance == 1 else (score - chance) / (1 - chance)


def _said(words: Mapping[Any, str], otherwise: str) -> Callable[[object, object], str]:
    return lambda ours, _: words.get(ours, otherwise)


def _counted(thing: str) -> Callable[[object, object], str]:
    def said(ours: object, theirs: object) -> str:
        return f"{thing}: {'not known' if ours in (None, UNKNOWN) else ours}, not {theirs}"

    return said


_SETS = {
    "paper": "sets without free points",
    "audited": "certified sets or wordings",
    "fair": "certified sets, fair to all ends",
}
_WORDS: Mapping[str, Callable[[object, object], str]] = {
    "prompt": _said({"own": "asked with nlfol's own prompt"}, "prompt not known"),
    "glossary": _said(
        {"glosses": "glosses shown", "symbols": "symbols without glosses", "none": "no vocabulary shown"},
        "vocabulary not known",
    ),
    "protocol": _said(_SETS, "protocol of sets or wordings not known"),
    "shots": _counted("solved examples"),
    "reasoning": _said({"yes": "asked with reasoning", "no": "asked without reasoning"}, "reasoning not known"),
    "runs": _counted("runs"),
}


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
