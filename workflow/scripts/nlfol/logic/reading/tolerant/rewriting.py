"""Lexemes rewritten before they are shaped: Lean's applications, ``==`` between formulas, names in typefaces."""

import re
from dataclasses import dataclass
from itertools import pairwise

from nlfol.logic.errors import FormulaSyntaxError
from nlfol.logic.reading.tolerant.lexemes import (
    ENGLISH,
    INFIX_WORDS,
    PREFIX_WORDS,
    QUANTIFIER_WORDS,
    Lexeme,
    LexemeKind,
    Vocabulary,
)
from nlfol.logic.syntax import FREE_VARIABLE

_OPERATORS = frozenset(["and", "or", "xor", "not", "implies", "iff", *QUANTIFIER_WORDS])
_TYPEFACE = re.compile(r"\\(?:math(cal|bf|sf|tt)|text(bf|sf|tt))\b")
"""Typefaces in which a letter is another symbol; upright and italic ones are not."""


@dataclass(frozen=True, slots=True)
class Applied:
    """Lexemes with parentheses for every application, and doubtful places, such as the English of ``Bob likes x``."""

    lexemes: list[Lexeme]
    doubtful: tuple[int, ...]


def apply_prefixes(text: str, lexemes: list[Lexeme], predicates: frozenset[str] | None) -> Applied | None:
    """Return the lexemes with parentheses around arguments; none where the text is not written in Lean's way.

    It is where a sign quantifies with a comma after the variables, names stand side by side outside the quantifiers,
    none of them is an English function word, and no name has an opening parenthesis right at its end. The predicates
    and functions that can be applied may be known.
    """
    binding = _binding(lexemes)
    if binding is None:
        return None
    juxtaposed = False
    for index, (lexeme, after) in enumerate(pairwise(lexemes)):
        if lexeme.kind is not LexemeKind.NAME or index in binding:
            continue
        if after.is_mark("(") and after.start == lexeme.end:
            return None
        if after.kind is LexemeKind.NAME and not {lexeme.text.lower(), after.text.lower()} & _OPERATORS:
            if {lexeme.text, after.text} & ENGLISH:  # Do, In and On are predicates
                return None
            juxtaposed = True
    if not juxtaposed:
        return None
    writing = _Writing(text, lexemes, binding, predicates)
    writing.run()
    return Applied(writing.out, tuple(writing.doubtful))


def _binding(lexemes: list[Lexeme]) -> frozenset[int] | None:
    """Return the indices of quantified variables, their types and separators; None where no comma ends them."""
    indices: set[int] = set()
    commas = False
    for index, lexeme in enumerate(lexemes):
        if lexeme.kind is LexemeKind.QUANTIFIER:
            at = index + 1 + lexemes[index + 1].is_mark("!")
            bracketed = lexemes[at].is_mark("(")
            at = _after_names(lexemes, at + bracketed)
            if lexemes[at].is_mark(":"):
                at = _after_names(lexemes, at + 1)
            at += bracketed and lexemes[at].is_mark(")")
            if lexemes[at].is_mark(","):
                commas = True
                indices.update(range(index, at + 1))
    return frozenset(indices) if commas else None


def _after_names(lexemes: list[Lexeme], index: int) -> int:
    while lexemes[index].kind is LexemeKind.NAME:
        index += 1
    return index


class _Writing:
    """One pass; ``depth`` counts the applications that are open, each with the number of its arguments so far."""

    def __init__(
        self, text: str, lexemes: list[Lexeme], binding: frozenset[int], predicates: frozenset[str] | None
    ) -> None:
        self.text = text
        self.lexemes = lexemes
        self.binding = binding
        self.predicates = predicates
        self.variables = {
            lexemes[i].text for i in binding if lexemes[i].kind is LexemeKind.NAME and not lexemes[i - 1].is_mark(":")
        }
        self.out: list[Lexeme] = []
        self.doubtful: list[int] = []

    def _is_head(self, index: int) -> bool:
        lexeme, after = self.lexemes[index], self.lexemes[index + 1]
        return (
            lexeme.kind is LexemeKind.NAME
            and index not in self.binding
            and lexeme.text.lower() not in _OPERATORS
            and (after.is_mark("(") or (after.kind is LexemeKind.NAME and after.text.lower() not in _OPERATORS))
        )

    def run(self) -> None:
        index = 0
        while index < len(self.lexemes):
            if index < len(self.lexemes) - 1 and self._is_head(index):
                index = self._application(index)
            else:
                self.out.append(self.lexemes[index])
                index += 1

    def _mark(self, mark: str, at: Lexeme) -> None:
        self.out.append(Lexeme(LexemeKind.MARK, mark, at.start, at.start))

    def _application(self, index: int) -> int:
        """Write one application; the index after it."""
        self._head(index)
        counts = [0]
        index += 1
        while counts:
            lexeme = self.lexemes[index]
            if lexeme.kind in (LexemeKind.NAME, LexemeKind.TEXT) and lexeme.text.lower() not in _OPERATORS:
                self._next(counts, lexeme)
                first = len(counts) == 1 and counts[-1] == 1
                if first and self.lexemes[index + 1].kind is LexemeKind.NAME and not self._is_variable(lexeme):
                    self.doubtful.append(lexeme.start)
                self.out.append(lexeme)
                index += 1
            elif lexeme.is_mark("("):
                inner, closing = self.lexemes[index + 1], self.lexemes[min(index + 2, len(self.lexemes) - 1)]
                if inner.kind is LexemeKind.END:
                    raise FormulaSyntaxError("this parenthesis is never closed", self.text, lexeme.start)
                if inner.kind is not LexemeKind.NAME:
                    raise FormulaSyntaxError("a formula cannot be an argument", self.text, lexeme.start)
                self._next(counts, lexeme)
                if closing.is_mark(")"):
                    self.out.append(inner)
                    index += 3
                else:
                    self._head(index + 1)
                    counts.append(0)
                    index += 2
            elif len(counts) == 1:
                self._mark(")", lexeme)
                counts.pop()
            elif lexeme.is_mark(")") and counts[-1]:
                self._mark(")", lexeme)
                counts.pop()
                index += 1
            else:
                raise FormulaSyntaxError("a formula cannot be an argument", self.text, lexeme.start)
        return index

    def _next(self, counts: list[int], lexeme: Lexeme) -> None:
        if counts[-1]:
            self._mark(",", lexeme)
        counts[-1] += 1

    def _is_variable(self, lexeme: Lexeme) -> bool:
        return lexeme.text in self.variables or bool(FREE_VARIABLE.fullmatch(lexeme.text))

    def _head(self, index: int) -> None:
        head = self.lexemes[index]
        if self._is_variable(head) or (self.predicates is not None and head.text not in self.predicates):
            why = "a variable" if self._is_variable(head) else "not among the predicates"
            raise FormulaSyntaxError(
                f"{head.text!r} is {why} and cannot be applied to what follows", self.text, head.start
            )
        self.out.append(head)
        self._mark("(", self.lexemes[index + 1])


