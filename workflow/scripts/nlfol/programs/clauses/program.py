"""What a program of clauses is made of: literals with truth values, facts, rules and a query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from nlfol.programs.outcome import Repair

VARIABLE = "$"
"""What the name of a variable starts with."""


class Literal(NamedTuple):
    """An atom with a truth value: ``Chases(cat, $x, False)``.

    Attributes:
        predicate: its name.
        arguments: names of individuals, and of variables with ``$`` before them.
        value: whether the atom is said to be true.
    """

    predicate: str
    arguments: tuple[str, ...]
    value: bool

    @property
    def variables(self) -> list[str]:
        """The variables, each as often as it occurs."""
        return [argument for argument in self.arguments if argument[0] == VARIABLE]

    @property
    def opposite(self) -> Literal:
        """The same atom with the other truth value."""
        return Literal(self.predicate, self.arguments, not self.value)

    def __str__(self) -> str:
        return f"{self.predicate}({', '.join((*self.arguments, str(self.value)))})"


@dataclass(frozen=True, slots=True)
class Clause:
    """A rule, or a fact, which has no body.

    Attributes:
        line: line of the program.
        body: literals that must hold.
        heads: literals that hold then.
    """

    line: int
    body: tuple[Literal, ...]
    heads: tuple[Literal, ...]

    def __str__(self) -> str:
        heads = " && ".join(map(str, self.heads))
        return f"{' && '.join(map(str, self.body))} >>> {heads}" if self.body else heads


@dataclass(frozen=True, slots=True)
class ClauseProgram:
    """A program of clauses as read.

    Attributes:
        declared: numbers of arguments by predicate, as the section of predicates has them.
        clauses: facts and rules.
        query: the literal asked for.
        query_line: its line.
        repairs: the liberties that the reader took.
    """

    declared: Mapping[str, int]
    clauses: Sequence[Clause]
    query: Literal
    query_line: int
    repairs: tuple[Repair, ...]
