"""``==`` between formulas, which is ↔, and names that two typefaces tell apart."""

from __future__ import annotations

import re

from nlfol.logic.reading.tolerant.tokens import Kind, Lexeme
from nlfol.logic.reading.tolerant.vocabulary import INFIX_WORDS, PREFIX_WORDS, Vocabulary

_TYPEFACE = re.compile(r"\\(?:math(cal|bf|sf|tt)|text(bf|sf|tt))\b")
"""Typefaces in which a letter is another symbol; upright and italic ones are not."""


def without_double_equals(
    text: str, lexemes: list[Lexeme], vocabulary: Vocabulary
) -> tuple[list[Lexeme], tuple[int, ...]]:
    """The lexemes with ↔ in place of each ``==`` between formulas, and where they are."""
    openings = _openings(lexemes)
    found: list[int] = []
    changed = list(lexemes)
    for index, lexeme in enumerate(lexemes):
        is_double = lexeme.kind is Kind.SIGN and text[lexeme.start : lexeme.end] == "=="
        if is_double and index - 1 in openings and _is_formula(lexemes, openings[index - 1] - 1, vocabulary):
            after = lexemes[index + 1]
            applied = after.kind is Kind.NAME and lexemes[index + 2].is_mark("(")
            negated = after.kind is Kind.QUANTIFIER or (after.kind is Kind.SIGN and after.text == "¬")
            if negated or after.is_mark("(") or (applied and _is_formula(lexemes, index + 1, vocabulary)):
                changed[index] = Lexeme(Kind.SIGN, "↔", lexeme.start, lexeme.end)
                found.append(lexeme.start)
    return changed, tuple(found)


def _openings(lexemes: list[Lexeme]) -> dict[int, int]:
    """Of each closing parenthesis where it was opened."""
    found: dict[int, int] = {}
    stack: list[int] = []
    for index, lexeme in enumerate(lexemes):
        if lexeme.is_mark("("):
            stack.append(index)
        elif lexeme.is_mark(")") and stack:
            found[index] = stack.pop()
    return found


def _is_formula(lexemes: list[Lexeme], head: int, vocabulary: Vocabulary) -> bool:
    """Whether the parentheses after a name are a formula's: those of a predicate, or around a formula."""
    if head < 0 or lexemes[head].kind is not Kind.NAME:
        return head < 0 or lexemes[head].kind is not Kind.TEXT
    name = lexemes[head].text
    if name in vocabulary.functions:
        return False
    word = name.lower() in INFIX_WORDS or name.lower() in PREFIX_WORDS
    return word or name[:1].isupper() or (vocabulary.applicable is not None and name in vocabulary.applicable)


def in_typefaces(text: str, lexemes: list[Lexeme]) -> tuple[list[Lexeme], tuple[Lexeme, ...]]:
    """The lexemes with the typeface in each name that stands in several, and the first of each such name."""
    faces: dict[str, set[str]] = {}
    for lexeme in lexemes:
        if lexeme.kind is Kind.NAME:
            faces.setdefault(lexeme.text, set()).add(_face(text, lexeme))
    merged = {name for name, found in faces.items() if len(found) > 1}
    first = {lexeme.text: lexeme for lexeme in reversed(lexemes) if lexeme.kind is Kind.NAME and lexeme.text in merged}
    if not first:
        return lexemes, ()
    told = [
        Lexeme(Kind.NAME, f"{lexeme.text}_{face}", lexeme.start, lexeme.end)
        if lexeme.kind is Kind.NAME and lexeme.text in merged and (face := _face(text, lexeme))
        else lexeme
        for lexeme in lexemes
    ]
    return told, tuple(sorted(first.values(), key=lambda lexeme: lexeme.start))


def _face(text: str, lexeme: Lexeme) -> str:
    found = _TYPEFACE.match(text, lexeme.start, lexeme.end)
    return (found[1] or found[2]) if found else ""