def without_double_equals(
    text: str, lexemes: list[Lexeme], vocabulary: Vocabulary
) -> tuple[list[Lexeme], tuple[int, ...]]:
    """Return the lexemes with ↔ in place of each ``==`` between formulas, and where they are."""
    opened = openings(lexemes)
    starts: list[int] = []
    changed = list(lexemes)
    for index, lexeme in enumerate(lexemes):
        is_double = lexeme.kind is LexemeKind.SIGN and text[lexeme.start : lexeme.end] == "=="
        if is_double and index - 1 in opened and _is_formula(lexemes, opened[index - 1] - 1, vocabulary):
            after = lexemes[index + 1]
            applied = after.kind is LexemeKind.NAME and lexemes[index + 2].is_mark("(")
            negated = after.kind is LexemeKind.QUANTIFIER or (after.kind is LexemeKind.SIGN and after.text == "¬")
            if negated or after.is_mark("(") or (applied and _is_formula(lexemes, index + 1, vocabulary)):
                changed[index] = Lexeme(LexemeKind.SIGN, "↔", lexeme.start, lexeme.end)
                starts.append(lexeme.start)
    return changed, tuple(starts)


def openings(lexemes: list[Lexeme]) -> dict[int, int]:
    """Return for each closing parenthesis the opening one."""
    opening_of: dict[int, int] = {}
    stack: list[int] = []
    for index, lexeme in enumerate(lexemes):
        if lexeme.is_mark("("):
            stack.append(index)
        elif lexeme.is_mark(")") and stack:
            opening_of[index] = stack.pop()
    return opening_of


def _is_formula(lexemes: list[Lexeme], head: int, vocabulary: Vocabulary) -> bool:
    """Return whether the parentheses after a name are a formula's: those of a predicate, or around a formula."""
    if head < 0 or lexemes[head].kind is not LexemeKind.NAME:
        return head < 0 or lexemes[head].kind is not LexemeKind.TEXT
    name = lexemes[head].text
    if name in vocabulary.functions:
        return False
    word = name.lower() in INFIX_WORDS or name.lower() in PREFIX_WORDS
    return word or name[:1].isupper() or (vocabulary.applicable is not None and name in vocabulary.applicable)


def in_typefaces(text: str, lexemes: list[Lexeme]) -> tuple[list[Lexeme], tuple[Lexeme, ...]]:
    """Return the lexemes with the typeface in each name that stands in several, and the first of each such name."""
    faces: dict[str, set[str]] = {}
    for lexeme in lexemes:
        if lexeme.kind is LexemeKind.NAME:
            faces.setdefault(lexeme.text, set()).add(_face(text, lexeme))
    merged = {name for name, typefaces in faces.items() if len(typefaces) > 1}
    first = {
        lexeme.text: lexeme for lexeme in reversed(lexemes) if lexeme.kind is LexemeKind.NAME and lexeme.text in merged
    }
    if not first:
        return lexemes, ()
    marked = [
        Lexeme(LexemeKind.NAME, f"{lexeme.text}_{face}", lexeme.start, lexeme.end)
        if lexeme.kind is LexemeKind.NAME and lexeme.text in merged and (face := _face(text, lexeme))
        else lexeme
        for lexeme in lexemes
    ]
    return marked, tuple(sorted(first.values(), key=lambda lexeme: lexeme.start))


def _face(text: str, lexeme: Lexeme) -> str:
    match = _TYPEFACE.match(text, lexeme.start, lexeme.end)
    return (match[1] or match[2]) if match else ""
