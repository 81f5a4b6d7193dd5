"""Infix comparisons, membership and arithmetic, ``y > 9`` and ``x ∈ s``, rewritten as predicates and functions.

No notation of logic has them as signs of its own, but whoever writes them means a relation or a function. They are read
as if they were written with a name before their operands: ``Greater(y, 9)``, ``Member(x, s)``, ``plus(x, 1)``. Which
names an ontology has for them is its own affair: a formula with another is one with unknown symbols.
"""

from __future__ import annotations

from dataclasses import dataclass

from nlfol.logic.reading.tolerant.lexemes import (
    INFIX_WORDS,
    PREFIX_WORDS,
    QUANTIFIER_WORDS,
    Lexeme,
    LexemeKind,
    Vocabulary,
    place,
)
from nlfol.logic.syntax import FREE_VARIABLE

_SIGNS = {
    "*": "times", "×": "times", "\\times": "times", "\\cdot": "times",
    "+": "plus", "-": "minus", "−": "minus", "–": "minus",
    ">": "Greater", "\\gt": "Greater", "<": "Less", "\\lt": "Less",
    "≥": "GreaterOrEqual", "≧": "GreaterOrEqual", "⩾": "GreaterOrEqual", ">=": "GreaterOrEqual",
    "\\geq": "GreaterOrEqual", "\\ge": "GreaterOrEqual", "\\geqslant": "GreaterOrEqual",
    "≤": "LessOrEqual", "≦": "LessOrEqual", "⩽": "LessOrEqual", "<=": "LessOrEqual",
    "\\leq": "LessOrEqual", "\\le": "LessOrEqual", "\\leqslant": "LessOrEqual",
    "∈": "Member", "\\in": "Member", "∉": "¬Member", "\\notin": "¬Member",
}  # fmt: skip
_LEVELS = (frozenset(["times"]), frozenset(["plus", "minus"]), frozenset(_SIGNS.values()) - {"times", "plus", "minus"})
"""Operators in the order in which they are joined."""
_WORDS = frozenset([*INFIX_WORDS, *PREFIX_WORDS, *QUANTIFIER_WORDS])
_INNER = "-‐‑–.'’ʼ"
_CLOSING = {"(": ")", "[": "]", "{": "}"}


@dataclass(slots=True)
class _Node:
    """Some lexemes and nodes in order: ``group`` with its brackets, ``application``, ``term`` or ``formula``."""

    kind: str
    parts: list[Lexeme | _Node]


_Part = Lexeme | _Node


def rewrite(text: str, lexemes: list[Lexeme], vocabulary: Vocabulary) -> tuple[list[Lexeme], list[str]] | None:
    """Return the lexemes with a name before the operands of each infix sign, and repairs; None if there is no sign.

    There is none, either, where an operand is no name, numeral or application, where the sign restricts a quantifier,
    and where the result is no formula for another reason than its own.
    """
    equations = sum(lexeme.kind is LexemeKind.SIGN and lexeme.text == "=" for lexeme in lexemes)
    if equations < 2 and not any(_sign(text, lexeme) for lexeme in lexemes):
        return None
    rewriting = _Rewriting(text, vocabulary)
    parts = rewriting.grouped(_glued(text, lexemes))
    if parts is None or not rewriting.repairs:
        return None
    return _flat(parts), rewriting.repairs


def _sign(text: str, lexeme: _Part) -> str:
    if isinstance(lexeme, _Node) or lexeme.kind not in (LexemeKind.REFUSED, LexemeKind.MARK):
        return ""
    return _SIGNS.get(text[lexeme.start : lexeme.end], "")


