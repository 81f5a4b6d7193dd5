"""config.yaml as one pydantic model, validated whole before anything runs."""

import operator
import os
from collections.abc import Collection, Mapping
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, model_validator

from nlfol.config.comparing import Board, Comparisons, Name, planned
from nlfol.config.trainings import Training, Trainings
from nlfol.data.entries.adequate import AdequateEntry
from nlfol.data.entries.block import shipped
from nlfol.data.entries.diversified import DiversifiedEntry
from nlfol.data.entry import DatasetEntry, from_environment, left_out
from nlfol.facts import GUESSERS, AnswerForm, is_blind
from nlfol.mappings import ByName
from nlfol.models.entries.base import Seed
from nlfol.models.entries.baselines import AnswersEntry
from nlfol.models.entries.chat import ApiChatEntry, LocalChatEntry
from nlfol.models.entries.prices import Budget
from nlfol.models.likelihood import refuse_no_choice
from nlfol.models.providers.registry import ModelEntry
from nlfol.randomness import SEED
from nlfol.results.analyses.registry import Subject
from nlfol.tasks.entries import AnyTaskEntry, with_kinds
from nlfol.tasks.entry import REASONING, Reasoning, Taken, TaskEntry
from nlfol.tasks.registry import STAGES, TASKS, task_of
from nlfol.tasks.task import AnyTask
from nlfol.training.entry import TrainingEntry
from nlfol.validation import nearest

Folder = Annotated[str, StringConstraints(pattern=r"^[^\s{}]+[^\s{}/]$|^[^\s{}/]$")]


