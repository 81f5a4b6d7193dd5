"""Tokens handed to the strict reader, with errors where the tokens come from."""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Collection, Mapping
from itertools import chain, count
from typing import NamedTuple

from nlfol.logic import syntax as fol
from nlfol.logic.decision.skolemization import substituted
from nlfol.logic.errors import FormulaError, FormulaSyntaxError
from nlfol.logic.measuring import bound_variables, constants, free_variables
from nlfol.logic.naming import valid_name
from nlfol.logic.reading.automaton import Reading
from nlfol.logic.reading.strict import MAX_LENGTH, read_with
from nlfol.logic.reading.tokens import Letters
from nlfol.logic.reading.tolerant.lexemes import Lexeme, LexemeKind, place

MAX_TOKENS = 20_000  # tokens of a formula that are read
MAX_UNIQUE = 6  # quantifiers ∃! of one formula that are written out: each one inside another doubles the formula

SUBSCRIPTED = re.compile(r"[u-z]_[0-9]{1,2}")
"""Names that are a variable with a subscript where no quantifier binds them: years, as y_1976, are none."""


class Token(NamedTuple):
    """A token of the strict notation, and where in the text it comes from."""

    text: str
    position: int


def read_tokens(text: str, tokens: list[Token], letters: Letters) -> Reading:
    """Read tokens by the strict reader; an error is placed in the text that they come from."""
    if len(tokens) > MAX_TOKENS:
        raise FormulaSyntaxError(f"{len(tokens)} tokens; at most {MAX_TOKENS} are read", text, 0)
    written: list[str] = []
    starts: list[int] = []
    length = 0
    named = False
    for token in tokens:
        after_name, named = named, fol.NAME.fullmatch(token.text) is not None
        if after_name and named:
            written.append(" ")
            length += 1
        starts.append(length)
        written.append(token.text)
        length += len(token.text)
    if length > MAX_LENGTH:
        raise FormulaSyntaxError(f"written out, {length} characters; at most {MAX_LENGTH} are read", text, 0)

    def origin(column: int) -> int:
        index = bisect_right(starts, column - 1) - 1
        return tokens[index].position if column - 1 < length and index >= 0 else len(text)

    try:
        reading = read_with("".join(written), letters)
    except FormulaSyntaxError as error:
        raise FormulaSyntaxError(error.problem, text, origin(error.column)) from None
    warnings = [
        re.sub(r"^column (\d+)", lambda column: place(text, origin(int(column[1]))), warning)
        for warning in reading.warnings
    ]
    return Reading(reading.formula, tuple(warnings))


def make_names_valid(
    text: str,
    tokens: list[Token],
    names: dict[int, Lexeme],
    *,
    letters: Collection[int],
    declared: Collection[str],
    tptp: bool = False,
) -> tuple[list[Token], list[str]]:
    """Give every name as written its valid one, one for one; return the tokens and repairs.

    TPTP tells variables (upper case) from constants (lower case) by their first letters, the strict notation by
    whether they are quantified or one of u to z: the names that the two take for different things are changed, but for
    letters, which stand alone as formulas. Names as written and letters are given by the index of their token. Raises
    ``FormulaSyntaxError`` if two names of the text would become one.
    """
    quantified = {names[i].text for i in names if _follows_quantifier(tokens, i)}
    taken = {lexeme.text for lexeme in names.values()}
    valid: dict[tuple[str, bool], str] = {}
    origin: dict[str, str] = {}
    repairs: list[str] = []
    result = list(tokens)
    for index, lexeme in names.items():
        raw = lexeme.text
        applied = index + 1 < len(tokens) and tokens[index + 1].text == "(" and not _follows_quantifier(tokens, index)
        alone = index in letters
        if (raw, alone) not in valid:
            bare = not (applied or alone or raw in quantified)
            subscripted = bare and not tptp and lexeme.kind is LexemeKind.NAME and is_subscripted(raw, declared)
            name = raw.replace("_", "") if subscripted else _valid(text, lexeme, bare=bare)
            if bare and not alone and (constant := valid_name(name, constant=True)) in declared:
                name = constant  # y1976 where the signature has y_1976
            if tptp and bare:
                name = _tptp_argument(name, taken)
            elif tptp and name not in declared and (capital := name[:1].upper() + name[1:]) in declared:
                name = capital  # in TPTP predicates begin in lower case
            if origin.setdefault(name, raw) != raw:
                problem = f"{origin[name]!r} and {raw!r} would both be written {name!r}: rename one"
                raise FormulaSyntaxError(problem, text, lexeme.start)
            valid[raw, alone] = name
            if name != raw.lstrip("_"):  # NLTK's corpora have _dog for dog
                repairs.append(f"{place(text, lexeme.start)}: the name {raw!r} written {name!r}")
        result[index] = Token(valid[raw, alone], lexeme.start)
    return result, repairs


