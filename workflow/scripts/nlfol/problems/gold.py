"""The gold program of a problem, as text for ``nlfol.programs``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nlfol.problems.problem import Problem

QUERY = "query"
"""The place of the line that is asked for; of constraints the letters of options are places."""

ALL_DIFFERENT = "AllDifferentConstraint"
"""What the line of an introduction begins with."""

_ALL = re.compile(rf"{ALL_DIFFERENT}\(\[(.*)\]\)")
_LITERAL = re.compile(r"(\w+)\(([^()]*), (?:True|False)\)")


def program(problem: Problem) -> str:
    """The program whose lines are those of the problem's sentences, in their order.

    Raises:
        ValueError: if the problem has no gold program.
    """
    lines = [statement.line for statement in problem.statements if statement.line is not None]
    match problem.language:
        case "clauses":
            return _clauses(lines, problem.question.line or "")
        case "formulas":
            return _sections({"Premises": lines, "Conclusion": [problem.question.line or ""]})
        case "constraints":
            return _constraints(problem, lines)
        case _:
            raise ValueError(f"{problem.name} has no gold program")


def things_of(lines: Sequence[str]) -> list[str]:
    """The variables of constraints: what some line says to be different."""
    return [name for line in lines if (match := _ALL.fullmatch(line)) for name in match[1].split(", ")]


def _sections(sections: dict[str, list[str]]) -> str:
    return "\n".join(line for name, lines in sections.items() for line in (f"{name}:", *lines))


def declarations(lines: Sequence[str]) -> list[str]:
    """What clauses use, as the section ``Predicates`` declares it, in the order of its first use."""
    declared: dict[str, None] = {}
    for line in lines:
        for name, arguments in _LITERAL.findall(line):
            variables = [f"${letter}" for letter, _ in zip("xyz", arguments.split(","), strict=False)]
            declared[f"{name}({', '.join((*variables, 'bool'))})"] = None
    return list(declared)


def asks_of_the_unsaid(problem: Problem) -> bool:
    """Whether the query of clauses has a predicate that no statement has, so that it is unknown."""
    lines = [statement.line for statement in problem.statements if statement.line is not None]
    said = {name for line in lines for name, _ in _LITERAL.findall(line)}
    asked = {name for name, _ in _LITERAL.findall(problem.question.line or "")}
    return problem.language == "clauses" and not asked <= said


def _clauses(lines: list[str], query: str) -> str:
    return _sections(
        {
            "Predicates": declarations((*lines, query)),
            "Facts": [line for line in lines if ">>>" not in line],
            "Rules": [line for line in lines if ">>>" in line],
            "Query": [query],
        }
    )


def _constraints(problem: Problem, lines: list[str]) -> str:
    """Variables are what the line of the introduction says to be different; each stands on a place from 1."""
    things = things_of(lines)
    places = ", ".join(str(place) for place in range(1, len(things) + 1))
    return _sections(
        {
            "Domain": ["1: the first", f"{len(things)}: the last"],
            "Variables": [f"{thing} [IN] [{places}]" for thing in things],
            "Constraints": lines,
            "Query": [f"{letter}) {option.line}" for letter, option in problem.by_letter.items()],
        }
    )
