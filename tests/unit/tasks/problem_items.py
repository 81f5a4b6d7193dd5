"""Problems as tasks are asked about them."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from tests.examples import ROOT, forms, lexicon

from nlfol.problems import Problem
from nlfol.tasks.item import Item
from nlfol.tasks.item_rows import ProblemItems
from nlfol.tasks.plan import Prompts, Reply
from nlfol.tasks.task import AnyTask, Surroundings

PROMPTS = Prompts(ROOT / "resources/prompts")


def around(problems: Sequence[Problem]) -> Surroundings:
    return Surroundings("toy", 7, problems, lexicon, forms)


def rows(problems: Sequence[Problem], task: AnyTask) -> list[dict[str, Any]]:
    build = ProblemItems(problems, task, around(problems))
    return [build.row(problem) for problem in problems]


def items(problems: Sequence[Problem], task: AnyTask) -> list[Item]:
    """The usable items."""
    return [Item.from_row(row) for row in rows(problems, task) if row["status"] == "usable"]


def item(problem: Problem, task: AnyTask) -> Item:
    (only,) = items([problem], task)
    return only


def said(answer: Mapping[str, Any]) -> Reply:
    return Reply("", "answered", json.dumps(answer, ensure_ascii=False))


def lines(*said: str, query: str, reasoning: str | None = None) -> dict[str, Any]:
    """An answer with a line for each sentence."""
    numbered = [{"sentence": number, "line": line} for number, line in enumerate(said, 1)]
    thought = {} if reasoning is None else {"reasoning": reasoning}
    return {**thought, "lines": numbered, "query": query}
