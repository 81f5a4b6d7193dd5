"""The strict notation in one pass, for texts in which nothing unusual stands.

Let a text consist of quantifiers ``∀x`` whose names are among u to z with or without digits, of atoms ``P(a, x)`` and
equations ``a = x`` without function terms, of connectives and parentheses. What a name means then does not depend on
the rest of the text, so that an atomic formula with all its names is one token, whose tree is known from its
characters alone. The tokens cover the text if and only if, joined, they are the text.

The automaton is that of ``full_reading`` without what it notes for errors and for wide scope. A wide scope is tried
only where tight scope leaves a name free. Where it does, and where a text is not as described or no formula, this
reader has no answer.
"""

from __future__ import annotations

import re
from typing import Any

from nlfol.logic.decision.profiles import profile
from nlfol.logic.syntax import (
    FREE_VARIABLE,
    NAME,
    And,
    Atom,
    Constant,
    Equality,
    ExclusiveOr,
    Exists,
    ForAll,
    Formula,
    Iff,
    Implies,
    Not,
    Or,
    Term,
    Variable,
)

_OPEN, _IFF, _IMPLIES, _EXCLUSIVE_OR, _OR, _AND, _NOT, _QUANTIFIER, _OPERAND, _CLOSE, _UNUSUAL = range(11)
"""Kinds of tokens: what waits for an operand by its precedence, then the others."""

_Meaning = tuple[int, Any]
"""A kind, and what belongs to it: a connective, a quantifier with its variable, or an atomic formula."""

_SIGNS: dict[str, _Meaning] = {
    "(": (_OPEN, None),
    ")": (_CLOSE, None),
    "¬": (_NOT, None),
    "∧": (_AND, And),
    "∨": (_OR, Or),
    "⊕": (_EXCLUSIVE_OR, ExclusiveOr),
    "→": (_IMPLIES, Implies),
    "↔": (_IFF, Iff),
}

_WHITE = r"[ \n\t\r]*+"
_NAME = f"{NAME.pattern}+{_WHITE}"  # possessive like all repetitions here: nothing is tried twice
_TOKEN = re.compile(
    rf"(?:{_NAME}(?:\({_WHITE}{_NAME}(?:,{_WHITE}{_NAME})*+\)|[=≠]{_WHITE}{_NAME})?+|[∀∃]{_WHITE}{_NAME}|"
    rf"[{''.join(_SIGNS)}]){_WHITE}"
)
_WORD = re.compile(NAME.pattern)

_MAX_REMEMBERED = 20_000


class _Meanings(dict[str, _Meaning]):
    """Tokens, with the white space after them, and their meanings."""

    def __missing__(self, token: str) -> _Meaning:
        if len(self) >= _MAX_REMEMBERED:
            self.clear()
        meaning = self[token] = _meaning(token.rstrip())
        return meaning


_meanings = _Meanings()


def _meaning(token: str) -> _Meaning:
    if token in _SIGNS:
        return _SIGNS[token]
    names = _WORD.findall(token)
    if token[0] in "∀∃":
        if FREE_VARIABLE.fullmatch(names[0]):
            return _QUANTIFIER, (ForAll if token[0] == "∀" else Exists, Variable(names[0]))
    elif token[-1] == ")":
        return _OPERAND, Atom(names[0], tuple(map(_term, names[1:])))
    elif len(names) == 2:
        equation = Equality(*map(_term, names))
        return _OPERAND, equation if "=" in token else Not(equation)
    return _UNUSUAL, None


def _term(name: str) -> Term:
    return Variable(name) if FREE_VARIABLE.fullmatch(name) else Constant(name)


def formula_of(text: str) -> Formula | None:
    """The formula that a text is read as without any warning; None where ``full_reading`` has to be asked."""
    tokens = _TOKEN.findall(text)
    if "".join(tokens) != text:
        return None
    formula = _joined(tokens)
    return None if formula is None or profile(formula).free else formula


def _joined(tokens: list[str]) -> Formula | None:
    """The tokens as one formula, all scopes tight; one function, because a call costs as much as the rest of a step."""
    # What waits for an operand; what it makes of it, unless it is ¬ or a parenthesis; and a connective's left operand.
    waiting = [_OPEN]
    makers: list[Any] = []
    lefts: list[Formula] = []
    stream = map(_meanings.__getitem__, tokens)
    for kind, what in stream:
        if kind != _OPERAND:
            if kind == _QUANTIFIER:
                makers.append(what)
            elif kind not in (_NOT, _OPEN):
                return None
            waiting.append(kind)
            continue
        operand = what
        while waiting[-1] >= _NOT:
            if waiting.pop() == _NOT:
                operand = Not(operand)
            else:
                quantifier, variable = makers.pop()
                operand = quantifier(variable, operand)
        for following, connective in stream:
            if following == _CLOSE:
                while waiting.pop() != _OPEN:
                    operand = makers.pop()(lefts.pop(), operand)
                if not waiting:
                    return None
                while waiting[-1] >= _NOT:
                    if waiting.pop() == _NOT:
                        operand = Not(operand)
                    else:
                        quantifier, variable = makers.pop()
                        operand = quantifier(variable, operand)
                continue
            if not _IFF <= following <= _AND:
                return None
            tighter = following if following != _IMPLIES else _EXCLUSIVE_OR  # → groups to the right
            while waiting[-1] >= tighter:
                waiting.pop()
                operand = makers.pop()(lefts.pop(), operand)
            waiting.append(following)
            makers.append(connective)
            lefts.append(operand)
            break
        else:
            while waiting.pop() != _OPEN:
                operand = makers.pop()(lefts.pop(), operand)
            return None if waiting else operand
    return None