def _glued(text: str, lexemes: list[Lexeme]) -> list[Lexeme]:
    """Join names with a point or hyphen inside, such as 2.5; ``x-1`` is none, as x is a variable."""
    glued: list[Lexeme] = []
    quantified = False  # a dot after a quantified name ends its list
    for lexeme in lexemes:
        if len(glued) > 1 and lexeme.kind is LexemeKind.NAME and glued[-1].is_mark(*_INNER) and not quantified:
            name, mark = glued[-2:]
            touching = name.end == mark.start and mark.end == lexeme.start
            if touching and name.kind is LexemeKind.NAME and not FREE_VARIABLE.fullmatch(name.text):
                glued[-2:] = [
                    Lexeme(LexemeKind.NAME, text[name.start : lexeme.end].replace("\\", ""), name.start, lexeme.end)
                ]
                continue
        if lexeme.kind is LexemeKind.NAME:
            quantified = bool(glued) and _quantifies(glued[-1])
        glued.append(lexeme)
    return glued


def _quantifies(part: _Part) -> bool:
    if isinstance(part, _Node):
        return False
    return part.kind is LexemeKind.QUANTIFIER or (
        part.kind is LexemeKind.NAME and part.text.lower() in QUANTIFIER_WORDS
    )


def _is_listed(part: _Part, mark: _Part) -> bool:
    """Return whether a name with a comma after it is in a list."""
    return isinstance(part, Lexeme) and part.kind is LexemeKind.NAME and isinstance(mark, Lexeme) and mark.is_mark(",")


def _mark(sign: str, at: int) -> Lexeme:
    return Lexeme(LexemeKind.MARK, sign, at, at)


def _flat(parts: list[_Part]) -> list[Lexeme]:
    flat: list[Lexeme] = []
    stack: list[_Part] = parts[::-1]
    while stack:
        part = stack.pop()
        if isinstance(part, _Node):
            stack.extend(reversed(part.parts))
        else:
            flat.append(part)
    return flat


