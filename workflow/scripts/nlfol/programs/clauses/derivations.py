"""How a literal was derived: as a list of steps, and as a tree to print."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nlfol.programs.clauses.chaining import Step
from nlfol.programs.clauses.program import Literal

MAX_PRINTED = 500
"""Lines of a printed tree."""

MAX_INDENT = 40
"""Levels of a printed tree that are indented further than those before."""


def derivation(literal: Literal, steps: Mapping[Literal, Step]) -> list[dict[str, Any]]:
    """The steps to a literal, each after those that it builds on, as JSON values.

    A step has its ``literal``, the ``line`` of the fact or rule, that ``rule`` (null for a fact), its ``depth``, and
    ``from``: the places, from 0, of the steps it builds on.
    """
    places: dict[Literal, int] = {}
    listed: list[dict[str, Any]] = []
    stack = [literal]
    while stack:
        current = stack[-1]
        step = steps[current]
        missing = [premise for premise in step.premises if premise not in places]
        if current in places or missing:
            if current in places:
                stack.pop()
            stack.extend(reversed(missing))
            continue
        stack.pop()
        places[current] = len(listed)
        listed.append(
            {
                "literal": str(current),
                "line": step.clause.line,
                "rule": str(step.clause) if step.clause.body else None,
                "depth": step.depth,
                "from": [places[premise] for premise in step.premises],
            }
        )
    return listed


def tree(steps: Sequence[Mapping[str, Any]]) -> str:
    """A derivation as an indented tree with the literal derived on top; what was shown before is not unfolded again."""
    lines: list[str] = []
    shown: set[int] = set()
    stack = [(len(steps) - 1, 0)] if steps else []
    while stack:
        if len(lines) == MAX_PRINTED:
            lines.append("…")
            break
        place, level = stack.pop()
        step = steps[place]
        source = f"fact, line {step['line']}" if step["rule"] is None else f"line {step['line']}: {step['rule']}"
        again = " (derived above)" if place in shown and step["from"] else ""
        lines.append(f"{'  ' * min(level, MAX_INDENT)}{step['literal']}  [{source}]{again}")
        if place not in shown:
            shown.add(place)
            stack.extend((premise, level + 1) for premise in reversed(step["from"]))
    return "\n".join(lines)
