"""Stages of datasets in other words: tasks that no configuration names, scored by nothing, and their items."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from typing_extensions import override

from nlfol.datasets.entries.block import Holding
from nlfol.ontology.ontology import Ontology
from nlfol.problems.problem import Problem, plain
from nlfol.store import files
from nlfol.store.origins import made_from
from nlfol.store.schemas import ITEMS
from nlfol.tasks.item import Item
from nlfol.tasks.plan import OneStep, Plan, Setting, Step
from nlfol.tasks.task import AnyTask, E, Judgement, Task

if TYPE_CHECKING:
    from nlfol.diversification.paper.assembling import Sets
    from nlfol.diversification.paper.expressions import Expression

WANTED, REPEATED = "wanted", "repeated"
"""Roles of the members of an item of rewriting: expressions without other words in any lexicon, and the others."""


class StageTask(Task[E]):
    """A task on problems, asked once by one pair of prompts, whose answers make a dataset."""

    metrics = ()
    takes: ClassVar[frozenset[Holding]] = frozenset({"problems"})
    asks_all: ClassVar[bool] = True

    @override
    def plan(self, setting: Setting) -> Plan:
        def step(item: Item, _presentation: str, _seed: int) -> Step:
            system, user = setting.prompts.turns(f"{self.kind}/", item, **self.material(item))
            return Step("", system, user, self.schema(item))

        return OneStep(step)

    @abstractmethod
    def material(self, item: Item) -> Mapping[str, Any]:
        """Return what the prompts say beside the item."""

    @abstractmethod
    def schema(self, item: Item) -> Mapping[str, Any]:
        """Return the JSON schema of an answer."""

    @override
    def chance(self, item: Item) -> Judgement:
        """Raise an error: no answer is judged.

        Raises:
            TypeError: always.
        """
        raise TypeError(f"{self.kind} is judged by nothing")


def write_items(
    path: Path, rows: Sequence[dict[str, Any]], dataset: str, task: AnyTask, sources: Sequence[Path]
) -> None:
    """Write the ITEMS file of a stage, with what it was made from."""
    about = {"dataset": dataset, "task": task.kind, "task_kind": task.kind, "protocol": "", "style": ""}
    files.write(path, ITEMS, rows, about | made_from(*sources))


def rewriting_row(
    problem: Problem, expressions: Sequence[Expression], wanted: Collection[Expression]
) -> dict[str, Any]:
    """Return the row of a statement for ``tasks.rewriting``.

    Args:
        problem: whose statement it is.
        expressions: of the statement; one at least.
        wanted: those for which the lexica have nothing.
    """
    place = expressions[0].statement
    shown = problem.statements[max(0, place - 1) : place + 1]
    members = [(each.concept, each.words, WANTED if each in wanted else REPEATED) for each in expressions]
    row = _row(problem, f"{problem.name}:{place}", [each.text for each in shown], members)
    return row | {"text": problem.statements[place].text}


def place_of(item: str) -> int:
    """Return the place of the statement that an item of ``tasks.rewriting`` is."""
    return int(item.rpartition(":")[2])


def assembling_row(problem: Problem, sets: Sets) -> dict[str, Any]:
    """Return the row of a problem for ``tasks.assembling``.

    Args:
        problem: the original.
        sets: of each statement the sentences that may stand for it; several of one at least.
    """
    members = [
        (str(place), each.text, each.type) for place, several in enumerate(sets) if len(several) > 1 for each in several
    ]
    return _row(problem, problem.name, [each.text for each in problem.statements], members)


def _row(
    problem: Problem, item: str, statements: Sequence[str], members: Sequence[tuple[str, str, str]]
) -> dict[str, Any]:
    asked = replace(problem, statements=plain(statements), question=plain([problem.question.text])[0], rewrites=())
    unused = {"edits": 0, "change": [], "path": [], "certificates": None}
    return {
        "item": item,
        "story": problem.name,
        "language": None,
        "text": problem.context,
        "formula": problem.answer,
        "ontology": Ontology().to_row(),
        "category": problem.depth,
        "problem": json.dumps(asked.to_row(), ensure_ascii=False),
        "candidates": [
            {"formula": formula, "english": english, "role": role, **unused} for formula, english, role in members
        ],
        "exemplars": [],
        "status": "usable",
        "reason": None,
        "detail": None,
    }
