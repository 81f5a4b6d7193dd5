"""Quantifiers as models write them: ``∀x.``, ``∀x ∈ D`` (refused), ``(∀x)``, ``all x``, ``![X,Y]:``, ``∀ x : T,``."""

import re
from dataclasses import dataclass
from functools import cached_property

from nlfol.logic.reading.tolerant.lexemes import QUANTIFIER_WORDS, Lexeme, LexemeKind, LexemeReader, Vocabulary
from nlfol.logic.reading.tolerant.rewriting import openings
from nlfol.logic.syntax import FREE_VARIABLE

_PHRASES = {
    ("for", "all"): "∀",
    ("for", "every"): "∀",
    ("for", "each"): "∀",
    ("there", "exists"): "∃",
    ("there", "exist"): "∃",
}
_VARIABLE_LIKE = re.compile(r"[A-Za-z][0-9]*|[A-Za-z]_[0-9]+")
_ONE_UNIVERSE = frozenset(["u", "type", "object", "entity", "thing", "individual", "any", "d", "domain", "universe"])


@dataclass(frozen=True, slots=True)
class Binder:
    """A quantifier, ``∀``, ``∃``, ``∄`` or ``∃!``, with its variables.

    Its separator is ``.``, ``:``, ``,`` or none, the form ``word``, ``sign``, ``tptp`` (``![X]:``) or ``functional``,
    the sort the one type of the variables, if it restricts them, or the set of ``∀x ∈ D`` (``restricted``); ``next`` is
    the index of the lexeme after it.
    """

    quantifier: str
    variables: tuple[Lexeme, ...]
    separator: str
    sort: Lexeme | None
    form: str
    next: int
    restricted: bool = False


def _arguments(lexemes: list[Lexeme]) -> frozenset[str]:
    """Return the names that stand directly between the parentheses after a name, or beside ``=``."""
    names: set[str] = set()
    applications = [False]
    for before, lexeme, after in zip(lexemes, lexemes[1:], lexemes[2:], strict=False):
        if lexeme.is_mark("("):
            applications.append(before.kind in (LexemeKind.NAME, LexemeKind.TEXT))
        elif lexeme.is_mark(")") and len(applications) > 1:
            applications.pop()
        elif lexeme.kind is LexemeKind.NAME:
            equated = not after.is_mark("(") and any(
                beside.kind is LexemeKind.SIGN and beside.text in "=≠" for beside in (before, after)
            )
            if equated or (applications[-1] and after.is_mark(",", ")")):
                names.add(lexeme.text)
    return frozenset(names)


