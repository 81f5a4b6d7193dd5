"""The tasks by kind; a new one is named here. Each is imported when it is asked for: to import all takes long."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import EntryPoint
from typing import Annotated, Any, Final, Union

from pydantic import BeforeValidator, Field, TypeAdapter
from typing_extensions import override

from nlfol.facts import FACTS, learn, written
from nlfol.plugins import beside, in_order, loaded, registered
from nlfol.tasks.entry import TaskEntry
from nlfol.tasks.task import AnyTask, Task

_TRANSLATION = "logical_translation"


class Kinds(Mapping[str, type[AnyTask]]):
    """The classes of tasks by kind, imported when they are first asked for.

    Raises ``PluginError`` if the class of another package cannot be loaded.
    """

    def __init__(self, places: Mapping[str, EntryPoint | type[AnyTask]]) -> None:
        self._places = dict(places)

    @override
    def __getitem__(self, kind: str) -> type[AnyTask]:
        place = self._places[kind]
        if isinstance(place, EntryPoint):
            self._places[kind] = place = loaded(place, Task)
            if kind not in _STAGES:
                learn(written(place.facts))
        return place

    @override
    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    @override
    def __len__(self) -> int:
        return len(self._places)

    @property
    def modules(self) -> dict[str, str]:
        """The name of the module of each kind."""
        places = self._places.items()
        return {kind: at.module if isinstance(at, EntryPoint) else at.__module__ for kind, at in places}


def _places(*classes: str) -> dict[str, EntryPoint]:
    points = (EntryPoint(at.partition(":")[0], f"nlfol.tasks.{at}", "nlfol.tasks") for at in classes)
    return {point.name: point for point in points}


_STAGES = _places("rewriting:Rewriting", "assembling:Assembling")
STAGES: Final = Kinds(_STAGES)
"""Kinds that no entry of a configuration is of: stages of datasets in other words, in the order of asking."""

_OURS = _places(
    *("logical_translation:LogicalTranslation", "most_similar:MostSimilar", "ranking:Ranking", "round_trip:RoundTrip"),
    *("verification:Verification", "question_answering:QuestionAnswering", "program:Program", "rating:Rating"),
)
_HERE = {**_OURS, **beside("tasks")}
_ELSEWHERE = registered("tasks", Task, {**_HERE, **_STAGES}, elsewhere_only=True)
learn(written(*(task.facts for task in _ELSEWHERE.values())))

TASKS: Final = Kinds(
    in_order({kind: _HERE[kind] for kind in dict.fromkeys((*FACTS, *_HERE)) if kind in _HERE}, _ELSEWHERE)
)
"""All kinds, in the order of tables; those of other packages behind the kind that they name, or at the end."""

KINDS: Final = Kinds({**TASKS._places, **STAGES._places})
"""Both."""


@cache
def _ontologies() -> dict[str, str]:
    """Return kinds by the key ``ontology`` of an entry of logical translation, which each names as its ``ontology``."""
    return {task.ontology: kind for kind, task in TASKS.items() if hasattr(task, "ontology")}


def with_ontology(entry: Any) -> Any:
    """Return a task's entry with the kind that its key ``ontology`` names; raises ``ValueError`` if it names none."""
    if not isinstance(entry, Mapping) or entry.get("task") != _TRANSLATION or "ontology" not in entry:
        return entry
    ontology, known = entry["ontology"], _ontologies()
    if ontology not in tuple(known):
        raise ValueError(f"ontology: {ontology!r}; use {' or '.join(known)}")
    return {**{key: value for key, value in entry.items() if key != "ontology"}, "task": known[ontology]}


def entries_of(tasks: Mapping[str, type[AnyTask]]) -> Any:
    """Return the type of the entries of some kinds, which are told apart by ``task``."""
    types = tuple(task.entry_type for task in tasks.values())
    return Annotated[
        Annotated[Union[types], Field(discriminator="task")],  # noqa: UP007
        BeforeValidator(with_ontology),
    ]


@cache
def _reader(kind: str | None) -> TypeAdapter[TaskEntry]:
    """Return what reads the JSON of entries of a kind, or of any."""
    return TypeAdapter(entries_of(KINDS) if kind is None else KINDS[kind].entry_type)


def task_of(entry: TaskEntry) -> AnyTask:
    """Return the task of an entry."""
    return KINDS[entry.task](entry)


def build_task(entry_json: str) -> AnyTask:
    """Return the task of an entry's JSON, as rules pass it to scripts; raises ``ValidationError`` if it is no entry."""
    try:
        entry = json.loads(entry_json)
    except ValueError:
        entry = None
    kind = entry.get("task") if isinstance(entry, dict) and "ontology" not in entry else None
    return task_of(_reader(kind if isinstance(kind, str) and kind in KINDS else None).validate_json(entry_json))
