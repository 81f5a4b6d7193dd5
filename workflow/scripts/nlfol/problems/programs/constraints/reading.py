"""Reading constraints: Logic-LM's text for its solver, with ``Domain``, ``Variables``, ``Constraints`` and ``Query``.

A variable is ``book [IN] [1, 2, 3]``, or with a range: ``[1..1000000000]``. An option of the query is
``A) book == 2``.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nlfol.problems.programs.constraints.conditions import Condition
from nlfol.problems.programs.constraints.grammar import MAX_DIGITS, read_condition
from nlfol.problems.programs.outcome import ProgramError, Repair, RepairKind
from nlfol.problems.programs.texts import Line, Sections, absences, needed, quoted, sections, unnumbered

HEADINGS = {
    "domain": "domain",
    **dict.fromkeys(("variables", "variable"), "variables"),
    **dict.fromkeys(("constraints", "constraint"), "constraints"),
    **dict.fromkeys(("query", "queries", "question"), "query"),
}

MAX_VARIABLES = 500
"""Variables of a program that is read."""

MAX_CONDITIONS = 2_000
"""Constraints of a program that is read."""

MAX_OPTIONS = 40
"""Options of a query that is read: each takes a question of its own."""

_VARIABLE = re.compile(r"([^\W\d]\w*) ?(?:\[IN\]|(in\b|∈|:)) ?(.*)", re.IGNORECASE)
_RANGE = re.compile(r"(-?\d+) ?(?:\.{2,3}|…|to) ?(-?\d+)")
_INTEGER = re.compile(r"-?\d+")
_LABEL = re.compile(r"\(?([A-Za-z0-9])[).:] ?(?=\S)")
_DOTS = ("...", "…", "..")

Domain = tuple[tuple[int, int], ...]
"""Integers as ranges from the first to the last, sorted and apart."""


@dataclass(frozen=True, slots=True)
class Constraint:
    """A condition and its line."""

    line: int
    condition: Condition


@dataclass(frozen=True, slots=True)
class ConstraintProgram:
    """A program of constraints; ``glosses`` explain numbers, ``options`` are by letter."""

    glosses: Sequence[str]
    variables: Mapping[str, Domain]
    constraints: Sequence[Constraint]
    options: Mapping[str, Constraint]
    repairs: tuple[Repair, ...]


def read_constraints(text: str) -> ConstraintProgram:
    """Read a program of constraints; raises ``ProgramError``, which names the line, if the text is not one."""
    parts = sections(text, HEADINGS, listed=("variables", "constraints", "query"))
    repairs = list(parts.repairs)
    try:
        return _program(parts, repairs)
    except ProgramError as error:
        error.repairs = tuple(repairs)
        raise


def _program(parts: Sections, repairs: list[Repair]) -> ConstraintProgram:
    declarations, asked = needed(parts, "variables"), needed(parts, "query")
    conditions = parts.lines.get("constraints", ())
    limits = (("variables", declarations, MAX_VARIABLES), ("constraints", conditions, MAX_CONDITIONS))
    for kind, lines, most in (*limits, ("options", asked, MAX_OPTIONS)):
        if len(lines) > most:
            raise ProgramError(f"{len(lines)} {kind}; at most {most} are read", lines[most].number)
    repairs += absences(parts, "domain", "constraints")
    variables: dict[str, Domain] = {}
    for line in declarations:
        name, domain = _variable(line, repairs)
        if name in variables:
            raise ProgramError(f"another domain for {quoted(name)}", line.number)
        variables[name] = domain
    constraints = [
        Constraint(line.number, read_condition(unnumbered(line, repairs), line.number, repairs)) for line in conditions
    ]
    options: dict[str, Constraint] = {}
    for line in asked:
        text = line.text if _LABEL.match(line.text) else unnumbered(line, repairs)
        label = _LABEL.match(text)
        if label is None:
            raise ProgramError(f"{quoted(line.text)} has no letter; write it as 'A) …'", line.number)
        if label[1] in options:
            raise ProgramError(f"another option {label[1]}", line.number)
        condition = read_condition(text[label.end() :], line.number, repairs)
        options[label[1]] = Constraint(line.number, condition)
    glosses = [line.text for line in parts.lines.get("domain", ())]
    return ConstraintProgram(glosses, variables, constraints, options, tuple(repairs))


def _variable(line: Line, repairs: list[Repair]) -> tuple[str, Domain]:
    text = " ".join(unnumbered(line, repairs).split())
    match = _VARIABLE.fullmatch(text)
    if match is None:
        raise ProgramError(f"{quoted(text)} is no variable; write it as 'name [IN] [1, 2, 3]'", line.number)
    if match[2]:
        repairs.append(Repair(RepairKind.CONNECTIVE, line.number, f"{match[2]!r} read as '[IN]'"))
    inside = match[3].strip()
    if inside[:1] in ("[", "{", "(") and inside[-1:] in ("]", "}", ")"):
        inside = inside[1:-1]
    ranges: list[tuple[int, int]] = []
    dots = False
    for item in map(str.strip, inside.split(",")):
        if item in _DOTS and ranges and not dots:
            dots = True
            continue
        low, high = _range(item, line)
        if dots:
            low, dots = ranges[-1][1], False
        if low > high:
            raise ProgramError(f"a range from {low} down to {high}", line.number)
        ranges.append((low, high))
    if dots:
        raise ProgramError("a range without an end", line.number)
    return match[1], _merged(ranges)


def _range(item: str, line: Line) -> tuple[int, int]:
    match = _RANGE.fullmatch(item)
    ends = match.groups() if match else (item, item)
    for end in ends:
        if _INTEGER.fullmatch(end) is None:
            raise ProgramError(f"{quoted(item)} is neither an integer nor a range", line.number)
        if len(end) > MAX_DIGITS:
            raise ProgramError(f"an integer of {len(end)} digits; at most {MAX_DIGITS} are read", line.number)
    return int(ends[0]), int(ends[1])


def _merged(ranges: Sequence[tuple[int, int]]) -> Domain:
    merged: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = merged[-1][0], max(high, merged[-1][1])
        else:
            merged.append((low, high))
    return tuple(merged)
