"""The tasks by name; a new one is added here."""

from __future__ import annotations

from nlfol.tasks.logical_translation import LogicalTranslation
from nlfol.tasks.most_similar import MostSimilar
from nlfol.tasks.ranking import Ranking
from nlfol.tasks.specification import LogicalTranslationSpecification
from nlfol.tasks.task import ChoiceTask, Task

CHOICE_TASKS: dict[str, ChoiceTask] = {task.name: task for task in (MostSimilar(), Ranking())}
"""The tasks that embedding models do."""

TASKS: dict[str, Task] = {"logical_translation": LogicalTranslation(), **CHOICE_TASKS}
"""All tasks, with their default policies."""


def build_task(name: str, specification: str) -> Task:
    """A task with the policies of its entry in the configuration.

    Args:
        name: the task's name.
        specification: its entry, as JSON.

    Raises:
        KeyError: if there is no such task.
        pydantic.ValidationError: if the entry is not one of that task.
    """
    if name == LogicalTranslation.name:
        return LogicalTranslation(LogicalTranslationSpecification.model_validate_json(specification))
    return CHOICE_TASKS[name]
