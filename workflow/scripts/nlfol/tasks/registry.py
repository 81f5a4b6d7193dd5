"""The tasks by name; a new one is added here."""

from __future__ import annotations

from nlfol.tasks.logical_translation import LogicalTranslation
from nlfol.tasks.most_similar import MostSimilar
from nlfol.tasks.ranking import Ranking
from nlfol.tasks.task import ChoiceTask, Task

CHOICE_TASKS: dict[str, ChoiceTask] = {task.name: task for task in (MostSimilar(), Ranking())}
"""The tasks that embedding models do."""

TASKS: dict[str, Task] = {"logical_translation": LogicalTranslation(), **CHOICE_TASKS}
"""All tasks."""