class BinderReader(LexemeReader):
    """Reader of quantifiers."""

    def __init__(self, text: str, lexemes: list[Lexeme], vocabulary: Vocabulary, *, lean: bool) -> None:
        super().__init__(text, lexemes, vocabulary)
        self.lean = lean

    @cached_property
    def bare(self) -> frozenset[str]:
        """Return the names that are arguments somewhere: no other can be a variable where a predicate could stand."""
        return _arguments(self.lexemes)

    @cached_property
    def closings(self) -> dict[int, int]:
        """Return for each opening parenthesis the closing one."""
        return {opening: closing for closing, opening in openings(self.lexemes).items()}

    def quantifier(self, index: int) -> tuple[str, str, int] | None:
        """Return the quantifier that starts there, its form and the index after it; none where no quantifier does."""
        lexeme = self.lexemes[index]
        if lexeme.kind is LexemeKind.QUANTIFIER:
            return self._unique(lexeme.text, "sign", index + 1)
        if lexeme.is_mark("!", "?") and self.lexemes[index + 1].is_mark("["):
            return "∀" if lexeme.text == "!" else "∃", "tptp", index + 1
        if lexeme.kind is not LexemeKind.NAME or lexeme.text in self.vocabulary.declared:
            return None
        word, after = lexeme.text.lower(), self.lexemes[index + 1]
        if word in QUANTIFIER_WORDS:
            return self._unique(QUANTIFIER_WORDS[word], "word", index + 1)
        if after.kind is LexemeKind.NAME and (word, after.text.lower()) in _PHRASES:
            return _PHRASES[word, after.text.lower()], "word", index + 2
        return None

    def _unique(self, quantifier: str, form: str, index: int) -> tuple[str, str, int]:
        if quantifier == "∃" and self.lexemes[index].is_mark("!"):
            return "∃!", form, index + 1
        return quantifier, form, index

    def binder(self, index: int) -> Binder | None:
        """Return the quantifier with its variables that starts there, if one does; it is an error if it has none."""
        head = self.quantifier(index)
        if head is None:
            return None
        quantifier, form, index = head
        sort: Lexeme | None = None
        opening = self.lexemes[index]
        if opening.is_mark("(", "[", "{"):
            variables, index = self._listed(index + 1)
            if self.lexemes[index].is_mark(":") and opening.text == "(":
                sort, index = self.lexemes[index + 1], index + 2
                if sort.kind is not LexemeKind.NAME:
                    raise self._error("expected one name as the type of the variable", sort)
            closing = self.lexemes[index]
            if not closing.is_mark({"(": ")", "[": "]", "{": "}"}[opening.text]):
                raise self._error("the list of quantified variables is not closed here", closing)
            index += 1
        else:
            variables, index = self._open_list(index)
            for variable in variables if form == "word" or len(variables) > 1 else ():
                # All cats are small: a word that is no argument anywhere is hardly a variable.
                name = variable.text.rstrip("'")
                if not (_VARIABLE_LIKE.fullmatch(name) or name in self.bare):
                    problem = f"{name!r} cannot be a variable here: this reads like English, not like a formula"
                    raise self._error(problem, variable)
        member, index = self._member(index)
        separator, typed, index = self._separator(index)
        if quantifier == "∃!" and len(variables) > 1:
            raise self._error("∃! binds one variable here", variables[1])
        sort = member or typed or sort
        if sort is not None and sort.text.lower() in _ONE_UNIVERSE:
            sort = None
        return Binder(quantifier, tuple(variables), separator, sort, form, index, member is not None)

    def functional(self, index: int) -> tuple[Binder, Lexeme] | None:
        """Return the quantifier of ``ForAll(x, φ)`` or ``Exists([x, y], φ)``, up to φ, with its parenthesis."""
        head = self.quantifier(index)
        if head is None or head[1] == "tptp" or not self.lexemes[head[2]].is_mark("("):
            return None
        at, variables = head[2] + 1, list[Lexeme]()
        bracketed = self.lexemes[at].is_mark("[", "(", "{")
        at += bracketed
        while self.lexemes[at].kind is LexemeKind.NAME:
            after = self.lexemes[at + 1]
            if after.is_mark(","):
                variables.append(self.lexemes[at])
                at += 2
            elif bracketed and after.is_mark("]", ")", "}") and self.lexemes[at + 2].is_mark(","):
                variables.append(self.lexemes[at])
                at += 3
                break
            else:
                break
        # After (x, y) there is no comma: that is a list of variables in parentheses.
        if not variables or self.lexemes[at].is_mark(")") or (not bracketed and self._closes(at)):
            return None
        return Binder(head[0], tuple(variables), "", None, "functional", at), self.lexemes[head[2]]

    def _closes(self, index: int) -> bool:
        """Return whether a name is the last of a list: of variables, but of a letter that nothing follows."""
        name = self.lexemes[index]
        if name.kind is not LexemeKind.NAME or not self.lexemes[index + 1].is_mark(")"):
            return False
        return name.text not in self.vocabulary.letters or self._begins_operand(index + 2)

    def _begins_operand(self, index: int) -> bool:
        lexeme = self.lexemes[index]
        if lexeme.kind is LexemeKind.SIGN:
            return lexeme.text == "¬"
        if lexeme.kind in (LexemeKind.NAME, LexemeKind.TEXT):
            return not self.vocabulary.joins(lexeme)
        return lexeme.kind is LexemeKind.QUANTIFIER or lexeme.is_mark("(", "[", "{", "!", "-", "–")

    def bracketed(self, index: int) -> list[Binder]:
        """Return the quantifiers of ``(∀x)`` or ``(∀x∃y)``; ``next`` of the last is where their scope begins."""
        if not self.lexemes[index].is_mark("(", "["):
            return []
        closing, at = {"(": ")", "[": "]"}[self.lexemes[index].text], index + 1
        binders: list[Binder] = []
        while not self.lexemes[at].is_mark(closing):
            quantifier = self.quantifier(at)
            if quantifier is None or self.lexemes[quantifier[2]].kind is not LexemeKind.NAME:
                return []
            variables = [self._variable(quantifier[2])]
            at = quantifier[2] + 1
            while self.lexemes[at].is_mark(",") and self.lexemes[at + 1].kind is LexemeKind.NAME:
                variables.append(self.lexemes[at + 1])
                at += 2
            binders.append(Binder(quantifier[0], tuple(variables), "", None, quantifier[1], at))
        if binders:
            separator = self.lexemes[at + 1].text if self.lexemes[at + 1].is_mark(".", ":") else ""
            last = binders[-1]
            next_ = at + 1 + bool(separator)
            binders[-1] = Binder(last.quantifier, last.variables, separator, None, last.form, next_)
        return binders

    def _separator(self, index: int) -> tuple[str, Lexeme | None, int]:
        lexeme, after, beyond = (self.lexemes[min(index + k, len(self.lexemes) - 1)] for k in range(3))
        if lexeme.is_mark(":") and after.kind is LexemeKind.NAME and beyond.is_mark(","):
            return ",", after, index + 3
        if lexeme.is_mark(".", ":", ",", "•", ";"):
            return {"•": ".", ";": ","}.get(lexeme.text, lexeme.text), None, index + 1
        return "", None, index

    def _member(self, index: int) -> tuple[Lexeme | None, int]:
        """Read the ``∈ D`` of a restricted quantifier, if it is one, where D is a name that is not applied."""
        lexeme = self.lexemes[index]
        is_sign = lexeme.kind is LexemeKind.REFUSED and self.text[lexeme.start : lexeme.end] in ("∈", "\\in")
        if not (is_sign or (lexeme.kind is LexemeKind.NAME and lexeme.text == "in")):
            return None, index
        name = self.lexemes[index + 1]
        if name.kind is not LexemeKind.NAME or self._is_application(index + 1):
            problem = "a restricted quantifier has no place in the notation: write ∀x (D(x) → …) or ∃x (D(x) ∧ …)"
            raise self._error(problem, lexeme)
        return name, index + 2

    def _is_application(self, index: int) -> bool:
        """Return whether the parentheses after a name are its own: another formula begins right after them."""
        if not self.lexemes[index + 1].is_mark("("):
            return False
        after = self.closings.get(index + 1, len(self.lexemes) - 2) + 1
        return self._begins_operand(after) or self.lexemes[after].is_mark(",", ":", ".")

    def _variable(self, index: int) -> Lexeme:
        lexeme = self.lexemes[index]
        if lexeme.kind is not LexemeKind.NAME:
            raise self._error("expected a variable after the quantifier", lexeme)
        if lexeme.text.lstrip("_")[:1].isdigit():
            problem = "a counting quantifier has no place in the notation: write variables that are unequal"
            raise self._error(problem, lexeme)
        return lexeme

    def _listed(self, index: int) -> tuple[list[Lexeme], int]:
        """Read variables between brackets, separated by commas or blanks."""
        variables = [self._variable(index)]
        index += 1
        while (comma := self.lexemes[index].is_mark(",")) or self.lexemes[index].kind is LexemeKind.NAME:
            variables.append(self._variable(index + comma))
            index += 1 + comma
        return variables, index

    def _open_list(self, index: int) -> tuple[list[Lexeme], int]:
        """Read variables with nothing around them: the list ends where a formula can begin."""
        variables = [self._primed(index)]
        index = self._after(variables[-1], index)
        while True:
            comma = self.lexemes[index].is_mark(",") and not self.lean
            if not self._goes_on(index + comma):
                return variables, index
            variables.append(self._primed(index + comma))
            index = self._after(variables[-1], index + comma)

    def _primed(self, index: int) -> Lexeme:
        """Return the variable there, with the prime after it."""
        lexeme = self._variable(index)
        after = self.lexemes[index + 1]
        if after.is_mark("'", "’") and after.start == lexeme.end:
            return Lexeme(LexemeKind.NAME, lexeme.text + "'", lexeme.start, after.end)
        return lexeme

    def _after(self, variable: Lexeme, index: int) -> int:
        return index + (2 if variable.text.endswith("'") else 1)

    def _goes_on(self, index: int) -> bool:
        lexeme = self.lexemes[index]
        if lexeme.kind is not LexemeKind.NAME or self.quantifier(index) or lexeme.text.lower() in ("not", "in", "such"):
            return False
        after = self.lexemes[index + 1]
        if lexeme.text in self.vocabulary.letters and self.vocabulary.joins(after):
            return False
        if after.is_mark("("):
            return bool(FREE_VARIABLE.fullmatch(lexeme.text)) or lexeme.text in self.bare
        if after.kind in (LexemeKind.SIGN, LexemeKind.END):
            return after.kind is LexemeKind.SIGN and after.text == "¬"
        return not after.is_mark(")", "]", "}", "-", "‐", "–")
