"""The words of the unambiguous style, which its renderer writes and its reader expects. See docs/english.md."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from nlfol.logic.errors import FormulaSyntaxError, LogicError
from nlfol.logic.syntax import NAME, And, Binary, ExclusiveOr, Iff, Implies, Or


class EnglishSyntaxError(FormulaSyntaxError):
    """A text that is no formula's rendering, with the line and column where reading ended."""

    @property
    def position(self) -> int:
        """Return the place of the first character that could not be read, from 0."""
        return self._position


class EnglishLengthError(LogicError):
    """A formula whose rendering is too long to be of use to a reader."""


MAX_RENDERING = 100_000
"""Characters of the longest rendering that is written or read."""

NOT = "it is not the case that "
NOT_NOT = "it is not false that "
"""¬¬, in a sentence that stands alone."""

IF, THEN = "if ", ", then "
ONLY_IF, TRUE = "only if ", ", is it true that "
BOTH, EITHER, BUT_NOT_BOTH = "both ", "either ", ", but not both"
AND, OR, IF_AND_ONLY_IF, COMMA = " and ", " or ", " if and only if ", ", "
COMMA_AND, COMMA_OR = ", and ", ", or "

ALL_HOLD = "all of the following hold: "
"""Opens a chain of three or more that is said inline."""

IFF = "if and only if "
"""Opens ↔ as "if" opens →, in candidates."""
LINE_HEADERS: Mapping[type[Binary], str] = {
    And: "both {} and {}:",
    Or: "either {} or {}:",
    ExclusiveOr: "either {} or {}, but not both:",
    Implies: "if {}, then {}:",
    Iff: "if and only if {}, then {}:",
}
"""Headers of two items on lines of their own; the slots are for their numbers."""

ONLY_HEADER = "only if {}, is it true that {}:"
"""Header of B and A of A → B, in a sentence that stands alone."""

LONG_HEADERS: Mapping[type[Binary], str] = {And: "all of {} to {}:", Or: "at least one of {} to {}:"}
"""Headers of three items or more, in a sentence that stands alone; the slots are for the first and last number."""

A_ONLY_IF_B, B_IF_A = " only if ", " if "

Wording = tuple[bool, bool]
"""Traits of a wording of A → B: B is mentioned first; the words stand between the two where they can."""

WORDINGS: Sequence[Wording] = ((False, False), (False, True), (True, False), (True, True))
"""If A, then B; A only if B; only if B, is it true that A; B if A."""

EACH, FOR_SOME, FALSE = "for each {}, ", "for some {}, ", "it is false that "
"""Quantifiers in the even style, equally long, and ¬."""

EVEN: Mapping[type[Binary], tuple[str, str]] = {
    And: (BOTH, COMMA_AND),
    Or: (EITHER, OR),
    Implies: ("when ", " then "),
    Iff: ("iff ", THEN),
    ExclusiveOr: ("exactly one holds: ", COMMA_OR),
}
"""Openers and joints in the even style: equally long but for ⊕, for which no dimension exchanges another."""

EVEN_CHAINS: Mapping[type[Binary], str] = {And: "all of {} hold: ", Or: "any of {} hold: "}
"""Openers of three operands or more in the even style; the slot is for their number, commas join them."""

_COUNTS: Final = ("three", "four", "five", "six", "seven", "eight", "nine", "ten")

DELIMITERS = (AND, OR, IF_AND_ONLY_IF, A_ONLY_IF_B, B_IF_A, COMMA, " then ", ";\n")
"""Text that can follow a literal inside a sentence."""

HEADS = (
    "for every ", "for each ", "for some ", "for all ", "there is some ", "there is no ", "there are ",
    NOT, NOT_NOT, IF, ONLY_IF, BOTH, EITHER, "when ", "iff ", "exactly one holds", FALSE, "any of ", ALL_HOLD.rstrip(),
    *(header.partition("{")[0] + "(" for header in LONG_HEADERS.values()),
    "then ", "and ", "or ", "but not both", "(", "“",
)  # fmt: skip
"""Text that a literal must not begin with, because the grammar's own parts do."""

VARIABLE = rf"(?:thing {NAME.pattern}|[u-z][0-9]*)"
"""A variable: its name; one that is not called u to z is announced as a thing."""

_VARIABLES = rf"{VARIABLE}(?:, {VARIABLE})*,? and {VARIABLE}"
EVERY = re.compile(rf"for every ({VARIABLE}), |for all ({_VARIABLES}), ")
SOME = re.compile(rf"there is some ({VARIABLE}) such that |there are ({_VARIABLES}) such that ")
_COUNT = rf"({'|'.join(_COUNTS)}|[1-9][0-9]{{1,4}})"
EVEN_CHAIN = {kind: re.compile(opener.format(_COUNT)) for kind, opener in EVEN_CHAINS.items()}
EVEN_QUANTIFIERS = (re.compile(EACH.format(f"({VARIABLE})")), re.compile(FOR_SOME.format(f"({VARIABLE})")))
NONE = re.compile(rf"there is no ({VARIABLE}) such that |there are no ({_VARIABLES}) such that ")


def marks(number: str, items: int) -> list[str]:
    """Return the markers of a list's items, such as "(2.1)" in the item with the number "2." before it."""
    return [f"({number}{item})" for item in range(1, items + 1)]


def count(operands: int) -> str:
    """Return the number of a chain's operands, three or more, in a word up to ten."""
    return _COUNTS[operands - 3] if operands - 3 < len(_COUNTS) else str(operands)


def counted(word: str) -> int:
    """Return the number that ``count`` writes so."""
    return _COUNTS.index(word) + 3 if word in _COUNTS else int(word)


def line(number: str) -> str:
    """Return the break and indent before an item of such a list."""
    return "\n" + "  " * (number.count(".") + 1)


def listed(parts: list[str]) -> str:
    """Return an English list of one or more."""
    if len(parts) < 3:
        return AND.join(parts)
    return COMMA.join(parts[:-1]) + COMMA_AND + parts[-1]


def other_case(text: str) -> str:
    """Change the case of the first letter, unless that cannot be undone."""
    first = text[:1]
    changed = first.lower() if first.isupper() else first.upper()
    back = changed.lower() if first.islower() else changed.upper()
    return changed + text[1:] if len(changed) == 1 and back == first else text
