"""The items of the stages that make problems in other words, as rows of an ITEMS file."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from nlfol.diversification.paper.assembling import Sets
from nlfol.diversification.paper.expressions import Expression
from nlfol.ontology.ontology import Ontology
from nlfol.problems.problem import Problem, plain
from nlfol.store import files
from nlfol.store.origins import made_from
from nlfol.store.schemas import ITEMS
from nlfol.tasks.rewriting import REPEATED, WANTED
from nlfol.tasks.task import AnyTask


def write_items(
    path: Path, rows: Sequence[dict[str, Any]], dataset: str, task: AnyTask, sources: Sequence[Path]
) -> None:
    """Write the ITEMS file of a stage, with what it was made from."""
    about = {"dataset": dataset, "task": task.kind, "task_kind": task.kind, "protocol": "", "style": ""}
    files.write(path, ITEMS, rows, about | made_from(*sources))


def rewriting_row(
    problem: Problem, expressions: Sequence[Expression], wanted: Collection[Expression]
) -> dict[str, Any]:
    """A statement for ``tasks.rewriting``.

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
    """The place of the statement that an item of ``tasks.rewriting`` is."""
    return int(item.rpartition(":")[2])


def assembling_row(problem: Problem, sets: Sets) -> dict[str, Any]:
    """A problem for ``tasks.assembling``.

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
            {
                "formula": formula,
                "english": english,
                "role": role,
                "edits": 0,
                "change": [],
                "path": [],
                "certificates": None,
            }
            for formula, english, role in members
        ],
        "exemplars": [],
        "status": "usable",
        "reason": None,
        "detail": None,
    }