class Configuration(BaseModel):
    """One experiment."""

    # A key pasted into the wrong field must not come back in an error.
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    seed: Seed = SEED
    """Seeds candidate sets, their order and the sample of items."""
    results: Folder = "results"
    """Folder of everything that a run makes."""
    journal: Folder = "journal"
    """Folder of the answers of dialogue models: outside the results, so that nothing paid for is lost with these."""
    datasets: Annotated[dict[Name, DatasetEntry], Field(min_length=1), BeforeValidator(from_environment)]
    """A ``${VARIABLE}`` in an entry is one of the environment."""
    reasoning: Reasoning = REASONING
    """Tokens of the reasoning before an answer, for all tasks whose entries do not say otherwise; 0 for none."""
    tasks: Annotated[dict[Name, AnyTaskEntry], Field(min_length=1), BeforeValidator(with_kinds)]
    """An entry's name may be that of its kind, which it then need not give; tables show entries in this order."""
    models: Annotated[dict[Name, ModelEntry], Field(min_length=1)]
    training: dict[Name, TrainingEntry] = Field(default_factory=dict)
    """Adapters that are trained on what models answer."""
    budget: Budget | None = None
    """The budget; it changes no answer."""
    container: Annotated[str, Field(pattern=r"^\S+$")] | None = Field(None, exclude_if=operator.not_)
    """The image that jobs run in with ``--sdm apptainer``: a file, or an address such as ``docker://me/nlfol:1``."""
    comparisons: dict[str, Comparisons] = Field(default_factory=dict)
    """Comparisons by name, such as ``adapters`` or ``prompts``. They are one family for each dataset and task."""
    # An experiment without them is the one that it was before there were such.
    board: Board | None = Field(None, exclude_if=operator.not_)
    """The family of comparisons, fixed in advance."""
    looks: tuple[Annotated[int, Field(gt=0)], ...] = Field((), exclude_if=operator.not_)
    """Items of planned looks before that at all items; p are adjusted for them."""
    published: tuple[str, ...] = ()
    """Files of further published figures, in the form of ``resources/published``."""

    @model_validator(mode="before")
    @classmethod
    def _settled(cls, values: Any) -> Any:
        """Give every task the reasoning of all, and take datasets that are left out away from those that name them."""
        tasks = values.get("tasks") if isinstance(values, Mapping) else None
        if not isinstance(tasks, Mapping):
            return values
        all_tasks = {"reasoning": values["reasoning"]} if "reasoning" in values else {}
        gone = left_out(values.get("datasets"))
        own = {}
        for name, entry in tasks.items():
            own[name] = {**all_tasks, **entry} if isinstance(entry, Mapping) else entry
            if gone and isinstance(entry, Mapping) and isinstance(entry.get("datasets"), list):
                own[name]["datasets"] = [dataset for dataset in entry["datasets"] if dataset not in gone]
        return {**values, "tasks": own}

    @property
    def figures(self) -> list[str]:
        """Return the files of published figures."""
        names = "nl_fol_lt", "autoeval", "solt"
        return [*(shipped(f"resources/published/{name}.csv") for name in names), *self.published]

    @property
    def planned(self) -> dict[str, object]:
        """Return what is fixed before results are seen, see ``statistics.second_looks``."""
        return planned(self.board, self.looks, self.models)

    def compared(self) -> dict[str, dict[str, list[tuple[str, str]]]]:
        """Return the pairs that are compared, of each ``model`` and ``task``, by the name of their comparison."""
        models = {
            name: [*named.pairs, *((model, named.against) for model in self.models if model != named.against)]
            if named.against
            else [*named.pairs]
            for name, named in self.comparisons.items()
        }
        return {"model": models, "task": {name: [*named.tasks] for name, named in self.comparisons.items()}}

    def having(self, stage: str, *, diversified: bool | None = None) -> list[str]:
        """Return the datasets with a stage's file, of ``problems`` or sentences, that are ``diversified`` or not."""
        return [
            name
            for name, block in self.datasets.items()
            if (block.holds == "problems") == (stage == "problems")
            and (diversified is None or isinstance(block, DiversifiedEntry) is diversified)
        ]

    def diversified(self, protocol: str | None = None) -> list[str]:
        """Return the datasets in other words, by one protocol or any."""
        return [
            name
            for name, block in self.datasets.items()
            if isinstance(block, DiversifiedEntry) and protocol in (None, block.protocol)
        ]

    def stages(self) -> list[tuple[str, str, str]]:
        """Return names of dataset, stage and model of what datasets of protocol ``paper`` ask of dialogue models."""
        return [
            (name, stage, model)
            for name, block in self.datasets.items()
            if isinstance(block, DiversifiedEntry) and block.protocol == "paper"
            for stage, model in zip(STAGES, (block.asked.rewriter, block.asked.assembler), strict=True)
        ]

    def pairs(self) -> list[tuple[str, str]]:
        """Return pairs of dataset and task: datasets hold what the task is about, and its entry names them."""
        return [
            (dataset, name)
            for dataset in self.datasets
            for name, entry in self.tasks.items()
            if self._takes(entry, dataset) and (entry.datasets is None or dataset in entry.datasets)
            if entry.taken is None or self._is_asked(dataset, entry.taken)
        ]

    def _is_asked(self, dataset: str, taken: Taken) -> bool:
        """Return whether the answers that a task takes exist, or will."""
        entry = self.tasks[taken.entry]
        wanted = entry.datasets is None or dataset in entry.datasets
        of_model = entry.models is None or taken.of in entry.models
        return wanted and of_model and self.datasets[dataset].holds in TASKS[entry.task].takes

    def jobs(self, *kinds: str) -> list[tuple[str, str, str]]:
        """Return names of dataset, task and model of what models of some kinds, or of all, are asked."""
        able = {
            (name, model): not (kinds and block.kind not in kinds)
            and (entry.models is None or model in entry.models)
            and _does(block, task_of(entry))
            for name, entry in self.tasks.items()
            for model, block in self.models.items()
        }
        pairs = self.pairs()
        return [
            (dataset, task, model)
            for dataset in self.datasets
            for model in self.models
            for of_dataset, task in pairs
            if of_dataset == dataset and able[task, model] and _answers(self.models[model], dataset, self.tasks[task])
        ]

    def dialogues(self) -> list[tuple[str, str, str]]:
        """Return the jobs whose models are asked in words, or have been: without answers written as examples."""
        jobs = self.jobs("chat", "answers")
        return [job for job in jobs if getattr(self.models[job[2]], "shown_kind", "chat") == "chat"]

    def jobs_of_form(self, form: AnswerForm) -> list[tuple[str, str, str]]:
        """Return the jobs whose answers are of one form."""
        return [job for job in self.jobs() if TASKS[self.tasks[job[1]].task].form is form]

    def task(self, name: str) -> AnyTask | None:
        """Return the task of an entry; None if there is no such entry."""
        return None if (entry := self.tasks.get(name)) is None else task_of(entry)

    def all_tasks(self) -> list[AnyTask]:
        """Return the tasks of all entries."""
        return [task_of(entry) for entry in self.tasks.values()]

    def is_answered(self, task: AnyTask, model: str) -> bool:
        """Return whether there is a model of that name that answers a task, other than by chance."""
        entry = self.models.get(model)
        return entry is not None and entry.kind not in GUESSERS and _does(entry, task)

    def embedding_models(self) -> list[str]:
        """Return the names of the embedding models."""
        return [name for name, entry in self.models.items() if entry.kind == "embedding"]

    @property
    def trainings(self) -> dict[str, Training]:
        """Return the trainings by name, with what their entries leave to the others."""
        return Trainings(self.training, self.datasets, self.tasks, self.models, self.results, self.jobs()).read()

    def of_answers(self, key: Literal["verdicts_of", "released"]) -> ByName:
        """Return a key of answers from files, by model, as plain values."""
        named = {name: one.model_dump()[key] for name, one in self.models.items() if isinstance(one, AnswersEntry)}
        return {name: value for name, value in named.items() if value is not None}

    @property
    def published_names(self) -> dict[str, str]:
        """Return the name that papers have for each dataset, or its own; none for generated sets of other kinds."""
        known = {name: block.published_as for name, block in self.datasets.items()}
        return {name: name if published is None else published for name, published in known.items()}

    @property
    def ways(self) -> list[dict[str, object]]:
        """Return how each task is asked, and each model, in the columns of published figures; None without a choice."""
        keys = {"prompt", "shots", "reasoning", "strategy"}
        tasks = self.tasks.items()
        own = {name: {"glossary": entry.glossary, "examples": entry.example_words} for name, entry in tasks}
        for name, entry in tasks:
            if entry.taken:
                own[name] |= {"taken_of": entry.taken.of, "taken_in": entry.taken.entry}
        return [
            *({"task": name, **entry.model_dump(include=keys), **own[name]} for name, entry in tasks),
            *(
                {"model": name, "temperature": entry.sampling.temperature}
                for name, entry in self.models.items()
                if isinstance(entry, LocalChatEntry) or (isinstance(entry, ApiChatEntry) and entry.accepted.temperature)
            ),
        ]

    def drawing_seed(self, dataset: str) -> int | None:
        """Return the seed that a dataset depends on: the experiment's if it is drawn, None if it is read."""
        return self.seed if self.datasets[dataset].is_drawn else None

    @model_validator(mode="after")
    def _keeps_journal_and_results_apart(self) -> Self:
        results, journal = (Path(os.path.realpath(folder)) for folder in (self.results, self.journal))
        if results.is_relative_to(journal) or journal.is_relative_to(results):
            raise ValueError(
                f"journal: {self.journal} and results: {self.results} lie one in the other, but results can be deleted "
                "and the journal is paid for; give them folders side by side"
            )
        return self

    @model_validator(mode="after")
    def _names_figures_apart(self) -> Self:
        named: dict[str, str] = {}
        for path in self.figures:
            if (other := named.setdefault(Path(path).stem, path)) is not path:
                raise ValueError(
                    f"published: {path} and {other} have one name, by which tables show them; rename {path}"
                )
        return self

    @model_validator(mode="after")
    def _has_what_is_diversified(self) -> Self:
        originals = self.having("problems", diversified=False)
        kinds = {name: entry.kind for name, entry in self.models.items()}
        for name, block in self.datasets.items():
            if isinstance(block, DiversifiedEntry):
                if block.of not in originals:
                    known = ", ".join(originals) or "none yet"
                    without = f"{block.of} has no problems to diversify"
                    raise ValueError(f"datasets.{name}.of: {without}; use one of: {known}")
                block.check_models(f"datasets.{name}", kinds)
            elif isinstance(block, AdequateEntry):
                block.check_source(f"datasets.{name}", self.datasets)
        if reserved := [name for name in self.tasks if name in STAGES]:
            raise ValueError(f"tasks.{reserved[0]}: reserved for a stage of 'paper' data sets; rename the task")
        return self

    @model_validator(mode="after")
    def _names_what_there_is(self) -> Self:
        narrowed: list[tuple[str, tuple[str, ...] | None, Collection[str]]] = []
        for name, entry in self.tasks.items():
            narrowed += [(f"tasks.{name}.datasets", entry.datasets, self.datasets)]
            narrowed += [(f"tasks.{name}.models", entry.models, self.models)]
        for name, model in self.models.items():
            narrowed += [(f"models.{name}.datasets", getattr(model, "datasets", None), self.datasets)]
            narrowed += [(f"models.{name}.tasks", getattr(model, "tasks", None), TASKS)]
            verdicts_of = getattr(model, "verdicts_of", None)
            narrowed += [(f"models.{name}.verdicts_of", verdicts_of and (verdicts_of,), self.models)]
        if self.board:
            self.board.check(self.models)
        for of, entries in (("model", self.models), ("task", self.tasks)):
            for name, pairs in self.compared()[of].items():
                narrowed += [(f"comparisons.{name}.{of}s", tuple(chain.from_iterable(pairs)), entries)]
        for key, named, known in narrowed:
            if unknown := [name for name in named or () if name not in known]:
                raise ValueError(
                    f"{key} names {', '.join(unknown)}, but {key.rpartition('.')[2]} has no such entry; correct "
                    f"the name{nearest(unknown[0], known)}"
                )
        for name, entry in self.tasks.items():
            self._check_holding(name, entry)
            task_of(entry).check_entry(name, self)
        for dataset, task in self.pairs():
            # Formulas that a correction exchanges would have one another's sets.
            is_corrected = getattr(self.datasets[dataset], "gold", None) == "corrected"
            if is_corrected and self.tasks[task].sets_protocol == "released":
                raise ValueError(f"tasks.{task}: {dataset} has gold: corrected; released sets are of published gold")
        asked = {task for _, task in self.pairs()}
        for name, entry in self.tasks.items():
            if name not in asked:
                raise ValueError(
                    f"tasks.{name} has no dataset: it takes {_needed(entry)}, which no dataset that it is narrowed to "
                    "holds; add one under datasets, or remove the task"
                )
        return self

    def _takes(self, entry: TaskEntry, dataset: str) -> bool:
        """Return whether a task can be about a dataset."""
        task, block = TASKS[entry.task], self.datasets[dataset]
        return block.holds in task.takes and (block.original is not None or not task.of_rewritten)

    def _check_holding(self, name: str, entry: TaskEntry) -> None:
        """Refuse a task that names a dataset which holds something else than it takes."""
        for dataset in entry.datasets or ():
            if not self._takes(entry, dataset):
                holds = self.datasets[dataset].holds
                raise ValueError(
                    f"tasks.{name}.datasets names {dataset}, which holds {holds}; {entry.task} takes {_needed(entry)}: "
                    "name a dataset that holds such, or give the task another kind"
                )

    @model_validator(mode="after")
    def _can_train(self) -> Self:
        _ = self.trainings
        return self

    @model_validator(mode="after")
    def _has_room_for_reasoning(self) -> Self:
        for task, name in dict.fromkeys((task, name) for _, task, name in self.jobs()):
            model, reasoning = self.models[name], self.tasks[task].reasoning
            refuse_no_choice(model, name, task, task_of(self.tasks[task]).form, reasoning)
            if isinstance(model, LocalChatEntry) and model.most_written + reasoning >= model.context:
                raise ValueError(
                    f"models.{name}: {model.most_written} tokens and the {reasoning} of reasoning of tasks.{task} "
                    f"leave no room for a prompt in {model.context}; lower them, or raise context if the model has more"
                )
        return self

    @model_validator(mode="after")
    def _has_a_journal_a_job(self) -> Self:
        first: dict[str, tuple[str, str]] = {}
        for dataset, task in [*self.pairs(), *((dataset, stage) for dataset, stage, _ in self.stages())]:
            other = first.setdefault(f"{dataset}.{task}", (dataset, task))
            if other != (dataset, task):
                raise ValueError(
                    f"dataset {dataset} with task {task} would write the journal of dataset {other[0]} with task "
                    f"{other[1]}: rename one"
                )
        return self