class _Rewriting:
    def __init__(self, text: str, vocabulary: Vocabulary) -> None:
        self.text = text
        self.vocabulary = vocabulary
        self.repairs: list[str] = []

    def grouped(self, lexemes: list[Lexeme]) -> list[_Part] | None:
        """Return the parts of the whole text, what stands in brackets rewritten first."""
        stack: list[list[_Part]] = [[]]
        for lexeme in lexemes:
            if lexeme.is_mark(*_CLOSING):
                stack.append([lexeme])
            elif lexeme.is_mark(*_CLOSING.values()):
                if len(stack) == 1:
                    return None
                opening, *inside = stack.pop()
                assert isinstance(opening, Lexeme)
                head = self._head(stack[-1], lexeme) if opening.text == "(" else None
                reduced = self._reduced(inside, in_arguments=head is not None)
                if reduced is None:
                    return None
                group = _Node("group", [opening, *reduced, lexeme])
                if head is not None:
                    stack[-1].pop()
                    group = _Node("application", [head, group])
                stack[-1].append(group)
            else:
                stack[-1].append(lexeme)
        return self._reduced(stack[0], in_arguments=False) if len(stack) == 1 else None

    def _head(self, before: list[_Part], closing: Lexeme) -> Lexeme | None:
        """Return the name that is applied to the brackets after it, if one is."""
        head = before[-1] if before else None
        if not isinstance(head, Lexeme) or head.kind not in (LexemeKind.NAME, LexemeKind.TEXT) or self._is_word(head):
            return None
        bound = FREE_VARIABLE.fullmatch(head.text) or (len(before) > 1 and _quantifies(before[-2]))
        return None if bound else head

    def _is_word(self, lexeme: Lexeme) -> bool:
        return lexeme.text.lower() in _WORDS and lexeme.text not in self.vocabulary.declared

    def _reduced(self, parts: list[_Part], *, in_arguments: bool) -> list[_Part] | None:
        """Return the parts of one bracket with all that belongs together joined; none where something is no term."""
        for level in _LEVELS:
            joined: list[_Part] = []
            chained: _Part | None = None
            middle: _Part | None = None
            index = 0
            while index < len(parts):
                part = parts[index]
                name = _sign(self.text, part)
                operands = joined and index + 1 < len(parts) and name in level
                # The b of a < b < c is an operand of both signs.
                left = middle if operands and joined[-1] is chained else self._operand(joined[-1]) if operands else None
                right = self._operand(parts[index + 1]) if operands else None
                if left is None or right is None or not isinstance(part, Lexeme):
                    joined.append(part)
                    index += 1
                    continue
                # A sign <= between atoms or letters is an implication from right to left.
                is_backward = self.text[part.start : part.end] == "<=" and all(map(self._may_be_formula, (left, right)))
                if self._restricts(joined, name) or is_backward:
                    return None
                applied = self._applied(name, part, left, right)
                if joined[-1] is chained:
                    self.repairs.append(
                        f"{place(self.text, part.start)}: a chain of comparisons read as their conjunction"
                    )
                    both = [joined[-1], Lexeme(LexemeKind.SIGN, "∧", part.start, part.end), applied]
                    joined[-1] = _Node("formula", [_mark("(", part.start), *both, _mark(")", part.end)])
                else:
                    joined[-1] = applied
                if applied.kind == "formula":
                    chained, middle = joined[-1], right
                index += 2
            parts = joined
        return self._equated(parts) if self._is_sound(parts, in_arguments) else None

    def _operand(self, part: _Part) -> _Part | None:
        """Return the part as an argument, without the brackets around one term; None if it cannot be one."""
        if isinstance(part, Lexeme):
            return part if part.kind in (LexemeKind.NAME, LexemeKind.TEXT) and not self._is_word(part) else None
        if part.kind == "group" and len(part.parts) == 3:
            return self._operand(part.parts[1])
        return part if part.kind in ("application", "term") else None

    def _restricts(self, before: list[_Part], name: str) -> bool:
        """Return whether the left operand is the variable of a quantifier: ``∀x ∈ D``, ``∀x > 0``, ``∀x, y ∈ D``."""
        at = len(before) - 2
        while "Member" in name and at > 0 and _is_listed(before[at - 1], before[at]):
            at -= 2
        return at >= 0 and _quantifies(before[at])

    def _may_be_formula(self, part: _Part) -> bool:
        if isinstance(part, _Node):
            return part.kind == "application"
        return part.text[:1].isalpha() and part.text in self.vocabulary.letters

    def _applied(self, name: str, sign: Lexeme, left: _Part, right: _Part) -> _Node:
        shown = name.removeprefix("¬")
        self.repairs.append(f"{place(self.text, sign.start)}: {self.text[sign.start : sign.end]!r} read as {shown!r}")
        called: list[_Part] = [Lexeme(LexemeKind.SIGN, "¬", sign.start, sign.end)] if shown != name else []
        called += [Lexeme(LexemeKind.NAME, shown, sign.start, sign.end), _mark("(", sign.end), left]
        called += [_mark(",", sign.end), right, _mark(")", sign.end)]
        return _Node("term" if shown[0].islower() else "formula", called)

    def _equated(self, parts: list[_Part]) -> list[_Part]:
        """Return the parts with a = b ∧ b = c for each chain a = b = c."""
        changed = list(parts)
        for at in range(len(parts) - 2, 2, -1):
            middle, operands = self._operand(parts[at - 1]), (parts[at - 2], parts[at])
            if middle is not None and all(isinstance(operand, Lexeme) and operand.text == "=" for operand in operands):
                sign = parts[at]
                assert isinstance(sign, Lexeme)
                self.repairs.append(f"{place(self.text, sign.start)}: a chain of equations read as their conjunction")
                changed[at:at] = [Lexeme(LexemeKind.SIGN, "∧", sign.start, sign.end), middle]
        return changed

    def _is_sound(self, parts: list[_Part], in_arguments: bool) -> bool:
        """Return whether terms stand where terms can, and formulas where formulas can."""
        for index, part in enumerate(parts):
            meant = self._operand(part) if isinstance(part, _Node) and part.kind == "group" else part
            kind = meant.kind if isinstance(meant, _Node) else ""
            beside = [*parts[max(index - 1, 0) : index], *parts[index + 1 : index + 2]]
            equated = any(isinstance(neighbour, Lexeme) and neighbour.text in ("=", "≠") for neighbour in beside)
            # A term alone between brackets may be an operand of what is around them.
            if kind == "formula" and (in_arguments or equated):
                return False
            if kind == "term" and not in_arguments and not equated and len(parts) > 1:
                return False
        return True
