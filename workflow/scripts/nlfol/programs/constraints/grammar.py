"""The grammar of conditions, by recursive descent of bounded depth.

condition  = conjunct { "or" conjunct }         conjunct = negated { "and" negated }
negated    = { "not" } ( comparison | all-different | "(" condition ")" )
comparison = sum ( "==" | "!=" | "<" | "<=" | ">" | ">=" ) sum { … sum }
sum        = [ "-" ] part { ( "+" | "-" ) part }
part       = integer | name | "|" sum "|" | "abs" "(" sum ")" | "(" sum ")"
all-different = "AllDifferentConstraint" "(" "[" sum { "," sum } "]" ")"
"""

from __future__ import annotations

import re
from typing import NamedTuple

from nlfol.programs.constraints.expressions import (
    SIGNS,
    Absolute,
    AllDifferent,
    Comparison,
    Condition,
    Junction,
    Negation,
    Sum,
)
from nlfol.programs.outcome import ProgramError, Repair, RepairKind
from nlfol.programs.texts import quoted

MAX_NESTING = 20
"""Brackets within brackets."""

MAX_DIGITS = 18
"""Digits of an integer."""

_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+)|(?P<name>[^\W\d]\w*)|(?P<sign>[=!<>]=|=[<>]|&&|[-+−–()|\[\],<>=≠≤≥!¬~&∧∨]))", re.ASCII
)
_NAME = re.compile(r"\s*([^\W\d]\w*)")
_SPELLINGS = {
    **dict.fromkeys(("≤", "=<"), "<="),
    **dict.fromkeys(("≥", "=>"), ">="),
    **dict.fromkeys(("−", "–"), "-"),
    **dict.fromkeys(("&&", "&", "∧"), "and"),
    **dict.fromkeys(("!", "¬", "~"), "not"),
    "=": "==",
    "≠": "!=",
    "∨": "or",
}
_WORDS = {
    **dict.fromkeys(("alldifferentconstraint", "alldifferent", "all_different", "distinct"), "AllDifferentConstraint"),
    "and": "and",
    "or": "or",
    "not": "not",
    "abs": "abs",
}


class _Token(NamedTuple):
    kind: str
    text: str
    place: int


def read_condition(text: str, line: int, repairs: list[Repair]) -> Condition:
    """Read a condition.

    Args:
        text: the condition.
        line: its line, for messages.
        repairs: where repairs are added.

    Raises:
        ProgramError: if the line is not a condition.
    """
    parser = _Parser(_tokens(text, line, repairs), text, line)
    found = parser.expression(0)
    if parser.kind != "end":
        raise parser.error("an operator or the end")
    return parser.condition(found)


def _tokens(text: str, line: int, repairs: list[Repair]) -> list[_Token]:
    tokens = []
    place, end = 0, len(text.rstrip().removesuffix("."))
    while place < end:
        match = _TOKEN.match(text, place, end)
        if match is None:
            name = _NAME.match(text, place, end)
            if name is None:
                shown = quoted(text[place:end].lstrip()[:1])
                raise ProgramError(f"{shown} is no part of the notation of constraints", line)
            match, kind, word = name, "name", name[1]
        else:
            kind = str(match.lastgroup)
            word = match[kind]
        if kind == "number" and len(word) > MAX_DIGITS:
            raise ProgramError(f"an integer of {len(word)} digits; at most {MAX_DIGITS} are read", line)
        if kind == "sign":
            kind = _SPELLINGS.get(word, word)
            if kind != word:
                repairs.append(Repair(RepairKind.CONNECTIVE, line, f"{word!r} read as {kind!r}"))
        elif kind == "name" and (known := _WORDS.get(word.lower())) is not None:
            kind = known
            if kind != word:
                repairs.append(Repair(RepairKind.CONNECTIVE, line, f"{word!r} read as {kind!r}"))
        tokens.append(_Token(kind, word, match.end() - len(word)))
        place = match.end()
    tokens.append(_Token("end", "", end))
    return tokens


