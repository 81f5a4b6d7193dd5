"""Problems as tasks are asked about them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from nlfol.problems import Lexicon, Problem, Statement, read_lexicon
from nlfol.problems.families import generate
from nlfol.problems.forms import read_forms
from nlfol.problems.problem import TRUTHS
from nlfol.tasks.item import Item
from nlfol.tasks.plan import Reply
from nlfol.tasks.problem_items import ProblemItems
from nlfol.tasks.prompts import Prompts
from nlfol.tasks.task import AnyTask, Surroundings

ROOT = Path(__file__).parents[3]
PROMPTS = Prompts(ROOT / "resources/prompts")
LEXICON = ROOT / "resources/lexicon/problems.yaml"

CATS = Problem(
    "cats",
    "free",
    "formulas",
    (Statement("All cats purr.", "∀x (Cat(x) → Purrs(x))"), Statement("Tom is a cat.", "Cat(tom)")),
    Statement("Does Tom purr?", "Purrs(tom)"),
    TRUTHS,
    "A",
    depth=2,
)

COLD = Problem(
    "cold",
    "free",
    "clauses",
    (
        Statement("Bob is cold.", "Cold(bob, True)"),
        Statement("What is cold is sad.", "Cold($x, True) >>> Sad($x, True)"),
    ),
    Statement("Is Bob sad?", "Sad(bob, True)"),
    TRUTHS,
    "A",
    depth=1,
)

ROW = Problem(
    "row",
    "free",
    "constraints",
    (
        Statement("There are a red, a blue and a green book.", "AllDifferentConstraint([red, blue, green])"),
        Statement("The red book is left of the blue one.", "red < blue"),
        Statement("The green book is leftmost.", "green == 1"),
    ),
    Statement("Which is true?"),
    (Statement("Red is in the middle.", "red == 2"), Statement("Blue is in the middle.", "blue == 2")),
    "A",
    depth=2,
)


def lexicon() -> Lexicon:
    return read_lexicon(LEXICON)


def forms() -> Lexicon:
    return read_forms(lexicon(), ROOT / "resources/lexicon/diversified.yaml")


@lru_cache
def family(name: str, count: int = 6) -> tuple[Problem, ...]:
    return tuple(generate(name, seed=5, count=count, lexicon=lexicon()))


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
