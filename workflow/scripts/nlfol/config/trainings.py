"""Trainings among the other entries: the answers that are learnt, the model that learns, and what is tested."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import PurePath

from nlfol.data.entries.diversified import DiversifiedEntry
from nlfol.data.entry import DatasetEntry, root_of
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
class Training:
    """A training with what its entry leaves to the others.

    ``base`` names the model that learns, ``learner`` is its entry with the training's resources, and no problem of the
    ``tested`` datasets may be learnt.
    """

    entry: TrainingEntry
    base: str
    learner: LocalChatEntry
    tested: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Trainings:
    """Reads the trainings of a configuration, given its other entries, its folder of results and its jobs."""

    entries: Mapping[str, TrainingEntry]
    datasets: Mapping[str, DatasetEntry]
    tasks: Mapping[str, TaskEntry]
    models: Mapping[str, ModelEntry]
    results: str
    jobs: Sequence[tuple[str, str, str]]

    def read(self) -> dict[str, Training]:
        """Return the trainings by name; raises ``ValueError`` naming the key at fault.

        Names must exist, no training may need its own adapter, and nothing that is learnt may be tested.
        """
        for name, model in self.models.items():
            if isinstance(model, LocalChatEntry) and model.trained is not None:
                location = f"models.{name}.adapter.trained"
                _check_name(location, model.trained, self.entries, "training {} under training")
        for name, entry in self.entries.items():
            self._check_names(f"training.{name}", name, entry)
        trainings = {name: self._training(name, entry) for name, entry in self.entries.items()}
        try:
            TopologicalSorter({name: list(self._before(entry)) for name, entry in self.entries.items()}).prepare()
        except CycleError as error:
            # It names the first training again, each needed by the one before it.
            first, *further = error.args[1][::-1]
            learns = ", which learns from answers of a model with the adapter ".join(further)
            raise ValueError(
                f"training.{first}: learns from answers of a model with the adapter {learns}, so none can be first; "
                "learn from other models"
            ) from None
        for name, training in trainings.items():
            self._check_tested(f"training.{name}", training)
        return trainings

    def _original(self, dataset: str) -> str:
        return root_of(self.datasets, dataset)

    def _check_names(self, location: str, name: str, entry: TrainingEntry) -> None:
        for number, source in enumerate(entry.sources):
            at = f"{location}.from.{number}"
            _check_name(f"{at}.dataset", source.dataset, self.datasets)
            _check_name(f"{at}.task", source.task, self.tasks)
            for model in source.models:
                _check_name(f"{at}.models", model, self.models)
                if self.models[model].kind in _WORDLESS:
                    raise ValueError(f"{at}.models: {model} writes no answers; name a dialogue model or reference")
                if (source.dataset, source.task, model) not in self.jobs:
                    raise ValueError(
                        f"{at}.models: {model} is not asked {source.task} on {source.dataset}; name another, or let "
                        "the task have that dataset and model"
                    )
        for dataset in entry.tested or ():
            _check_name(f"{location}.tested", dataset, self.datasets, "dataset {}")
        if entry.common is not None:
            others = [other for other in self.entries if other != name]
            _check_name(f"{location}.common", entry.common, others, "other training {}")

    def _training(self, name: str, entry: TrainingEntry) -> Training:
        local = {model: block for model, block in self.models.items() if isinstance(block, LocalChatEntry)}
        adapted = {model: block for model, block in local.items() if block.trained == name}
        plain = {model: block for model, block in local.items() if block.adapter is None}
        sources = [block.source for block in adapted.values()]
        base = entry.base or next((model for model, block in plain.items() if block.source in sources), None)
        if base is None:
            raise ValueError(
                f"training.{name}: there is no model to train: no model without an adapter has the source of one with "
                f"adapter: {{trained: {name}}}; add it under models, or name it as base"
            )
        if base not in plain:
            raise ValueError(
                f"training.{name}.base: {base} is no dialogue model that runs here without an adapter; name one"
            )
        learner = plain[base]
        for model, block in adapted.items():
            if block.source != learner.source:
                raise ValueError(
                    f"models.{model}.adapter.trained: {name} trains {base}, which has another source; take its source, "
                    "or train another adapter"
                )
        asked = {dataset for dataset, _, model in self.jobs if model in adapted}
        tested = [dataset for dataset in self.datasets if dataset in asked] if entry.tested is None else entry.tested
        # Training takes other memory and time than answering.
        own = {"mem_mb": None, "runtime": None, **entry.resources.model_dump(exclude_none=True)}
        learner = learner.model_copy(update={"resources": learner.resources.model_copy(update=own)})
        return Training(entry, base, learner, tuple(tested))

    def _before(self, entry: TrainingEntry) -> Iterator[str]:
        """Yield the trainings whose adapters answer what a training learns from."""
        for source in [*entry.sources, *(self.entries[entry.common].sources if entry.common else ())]:
            taken = self.tasks[source.task].taken
            for model in [*source.models, *([taken.of] if taken else [])]:
                block = self.models[model]
                # Recorded answers of another model of the experiment.
                if isinstance(block, AnswersEntry) and PurePath(block.path).is_relative_to(f"{self.results}/responses"):
                    block = self.models.get(PurePath(block.path).stem, block)
                if isinstance(block, LocalChatEntry) and block.trained is not None:
                    yield block.trained

    def _check_tested(self, location: str, training: Training) -> None:
        """Refuse to learn what is tested, and the other words for concepts of tests: no test says anything then."""
        entry = training.entry
        tested = {self._original(dataset): dataset for dataset in training.tested}
        words = [dataset for dataset in training.tested if self._has_tested_words(dataset)]
        for number, source in enumerate(entry.sources):
            at = f"{location}.from.{number}.dataset"
            if (other := tested.get(self._original(source.dataset))) is not None:
                reworded = "" if other == source.dataset else f" (whose problems {source.dataset} has)"
                why = "the entry says" if entry.tested is not None else "models with the adapter are asked about it"
                raise ValueError(
                    f"{at}: {other}{reworded} is tested: {why}; learn from another dataset, narrow the tasks of those "
                    "models (datasets, models), or name what is tested"
                )
            if words and not entry.tested_words and self._has_tested_words(source.dataset):
                raise ValueError(
                    f"{at}: {source.dataset} has the other words of {words[0]}, which is tested; add `words: shown` to "
                    f"datasets.{source.dataset}, or `tested_words: true` to the training if it is meant to learn them"
                )

    def _has_tested_words(self, dataset: str) -> bool:
        block = self.datasets[dataset]
        return isinstance(block, DiversifiedEntry) and block.protocol == "audited" and block.words == "tested"


def _check_name(location: str, name: str, known: Collection[str], called: str = "{}") -> None:
    if name not in known:
        raise ValueError(f"{location}: there is no {called.format(name)}; correct the name{nearest(name, known)}")
