"""What an experiment is about, which decides the tables that it has."""

from __future__ import annotations

from nlfol.analyses.registry import Subject
from nlfol.config.configuration import Configuration
from nlfol.tasks.registry import KINDS
from nlfol.tasks.task import AnswerForm


def subjects(configuration: Configuration) -> frozenset[str]:
    """Return the kinds of an experiment's tasks, the forms of their answers, and each ``Subject`` that it has."""
    tasks = {name: KINDS[entry.task] for name, entry in configuration.tasks.items()}
    dialogues = configuration.dialogues()
    found: dict[Subject, object] = {
        Subject.EXPERIMENT: True,
        Subject.SENTENCES: configuration.having("sentences"),
        Subject.PROBLEMS: configuration.having("problems"),
        Subject.WORDINGS: configuration.diversified(),
        Subject.FORMULAS: any(task.form is AnswerForm.FORMULA for task in tasks.values()),
        Subject.CANDIDATES: any(task.has_candidates() for task in tasks.values()),
        Subject.DIALOGUES: [*dialogues, *configuration.stages()],
        Subject.CHOICES: any(tasks[name].form is AnswerForm.CHOICE for _, name, _ in dialogues),
        Subject.TRAINED: any(getattr(entry, "trained", None) for entry in configuration.models.values()),
        Subject.TRANSLATIONS: any(
            tasks[name].form is AnswerForm.FORMULA and configuration.tasks[name].is_about_dataset
            for _, name, _ in dialogues
        ),
    }
    of_tasks = {name for task in tasks.values() for name in (task.kind, task.form.value)}
    return frozenset({*of_tasks, *(subject.value for subject, there in found.items() if there)})
