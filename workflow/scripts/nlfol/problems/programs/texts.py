"""The text of a program in sections, as ``Predicates:`` followed by lines; ``:::`` starts a gloss.

The form is that of Logic-LM (Pan et al., Findings of EMNLP 2023). Code fences, other headings and numbered lines are
forgiven, each with a repair.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from nlfol.problems.programs.outcome import ProgramError, Repair, RepairKind

MAX_CHARACTERS = 4_000_000
"""Characters of a program that is read."""

MAX_LINE = 20_000
"""Characters of a line that is read."""

MAX_QUOTED = 80
"""Characters of a line that are quoted in a message."""

IGNORED = frozenset(("answer", "answers", "explanation", "note", "notes", "options", "reasoning", "solution"))
"""Headings of what is no part of a program; models write it after the query."""

_HEADING = re.compile(
    r"[#*_>]{0,10}[ ]{0,4}(?:\d{1,2}[.)] {0,4})?[*_]{0,4}([A-Za-z]{2,20}(?: [A-Za-z]{2,20})?)[*_ ]{0,6}"
    r"(?:[:：][*_ ]{0,6}(.*))?",
    re.DOTALL,
)
_NUMBERING = re.compile(r"(?:[*•]|\d{1,4}[.)]|\(\d{1,4}\))\s+(?=\S)")
DASH = re.compile(r"-\s+(?=\S)")
"""A bullet or a negation at the beginning of a line."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a section: its number from 1, its text, never empty, and the gloss behind ``:::``."""

    number: int
    text: str
    gloss: str | None


@dataclass(frozen=True, slots=True)
class Sections:
    """The sections of a program and the liberties taken in finding them."""

    lines: Mapping[str, Sequence[Line]]
    repairs: Sequence[Repair]


def sections(
    text: str, headings: Mapping[str, str], limit: int = MAX_CHARACTERS, *, listed: Sequence[str] = ()
) -> Sections:
    """Return the sections of a program, with their names by each heading in lower case.

    A name's own heading is the name with a capital. Sections that may be ``listed`` lose the dashes of a list. Raises
    ``ProgramError`` if the text has more than ``limit`` characters or one of its lines is too long, or there is no
    section.
    """
    if len(text) > limit:
        raise ProgramError(f"{len(text)} characters; at most {limit} are read")
    proper = {f"{name.capitalize()}:": name for name in headings.values()}
    by_name: dict[str, list[Line]] = {}
    repairs: list[Repair] = []
    current: list[Line] | None = None
    before: int | None = None
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.strip()
        if not line:
            continue
        if len(line) > MAX_LINE:
            raise ProgramError(f"{len(line)} characters; a line has at most {MAX_LINE}", number)
        name, rest = proper.get(line), ""
        if name is None:
            if line.startswith("```"):
                repairs.append(Repair(RepairKind.FENCE, number, "code fence dropped"))
                continue
            name, rest = heading(line, headings)
            if name in headings.values():
                repairs.append(Repair(RepairKind.HEADING, number, f"{quoted(line)} read as the heading {name!r}"))
        if name is None:
            if current is None:
                before = before or number
            else:
                _add(current, number, line)
            continue
        if name == "":
            repairs.append(Repair(RepairKind.SECTION, number, f"{quoted(line)} is no part of the program: ignored"))
            current = []
            continue
        if name in by_name:
            repairs.append(Repair(RepairKind.SECTION, number, f"another section {name!r}, joined to the first"))
        current = by_name.setdefault(name, [])
        if rest:
            _add(current, number, rest)
    if not by_name:
        raise ProgramError(f"no section; needed are {', '.join(proper)} each on a line of its own")
    if before is not None:
        repairs.append(Repair(RepairKind.SECTION, before, "what stands before the first heading is ignored"))
    return without_dashes(Sections(by_name, repairs), listed)


def check_line(text: str, headings: Mapping[str, str]) -> None:
    """Check that a text, put into a section, is one line of it and nothing else.

    Raises ``ProgramError`` if it is empty or too long, has a line break or a gloss, or would head or end the section.
    """
    line = text.strip()
    if not line:
        raise ProgramError("an empty line")
    if len(line) > MAX_LINE:
        raise ProgramError(f"{len(line)} characters; a line has at most {MAX_LINE}")
    if "\n" in line or ":::" in line or line.startswith("```") or heading(line, headings)[0] is not None:
        raise ProgramError(f"{quoted(line)} is no line of a program")


def absences(parts: Sections, *names: str) -> list[Repair]:
    """Return repairs for sections that are missing and can be done without."""
    missing = (name for name in names if name not in parts.lines)
    return [Repair(RepairKind.SECTION, None, f"there is no section {name!r}") for name in missing]


def needed(parts: Sections, name: str) -> Sequence[Line]:
    """Return the lines of a section; raises ``ProgramError`` if it is missing or empty."""
    lines = parts.lines.get(name)
    if not lines:
        raise ProgramError(f"the section {name!r} is {'missing' if lines is None else 'empty'}")
    return lines


def unnumbered(line: Line, repairs: list[Repair]) -> str:
    """Return the text of a line without a bullet or number before it."""
    match = _NUMBERING.match(line.text)
    if match is None:
        return line.text
    repairs.append(Repair(RepairKind.NUMBERING, line.number, f"{match[0].strip()!r} before the line dropped"))
    return line.text[match.end() :]


def without_dashes(parts: Sections, names: Sequence[str]) -> Sections:
    """Return sections without the dash, with a blank after it, that all lines of some of them begin with.

    One line is no list: a dash alone in all these sections is a negation or a minus, and stays.
    """
    dashed = {
        name: lines
        for name in names
        if (lines := parts.lines.get(name)) and all(DASH.match(line.text) for line in lines)
    }
    if sum(map(len, dashed.values())) < 2:
        return parts
    repairs = list(parts.repairs)
    without: dict[str, Sequence[Line]] = {}
    for name, lines in dashed.items():
        without[name] = [replace(line, text=DASH.sub("", line.text, count=1)) for line in lines]
        repairs += [Repair(RepairKind.NUMBERING, line.number, "'-' before the line dropped") for line in lines]
    return Sections({**parts.lines, **without}, repairs)


def quoted(text: str) -> str:
    """Return a text in quotation marks, shortened where it is long."""
    return repr(text if len(text) <= MAX_QUOTED else text[:MAX_QUOTED] + "…")


def heading(line: str, headings: Mapping[str, str]) -> tuple[str | None, str]:
    """Return the section that a line heads, and what follows the heading; an empty name for what is ignored."""
    match = _HEADING.fullmatch(line)
    if match is None or (match[2] is None and "(" in line):
        return None, ""
    word = match[1].lower()
    name = headings.get(word, "" if word in IGNORED and match[2] is not None else None)
    return name, (match[2] or "").strip(" *_")


def _add(lines: list[Line], number: int, line: str) -> None:
    text, mark, gloss = line.partition(":::")
    if text := text.strip():
        lines.append(Line(number, text, gloss.strip() if mark else None))
