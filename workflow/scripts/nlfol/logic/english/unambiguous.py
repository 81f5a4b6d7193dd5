"""Unambiguous English renderings: no two formulas share one, and ``reading`` is the inverse.

Every connective opens with words of its own ("both", "either", "if", "it is not the case that", ...), so the words
are a prefix notation, which needs no parentheses. Openers are left out where what stands around delimits a chain of
literals anyway: at the beginning, between "if" and "then", behind a quantifier there, and in items of lists. What
cannot be said inline without stumbling becomes a list with numbered items on lines of their own: what does not read as
a chain, and from the second "both" or "either" on that stands in another. ``reading`` has the grammar.

Where a list is needed depends on which connectives meet, so among candidates that differ in a connective it would give
the natural one, the gold formula, away. Candidates are therefore rendered together (``render_candidates``): if one of
them needs lists, all have them, at the same places of the syntax tree, and two items in each.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import NamedTuple

from nlfol.logic.english import wording
from nlfol.logic.english.lexicon import Lexicon, lexicon, variable_phrase
from nlfol.logic.english.wording import MAX_RENDERING, WORDINGS, EnglishLengthError, Wording, listed, other_case
from nlfol.logic.measuring import free_variables
from nlfol.logic.ontology.ontology import Ontology
from nlfol.logic.syntax import (
    BINARY,
    And,
    Atom,
    Binary,
    Equality,
    ExclusiveOr,
    Exists,
    ForAll,
    Formula,
    Iff,
    Implies,
    Not,
    Or,
    Quantified,
    Variable,
    fold,
)


class _Context(Enum):
    """The clauses that may stand without an opener."""

    FREE = auto()
    """The clause ends where its surroundings say: a chain needs no opener."""
    IF = auto()
    """Free, between "if" and "then"."""
    THEN = auto()
    """The clause is the end of a longer one: a chain has its opener, and "but not both" is clear."""
    BOUND = auto()
    """The clause is an operand: a chain has its opener."""


# Not frozen: setting the fields of a frozen one takes most of the time to make it.
@dataclass(slots=True, eq=False)
class _Subformula:
    """A subformula that is still to be rendered, in a list item with a number such as "2.1.", or nothing.

    ``bound`` is the variable of the quantifier directly in front. In a candidate, so many further connectives on the
    way down become lists; ``levels`` is None in a sentence that stands alone.
    """

    formula: Formula
    context: _Context
    number: str
    bound: Variable | None = None
    levels: int | None = None

    def under(self, formula: Formula, context: _Context, bound: Variable | None = None) -> _Subformula:
        return _Subformula(formula, context, self.number, bound, self.levels)

    def literal(self, literal: Formula, words: Lexicon) -> str:
        return words.literal(literal, of_candidate=self.levels is not None)


def render_candidates(formulas: Sequence[Formula], ontology: Ontology) -> list[str]:
    """Render the formulas of one candidate set as sentences, with as many levels of lists as any of them needs.

    So trees of the same shape have the same lists, and all connectives of two places or none. Raises as ``render``.
    """
    levels = max(map(levels_needed, formulas), default=0)
    return [render(formula, ontology, levels) for formula in formulas]


def render(formula: Formula, ontology: Ontology, levels: int | None = None, *, wordings: Iterable[Wording] = ()) -> str:
    """Render a formula as a sentence: capital letter first unless a name of one letter is first, full stop last.

    On so many levels, the outermost first, or on more if needed, a candidate's connectives of two places are lists;
    with None, the sentence stands alone. Implications have ``wordings`` in the order in which they begin, and the first
    of ``WORDINGS`` where these end. Raises `SignatureError` for a symbol outside the ontology, and
    `EnglishLengthError` if the sentence has more than ``MAX_RENDERING`` characters.
    """
    words = lexicon(ontology)
    pieces: list[str] = []
    length = 0
    if levels is not None:
        levels = max(levels, levels_needed(formula))
    said = iter(wordings)
    stack: list[_Subformula | str] = [_Subformula(formula, _Context.FREE, "", levels=levels)]
    while stack:
        top = stack.pop()
        if isinstance(top, _Subformula):
            is_implication = isinstance(top.formula, Implies)
            stack += reversed(_pieces(top, words, next(said, WORDINGS[0]) if is_implication else WORDINGS[0]))
            continue
        pieces.append(top)
        length += len(top)
        if length >= MAX_RENDERING:
            problem = f"the rendering has more than {MAX_RENDERING} characters"
            raise EnglishLengthError(f"{problem}; the formula is too large")
    return as_sentence("".join(pieces), words)


def as_sentence(clause: str, words: Lexicon) -> str:
    """Return a clause with a capital letter, unless a name of one letter is first, and a full stop."""
    sentence = clause if words.starts_with_name(clause) or clause[:1].isupper() else other_case(clause)
    return sentence if sentence.endswith(".") else f"{sentence}."


def _pieces(part: _Subformula, words: Lexicon, said: Wording) -> list[_Subformula | str]:
    stands_alone = part.levels is None
    if part.levels and isinstance(part.formula, BINARY) and not _is_short_item(part, part.formula):
        return _list(part, part.formula)
    match part.formula:
        case Atom() | Equality() | Not(Atom() | Equality()):
            return [part.literal(part.formula, words)]
        case Not(Not(operand)) if stands_alone:
            return [wording.NOT_NOT, part.under(operand, _Context.BOUND)]
        case Not(Exists() as denied):
            names, body, _ = _prefix(denied)
            front = f"there are no {listed(names)}" if len(names) > 1 else f"there is no {names[0]}"
            return [f"{front} such that ", part.under(body, _Context.BOUND)]
        case Not(operand):
            return [wording.NOT, part.under(operand, _Context.BOUND)]
        case ForAll() | Exists():
            return _quantified(part, part.formula)
        case And() | Or():
            return _chain(part, part.formula, words)
        case Implies(left, right):
            return _implication(part, left, right, words, said)
        case Iff(left, right):
            if _is_clear_between(part, left, right):
                return [part.literal(left, words), wording.IF_AND_ONLY_IF, part.under(right, _Context.BOUND)]
            return _list(part, part.formula) if stands_alone else _conditional(part, left, right, wording.IFF)
        case ExclusiveOr(left, right):
            if part.context is not _Context.BOUND and _is_literal(left) and _is_literal(right):
                both = [part.literal(operand, words) for operand in (left, right)]
                return [wording.EITHER, both[0], wording.OR, both[1], wording.BUT_NOT_BOTH]
            return _list(part, part.formula)


def _implication(
    part: _Subformula, left: Formula, right: Formula, words: Lexicon, said: Wording
) -> list[_Subformula | str]:
    """Return pieces of a form that depends on what is mentioned first and second, not on which implies the other."""
    is_turned, is_between = said
    first, second = (right, left) if is_turned else (left, right)
    if is_between and _is_clear_between(part, first, second):
        joint = wording.B_IF_A if is_turned else wording.A_ONLY_IF_B
        return [part.literal(first, words), joint, part.under(second, _Context.BOUND)]
    if part.levels is None and not _is_plain(first):
        return _list(part, Implies(left, right), (first, second), wording.ONLY_HEADER if is_turned else None)
    opener, joint = (wording.ONLY_IF, wording.TRUE) if is_turned else (wording.IF, wording.THEN)
    return _conditional(part, first, second, opener, joint)


def _conditional(
    part: _Subformula, first: Formula, second: Formula, opener: str, joint: str = wording.THEN
) -> list[_Subformula | str]:
    return [opener, part.under(first, _Context.IF), joint, part.under(second, _Context.THEN)]


def _quantified(part: _Subformula, formula: Quantified) -> list[_Subformula | str]:
    names, body, variable = _prefix(formula)
    several = len(names) > 1
    if isinstance(formula, ForAll):
        front = f"for all {listed(names)}, " if several else f"for every {names[0]}, "
    else:
        front = f"there are {listed(names)} such that " if several else f"there is some {names[0]} such that "
    return [front, part.under(body, part.context, variable)]


def _prefix(formula: Quantified) -> tuple[list[str], Formula, Variable]:
    """Return the names bound by the quantifiers of one kind in front, their scope, and the last variable."""
    names = []
    body: Formula = formula
    while isinstance(body, type(formula)):
        variable = body.variable
        names.append(variable_phrase(variable.name))
        body = body.body
    return names, body, variable


def _chain(part: _Subformula, formula: And | Or, words: Lexicon) -> list[_Subformula | str]:
    operands = _operands(formula)
    conjunction = isinstance(formula, And)
    several = len(operands) > 2
    is_delimited = part.context in (_Context.FREE, _Context.IF)
    nests = part.levels is None and not is_delimited and _joins(operands[-1])
    if nests or not all(map(_is_literal, operands[:-1])):
        return _list(part, formula, operands)
    opener = ""
    if not is_delimited:
        opener = wording.EITHER if not conjunction else wording.ALL_HOLD if several else wording.BOTH
    pausing = Implies | ForAll | Exists if part.levels is None else Implies | Iff | ForAll | Exists
    pause = part.context is _Context.FREE and isinstance(operands[-1], pausing)
    if several or pause:
        last = wording.COMMA_AND if conjunction else wording.COMMA_OR
    else:
        last = wording.AND if conjunction else wording.OR
    first = wording.COMMA.join(part.literal(operand, words) for operand in operands[:-1])
    return [opener, first, last, part.under(operands[-1], _Context.BOUND)]


def _is_short_item(part: _Subformula, formula: Binary) -> bool:
    numbered = part.number and part.context is _Context.FREE
    return bool(numbered) and _is_literal(formula.left) and _is_literal(formula.right)


def _list(
    part: _Subformula, formula: Binary, operands: Sequence[Formula] = (), header: str | None = None
) -> list[_Subformula | str]:
    """Return a list of the operands of a chain, or of the two sides."""
    items = operands or (formula.left, formula.right)
    marks = wording.marks(part.number, len(items))
    headers = wording.LINE_HEADERS if len(items) == 2 else wording.LONG_HEADERS
    pieces: list[_Subformula | str] = [(header or headers[type(formula)]).format(marks[0], marks[-1])]
    levels = part.levels and part.levels - 1
    for number, (mark, item) in enumerate(zip(marks, items, strict=True), 1):
        pieces.append(f"{'' if number == 1 else ';'}{wording.line(part.number)}{mark} ")
        pieces.append(_Subformula(item, _Context.FREE, f"{part.number}{number}.", levels=levels))
    return pieces


def _operands(formula: And | Or) -> list[Formula]:
    """Return the operands of a chain of one connective that is grouped to the left."""
    operands: list[Formula] = []
    node: Formula = formula
    while type(node) is type(formula):
        operands.append(node.right)
        node = node.left
    operands.append(node)
    return operands[::-1]


def _is_literal(formula: Formula) -> bool:
    return isinstance(formula.operand if isinstance(formula, Not) else formula, Atom | Equality)


def _joins(formula: Formula) -> bool:
    """Return whether it has a connective of two places."""
    node = formula
    while not isinstance(node, Atom | Equality | Binary):
        node = node.operand if isinstance(node, Not) else node.body
    return isinstance(node, Binary)


def _is_plain(formula: Formula) -> bool:
    """Return whether it is inline without "if", so that it can stand between "if" and "then"."""
    node, is_delimited, is_opened = formula, True, False
    while not _is_literal(node):
        match node:
            case And() | Or() if not is_opened:
                *first, node = _operands(node)
                if not all(map(_is_literal, first)):
                    return False
                is_delimited, is_opened = False, not is_delimited
            case Not(inner):
                node, is_delimited = inner, False
            case ForAll(_, inner) | Exists(_, inner):
                node = inner
            case _:
                return False
    return True


def _is_clear_between(part: _Subformula, left: Formula, right: Formula) -> bool:
    """Return whether "A if and only if B", "A if B" and "A only if B" are clear.

    Behind a quantifier it is if the variable occurs in B: then the quantifier cannot be taken to govern A alone. In a
    candidate, B must need no list of its own there, which ``levels_needed`` does not count.
    """
    return (
        part.context is _Context.FREE
        and _is_literal(left)
        and not isinstance(right, Implies | Iff)
        and (part.bound is None or part.bound in free_variables(right))
        and (part.levels is None or not fold(right, _inline).bound)
    )


class _Inline(NamedTuple):
    """Properties of a subformula inline: ``literals`` is a chain of such, ``plain`` can stand between "if" and "then".

    ``free`` and ``bound`` are the levels that it needs where its surroundings end it, and as an operand.
    """

    literal: bool
    literals: bool
    plain: bool
    free: int
    bound: int


_LITERAL = _Inline(literal=True, literals=True, plain=True, free=0, bound=0)


def levels_needed(formula: Formula) -> int:
    """Return the fewest levels of lists with which everything inline is clear.

    With n levels, every connective of two places with fewer than n others above it in the syntax tree is a list on
    lines of its own, whichever connective it is; the rest is said inline, and so is an item that joins two literals. So
    the lists of a formula depend on the shape of its tree alone, which an edit does not change.
    """
    return fold(formula, _inline).free


def _inline(node: Formula, parts: tuple[_Inline, ...]) -> _Inline:
    if not isinstance(node, BINARY):
        if isinstance(node, Atom | Equality):
            return _LITERAL
        (inner,) = parts
        if not isinstance(node, Not):
            return inner._replace(literal=False, literals=False)
        if isinstance(node.operand, Atom | Equality):
            return _LITERAL
        return _Inline(False, False, inner.plain, inner.bound, inner.bound)
    left, right = parts
    listed = 1 + max(left.free, right.free)
    literals = plain = clear_free = clear_bound = False
    match node:
        case And() | Or():
            chained = left.literal or (type(node.left) is type(node) and left.literals)
            literals = chained and right.literal
            plain = chained and right.plain
            clear_free = clear_bound = chained and not right.bound
        case Implies() | Iff():
            clear_free = clear_bound = left.plain and not right.free
        case ExclusiveOr():
            clear_free = left.literal and right.literal
    return _Inline(False, literals, plain, 0 if clear_free else listed, 0 if clear_bound else listed)
