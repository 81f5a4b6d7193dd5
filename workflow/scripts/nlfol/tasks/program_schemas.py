"""JSON schemas of programs as answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nlfol.problems.problem import Problem
from nlfol.programs.language import SolverLanguage
from nlfol.tasks.answers import object_schema

LINES_A_SENTENCE = 2
"""Lines that a schema allows for each sentence, on average."""

EXPRESSION = 100
"""Characters of an expression or symbol of a table of concepts."""

EXPRESSIONS = 12
"""Expressions of one symbol that a schema allows."""

MAX_ARITY = 6
"""Arguments of a symbol that a schema allows."""


def program_schema(
    language: SolverLanguage, problem: Problem, line: int, reasoning: int | None, *, table: bool = False
) -> dict[str, Any]:
    """JSON schema of an answer.

    Args:
        language: of the program.
        problem: what it is about.
        line: characters of a line, at most.
        reasoning: characters of the reasoning; None for none.
        table: whether a table of concepts stands before the program.
    """
    count = max(1, len(problem.statements))
    text = string(line)
    sentences = {"type": "integer", "enum": list(range(1, count + 1))}
    lines = array({"sentence": sentences, "line": text}, LINES_A_SENTENCE * count)
    letters = list(problem.by_letter) if language.asks_options else []
    most = LINES_A_SENTENCE * count + len(letters)
    expressions = {"type": "array", "items": string(EXPRESSION), "minItems": 1, "maxItems": EXPRESSIONS}
    row = {"symbol": string(EXPRESSION), "arity": arity_schema(), "expressions": expressions}
    before = {"table": array(row, LINES_A_SENTENCE * most)} if table else {}
    if not language.asks_options:
        return object_schema({**before, "lines": lines, "query": text}, reasoning)
    return object_schema({**before, **asked_of_options(letters, line, most, {"lines": lines})}, reasoning)


def asked_of_options(letters: Sequence[str], line: int, variables: int, lines: dict[str, Any]) -> dict[str, Any]:
    """The schemas of the fields in which constraints say what is asked.

    Args:
        letters: of the options.
        line: characters of a line, at most.
        variables: how many there are at most.
        lines: the fields between variables and options.
    """
    text = string(line)
    options = array({"option": {"type": "string", "enum": list(letters)}, "line": text}, len(letters))
    return {"variables": array({"name": text, "values": text}, variables), **lines, "options": options}


def string(characters: int) -> dict[str, Any]:
    """The schema of a text."""
    return {"type": "string", "maxLength": characters}


def arity_schema() -> dict[str, Any]:
    """The schema of a number of arguments."""
    return {"type": "integer", "enum": list(range(MAX_ARITY + 1))}


def array(fields: dict[str, Any], most: int, least: int = 1) -> dict[str, Any]:
    """The schema of a list of objects with such fields."""
    return {"type": "array", "items": object_schema(fields, None), "minItems": least, "maxItems": most}
