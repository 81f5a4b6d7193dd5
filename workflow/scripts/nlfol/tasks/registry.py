"""The tasks by kind; a new one is named here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Final, Union

from pydantic import BeforeValidator, Field, TypeAdapter

from nlfol.tasks.assembling import Assembling
from nlfol.tasks.entry import TaskEntry
from nlfol.tasks.logical_translation import LogicalTranslation
from nlfol.tasks.most_similar import MostSimilar
from nlfol.tasks.ontology_extraction import OntologyExtraction
from nlfol.tasks.program import Program
from nlfol.tasks.question_answering import QuestionAnswering
from nlfol.tasks.ranking import Ranking
from nlfol.tasks.rating import Rating
from nlfol.tasks.rewriting import Rewriting
from nlfol.tasks.round_trip import RoundTrip
from nlfol.tasks.task import AnyTask
from nlfol.tasks.verification import Verification

TASKS: Final[Mapping[str, type[AnyTask]]] = {
    task.kind: task
    for task in (
        *(LogicalTranslation, MostSimilar, Ranking, RoundTrip, Verification, QuestionAnswering),
        *(OntologyExtraction, Program, Rating),
    )
}
"""All kinds, in the order of tables."""

STAGES: Final[Mapping[str, type[AnyTask]]] = {task.kind: task for task in (Rewriting, Assembling)}
"""Kinds that no entry of a configuration is of: what datasets ask of models that they name, in the order of asking."""

KINDS: Final[Mapping[str, type[AnyTask]]] = {**TASKS, **STAGES}
"""Both."""

METRICS: Final[Mapping[str, tuple[str, ...]]] = {kind: task.metrics for kind, task in TASKS.items()}
"""Of each kind, the metrics that say whether an answer is right."""

SHOWN_FIRST: Final[Mapping[str, str]] = {kind: (task.metrics or task.other_metrics)[0] for kind, task in TASKS.items()}
"""Of each kind, the metric that is shown first, whether or not it says that an answer is right."""

ONTOLOGIES: Final[Mapping[str, str]] = {"given": LogicalTranslation.kind, "own": OntologyExtraction.kind}
"""Of logical translation, the kind by its entry's key ``ontology``."""


def with_ontology(entry: Any) -> Any:
    """A task's entry of the kind that ``ontology`` says, which is no key of either kind.

    Raises:
        ValueError: if it says something else.
    """
    if not isinstance(entry, Mapping) or entry.get("task") != LogicalTranslation.kind or "ontology" not in entry:
        return entry
    said = entry["ontology"]
    if said not in tuple(ONTOLOGIES):
        raise ValueError(f"ontology: {said!r}; use {' or '.join(ONTOLOGIES)}")
    return {**{key: value for key, value in entry.items() if key != "ontology"}, "task": ONTOLOGIES[said]}


if TYPE_CHECKING:
    AnyTaskEntry = TaskEntry
    _AnyEntry = TaskEntry
else:
    AnyTaskEntry = Annotated[
        Annotated[Union[tuple(task.entry_type for task in TASKS.values())], Field(discriminator="task")],  # noqa: UP007
        BeforeValidator(with_ontology),
    ]
    """The entry of any kind, told apart by ``task``."""

    _ENTRIES = tuple(task.entry_type for task in KINDS.values())
    _AnyEntry = Annotated[
        Annotated[Union[_ENTRIES], Field(discriminator="task")],  # noqa: UP007
        BeforeValidator(with_ontology),
    ]

_ADAPTER: TypeAdapter[TaskEntry] = TypeAdapter(_AnyEntry)


def with_kinds(entries: Any) -> Any:
    """The ``tasks`` block with each kind filled in that an entry leaves out because the entry's name says it."""
    if not isinstance(entries, Mapping):
        return entries
    return {
        name: {"task": name, **entry} if name in TASKS and isinstance(entry, Mapping) else entry
        for name, entry in entries.items()
    }


def task_of(entry: TaskEntry) -> AnyTask:
    """The task that an entry of the configuration describes."""
    return KINDS[entry.task](entry)


def build_task(entry_json: str) -> AnyTask:
    """The same from the entry's JSON, as rules hand it to scripts.

    Raises:
        pydantic.ValidationError: if it is no entry of a task.
    """
    return task_of(_ADAPTER.validate_json(entry_json))
