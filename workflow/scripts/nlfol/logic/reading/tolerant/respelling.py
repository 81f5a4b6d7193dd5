"""Lexemes respelled where the text as it stands is no formula: truth constants, and the quantifiers of older books."""

import re
from itertools import count

from nlfol.logic.reading.tolerant.lexemes import TRUTH, TRUTHS, Lexeme, LexemeKind, Vocabulary, place

_OLDER = re.compile(r"([AE]?)([u-z][0-9]*)")
"""The variable between the parentheses of ``(x)``, ``(Ax)`` and ``(Ex)``."""


def respelled(text: str, lexemes: list[Lexeme], vocabulary: Vocabulary) -> tuple[list[Lexeme], list[str]] | None:
    """Return the lexemes with repairs, None without; a truth constant becomes ∀x (x = x) or its negation."""
    found: list[Lexeme] = []
    repairs: list[str] = []
    names = {lexeme.text for lexeme in lexemes}
    fresh = next(unused for number in count() if (unused := f"x{number}") not in names)
    # A text without a connective that says True answers another question.
    has_connective = any(each.kind is LexemeKind.SIGN and each.text not in "=≠" for each in lexemes)
    index = 0
    while index < len(lexemes):
        lexeme = lexemes[index]
        truth = (
            _truth(text, lexemes, index, vocabulary) if has_connective or lexeme.kind is LexemeKind.REFUSED else None
        )
        binder = _older_binder(lexemes, index)
        if truth is not None:
            found += _constant(truth, fresh, lexeme)
            shown = text[lexeme.start : lexeme.end]
            meant = f"∀{fresh} {fresh} = {fresh}" if truth else f"¬∀{fresh} {fresh} = {fresh}"
            repairs.append(f"{place(text, lexeme.start)}: {shown!r} read as {meant}")
            index += 1
        elif binder is not None:
            sign, variable = binder
            name = lexemes[index + 1]
            found += [lexeme, Lexeme(LexemeKind.QUANTIFIER, sign, name.start, name.start)]
            found += [Lexeme(LexemeKind.NAME, variable, name.start, name.end), lexemes[index + 2]]
            repairs.append(f"{place(text, lexeme.start)}: '({name.text})' read as {sign}{variable}")
            index += 3
        else:
            found.append(lexeme)
            index += 1
    return (found, repairs) if repairs else None


def _truth(text: str, lexemes: list[Lexeme], index: int, vocabulary: Vocabulary) -> bool | None:
    """Return which truth constant stands there as a formula; None where none does."""
    lexeme = lexemes[index]
    if lexeme.kind is LexemeKind.REFUSED and lexeme.text == TRUTH:
        return TRUTHS[text[lexeme.start : lexeme.end]]
    word = lexeme.text.lower() if lexeme.kind is LexemeKind.NAME else ""
    if word not in ("true", "false") or lexeme.text in vocabulary.declared:
        return None
    beside = (*lexemes[max(index - 1, 0) : index], *lexemes[index + 1 : index + 2])
    is_term = any(each.kind is LexemeKind.SIGN and each.text in "=≠" for each in beside)
    return None if is_term or lexemes[index + 1].is_mark("(", ",") else word == "true"


def _constant(truth: bool, variable: str, at: Lexeme) -> list[Lexeme]:
    def lexeme(kind: LexemeKind, text: str) -> Lexeme:
        return Lexeme(kind, text, at.start, at.end)

    name = lexeme(LexemeKind.NAME, variable)
    equation = [name, lexeme(LexemeKind.SIGN, "="), name]
    opening, closing = lexeme(LexemeKind.MARK, "("), lexeme(LexemeKind.MARK, ")")
    negation = [] if truth else [lexeme(LexemeKind.SIGN, "¬")]
    quantifier = lexeme(LexemeKind.QUANTIFIER, "∀")
    return [opening, *negation, quantifier, name, opening, *equation, closing, closing]


def _older_binder(lexemes: list[Lexeme], index: int) -> tuple[str, str] | None:
    """Return the quantifier and variable of ``(x)``, ``(Ax)`` or ``(Ex)`` before what can be its scope."""
    if index + 3 >= len(lexemes) or not (lexemes[index].is_mark("(") and lexemes[index + 2].is_mark(")")):
        return None
    name, after = lexemes[index + 1], lexemes[index + 3]
    found = _OLDER.fullmatch(name.text) if name.kind is LexemeKind.NAME else None
    is_applied = index > 0 and lexemes[index - 1].kind in (LexemeKind.NAME, LexemeKind.TEXT)
    is_scope = after.is_mark("(", "[", "-", "!") or after.kind in (LexemeKind.NAME, LexemeKind.QUANTIFIER)
    is_scope = is_scope or (after.kind is LexemeKind.SIGN and after.text == "¬")
    if found is None or is_applied or not is_scope:
        return None
    return "∃" if found[1] == "E" else "∀", found[2]
