"""The tasks by kind; a new one is named here."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Final, Union

from pydantic import BeforeValidator, Field, TypeAdapter

from nlfol.facts import learn, written
from nlfol.plugins import in_order, registered
from nlfol.tasks.assembling import Assembling
from nlfol.tasks.entry import TaskEntry
from nlfol.tasks.logical_translation import LogicalTranslation
from nlfol.tasks.most_similar import MostSimilar
from nlfol.tasks.program import Program
from nlfol.tasks.question_answering import QuestionAnswering
from nlfol.tasks.ranking import Ranking
from nlfol.tasks.rating import Rating
from nlfol.tasks.rewriting import Rewriting
from nlfol.tasks.round_trip import RoundTrip
from nlfol.tasks.task import AnyTask, Task
from nlfol.tasks.verification import Verification

STAGES: Final[Mapping[str, type[AnyTask]]] = {task.kind: task for task in (Rewriting, Assembling)}
"""Kinds that no entry of a configuration is of: stages of datasets in other words, in the order of asking."""

_OURS: Final[Mapping[str, type[AnyTask]]] = {
    task.kind: task
    for task in (
        *(LogicalTranslation, MostSimilar, Ranking, RoundTrip, Verification, QuestionAnswering),
        *(Program, Rating),
    )
}

TASKS: Final[Mapping[str, type[AnyTask]]] = in_order(_OURS, registered("tasks", Task, {**_OURS, **STAGES}))
"""All kinds, in the order of tables; those of other packages behind the kind that they name, or at the end."""

learn(written(*(task.facts for task in TASKS.values())))

KINDS: Final[Mapping[str, type[AnyTask]]] = {**TASKS, **STAGES}
"""Both."""

ONTOLOGIES: Final[Mapping[str, str]] = {
    task.ontology: kind for kind, task in TASKS.items() if hasattr(task, "ontology")
}
"""Kinds by the key ``ontology`` of an entry of logical translation, whose value each names as its ``ontology``."""


def with_ontology(entry: Any) -> Any:
    """Return a task's entry with the kind that its key ``ontology`` names; raises ``ValueError`` if it names none."""
    if not isinstance(entry, Mapping) or entry.get("task") != LogicalTranslation.kind or "ontology" not in entry:
        return entry
    ontology = entry["ontology"]
    if ontology not in tuple(ONTOLOGIES):
        raise ValueError(f"ontology: {ontology!r}; use {' or '.join(ONTOLOGIES)}")
    return {**{key: value for key, value in entry.items() if key != "ontology"}, "task": ONTOLOGIES[ontology]}


def _entries_of(tasks: Mapping[str, type[AnyTask]]) -> Any:
    types = tuple(task.entry_type for task in tasks.values())
    return Annotated[
        Annotated[Union[types], Field(discriminator="task")],  # noqa: UP007
        BeforeValidator(with_ontology),
    ]


if TYPE_CHECKING:
    AnyTaskEntry = TaskEntry
else:
    AnyTaskEntry = _entries_of(TASKS)
    """The entry of any kind, told apart by ``task``."""

_ADAPTER: TypeAdapter[TaskEntry] = TypeAdapter(_entries_of(KINDS))


def with_kinds(entries: Any) -> Any:
    """Return the ``tasks`` block with the kinds that entries leave out because their names are kinds."""
    if not isinstance(entries, Mapping):
        return entries
    return {
        name: {"task": name, **entry} if name in TASKS and isinstance(entry, Mapping) else entry
        for name, entry in entries.items()
    }


def task_of(entry: TaskEntry) -> AnyTask:
    """Return the task of an entry."""
    return KINDS[entry.task](entry)


def build_task(entry_json: str) -> AnyTask:
    """Return the task of an entry's JSON, as rules pass it to scripts; raises ``ValidationError`` if it is no entry."""
    return task_of(_ADAPTER.validate_json(entry_json))