def is_subscripted(name: str, declared: Collection[str]) -> bool:
    """Return whether a name that no quantifier binds is ``x1`` with a subscript."""
    return name not in declared and SUBSCRIPTED.fullmatch(name) is not None


def _follows_quantifier(tokens: list[Token], index: int) -> bool:
    return index > 0 and tokens[index - 1].text in "∀∃"


def _valid(text: str, lexeme: Lexeme, *, bare: bool) -> str:
    # What stands between quotation marks is a constant; a bare y1976 is a variable, as the strict reader has it.
    # A primed x is a variable, too, and meets x.
    written = unicodedata.normalize("NFKC", lexeme.text)  # x₁ is x1
    variable = lexeme.kind is not LexemeKind.TEXT and fol.FREE_VARIABLE.fullmatch(written.rstrip("'’ʼ"))
    try:
        return valid_name(lexeme.text, constant=bare and not variable)
    except FormulaError as error:
        raise FormulaSyntaxError(str(error), text, lexeme.start) from None


def _tptp_argument(name: str, taken: set[str]) -> str:
    if name[0].islower():
        return valid_name(name, constant=True)
    if fol.FREE_VARIABLE.fullmatch(name.lower()) and name.lower() not in taken:
        return name.lower()
    fresh = next(variable for number in count(1) if (variable := f"x{number}") not in taken)
    taken.add(fresh)
    return fresh


def expand(formula: fol.Formula, markers: Collection[str]) -> fol.Formula:
    """Write out every ``∃x ∃m φ`` whose ``m`` is a marker, which is ``∃!x φ``, as ``∃x (φ ∧ ∀y (φ[y/x] → y = x))``."""
    if not markers:
        return formula
    names = {v.name for v in bound_variables(formula) | free_variables(formula)} | constants(formula)
    fresh = (name for name in chain("yzwuvx", map("y{}".format, count(1))) if name not in names)

    def step(node: fol.Formula, parts: tuple[fol.Formula, ...]) -> fol.Formula:
        if (
            isinstance(node, fol.Exists)
            and isinstance(inner := node.body, fol.Exists)
            and inner.variable.name in markers
        ):
            # parts[0] is ∃m over what the body became.
            (marked,) = parts
            assert isinstance(marked, fol.Exists)
            body, other = marked.body, fol.Variable(next(fresh))
            only = fol.Implies(substituted(body, node.variable.name, other), fol.Equality(other, node.variable))
            return fol.Exists(node.variable, fol.And(body, fol.ForAll(other, only)))
        return fol.with_children(node, parts)

    return fol.fold(formula, step)


def restricted(formula: fol.Formula, sets: Mapping[str, str]) -> fol.Formula:
    """Write out ∀x φ as ∀x (D(x) → φ), and ∃x φ as ∃x (D(x) ∧ φ), for each variable with a predicate D."""
    if not sets:
        return formula

    def step(node: fol.Formula, parts: tuple[fol.Formula, ...]) -> fol.Formula:
        if isinstance(node, fol.ForAll | fol.Exists) and node.variable.name in sets:
            typed, join = (
                fol.Atom(sets[node.variable.name], (node.variable,)),
                fol.Implies if isinstance(node, fol.ForAll) else fol.And,
            )
            return type(node)(node.variable, join(typed, parts[0]))
        return fol.with_children(node, parts)

    return fol.fold(formula, step)


def with_equivalences(formula: fol.Formula, is_meant: Callable[[fol.Equality], bool]) -> fol.Formula:
    """Write ↔ between atoms, for function terms and names, in place of each equation where it is meant."""

    def step(node: fol.Formula, parts: tuple[fol.Formula, ...]) -> fol.Formula:
        if isinstance(node, fol.Equality) and is_meant(node):
            sides = (fol.Atom(t.name, t.arguments if isinstance(t, fol.Function) else ()) for t in fol.terms(node))
            return fol.Iff(*sides)
        return fol.with_children(node, parts)

    return fol.fold(formula, step)
