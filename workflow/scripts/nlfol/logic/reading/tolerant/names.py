"""Names and terms as models write them: with hyphens and points, between quotation marks, with leading digits."""

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Protocol

from nlfol.logic.errors import FormulaError, FormulaSyntaxError
from nlfol.logic.naming import valid_name
from nlfol.logic.reading.tolerant.lexemes import (
    COMPARISON,
    ENGLISH,
    TRUTH_VALUES,
    Lexeme,
    LexemeKind,
    LexemeReader,
    Vocabulary,
    place,
)
from nlfol.logic.syntax import FREE_VARIABLE

_LOGIC = re.compile(r"[∀∃∧∨⊕→↔¬=≠()<>|~\[\]{}^]")
_LETTER = re.compile("[A-Za-z][0-9]*")
_INNER = "-‐‑–.'’ʼ"


class _EmitName(Protocol):
    def __call__(self, lexeme: Lexeme, letter: bool = False) -> None: ...


class NameReader(LexemeReader):
    """Reader of atoms and terms, which hands their tokens on."""

    def __init__(
        self,
        text: str,
        lexemes: list[Lexeme],
        vocabulary: Vocabulary,
        emit_name: _EmitName,
        emit: Callable[[str, Lexeme], None],
    ) -> None:
        super().__init__(text, lexemes, vocabulary)
        self.emit_name = emit_name
        self.emit = emit

    def atom(self, index: int) -> tuple[int, str]:
        """Read an atom, a letter, or the left side of an equation; return the next index and a liberty taken."""
        first = self.lexemes[index]
        name, after = self._name(index)
        following = self.lexemes[after]
        letter = bool(self.vocabulary.letters) and self._is_letter(name)
        if following.is_mark("("):
            if letter and self.lexemes[after + 1].is_mark(")"):
                self.emit_name(name, letter=True)
                return (
                    after + 2,
                    f"{place(self.text, following.start)}: the empty parentheses after {name.text!r} dropped",
                )
            self.emit_name(name)
            return self._arguments(after), ""
        if following.kind is LexemeKind.SIGN and following.text in "=≠":
            self.emit_name(name)
            return after, ""
        if following.kind in (LexemeKind.NAME, LexemeKind.TEXT):
            is_complete = self.vocabulary.joins(following)
        else:
            # A sign or word may still be none that can stand there.
            is_complete = following.kind is not LexemeKind.REFUSED and not following.is_mark("[", "{")
        if letter and is_complete:
            self.emit_name(name, letter=True)
            return after, ""
        raise self._alone(first, name, following)

    def _is_letter(self, name: Lexeme) -> bool:
        try:
            return valid_name(name.text) in self.vocabulary.letters
        except FormulaError:
            return False

    def term(self, index: int) -> int:
        """Read a term; the index after it."""
        name, after = self._name(index)
        self.emit_name(name)
        return self._arguments(after) if self.lexemes[after].is_mark("(") else after

    def _alone(self, first: Lexeme, name: Lexeme, following: Lexeme) -> FormulaSyntaxError:
        if first.text.lower() in ENGLISH:
            return self._error(f"{first.text!r} is an English word: this is prose, not a formula", first)
        if following.kind is LexemeKind.REFUSED:
            return self._refused(following)
        if following.is_mark("[", "{"):
            return self._error("arguments stand between round parentheses", following)
        is_letter = _LETTER.fullmatch(name.text) and self.vocabulary.joins(following)
        if following.kind in (LexemeKind.NAME, LexemeKind.TEXT) and not is_letter:
            problem = (
                f"two names in a row, {name.text!r} and {following.text!r}: this is prose or an unfinished formula"
            )
            return self._error(problem, following)
        if name.text.lower() in TRUTH_VALUES:
            return self._error(f"{name.text!r} is a truth value, not a formula", first)
        return self._error(
            f"{name.text!r} stands alone: nullary predicates are not supported, a predicate needs arguments"
            " (--propositions reads it as a letter)",
            first,
        )

    def _name(self, index: int) -> tuple[Lexeme, int]:
        """Return the name that starts there, with the punctuation inside it, and the index after it."""
        first = self.lexemes[index]
        if first.kind is LexemeKind.TEXT:
            if _LOGIC.search(first.text):
                raise self._error(f"{first.text!r} is no name: it has signs of logic or parentheses in it", first)
            return first, index + 1
        if first.kind is not LexemeKind.NAME:
            raise self._no_term(first)
        if not first.text.strip("_"):
            raise self._error(f"{first.text!r} names nothing: put a variable there, and quantify it", first)
        end = index + 1
        while True:
            mark, after = self.lexemes[end], self.lexemes[min(end + 1, len(self.lexemes) - 1)]
            if mark.start != self.lexemes[end - 1].end:
                break
            if mark.is_mark(*_INNER) and after.kind is LexemeKind.NAME and after.start == mark.end:
                end += 2
            elif mark.is_mark("'", "’", "ʼ") or self.text[mark.start : mark.end] == "+":
                end += 1
            else:
                break
        if end == index + 1:
            return self._with_blanks(index)
        parts = self.lexemes[index:end]
        self._check_no_arithmetic(parts)
        written = self.text[first.start : parts[-1].end].replace("\\", "").replace("′", "'")
        return Lexeme(LexemeKind.NAME, written, first.start, parts[-1].end), end

    def _with_blanks(self, index: int) -> tuple[Lexeme, int]:
        """Return the name there with those after it that are one name of the signature, and the index after it."""
        first, end = self.lexemes[index], index + 1
        # A name has at most as many words as characters.
        most = index + max(map(len, self.vocabulary.declared), default=0)
        while end < most and self.lexemes[end].kind is LexemeKind.NAME:
            last, end = self.lexemes[end], end + 1
            written = self.text[first.start : last.end]
            if self.vocabulary.declared & {valid_name(written), valid_name(written, constant=True)}:
                return Lexeme(LexemeKind.TEXT, written, first.start, last.end), end
        return first, index + 1

    def _check_no_arithmetic(self, parts: list[Lexeme]) -> None:
        """Refuse ``x-1``, a difference, ``x.P``, a dot after a variable, and ``x+``; ``a+`` may be a name."""
        for part, mark in pairwise(parts):
            if not mark.is_mark("'", "’", "ʼ") and FREE_VARIABLE.fullmatch(part.text):
                raise self._error(
                    "a variable cannot be a part of a name; arithmetic has no place in the notation", mark
                )

    def _no_term(self, lexeme: Lexeme) -> FormulaSyntaxError:
        if lexeme.kind is LexemeKind.REFUSED and lexeme.text == COMPARISON:
            return self._error("a comparison cannot be an argument: compare a variable in its place", lexeme)
        if lexeme.kind is LexemeKind.REFUSED:
            return self._refused(lexeme)
        if lexeme.kind is LexemeKind.QUANTIFIER or (lexeme.kind is LexemeKind.SIGN and lexeme.text == "¬"):
            return self._error("a formula cannot be an argument", lexeme)
        if lexeme.is_mark("[", "{", "("):
            return self._error("a list or a set cannot be an argument: write one argument for each element", lexeme)
        if lexeme.is_mark(")"):
            return self._error("a predicate without arguments: nullary predicates are not supported", lexeme)
        return self._error(f"expected a term, found {self._shown(lexeme)}", lexeme)

    def _arguments(self, index: int) -> int:
        """Return the terms between two parentheses, nested function terms counted, not recursed into."""
        self.emit("(", self.lexemes[index])
        index, depth = index + 1, 1
        while True:
            name, index = self._name(index)
            self.emit_name(name)
            if self.lexemes[index].is_mark("("):
                self.emit("(", self.lexemes[index])
                index, depth = index + 1, depth + 1
                continue
            while self.lexemes[index].is_mark(")"):
                self.emit(")", self.lexemes[index])
                index, depth = index + 1, depth - 1
                if not depth:
                    return index
            if not self.lexemes[index].is_mark(","):
                raise self._no_comma(name, self.lexemes[index])
            self._check_thousands(index)
            self.emit(",", self.lexemes[index])
            index += 1

    def _check_thousands(self, comma: int) -> None:
        before, mark, after = self.lexemes[comma - 1 : comma + 2]
        glued = before.end == mark.start and mark.end == after.start
        if glued and re.fullmatch(r"\$?[0-9]{1,3}", before.text) and re.fullmatch(r"[0-9]{3}", after.text):
            raise self._error("either two arguments or one number with a comma in it", mark)

    def _no_comma(self, name: Lexeme, lexeme: Lexeme) -> FormulaSyntaxError:
        if lexeme.kind is LexemeKind.REFUSED:
            return self._refused(lexeme)
        if lexeme.is_mark("-", "–") or (name.text.endswith("+") and lexeme.start == name.end):
            return self._error("arithmetic has no place in the notation", lexeme)
        if lexeme.kind in (LexemeKind.NAME, LexemeKind.TEXT):
            problem = f"blanks in an argument: {name.text!r} and {lexeme.text!r} with no comma between them"
            return self._error(problem, lexeme)
        if lexeme.kind is LexemeKind.SIGN and lexeme.text == "^":
            return self._error("'^' in an argument: a power has no place in the notation, write a function", lexeme)
        if lexeme.kind in (LexemeKind.SIGN, LexemeKind.QUANTIFIER):
            return self._error("a formula cannot be an argument", lexeme)
        if lexeme.kind is LexemeKind.END:
            return self._error("the arguments are not closed", lexeme)
        return self._error(f"expected ',' or ')' in the arguments, found {lexeme.text!r}", lexeme)

    def _shown(self, lexeme: Lexeme) -> str:
        return repr(self.text[lexeme.start : lexeme.end]) if lexeme.kind is not LexemeKind.END else "the end"

    def no_operand(self, index: int) -> FormulaSyntaxError:
        """Return the error where a formula should begin."""
        lexeme = self.lexemes[index]
        if lexeme.kind is LexemeKind.REFUSED:
            return self._refused(lexeme)
        if lexeme.is_mark(")") and index and self.lexemes[index - 1].is_mark("("):
            return self._error("nothing stands between these parentheses", lexeme)
        return self._error(f"expected a formula, found {self._shown(lexeme)}", lexeme)

    def no_connective(self, lexeme: Lexeme, closing: str) -> FormulaSyntaxError:
        """Return the error after an operand, where ``closing`` would close the open bracket, if there is one."""
        shown = self._shown(lexeme)
        if lexeme.kind is LexemeKind.REFUSED:
            return self._refused(lexeme)
        if lexeme.is_mark(")", "]", "}"):
            problem = f"expected {closing!r}, found {shown}" if closing else "this parenthesis was never opened"
        elif lexeme.is_mark(","):
            problem = "a list of formulas is no formula: join them with a connective"
        elif lexeme.is_mark(".", ";") and not closing:
            problem = "more follows after the end of a formula"
        elif lexeme.kind is LexemeKind.NAME and lexeme.text.lower() in ENGLISH:
            problem = f"{shown} is an English word: this is prose, not a formula"
        elif lexeme.is_mark("-", "–"):
            problem = "a subtraction has no place in the notation; a negation needs a connective before it"
        else:
            problem = f"expected a connective or the end, found {shown}"
        return self._error(problem, lexeme)
