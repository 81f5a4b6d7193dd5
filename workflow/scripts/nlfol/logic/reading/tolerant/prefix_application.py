"""Lean's application without parentheses, ``∀ x, Loves x (father x)``, rewritten with them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from nlfol.logic.errors import FormulaSyntaxError
from nlfol.logic.reading.tolerant.tokens import ENGLISH, Kind, Lexeme
from nlfol.logic.reading.tolerant.vocabulary import QUANTIFIER_WORDS
from nlfol.logic.syntax import FREE_VARIABLE

_OPERATORS = frozenset(["and", "or", "xor", "not", "implies", "iff", *QUANTIFIER_WORDS])


@dataclass(frozen=True, slots=True)
class Applied:
    """Lexemes in which every application has its parentheses.

    Attributes:
        lexemes: of the whole text.
        doubtful: places where ``Bob likes x`` could have been meant in English: a constant right after the predicate
            and something after it.
    """

    lexemes: list[Lexeme]
    doubtful: tuple[int, ...]


def apply_prefixes(text: str, lexemes: list[Lexeme], predicates: frozenset[str] | None) -> Applied | None:
    """The lexemes with parentheses around arguments; none where the text is not written in Lean's way.

    It is where a sign quantifies with a comma after the variables, names stand side by side outside the quantifiers,
    none of them is an English function word, and no name has an opening parenthesis right at its end.

    Args:
        text: the text of the lexemes, for errors.
        lexemes: of the whole text.
        predicates: the predicates and functions that can be applied, if it is known.
    """
    binding = _binding(lexemes)
    if binding is None:
        return None
    juxtaposed = False
    for index, (lexeme, after) in enumerate(pairwise(lexemes)):
        if lexeme.kind is not Kind.NAME or index in binding:
            continue
        if after.is_mark("(") and after.start == lexeme.end:
            return None
        if after.kind is Kind.NAME and not {lexeme.text.lower(), after.text.lower()} & _OPERATORS:
            if {lexeme.text, after.text} & ENGLISH:  # Do, In and On are predicates
                return None
            juxtaposed = True
    if not juxtaposed:
        return None
    writing = _Writing(text, lexemes, binding, predicates)
    writing.run()
    return Applied(writing.out, tuple(writing.doubtful))


def _binding(lexemes: list[Lexeme]) -> frozenset[int] | None:
    """Indices of the quantified variables, their types and what separates them; none where no comma ends them."""
    found: set[int] = set()
    commas = False
    for index, lexeme in enumerate(lexemes):
        if lexeme.kind is Kind.QUANTIFIER:
            at = index + 1 + lexemes[index + 1].is_mark("!")
            bracketed = lexemes[at].is_mark("(")
            at = _after_names(lexemes, at + bracketed)
            if lexemes[at].is_mark(":"):
                at = _after_names(lexemes, at + 1)
            at += bracketed and lexemes[at].is_mark(")")
            if lexemes[at].is_mark(","):
                commas = True
                found.update(range(index, at + 1))
    return frozenset(found) if commas else None


def _after_names(lexemes: list[Lexeme], index: int) -> int:
    while lexemes[index].kind is Kind.NAME:
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
            lexemes[i].text for i in binding if lexemes[i].kind is Kind.NAME and not lexemes[i - 1].is_mark(":")
        }
        self.out: list[Lexeme] = []
        self.doubtful: list[int] = []

    def _is_head(self, index: int) -> bool:
        lexeme, after = self.lexemes[index], self.lexemes[index + 1]
        return (
            lexeme.kind is Kind.NAME
            and index not in self.binding
            and lexeme.text.lower() not in _OPERATORS
            and (after.is_mark("(") or (after.kind is Kind.NAME and after.text.lower() not in _OPERATORS))
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
        self.out.append(Lexeme(Kind.MARK, mark, at.start, at.start))

    def _application(self, index: int) -> int:
        """Write one application; the index after it."""
        self._head(index)
        counts = [0]
        index += 1
        while counts:
            lexeme = self.lexemes[index]
            if lexeme.kind in (Kind.NAME, Kind.TEXT) and lexeme.text.lower() not in _OPERATORS:
                self._next(counts, lexeme)
                first = len(counts) == 1 and counts[-1] == 1
                if first and self.lexemes[index + 1].kind is Kind.NAME and not self._is_variable(lexeme):
                    self.doubtful.append(lexeme.start)
                self.out.append(lexeme)
                index += 1
            elif lexeme.is_mark("("):
                inner, closing = self.lexemes[index + 1], self.lexemes[min(index + 2, len(self.lexemes) - 1)]
                if inner.kind is Kind.END:
                    raise FormulaSyntaxError("this parenthesis is never closed", self.text, lexeme.start)
                if inner.kind is not Kind.NAME:
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
