"""Four problems whose translator drifts, and datasets of which one says the other's in other words."""

import json
from dataclasses import replace
from typing import Any

from tests.unit.tasks.problem_experiment import gold
from tests.unit.tasks.problem_items import lines

from nlfol.problems import Problem, Statement
from nlfol.problems.problem import TRUTHS
from nlfol.tasks.item import Item
from nlfol.tasks.program import Program, ProgramEntry

PROGRAM = Program(ProgramEntry(shots=0))
RULE = "Cold($x, True) >>> Sad($x, True)"


def problem(name: str, *said: str, query: str) -> Problem:
    statements = tuple(Statement(f"{name} {line}", line) for line in said)
    return Problem(name, "free", "clauses", statements, Statement("?", query), TRUTHS, "A", depth=1)


# Of 5 concepts "Cold" is mentioned three times, "Sad" and "bob" twice; of 4 concepts all twice.
THREE = problem("three", "Cold(bob, True)", "Cold(ann, True)", RULE, query="Sad(bob, True)")
FOUR = problem("four", "Cold(bob, True)", RULE, "Sad($x, True) >>> Red($x, True)", query="Red(bob, True)")
FURTHER = tuple(replace(FOUR, name=name, statements=(*FOUR.statements, Statement(name))) for name in ("cut", "torn"))
PROBLEMS = (THREE, FOUR, *FURTHER)
DATASETS: dict[str, dict[str, Any]] = {
    "toy": {"reader": "family"},
    "said": {
        "reader": "diversified",
        "of": "toy",
        "protocol": "audited",
        "intensity": 0.5,
        "types": [],
        "forms": None,
        "at_most": None,
        "glossary": False,
        "decoys": 0,
    },
}
DRIFTING = lines("Cold(bob, True)", "Icy(ann, True)", "Cool($x, True) >>> Sad($x, True)", query="Sad(bob, True)")


def with_drift(number: int, each: Item) -> str | None:
    """Three symbols for "Cold" in the first problem, gold in the second; a request cut off, and no program."""
    return [json.dumps(DRIFTING), gold(number, each), None, "{}"][number]
