"""The shaper: from the lexemes of an infix notation to the tokens of the strict one.

The shaper follows the text with a stack of the brackets around: it spells quantifiers, connectives and names as the
strict reader wants them, writes out with parentheses how far a quantifier with a dot reaches, turns ``Implies(A, B)``
into ``(A) → (B)``, and refuses with a reason what cannot be a formula. It does not parse: the strict reader does.
"""

from dataclasses import dataclass, field
from enum import StrEnum

from nlfol.logic.reading.tolerant.binders import Binder, BinderReader
from nlfol.logic.reading.tolerant.lexemes import (
    INFIX_LETTERS,
    INFIX_WORDS,
    PREFIX_WORDS,
    Lexeme,
    LexemeKind,
    LexemeReader,
    Vocabulary,
    place,
)
from nlfol.logic.reading.tolerant.names import NameReader
from nlfol.logic.reading.tolerant.strict_tokens import Token


class Scope(StrEnum):
    """Reach of quantifiers: as their notation has it, as little as possible, as far as possible."""

    NATURAL = "natural"
    TIGHT = "tight"
    WIDE = "wide"


@dataclass(slots=True)
class Shaped:
    """The tokens of the strict notation, and what was noticed; names and markers are given by the token's index."""

    tokens: list[Token] = field(default_factory=list)
    names: dict[int, Lexeme] = field(default_factory=dict)  # as written
    repairs: list[str] = field(default_factory=list)
    features: set[str] = field(default_factory=set)  # tell the notations apart, beside the scanner's
    sorts: list[tuple[Lexeme, Lexeme]] = field(default_factory=list)  # variables with the types that were left out
    sets: dict[str, Lexeme] = field(default_factory=dict)  # of the variables of restricted quantifiers
    markers: list[int] = field(default_factory=list)  # variables that mark ``∃!``
    letters: set[int] = field(default_factory=set)  # names that are propositional letters
    reaches_far: bool = False  # whether a quantifier has what its notation says is its scope, without parentheses


_CLOSING = {"(": ")", "[": "]", "{": "}"}


@dataclass(slots=True)
class _Group:
    """Brackets around the place, or the whole text; ``sign`` for ``And(…)``: what its commas stand for."""

    closing: str
    opening: Lexeme
    sign: str = ""
    parts: int = 1
    wide: int = 0  # parentheses to close at its end
    tight: list[int] = field(default_factory=list)  # parentheses to close after the operand at hand


