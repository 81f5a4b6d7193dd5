"""Repairing the syntax of formulas where only one can be meant; the reader refuses the others."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from nlfol.data.reason import Reason
from nlfol.data.sentences import Repair
from nlfol.logic.decision.skolemization import substituted
from nlfol.logic.errors import FormulaSyntaxError
from nlfol.logic.measuring import bound_variables, free_variables
from nlfol.logic.naming import valid_name
from nlfol.logic.printing import to_unicode
from nlfol.logic.reading.automaton import Reading
from nlfol.logic.reading.strict import read
from nlfol.logic.syntax import FREE_VARIABLE, NAME, Constant, Formula

_DELIMITER = re.compile(r"[(),¬∧∨⊕→↔∀∃=≠]|$")
_REPAIRABLE = re.compile(r"(?=.*[^\W_])\w[\w\-‐‑–.'’ ]*\+*")
_LONGEST = 1_000
_SIGNS = {"⟷": "↔", "⟶": "→", "⇔": "↔", "⇒": "→"}


def mend_signs(text: str) -> tuple[str, tuple[Repair, ...]]:
    """Drop white space around a formula and a full stop after it, and replace variants of connectives."""
    text, repairs = text.strip(), []
    if text.endswith(")."):
        repairs.append(Repair("full_stop", text, text[:-1].rstrip()))
        text = repairs[-1].after
    signs = "".join(_SIGNS.get(character, character) for character in text)
    if signs != text:
        repairs.append(Repair("connective_sign", text, signs))
    return signs, tuple(repairs)


class Name(NamedTuple):
    """A name in the text of a formula, valid or not: variable (after a quantifier), symbol (before "(") or argument."""

    text: str
    start: int
    role: str


def names(text: str) -> Iterator[Name]:
    """Yield the names of a formula, which need not be well-formed; text where no name can stand is skipped."""
    start, before = 0, ""
    applications: list[bool] = []
    for delimiter in _DELIMITER.finditer(text):
        after, chunk = delimiter[0], text[start : delimiter.start()]
        offset = start + len(chunk) - len(chunk.lstrip())
        word = chunk.strip()
        if before in ("∀", "∃") and word:
            variable, *rest = word.split(maxsplit=1)
            yield Name(variable, offset, "variable")
            before, word = "", rest[0] if rest else ""
            offset = start + len(chunk.rstrip()) - len(word)
        inside = bool(applications) and applications[-1]
        if word and before != ")":
            if after == "(":
                yield Name(word, offset, "symbol")
            elif inside or before in ("=", "≠") or after in ("=", "≠"):
                yield Name(word, offset, "argument")
        if after == "(":
            applications.append(bool(word))
        elif after == ")" and applications:
            applications.pop()
        start, before = delimiter.end(), after


class Renaming(NamedTuple):
    """Valid names of one story by invalid ones, and those that would collide with another name of the story."""

    valid: Mapping[str, str]
    colliding: Mapping[str, str]

    def apply(self, text: str) -> tuple[str, tuple[Repair, ...]]:
        """Return the formula with valid names, and the repairs, one for each name."""
        pieces: list[str] = []
        repairs: dict[str, Repair] = {}
        end = 0
        for name in names(text):
            if name.text in self.valid:
                valid = self.valid[name.text]
                pieces += [text[end : name.start], valid]
                end = name.start + len(name.text)
                repairs[name.text] = Repair("name", name.text, valid)
        return "".join(pieces) + text[end:], tuple(repairs.values())

    def collisions(self, text: str) -> dict[str, str]:
        """Return the colliding names that a formula uses, with the names that they collide with."""
        return {name.text: self.colliding[name.text] for name in names(text) if name.text in self.colliding}


def rename(formulas: Iterable[str]) -> Renaming:
    """Find the names of a story's formulas that have to change.

    These are names with punctuation, foreign letters or a leading digit, arguments with spaces between their words, and
    numbered u to z (``y1976``) in a story that quantifies no numbered variable: they are constants there.
    """
    lines = [list(names(text)) for text in formulas]
    variables = {name.text for line in lines for name in line if name.role == "variable"}
    numbered = any(FREE_VARIABLE.fullmatch(variable) and len(variable) > 1 for variable in variables)
    valid: dict[str, str] = {}
    for name in (name for line in lines for name in line if name.role != "variable"):
        constant = name.role == "argument"
        if NAME.fullmatch(name.text):
            if constant and not numbered and len(name.text) > 1 and FREE_VARIABLE.fullmatch(name.text):
                valid[name.text] = valid_name(name.text, constant=True)
        elif _can_be_renamed(name, variables):
            valid[name.text] = valid_name(name.text, constant=constant)
    bearers: defaultdict[str, set[str]] = defaultdict(set)
    for line in lines:
        for name in line:
            bearers[valid.get(name.text, name.text)].add(name.text)
    colliding = {name: min(bearers[after] - {name}) for name, after in sorted(valid.items()) if len(bearers[after]) > 1}
    return Renaming({name: after for name, after in valid.items() if name not in colliding}, colliding)


def quantifies_numbered(formula: Formula) -> bool:
    """Return whether a quantifier binds a numbered variable, such as x1."""
    return any(
        len(variable.name) > 1 and FREE_VARIABLE.fullmatch(variable.name) for variable in bound_variables(formula)
    )


def name_numbered(formula: Formula) -> tuple[Formula, tuple[Repair, ...]]:
    """Return a formula with constants for free numbered names such as y2008, unbound in its story; and the repairs."""
    repairs = []
    for name in sorted(formula.profile.free):
        if len(name) > 1:
            repairs.append(Repair("name", name, valid_name(name, constant=True)))
            formula = substituted(formula, name, Constant(repairs[-1].after))
    return formula, tuple(repairs)


def _can_be_renamed(name: Name, variables: set[str]) -> bool:
    if not _REPAIRABLE.fullmatch(name.text):
        return False
    if name.role == "symbol":
        return not any(character.isspace() for character in name.text)  # "not Happy(x)" is no predicate's name
    # "Loves(x mary)" has lost a comma, and "x-1" is a difference: neither names a constant.
    return not variables.intersection(re.findall(r"\w+", name.text))


def balance(text: str) -> list[str]:
    """Return the readings of a text with one parenthesis missing or too many, the changes nearest the end first.

    Every parenthesis that could be dropped and every place where one could be added is tried; each closed formula that
    can be meant counts once. A text of more than 1,000 characters is not tried.
    """
    surplus = text.count(")") - text.count("(")
    if abs(surplus) != 1 or len(text) > _LONGEST:
        return []
    dropped, added = (")", "(") if surplus > 0 else ("(", ")")
    attempts: list[str] = []
    for position in range(len(text), -1, -1):
        around = text[max(position - 1, 0) : position + 1]
        if len(around) < 2 or not all(c.isascii() and (c.isalnum() or c == "_") for c in around):
            attempts.append(text[:position] + added + text[position:])
        if text[position : position + 1] == dropped:
            attempts.append(text[:position] + text[position + 1 :])
    chosen: dict[Formula, str] = {}
    for wide in (False, True):
        for attempt in attempts:
            reading = _closed(attempt)
            if reading is not None and bool(reading.warnings) is wide:
                chosen.setdefault(reading.formula, attempt)
    return list(chosen.values())


def _closed(text: str) -> Reading | None:
    try:
        reading = read(text)
    except FormulaSyntaxError:
        return None
    return None if free_variables(reading.formula) else reading


class Attempt(NamedTuple):
    """A formula as far as it was read, and why it cannot be used."""

    formula: Formula | None
    repairs: tuple[Repair, ...] = ()
    reason: Reason | None = None
    detail: str | None = None


def attempt(text: str, repairs: tuple[Repair, ...] = (), *, names_numbered: bool = False) -> Attempt:
    """Read a closed formula strictly, repairing the scope of quantifiers and, on demand, free numbered names."""
    try:
        reading = read(text)
    except FormulaSyntaxError as error:
        return Attempt(None, repairs, Reason.SYNTAX, f"{error}; correct the formula")
    formula, named = name_numbered(reading.formula) if names_numbered else (reading.formula, ())
    repairs = (*repairs, *named)
    if reading.warnings:
        repairs = (*repairs, Repair("quantifier_scope", text, to_unicode(reading.formula)))
    if free := sorted(formula.profile.free):
        detail = f"no quantifier binds {', '.join(free)}; bind it, or give a constant another name than a variable's"
        return Attempt(formula, repairs, Reason.OPEN_FORMULA, detail)
    return Attempt(formula, repairs)
