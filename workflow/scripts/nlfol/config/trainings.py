"""Trainings among the other entries: the answers that are learnt, the model that learns, and what is tested."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from nlfol.datasets.entries.diversified import DiversifiedEntry
from nlfol.datasets.entry import DatasetEntry
from nlfol.facts import GUESSERS
from nlfol.models.entries.baselines import AnswersEntry
from nlfol.models.entries.chat import LocalChatEntry
from nlfol.models.providers.registry import ModelEntry
from nlfol.tasks.entry import TaskEntry
from nlfol.training.entry import TrainingEntry
from nlfol.validation import nearest

_WORDLESS = frozenset({*GUESSERS, "embedding"})
"""Kinds of models without answers in words."""


@dataclass(frozen=True, slots=True)
class Trainings:
    """The trainings of a configuration, with its other entries, its folder of results and its jobs."""

    entries: Mapping[str, TrainingEntry]
    datasets: Mapping[str, DatasetEntry]
    tasks: Mapping[str, TaskEntry]
    models: Mapping[str, ModelEntry]
    results: str
    jobs: Sequence[tuple[str, str, str]]

    def check(self) -> None:
        """Check names, and that no training needs its own adapter; raises ``ValueError`` naming the key at fault."""
        for name, model in self.models.items():
            trained = _trained(model)
            if trained is not None:
                _check_name(f"models.{name}.adapter.trained", trained, self.entries, "training {} under training")
        for name, entry in self.entries.items():
            self._check_sources(name, entry)
            self._check_base(name)
        for name in self.entries:
            self._check_cycle(name)
        for name, entry in self.entries.items():
            self._check_tested(name, entry)
            self._check_words(name, entry)

    def base(self, name: str) -> str:
        """Return the model that a training trains; raises ``ValueError`` if there is none."""
        entry = self.entries[name]
        if entry.base is not None:
            return entry.base
        sources = [model.source for model in self._of(name).values()]
        found = [
            model
            for model, block in self.models.items()
            if isinstance(block, LocalChatEntry) and block.adapter is None and block.source in sources
        ]
        if not found:
            raise ValueError(
                f"training.{name}: there is no model to train: no model without an adapter has the source of one with "
                f"adapter: {{trained: {name}}}; add it under models, or name it as base"
            )
        return found[0]

    def tested(self, name: str) -> list[str]:
        """Return the datasets of which a training may learn no problem."""
        named = self.entries[name].tested
        if named is not None:
            return list(named)
        with_adapter = self._of(name)
        return [
            dataset
            for dataset in self.datasets
            if any(job[0] == dataset and job[2] in with_adapter for job in self.jobs)
        ]

    def _of(self, name: str) -> dict[str, LocalChatEntry]:
        """Return the models with a training's adapter."""
        return {
            model: block
            for model, block in self.models.items()
            if isinstance(block, LocalChatEntry) and block.trained == name
        }

    def _check_sources(self, name: str, entry: TrainingEntry) -> None:
        for number, source in enumerate(entry.sources):
            place = f"training.{name}.from.{number}"
            named: list[tuple[str, str, Collection[str]]] = [
                ("dataset", source.dataset, self.datasets),
                ("task", source.task, self.tasks),
                *(("models", model, self.models) for model in source.models),
            ]
            for key, value, known in named:
                _check_name(f"{place}.{key}", value, known, "{}")
            for model in source.models:
                if self.models[model].kind in _WORDLESS:
                    raise ValueError(f"{place}.models: {model} writes no answers; name a dialogue model or reference")
                if (source.dataset, source.task, model) not in self.jobs:
                    raise ValueError(
                        f"{place}.models: {model} is not asked {source.task} on {source.dataset}; name another, or let "
                        "the task have that dataset and model"
                    )
        if entry.common is not None and (entry.common not in self.entries or entry.common == name):
            others = [other for other in self.entries if other != name]
            raise ValueError(
                f"training.{name}.common: {entry.common} is no other training; name one{nearest(entry.common, others)}"
            )
        for dataset in entry.tested or ():
            _check_name(f"training.{name}.tested", dataset, self.datasets, "dataset {}")

    def _check_base(self, name: str) -> None:
        base = self.base(name)
        block = self.models.get(base)
        if not isinstance(block, LocalChatEntry) or block.adapter is not None:
            raise ValueError(
                f"training.{name}.base: {base} is no dialogue model that runs here without an adapter; name one"
            )
        for model, adapted in self._of(name).items():
            if adapted.source != block.source:
                raise ValueError(
                    f"models.{model}.adapter.trained: {name} trains {base}, which has another source; take its source, "
                    "or train another adapter"
                )

    def _check_cycle(self, name: str) -> None:
        # By training that has to be done before, the steps by which it is needed.
        ways: dict[str, list[str]] = {name: []}
        waiting = [name]
        while waiting:
            training = waiting.pop()
            for model in self._needed(training):
                further = _trained(self.models[model])
                way = [*ways[training], f"{training} depends on answers of {model}"]
                if further == name:
                    raise ValueError(
                        f"training.{name}: {', '.join(way)}, which needs the adapter {name} itself; learn from other "
                        "models"
                    )
                if further is not None and further not in ways:
                    ways[further] = way
                    waiting.append(further)

    def _needed(self, name: str) -> Iterator[str]:
        """Yield the models that have to have answered before a training."""
        entry = self.entries[name]
        for source in [*entry.sources, *(self.entries[entry.common].sources if entry.common else ())]:
            for model in source.models:
                yield from self._with_recorded(model)
            taken = self.tasks[source.task].taken
            if taken is not None:
                yield from self._with_recorded(taken.of)
        for dataset in [*self.tested(name), *(source.dataset for source in self.entries[name].sources)]:
            block = self.datasets[dataset]
            if isinstance(block, DiversifiedEntry) and block.protocol == "paper":
                yield from (block.asked.rewriter, block.asked.assembler)

    def _with_recorded(self, model: str) -> Iterator[str]:
        """Yield a model and, of answers recorded from another one of the experiment, that one."""
        yield model
        block = self.models[model]
        if isinstance(block, AnswersEntry) and PurePath(block.path).is_relative_to(f"{self.results}/responses"):
            recorded = PurePath(block.path).stem
            if recorded in self.models and recorded != model:
                yield from self._with_recorded(recorded)

    def _check_tested(self, name: str, entry: TrainingEntry) -> None:
        """Refuse a training of which every example would be refused."""
        tested = {self.original(dataset): dataset for dataset in self.tested(name)}
        for number, source in enumerate(entry.sources):
            if (other := tested.get(self.original(source.dataset))) is not None:
                reworded = "" if other == source.dataset else f" (whose problems {source.dataset} has)"
                why = "the entry says" if entry.tested is not None else "models with the adapter are asked about it"
                raise ValueError(
                    f"training.{name}.from.{number}.dataset: {other}{reworded} is tested: {why}; learn from another "
                    "dataset, narrow the tasks of those models (datasets, models), or name what is tested"
                )

    def _check_words(self, name: str, entry: TrainingEntry) -> None:
        """Refuse to learn the other words for concepts of tests: how well they are then told apart says nothing."""
        tested = [dataset for dataset in self.tested(name) if self._has_tested_words(dataset)]
        for number, source in enumerate(entry.sources):
            if tested and not entry.tested_words and self._has_tested_words(source.dataset):
                raise ValueError(
                    f"training.{name}.from.{number}.dataset: {source.dataset} has the other words of {tested[0]}, "
                    f"which is tested; add `words: shown` to datasets.{source.dataset}, or `tested_words: true` to the "
                    "training if it is meant to learn them"
                )

    def _has_tested_words(self, dataset: str) -> bool:
        block = self.datasets[dataset]
        return isinstance(block, DiversifiedEntry) and block.protocol == "audited" and block.words == "tested"

    def original(self, dataset: str) -> str:
        """Return the dataset whose items a dataset has."""
        return self.datasets[dataset].original or dataset


def _check_name(place: str, name: str, known: Collection[str], called: str) -> None:
    if name not in known:
        raise ValueError(f"{place}: there is no {called.format(name)}; correct the name{nearest(name, known)}")


def _trained(model: ModelEntry) -> str | None:
    return model.trained if isinstance(model, LocalChatEntry) else None