def _needed(entry: TaskEntry) -> str:
    """Describe what a task takes."""
    task = TASKS[entry.task]
    return " or ".join(sorted(task.takes)) + (" in other words (reader: diversified)" if task.of_rewritten else "")


def _answers(model: ModelEntry, dataset: str, task: TaskEntry) -> bool:
    if not isinstance(model, AnswersEntry):
        return True
    return dataset in (model.datasets or [dataset]) and task.task in (model.tasks or [task.task])


def _does(model: ModelEntry, task: AnyTask) -> bool:
    kind = "chat" if isinstance(model, AnswersEntry) else model.kind
    return task.is_done_by(kind, getattr(model, "answer", None))


def subjects(configuration: Configuration) -> frozenset[str]:
    """Return each ``Subject`` that an experiment has, and the forms of its tasks' answers."""
    tasks = {name: TASKS[entry.task] for name, entry in configuration.tasks.items()}
    dialogues = configuration.dialogues()
    golds = {getattr(configuration.datasets[name], "gold", "") for name in configuration.having("problems")} - {""}
    present: dict[Subject, object] = {
        Subject.EXPERIMENT: True,
        Subject.SENTENCES: configuration.having("sentences"),
        Subject.PROBLEMS: configuration.having("problems"),
        Subject.WORDINGS: configuration.diversified(),
        Subject.CANDIDATES: any(task.facts.has_candidates for task in tasks.values()),
        Subject.CONTROLS: any(is_blind(shown) for entry in configuration.tasks.values() for shown in entry.shown_as),
        Subject.DIALOGUES: [*dialogues, *configuration.stages()],
        Subject.CHOICES: any(tasks[name].form is AnswerForm.CHOICE for _, name, _ in dialogues),
        Subject.COMPARISONS: configuration.comparisons,
        Subject.GOLDS: len(golds) > 1,
        Subject.VERDICTS_OF: configuration.of_answers("verdicts_of"),
        Subject.RELEASED: configuration.of_answers("released"),
        Subject.TRAINED: any(getattr(entry, "trained", None) for entry in configuration.models.values()),
        Subject.LOGPROBS: any(getattr(entry, "logprobs", False) for entry in configuration.models.values()),
        Subject.READINGS: any(getattr(block, "gold", "") == "accepted" for block in configuration.datasets.values()),
        Subject.TRANSLATIONS: any(
            tasks[name].form is AnswerForm.FORMULA and configuration.tasks[name].is_about_dataset
            for _, name, _ in dialogues
        ),
    }
    forms = {task.form.value for task in tasks.values()}
    return frozenset({*forms, *(subject.value for subject, there in present.items() if there)})
