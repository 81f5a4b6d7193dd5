"""The strict notation as a grammar, in pyparsing: the definition that the strict reader is tested against.

    formula     = implication {"↔" implication}           to the left, as all connectives but →
    implication = exclusive ["→" implication]
    exclusive   = disjunction {"⊕" disjunction}
    disjunction = conjunction {"∨" conjunction}
    conjunction = operand {"∧" operand}
    operand     = "¬" operand | ("∀" | "∃") name operand | wide | "(" formula ")" | atom
    wide        = ("∀" | "∃") name formula                a quantifier that takes wide scope
    atom        = term ("=" | "≠") term | name "(" term {"," term} ")" | name
    term        = name ["(" term {"," term} ")"]

A name is a variable where it is quantified anywhere in the text or is one of u to z with or without digits; as an
argument, any other is a constant. A name alone is a formula if it is a propositional letter that nothing quantifies.

A quantifier takes wide scope, with those of its sign that directly follow it, where an occurrence of its variable
would otherwise be free and stands further on between the same parentheses: the nearest such quantifier, from left to
right. The grammar recurses with the text, unlike the strict reader.
"""

import re
from collections.abc import Callable
from functools import reduce
from typing import Any, NamedTuple

import pyparsing as pp

from nlfol.logic.errors import FormulaSyntaxError
from nlfol.logic.reading.tokens import NO_LETTERS, Letters
from nlfol.logic.syntax import (
    CONNECTIVES,
    FREE_VARIABLE,
    NAME,
    QUANTIFIERS,
    Atom,
    Constant,
    Equality,
    Formula,
    Function,
    Implies,
    Not,
    Term,
    Variable,
)

_QUANTIFIER = re.compile(rf"[∀∃](?=\s*({NAME.pattern}))")
_BLOCK = re.compile(rf"\s*{NAME.pattern}\s*")


class _Read(NamedTuple):
    """A formula or term, with the places of its free variables."""

    tree: Any
    free: tuple[tuple[str, int], ...] = ()


def defined_formula(text: str, letters: Letters = NO_LETTERS) -> Formula:
    """Return the formula that a text is by definition; raises ``FormulaSyntaxError`` if it is none."""
    wide: set[int] = set()
    while True:
        try:
            (found,) = _grammar(text, letters, wide).parse_string(text, parse_all=True)
        except pp.ParseException as error:
            raise FormulaSyntaxError(str(error), text, error.loc) from None
        quantifier = _to_widen(text, wide, found.free)
        if quantifier is None:
            formula: Formula = found.tree
            return formula
        wide |= _block(text, quantifier)


def _to_widen(text: str, wide: set[int], free: tuple[tuple[str, int], ...]) -> int | None:
    """Return the quantifier to be widened for the first free occurrence that one can bind."""
    for name, place in sorted(free, key=lambda occurrence: occurrence[1]):
        quantifiers = [match.start() for match in _QUANTIFIER.finditer(text, 0, place) if match[1] == name]
        for quantifier in reversed(quantifiers):
            if quantifier not in wide and _end_of_group(text, quantifier) > place:
                return quantifier
    return None


def _end_of_group(text: str, place: int) -> int:
    depth = 0
    for end in range(place, len(text)):
        depth += (text[end] == "(") - (text[end] == ")")
        if depth < 0:
            return end
    return len(text)


def _block(text: str, quantifier: int) -> set[int]:
    """Return a quantifier and those of its sign that directly follow it."""
    block, at = set[int](), quantifier
    while text[at : at + 1] == text[quantifier]:
        block.add(at)
        name = _BLOCK.match(text, at + 1)
        assert name is not None
        at = name.end()
    return block


def _grammar(text: str, letters: Letters, wide: set[int]) -> pp.ParserElement:
    variables = {match[1] for match in _QUANTIFIER.finditer(text)}

    def is_variable(name: str) -> bool:
        return name in variables or FREE_VARIABLE.fullmatch(name) is not None

    def term_of(_: str, place: int, found: pp.ParseResults) -> _Read:
        name, *arguments = found
        if arguments:
            return _joined(lambda *parts: Function(name, parts), arguments)
        return _Read(Variable(name), ((name, place),)) if is_variable(name) else _Read(Constant(name))

    def atom_of(found: pp.ParseResults) -> _Read:
        name, *arguments = found
        return _joined(lambda *parts: Atom(name, parts), arguments)

    def equation_of(found: pp.ParseResults) -> _Read:
        left, sign, right = found
        return _joined(lambda a, b: Equality(a, b) if sign == "=" else Not(Equality(a, b)), [left, right])

    def quantified(found: pp.ParseResults) -> _Read:
        sign, name, body = found
        free = tuple(occurrence for occurrence in body.free if occurrence[0] != name)
        return _Read(QUANTIFIERS[sign](Variable(name), body.tree), free)

    def connected(kind: Callable[[Formula, Formula], Formula]) -> Callable[[pp.ParseResults], _Read]:
        if kind is Implies:
            return lambda found: reduce(lambda right, left: _joined(kind, [left, right]), reversed(found))
        return lambda found: reduce(lambda left, right: _joined(kind, [left, right]), found)

    name = pp.Regex(NAME.pattern)
    term, operand, formula = pp.Forward(), pp.Forward(), pp.Forward()
    arguments = pp.Suppress("(") + pp.DelimitedList(term) + pp.Suppress(")")
    term <<= (name + pp.Optional(arguments)).add_parse_action(term_of)
    equation = (term + pp.one_of("= ≠") + term).add_parse_action(equation_of)
    letter = name.copy().add_condition(lambda found: found[0] in letters and found[0] not in variables)
    atom = (name + arguments | letter).add_parse_action(atom_of)
    negation = (pp.Suppress("¬") + operand).add_parse_action(lambda found: _joined(Not, found))
    quantifier = pp.one_of("∀ ∃")
    wide_sign = quantifier.copy().add_condition(lambda _, place, __: place in wide)
    binder = ((wide_sign + name + formula) | (quantifier + name + operand)).add_parse_action(quantified)
    operand <<= negation | binder | pp.Suppress("(") + formula + pp.Suppress(")") | equation | atom
    level: pp.ParserElement = operand
    for sign in "∧∨⊕→↔":
        level = pp.DelimitedList(level, sign).add_parse_action(connected(CONNECTIVES[sign]))
    formula <<= level
    return formula.parse_with_tabs()


def _joined(make: Callable[..., Formula | Term], parts: Any) -> _Read:
    return _Read(make(*(part.tree for part in parts)), tuple(place for part in parts for place in part.free))