class Shaper(LexemeReader):
    """Shaper of one text."""

    def __init__(
        self,
        text: str,
        lexemes: list[Lexeme],
        vocabulary: Vocabulary,
        scope: Scope,
        caret: str,
        *,
        lean: bool,
        commas: str = "",
    ) -> None:
        super().__init__(text, lexemes, vocabulary)
        self.scope = scope
        self.caret = caret
        self.lean = lean
        self.commas = commas  # the connective of a comma between two formulas in parentheses, if it is one
        self.binders = BinderReader(text, lexemes, vocabulary, lean=lean)
        self.result = Shaped()
        self.names = NameReader(text, lexemes, vocabulary, self._emit_name, self._emit)
        self.index = 0
        self.groups = [_Group("", lexemes[0])]

    def run(self) -> Shaped:
        """Shape the whole text; raises ``FormulaSyntaxError`` if it is no formula of any of the notations."""
        while True:
            self._operand()
            while len(self.groups) > 1 and self._at.is_mark(self.groups[-1].closing):
                self._close()
            if self._ended():
                break
            self._join()
        if len(self.groups) > 1:
            raise self._error("this parenthesis is never closed", self.groups[-1].opening)
        self._emit(")" * self.groups[0].wide, self._at)
        return self.result

    @property
    def _at(self) -> Lexeme:
        return self.lexemes[self.index]

    def _emit(self, signs: str, lexeme: Lexeme) -> None:
        self.result.tokens.extend(Token(sign, lexeme.start) for sign in signs)

    def _emit_name(self, lexeme: Lexeme, letter: bool = False) -> None:
        if letter:
            self.result.letters.add(len(self.result.tokens))
        self.result.names[len(self.result.tokens)] = lexeme
        self.result.tokens.append(Token(lexeme.text, lexeme.start))

    def _word(self, words: dict[str, str]) -> str:
        """Return the sign of an operator's word; nothing where it is another name."""
        lexeme = self._at
        if lexeme.kind is not LexemeKind.NAME or lexeme.text in self.vocabulary.declared:
            return ""
        return words.get(lexeme.text.lower(), "")

    def _operand(self) -> None:
        while True:
            lexeme = self._at
            mark = lexeme.text if lexeme.kind is LexemeKind.MARK else ""
            sign = self._word(PREFIX_WORDS)
            if sign == "¬" or mark in ("-", "–") or (lexeme.kind is LexemeKind.SIGN and lexeme.text == "¬"):
                self._negation(lexeme)
            elif self._bound() or (mark and self._bracketed_binder()):
                continue
            elif mark == "!":
                self._negation(lexeme)
            elif sign and self.lexemes[self.index + 1].is_mark("("):
                self.result.features.add("functional")
                self._open(lexeme, sign, 2)
                self._emit("(", lexeme)
            elif mark in _CLOSING:
                self._open(lexeme, "", 1)
            elif lexeme.kind in (LexemeKind.NAME, LexemeKind.TEXT):
                self._atom()
                return
            else:
                raise self.names.no_operand(self.index)

    def _negation(self, lexeme: Lexeme) -> None:
        if lexeme.kind is LexemeKind.MARK:
            self.result.features.add("minus" if lexeme.text != "!" else "ascii")
        elif lexeme.kind is LexemeKind.NAME:
            self.result.features.add("ascii")
        self._emit("¬", lexeme)
        self.index += 1

    def _open(self, lexeme: Lexeme, sign: str, length: int) -> None:
        opening = self.lexemes[self.index + length - 1]
        if opening.text != "(":
            self.result.repairs.append(f"{place(self.text, opening.start)}: {opening.text!r} read as a parenthesis")
        self.groups.append(_Group(_CLOSING[opening.text], opening, sign))
        self._emit("(", lexeme)
        self.index += length

    def _bound(self) -> bool:
        if self.binders.quantifier(self.index) is None:
            return False
        if self._functional_binder():
            return True
        binder = self.binders.binder(self.index)
        assert binder is not None
        self._bind(binder, self._reaches_far(binder))
        self.index = binder.next
        return True

    def _reaches_far(self, binder: Binder) -> bool:
        if self.scope is not Scope.NATURAL:
            return self.scope is Scope.WIDE
        if self.lean and binder.separator == ",":
            return True
        # A dot, colon or comma says that all that follows is bound; in NLTK and TPTP it says nothing.
        exact = binder.form == "tptp" or (binder.form == "word" and binder.separator == ".")
        return bool(binder.separator) and not exact

    def _bind(self, binder: Binder, wide: bool) -> None:
        features = {"tptp"} if binder.form == "tptp" else set()
        if binder.form == "word":
            prover9 = self._at.text in ("all", "exists") and binder.quantifier != "∃!"
            features.add("nltk" if binder.separator == "." else "prover9" if prover9 else "ascii")
        elif binder.separator == "," or (binder.sort is not None and not binder.restricted):
            features.add("lean")
        self.result.features |= features
        if binder.restricted:
            self._restrict(binder)
        elif binder.sort is not None:
            self.result.sorts.extend((variable, binder.sort) for variable in binder.variables)
        sign = "∃" if binder.quantifier == "∄" else binder.quantifier[0]
        for number, variable in enumerate(binder.variables):
            if self.scope is Scope.TIGHT:
                self._emit("(", variable)
                self.groups[-1].tight.append(variable.start)
            self._emit(f"¬{sign}" if binder.quantifier == "∄" and not number else sign, self._at)
            self._emit_name(variable)
            if binder.quantifier == "∃!":
                # A second quantifier over a variable of no other use marks the first for what it is.
                self._emit("∃", variable)
                self.result.markers.append(len(self.result.tokens))
                self._emit("!", variable)
        if wide:
            self._reach(self.lexemes[binder.next])

    def _reach(self, lexeme: Lexeme) -> None:
        self.result.reaches_far = True
        self._emit("(", lexeme)
        self.groups[-1].wide += 1

    def _restrict(self, binder: Binder) -> None:
        for variable in binder.variables:
            if binder.sort is not None:
                self.result.sets[variable.text] = binder.sort
            effect = "left out" if binder.sort is None else f"read as {binder.sort.text}({variable.text})"
            restriction = self.text[variable.end : self.lexemes[binder.next - 1].end].strip(" .,:;")
            self.result.repairs.append(f"{place(self.text, variable.start)}: the restriction {restriction!r} {effect}")

    def _functional_binder(self) -> bool:
        """Read the beginning of ``ForAll(x, φ)`` or ``Exists([x, y], φ)``."""
        pair = self.binders.functional(self.index)
        if pair is None:
            return False
        binder, opening = pair
        start = self._at
        self.groups.append(_Group(")", opening, wide=1))
        self._emit("(", start)
        scope, self.scope = self.scope, Scope.NATURAL  # its own parentheses say how far it reaches
        self._bind(binder, wide=False)
        self.scope = scope
        self._emit("(", start)
        self.result.features.add("functional")
        self.index = binder.next
        return True

    def _bracketed_binder(self) -> bool:
        """Read ``(∀x)`` or ``(∀x∃y)`` before its scope."""
        binders = self.binders.bracketed(self.index)
        if not binders:
            return False
        for binder in binders:
            self._bind(binder, wide=False)
        self.index = binders[-1].next
        if self.scope is Scope.WIDE or (binders[-1].separator and self.scope is Scope.NATURAL):
            self._reach(self._at)
        return True

    def _atom(self) -> None:
        self.index, liberty = self.names.atom(self.index)
        if liberty:
            self.result.repairs.append(liberty)
        if self._at.kind is LexemeKind.SIGN and self._at.text in "=≠":
            self._emit(self._at.text, self._at)
            self.index = self.names.term(self.index + 1)
        self._operand_done()

    def _operand_done(self) -> None:
        self._emit(")" * len(self.groups[-1].tight), self.lexemes[self.index - 1])
        self.groups[-1].tight.clear()

    def _close(self) -> None:
        group = self.groups.pop()
        if group.sign and group.parts < 2:
            raise self._error(f"{group.sign} joins at least two formulas", group.opening)
        self._emit(")" * (group.wide + 1 + bool(group.sign)), self._at)
        self.index += 1
        self._operand_done()

    def _ended(self) -> bool:
        """Return whether nothing is left, but for a full stop, comma or semicolon that is dropped."""
        if (
            self._at.is_mark(".", ",", ";", "。")
            and self.lexemes[self.index + 1].kind is LexemeKind.END
            and len(self.groups) == 1
        ):
            self.result.repairs.append(
                f"{place(self.text, self._at.start)}: {self._at.text!r} after the formula dropped"
            )
            if self._at.text == ".":
                self.result.features.add("full_stop")
            self.index += 1
        return self._at.kind is LexemeKind.END

    def _join(self) -> None:
        lexeme, group = self._at, self.groups[-1]
        if lexeme.is_mark(",") and group.sign:
            if group.parts > 1 and group.sign in "→↔":
                raise self._error(f"{group.sign} joins two formulas", lexeme)
            group.parts += 1
            self._emit(")" * (group.wide + 1), lexeme)
            self._emit(group.sign + "(", lexeme)
            group.wide = 0
        elif lexeme.is_mark(",") and self.commas and group.closing:
            self._emit(self.commas, lexeme)
        elif lexeme.kind is LexemeKind.SIGN and lexeme.text not in "¬=≠":
            self._emit(self.caret if lexeme.text == "^" else lexeme.text, lexeme)
        elif word := self._word(INFIX_WORDS):
            self.result.features.add("ascii")
            self._emit(word, lexeme)
        elif lexeme.kind is LexemeKind.NAME and lexeme.text in INFIX_LETTERS:
            sign = INFIX_LETTERS[lexeme.text]
            self.result.repairs.append(f"{place(self.text, lexeme.start)}: the letter {lexeme.text!r} read as {sign!r}")
            self._emit(sign, lexeme)
        else:
            raise self.names.no_connective(lexeme, group.closing)
        self.index += 1
