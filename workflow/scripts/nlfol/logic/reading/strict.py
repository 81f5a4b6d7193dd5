"""The strict reader: Unicode notation to syntax tree, nothing accepted that is not understood.

Connectives, tightest first: ``¬ ∀ ∃``, ``∧``, ``∨``, ``⊕``, ``→`` (to the right), ``↔``; equal ones group to the
left. A quantifier binds tightly: ``∀x P(x) → Q(x)`` is ``(∀x P(x)) → Q(x)``. Where that leaves an occurrence of the
quantified name free and letting the quantifier reach to the end of its parenthesis binds it, the wide scope is taken
and the reading carries a warning; a block such as ``∀x∀y`` has one scope. A name is a variable where it is quantified
anywhere in the text or is one of u to z with or without digits; other argument names are constants. A name alone is a
propositional letter where the caller says so (``letters``), and an error elsewhere.

``tests/unit/logic/reference_grammar.py`` defines the notation as a grammar. Texts in which nothing unusual stands are
read in one pass (``formula_of``), all others, and those that are not formulas, by an automaton with an error for each
(``automaton``).

In such a text quantifiers ``∀x`` have names among u to z with or without digits; atoms ``P(a, x)`` and equations
``a = x`` are without function terms. What a name means then does not depend on the rest of the text, so that an atomic
formula with all its names, and a ¬ directly before it, has a tree that is known from its characters alone. What is left
of the text without these literals is its skeleton. How a formula is built of literals depends on the skeleton alone,
and many texts share one. A name alone, where it may be a propositional letter, is a literal like an atom.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from nlfol.interning import interned
from nlfol.logic import syntax as fol
from nlfol.logic.errors import FormulaSyntaxError
from nlfol.logic.measuring import Signature
from nlfol.logic.reading.automaton import Reading, read_fully
from nlfol.logic.reading.tokens import NO_LETTERS, Letters, letters_of

MAX_LENGTH = 20_000  # characters that ``read`` accepts: what models write is untrusted

_OPEN, _IFF, _IMPLIES, _EXCLUSIVE_OR, _OR, _AND, _NOT, _QUANTIFIER, _OPERAND, _CLOSE = range(10)
"""Kinds of tokens: what waits for an operand by its precedence, then the others."""

_LITERAL = "\N{OBJECT REPLACEMENT CHARACTER}"
"""Stands for each literal in a skeleton."""

_SIGNS: dict[str, tuple[int, Any]] = {
    "(": (_OPEN, None),
    ")": (_CLOSE, None),
    "¬": (_NOT, fol.Not),
    "∧": (_AND, fol.And),
    "∨": (_OR, fol.Or),
    "⊕": (_EXCLUSIVE_OR, fol.ExclusiveOr),
    "→": (_IMPLIES, fol.Implies),
    "↔": (_IFF, fol.Iff),
    _LITERAL: (_OPERAND, None),
    "∀": (_QUANTIFIER, fol.ForAll),
    "∃": (_QUANTIFIER, fol.Exists),
}
"""The kind of each sign, and the node that it makes."""

_WHITE = r"[ \n\t\r]*+"
_NAME = f"{fol.NAME.pattern}+"  # possessive like all repetitions here: nothing is tried twice
_HEAD = rf"¬?+(?<![A-Za-z0-9_]){_NAME}{_WHITE}"
_TAIL = rf"(?:\({_WHITE}{_NAME}{_WHITE}(?:,{_WHITE}{_NAME}{_WHITE})*+\)|[=≠]{_WHITE}{_NAME})"
_LITERALS = re.compile(rf"({_HEAD}{_TAIL})")
_BINDERS_AND_LITERALS = re.compile(rf"([∀∃]{_WHITE}{_NAME})|{_HEAD}{_TAIL}?+")
_TOKEN = re.compile(rf"(?:[∀∃]{_WHITE}{_NAME}|[¬()∧∨⊕→↔{_LITERAL}]){_WHITE}")
_WORD = re.compile(fol.NAME.pattern)

_MAX_REMEMBERED = 20_000
_MAX_LENGTH = 500  # characters of a literal or skeleton above which it is not remembered


_T = TypeVar("_T")
_Step = tuple[Any, int, int]
"""A connective or quantifier, and the registers of its operands; of ¬ the second is the register that holds None."""


class _Recipe(NamedTuple):
    """Steps that build a formula in registers: None, the literals, the variables, then the formula of each step."""

    literals: int
    variables: tuple[fol.Variable, ...]
    steps: list[_Step]


class _Remembered(dict[str, _T]):
    """A bounded cache of what texts stand for; long texts are not kept."""

    def __init__(self, make: Callable[[str], _T]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, text: str) -> _T:
        if len(self) >= _MAX_REMEMBERED:
            self.clear()
        made = self._make(text)
        if len(text) <= _MAX_LENGTH:
            self[text] = made
        return made


def _term(name: str) -> fol.Term:
    return fol.Variable(name) if fol.FREE_VARIABLE.fullmatch(name) else fol.Constant(name)


def _literal(text: str) -> fol.Formula:
    if text[0] == "¬":
        return fol.Not(_literals[text[1:]])
    names = _WORD.findall(text)
    if text[-1] == ")" or len(names) == 1:
        return fol.Atom(names[0], tuple([_terms[name] for name in names[1:]]))
    left, right = names
    equation = fol.Equality(_terms[left], _terms[right])
    return equation if "=" in text else fol.Not(equation)


def formula_of(text: str, letters: Letters = NO_LETTERS, *, tight: bool = False) -> fol.Formula | None:
    """Return the formula that a text is read as without warning, or ``tight`` if it is open; None for the automaton."""
    if letters is not NO_LETTERS:
        lettered = _with_letters(text, letters)
        if lettered is None:
            return None
        skeleton, literals = lettered
    else:
        parts = _LITERALS.split(text)
        skeleton, literals = _LITERAL.join(parts[::2]), parts[1::2]
    recipe = _recipes[skeleton]
    if recipe is None or recipe.literals != len(literals):
        return None
    _, variables, steps = recipe
    registers: list[Any] = [None, *map(_literals.__getitem__, literals), *variables]
    for make, one, other in steps:
        a, b = registers[one], registers[other]
        # Most of a text's formulas are there already: they are looked up without a call.
        reference = interned.get((make, a, b))
        formula = None if reference is None else reference()
        registers.append(make(a, b) if formula is None else formula)
    result: fol.Formula = registers[-1]
    return None if result.profile.free and not tight else result


def _with_letters(text: str, letters: Letters) -> tuple[str, list[str]] | None:
    """Return the skeleton and the literals; None where a name alone is no letter or is quantified."""
    literals: list[str] = []
    alone: set[str] = set()
    bound: set[str] = set()

    def taken(match: re.Match[str]) -> str:
        names = _WORD.findall(match[0])
        if match[1]:
            bound.update(names)
            return match[0]
        if len(names) == 1:
            alone.update(names)
        literals.append(match[0])
        return _LITERAL

    skeleton = _BINDERS_AND_LITERALS.sub(taken, text)
    if text.count(_LITERAL) or not alone.isdisjoint(bound) or any(name not in letters for name in alone):
        return None
    return skeleton, literals


def _recipe(skeleton: str) -> _Recipe | None:
    """Read a skeleton by precedence; all scopes are tight."""
    tokens = _TOKEN.findall(skeleton)
    names = [_WORD.findall(token)[0] for token in tokens if token[0] in "∀∃"]
    if "".join(tokens) != skeleton or not all(map(fol.FREE_VARIABLE.fullmatch, names)):
        return None
    count = skeleton.count(_LITERAL)
    literals, variables = iter(range(1, count + 1)), iter(range(count + 1, count + 1 + len(names)))
    steps: list[_Step] = []
    # What waits for an operand: its kind, what it makes, and the register of what it has already.
    waiting: list[tuple[int, Any, int]] = [(_OPEN, None, -1)]
    operand: int | None = None

    def joined(operand: int, least: int) -> int:
        while waiting[-1][0] >= least:
            kind, make, other = waiting.pop()
            steps.append((make, operand, 0) if kind == _NOT else (make, other, operand))
            operand = count + len(names) + len(steps)
        return operand

    for token in tokens:
        kind, make = _SIGNS[token[0]]
        if operand is None:
            if kind == _OPERAND:
                operand = joined(next(literals), _NOT)
            elif kind in (_QUANTIFIER, _NOT, _OPEN):
                waiting.append((kind, make, next(variables) if kind == _QUANTIFIER else -1))
            else:
                return None
        elif kind == _CLOSE:
            operand = joined(operand, _IFF)
            waiting.pop()
            if not waiting:
                return None
            operand = joined(operand, _NOT)
        elif _IFF <= kind <= _AND:
            # → groups to the right, all others to the left.
            operand = joined(operand, kind if kind != _IMPLIES else _EXCLUSIVE_OR)
            waiting.append((kind, make, operand))
            operand = None
        else:
            return None
    if operand is None:
        return None
    joined(operand, _IFF)
    return _Recipe(count, tuple(map(fol.Variable, names)), steps) if len(waiting) == 1 else None


_terms = _Remembered(_term)
_literals = _Remembered(_literal)
_recipes = _Remembered(_recipe)
"""Recipes by skeletons; None for a skeleton of no formula."""

# A gold formula is read again for each of its candidates.
_formula_of = lru_cache(maxsize=4_096)(formula_of)
_read_fully = lru_cache(maxsize=2_048)(read_fully)


def read(text: str, *, signature: Signature | None = None, propositions: bool = False) -> Reading:
    """Read one formula; raises ``FormulaSyntaxError`` with line and column.

    A name alone is a propositional letter if it is one of the signature's, or if propositions are asked for.
    """
    return read_with(text, letters_of(signature, propositions))


def read_with(text: str, letters: Letters = NO_LETTERS) -> Reading:
    """Read one formula as ``read`` does, given its letters."""
    if len(text) > MAX_LENGTH:
        raise _too_long(text)
    # Without letters, the key of the cache is that of ``parse``.
    asked = (text,) if letters is NO_LETTERS else (text, letters)
    formula = _formula_of(*asked)
    return _read_fully(*asked) if formula is None else Reading(formula)


def parse(text: str, *, signature: Signature | None = None, propositions: bool = False) -> fol.Formula:
    """Read one formula as ``read`` does, without the warnings."""
    if propositions or signature is not None:
        return read_with(text, letters_of(signature, propositions)).formula
    if len(text) > MAX_LENGTH:
        raise _too_long(text)
    return _formula_of(text) or _read_fully(text).formula


def _too_long(text: str) -> FormulaSyntaxError:
    return FormulaSyntaxError(f"{len(text)} characters; at most {MAX_LENGTH} are read", text, MAX_LENGTH)


def forget() -> None:
    """Drop the formulas, literals, terms and skeletons that were read lately."""
    _literals.clear()
    _terms.clear()
    _recipes.clear()
    _formula_of.cache_clear()
    _read_fully.cache_clear()
