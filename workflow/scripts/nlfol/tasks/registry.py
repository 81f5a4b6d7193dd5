"""The tasks by kind; a new one is added here."""

from __future__ import annotations

from nlfol.tasks.logical_translation import LogicalTranslation
from nlfol.tasks.most_similar import MostSimilar
from nlfol.tasks.ranking import Ranking
from nlfol.tasks.specification import LogicalTranslationEntry, read_entry
from nlfol.tasks.task import ChoiceTask, Task

CHOICE_TASKS: dict[str, ChoiceTask] = {task.name: task for task in (MostSimilar(), Ranking())}
"""The tasks that embedding models do."""

TASKS: dict[str, Task] = {"logical_translation": LogicalTranslation(), **CHOICE_TASKS}
"""All tasks, with their default policies."""


def build_task(entry_json: str) -> Task:
    """A task with the policies of its entry in the configuration.

    Args:
        entry_json: the entry, as JSON.

    Raises:
        pydantic.ValidationError: if it is no entry of a task.
    """
    entry = read_entry(entry_json)
    return LogicalTranslation(entry) if isinstance(entry, LogicalTranslationEntry) else CHOICE_TASKS[entry.task]
