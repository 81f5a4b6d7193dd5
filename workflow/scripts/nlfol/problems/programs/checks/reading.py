"""Reading checks: Logic-LM's text for Z3, with ``Declarations``, ``Constraints`` and ``Options``.

A sort is ``days = EnumSort([mon, tue])``, of whole numbers ``slots = EnumSort([1, 2, 3])``; a function is ``on =
Function([people] -> [days])``, of ``bool`` or ``int`` besides. An option is ``is_sat(on(Ann) == mon) ::: (A)``, or
``A) is_sat(on(Ann) == mon)``. Z3's own ``EnumSort('days', [mon, tue])``, ``Function('on', people, days)`` and
``BoolSort()``, and comments behind ``#``, are read with a repair.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase

from nlfol.problems.programs.checks.grammar import Node, plain, read_expression
from nlfol.problems.programs.outcome import ProgramError, Repair, RepairKind
from nlfol.problems.programs.texts import Line, Sections, absences, needed, quoted, sections, unnumbered

HEADINGS = {
    **dict.fromkeys(("declarations", "declaration"), "declarations"),
    **dict.fromkeys(("constraints", "constraint"), "constraints"),
    **dict.fromkeys(("options", "option"), "options"),
}

MAX_LINES = 500
"""Lines of a section that are read."""

MAX_MEMBERS = 200
"""Members of a sort that are read."""

_OWN = re.compile(r"(?m)^# (Declarations|Constraints|Options)[ \t]*$")
_DECLARED = re.compile(r"(\w+)\s*=\s*(EnumSort|Function)\s*\((.*)\)\s*", re.DOTALL)
_MEMBER = re.compile(r"\s*(\w+'*|'[^'\n]+'|\"[^\"\n]+\")\s*(?:,|$)")
_COMMENT = re.compile(r"(?<=\S)[ \t]+#[ \t]+")
_Z3_NAME = re.compile(r"\s*(?:'\w+'|\"\w+\")\s*,\s*(?=[^\s])")
_Z3_SORTS = {"BoolSort": "bool", "IntSort": "int"}
_LABEL = re.compile(r"\(?([A-Za-z])[).:]\s*(?=\S)")
_GLOSS = re.compile(r"\(?([A-Z])\)?")


@dataclass(frozen=True, slots=True)
class Expression:
    """A constraint or check, and its line."""

    line: int
    node: Node


@dataclass(frozen=True, slots=True)
class CheckProgram:
    """A program of checks: members of sorts, sorts of functions' arguments and values, and checks by letter."""

    sorts: Mapping[str, Sequence[str]]
    functions: Mapping[str, Sequence[str]]
    constraints: Sequence[Expression]
    options: Mapping[str, Expression]
    repairs: tuple[Repair, ...]


def read_checks(text: str) -> CheckProgram:
    """Read a program of checks; raises ``ProgramError``, which names the line, if the text is not one."""
    repairs: list[Repair] = []
    parts = sections(_with_glosses(_OWN.sub(r"\1:", text), repairs), HEADINGS)
    repairs += parts.repairs
    try:
        return _program(parts, repairs)
    except ProgramError as error:
        error.repairs = tuple(repairs)
        raise


def _program(parts: Sections, repairs: list[Repair]) -> CheckProgram:
    for lines in parts.lines.values():
        if len(lines) > MAX_LINES:
            raise ProgramError(
                f"{len(lines)} lines of a section; at most {MAX_LINES} are read", lines[MAX_LINES].number
            )
    repairs += absences(parts, "constraints")
    sorts: dict[str, Sequence[str]] = {}
    functions: dict[str, Sequence[str]] = {}
    constraints: list[Expression] = []
    for line in needed(parts, "declarations"):
        text = unnumbered(line, repairs)
        match = _DECLARED.fullmatch(text)
        if match is None:
            constraints.append(Expression(line.number, read_expression(text, line.number)))
            repairs.append(Repair(RepairKind.MISPLACED, line.number, "a constraint among the declarations"))
            continue
        name, kind, inside = match.groups()
        if (own := _Z3_NAME.match(inside)) and (kind == "Function" or inside[own.end()] == "["):
            inside = inside[own.end() :]
            repairs.append(
                Repair(RepairKind.NAME, line.number, f"{quoted(own[0].strip())} is no part of {kind}: ignored")
            )
        known = sorts if kind == "EnumSort" else functions
        declared = _members(inside, line) if kind == "EnumSort" else _signature(inside, line)
        if known.setdefault(name, declared) != declared:
            raise ProgramError(f"another declaration of {quoted(name)}", line.number)
    constraints += [
        Expression(line.number, read_expression(unnumbered(line, repairs), line.number))
        for line in parts.lines.get("constraints", ())
    ]
    return CheckProgram(sorts, functions, constraints, _options(needed(parts, "options"), repairs), tuple(repairs))


def _with_glosses(text: str, repairs: list[Repair]) -> str:
    """Return a text whose comments are glosses."""
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        if ":::" not in line and (comment := _COMMENT.search(line)):
            lines[number - 1] = f"{line[: comment.start()]} ::: {line[comment.end() :]}"
            repairs.append(Repair(RepairKind.GLOSS, number, "'#' read as the sign of a gloss"))
    return "\n".join(lines)


def _members(inside: str, line: Line) -> list[str]:
    text = inside.strip()
    body = text[1:-1].strip() if text[:1] == "[" and text[-1:] == "]" else ""
    members: list[str] = []
    position = 0
    while position < len(body):
        match = _MEMBER.match(body, position)
        if match is None:
            raise ProgramError(f"{quoted(body[position:])} is no list of names", line.number)
        members.append(plain(match[1]))
        position = match.end()
    if not members or len(members) > MAX_MEMBERS:
        raise ProgramError(f"a sort of {len(members)} members; write 'name = EnumSort([a, b])'", line.number)
    if len(set(members)) < len(members) or len({member.isdecimal() for member in members}) > 1:
        raise ProgramError(f"{quoted(text)}: members must differ, and all or none be numbers", line.number)
    return members


def _signature(inside: str, line: Line) -> list[str]:
    names = [name.strip() for name in inside.translate(str.maketrans("[]()", "    ")).replace("->", ",").split(",")]
    if len(names) < 2 or not all(re.fullmatch(r"\w+", name) for name in names):
        raise ProgramError(f"{quoted(inside)}: write 'name = Function([sort, sort] -> [sort])'", line.number)
    return [_Z3_SORTS.get(name, name) for name in names]


def _options(lines: Sequence[Line], repairs: list[Repair]) -> dict[str, Expression]:
    options: dict[str, Expression] = {}
    for line in lines:
        if line.text == "Question":
            continue
        label = _LABEL.match(line.text)
        gloss = _GLOSS.fullmatch(line.gloss or "")
        letter = label[1].upper() if label else gloss[1] if gloss else ascii_uppercase[min(len(options), 25)]
        if letter in options:
            raise ProgramError(f"another option {letter}", line.number)
        if letter != ascii_uppercase[min(len(options), 25)]:
            repairs.append(Repair(RepairKind.NUMBERING, line.number, f"option {letter} in the place of another"))
        node = read_expression(line.text[label.end() if label else 0 :], line.number)
        options[letter] = Expression(line.number, node)
    if not options:
        raise ProgramError("the section 'options' has no checks")
    return options
