"""Rules of the linter: names, levels, findings.

The docstring of a rule says what it finds; ``docs/lint.md`` has an example of each, and what was measured.
"""

import csv
from collections.abc import Callable, Iterator
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import NamedTuple

from nlfol.logic.syntax import Formula
from nlfol_extras.lint.statements import Statement, Story

MEASURED = Path(__file__).with_name("measured.csv")
"""Findings of the rules in FOLIO's training premises, by verdict; written by ``benchmarks/lint.py``."""


class Level(StrEnum):
    """Certainty of rules; a level has the rules of those before it, too."""

    PRECISE = "precise"
    BALANCED = "balanced"
    ALL = "all"

    def __contains__(self, other: object) -> bool:
        """Return whether rules of another level are asked at this one."""
        levels = list(Level)
        return other in levels[: levels.index(self) + 1]


class Remark(NamedTuple):
    """Message of a rule about a statement, and the right formula, if the rule knows it."""

    message: str
    suggestion: Formula | None = None


Check = Callable[[Statement, Story], Iterator[Remark]]


class Rule(NamedTuple):
    """A check with a name."""

    name: str
    level: Level
    check: Check

    @property
    def confidence(self) -> float:
        """Return the share of wrong formulas that is expected of findings: (wrong + 1) / (wrong + faithful + 2)."""
        wrong, faithful = _measured().get(self.name, (0, 0))
        return round((wrong + 1) / (wrong + faithful + 2), 2)


class Finding(NamedTuple):
    """A fault that a rule finds in a statement."""

    statement: Statement
    rule: Rule
    message: str
    suggestion: Formula | None


RULES: dict[str, Rule] = {}
"""All rules by name, in the order of the documents."""


def rule(level: Level) -> Callable[[Check], Check]:
    """Register a check under its function's name."""

    def registered(check: Check) -> Check:
        RULES[check.__name__] = Rule(check.__name__, level, check)
        return check

    return registered


@cache
def _measured() -> dict[str, tuple[int, int]]:
    with MEASURED.open(encoding="utf-8", newline="") as file:
        return {row["rule"]: (int(row["wrong"]), int(row["faithful"])) for row in csv.DictReader(file)}