class _Parser:
    """A sum or a condition at each level; which of them it must be is decided by what it stands in."""

    def __init__(self, tokens: list[_Token], text: str, line: int) -> None:
        self.tokens = tokens
        self.text = text
        self.line = line
        self.at = 0

    @property
    def kind(self) -> str:
        return self.tokens[self.at].kind

    def error(self, needed: str) -> ProgramError:
        token = self.tokens[self.at]
        found = quoted(token.text) if token.text else "the end"
        return ProgramError(f"column {token.place + 1}: {found} where {needed} is needed", self.line)

    def take(self, *kinds: str) -> str | None:
        kind = self.kind
        if kind not in kinds:
            return None
        self.at += 1
        return kind

    def need(self, kind: str) -> None:
        if self.take(kind) is None:
            raise self.error(repr(kind))

    def condition(self, found: Sum | Condition) -> Condition:
        if isinstance(found, Sum):
            raise self.error("a comparison")
        return found

    def sum(self, found: Sum | Condition) -> Sum:
        if not isinstance(found, Sum):
            raise self.error("a number, not a condition,")
        return found

    def expression(self, depth: int) -> Sum | Condition:
        if depth > MAX_NESTING:
            raise ProgramError(f"more than {MAX_NESTING} brackets within one another", self.line)
        return self.junction("or", depth)

    def junction(self, kind: str, depth: int) -> Sum | Condition:
        first = self.junction("and", depth) if kind == "or" else self.negated(depth)
        parts = [first]
        while self.take(kind):
            parts.append(self.junction("and", depth) if kind == "or" else self.negated(depth))
        return first if len(parts) == 1 else Junction(kind, tuple(map(self.condition, parts)))

    def negated(self, depth: int) -> Sum | Condition:
        negations = 0
        while self.take("not"):
            negations += 1
        found = self.comparison(depth)
        return Negation(self.condition(found)) if negations % 2 else found

    def comparison(self, depth: int) -> Sum | Condition:
        if self.take("AllDifferentConstraint"):
            return self.all_different(depth)
        first = self.addition(depth)
        found: list[Condition] = []
        left = first
        while sign := self.take(*SIGNS):
            right = self.addition(depth)
            found.append(Comparison(sign, self.sum(left), self.sum(right)))
            left = right
        if not found:
            return first
        return found[0] if len(found) == 1 else Junction("and", tuple(found))

    def all_different(self, depth: int) -> Condition:
        self.need("(")
        bracket = self.take("[")
        sums = [self.sum(self.addition(depth + 1))]
        while self.take(","):
            sums.append(self.sum(self.addition(depth + 1)))
        if bracket:
            self.need("]")
        self.need(")")
        return AllDifferent(tuple(sums))

    def addition(self, depth: int) -> Sum | Condition:
        factor = -1 if self.take("-") else 1
        first = self.part(depth)
        if factor == 1 and self.kind not in ("+", "-"):
            return first
        constant, parts = 0, list[tuple[int, str | Absolute]]()
        operand: Sum | Condition | None = first
        while operand is not None:
            added = self.sum(operand)
            constant += factor * added.constant
            parts += [(factor * inner, part) for inner, part in added.parts]
            sign = self.take("+", "-")
            factor = -1 if sign == "-" else 1
            operand = self.part(depth) if sign else None
        return Sum(constant, tuple(parts))

    def part(self, depth: int) -> Sum | Condition:
        token = self.tokens[self.at]
        match self.take("number", "name", "|", "abs", "("):
            case "number":
                return Sum(int(token.text))
            case "name":
                return Sum(0, ((1, token.text),))
            case "|":
                inside = self.sum(self.expression(depth + 1))
                self.need("|")
                return Sum(0, ((1, Absolute(inside)),))
            case "abs":
                self.need("(")
                inside = self.sum(self.expression(depth + 1))
                self.need(")")
                return Sum(0, ((1, Absolute(inside)),))
            case "(":
                found = self.expression(depth + 1)
                self.need(")")
                return found
            case _:
                raise self.error("a variable or an integer")
