"""Items of a dataset of problems."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from nlfol.candidates.sets import CandidateError
from nlfol.ontology.ontology import Ontology
from nlfol.problems.problem import Problem
from nlfol.tasks.problem_texts import right_label, shown
from nlfol.tasks.task import AnyTask, Surroundings

MAX_PROBLEM = 200_000
"""Characters of a problem's JSON that an item has."""


class ProblemItems:
    """The items of one dataset and task.

    Args:
        problems: the usable ones of the dataset.
        task: the task.
        about: the dataset and what examples are made of.
    """

    def __init__(self, problems: Sequence[Problem], task: AnyTask, about: Surroundings) -> None:
        self._task = task
        self._about = about
        self._stories: dict[tuple[str, ...], str] = {}
        for problem in problems:
            self._stories.setdefault(self._told(problem), problem.name)

    def row(self, problem: Problem) -> dict[str, Any]:
        """A row of ITEMS; refused where the task cannot be asked about the problem."""
        refusal: CandidateError | None = None
        exemplars: list[dict[str, str]] = []
        whole, said = problem.to_row(), shown(problem)
        text = json.dumps(whole if self._task.wants_words else _without_mentions(whole), ensure_ascii=False)
        try:
            if len(text) > MAX_PROBLEM:
                detail = f"{len(text)} characters as JSON; an item has at most {MAX_PROBLEM}"
                raise CandidateError("too_long", detail)
            said = self._task.text_of(problem, self._about)
            exemplars = self._task.exemplars(problem, self._about)
        except CandidateError as error:
            refusal = error
        return {
            "item": problem.name,
            "story": self._stories[self._told(problem)],
            "language": None,
            "text": said,
            "formula": right_label(problem),
            "ontology": Ontology().to_row(),
            "category": problem.depth,
            "problem": text if len(text) <= MAX_PROBLEM else None,
            "candidates": [],
            "exemplars": exemplars,
            "status": "refused" if refusal else "usable",
            "reason": refusal.reason if refusal else None,
            "detail": str(refusal) if refusal else None,
        }

    def _told(self, problem: Problem) -> tuple[str, ...]:
        """The statements that tell its story: those of the original, which are said otherwise in each problem."""
        return statements_of(self._about.originals.get(problem.name, problem))


def statements_of(problem: Problem) -> tuple[str, ...]:
    """What tells stories apart: problems with the same statements are one, a cluster of scores."""
    return tuple(statement.text for statement in problem.statements)


def _without_mentions(row: Mapping[str, Any]) -> dict[str, Any]:
    """The row without what few tasks ask about: the places of mentions, which are most of it."""

    def plain(statement: Mapping[str, Any]) -> dict[str, Any]:
        return {**statement, "mentions": []}

    return {
        **row,
        "statements": [plain(statement) for statement in row["statements"]],
        "question": plain(row["question"]),
        "options": [plain(option) for option in row["options"]],
    }
