"""English renderings that say one thing only: no two formulas share one, and ``reading`` is the inverse.

Every connective opens with words of its own ("both", "either", "if", "it is not the case that", ...), so the words
are a prefix notation, which needs no parentheses. Openers are left out where what stands around delimits a chain of
literals anyway: at the beginning, between "if" and "then", behind a quantifier there, and in items of lists. What
cannot be said inline without stumbling becomes a list with numbered items. ``reading`` has the grammar.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from nlfol.english import wording
from nlfol.english.errors import EnglishLengthError
from nlfol.english.lexicon import Lexicon, lexicon, variable_phrase
from nlfol.english.wording import MAX_RENDERING, listed, other_case
from nlfol.logic.measuring import free_variables
from nlfol.logic.syntax import (
    And,
    Atom,
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
)
from nlfol.ontology.ontology import Ontology


class _Context(Enum):
    """What may stand without an opener."""

    FREE = auto()
    """The clause ends where its surroundings say: a chain needs no opener."""
    IF = auto()
    """The same between "if" and "then"."""
    THEN = auto()
    """The clause is the end of a longer one: a chain has its opener, and "but not both" is clear."""
    BOUND = auto()
    """The clause is an operand: a chain has its opener."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A subformula that is still to be rendered.

    Attributes:
        formula: it.
        context: what may stand without an opener in it.
        number: of the list item that it is in, such as "2.1.", or nothing.
        bound: the variable of the quantifier directly in front.
    """

    formula: Formula
    context: _Context
    number: str
    bound: Variable | None = None


def render(formula: Formula, ontology: Ontology) -> str:
    """One English sentence: capital letter first unless it begins with a name of one letter, full stop last.

    Raises:
        SignatureError: if the formula uses a symbol that the ontology lacks, or with another arity.
        EnglishLengthError: if the sentence has more than ``MAX_RENDERING`` characters.
    """
    words = lexicon(ontology)
    pieces: list[str] = []
    length = 0
    stack: list[_Part | str] = [_Part(formula, _Context.FREE, "")]
    while stack:
        top = stack.pop()
        if isinstance(top, _Part):
            stack += reversed(_pieces(top, words))
            continue
        pieces.append(top)
        length += len(top)
        if length >= MAX_RENDERING:
            raise EnglishLengthError(
                f"the rendering has more than {MAX_RENDERING} characters; the formula is too large"
            )
    clause = "".join(pieces)
    sentence = clause if words.starts_with_name(clause) or clause[:1].isupper() else other_case(clause)
    return sentence if sentence.endswith(".") else f"{sentence}."


def _pieces(part: _Part, words: Lexicon) -> list[_Part | str]:
    match part.formula:
        case Atom() | Equality() | Not(Atom() | Equality()):
            return [words.literal(part.formula)]
        case Not(Exists() as denied):
            names, body, _ = _prefix(denied)
            front = f"there are no {listed(names)}" if len(names) > 1 else f"there is no {names[0]}"
            return [f"{front} such that ", _Part(body, _Context.BOUND, part.number)]
        case Not(operand):
            return [wording.NOT, _Part(operand, _Context.BOUND, part.number)]
        case ForAll() | Exists():
            return _quantified(part, part.formula)
        case And() | Or():
            return _chain(part, part.formula, words)
        case Implies(left, right):
            if _is_plain(left):
                antecedent = _Part(left, _Context.IF, part.number)
                return [wording.IF, antecedent, wording.THEN, _Part(right, _Context.THEN, part.number)]
            return _list(wording.FIRST_IMPLIES, [left, right], wording.COMMA_AND, part)
        case Iff(left, right):
            if _is_inline_equivalence(part, left, right):
                return [words.literal(left), wording.IF_AND_ONLY_IF, _Part(right, _Context.BOUND, part.number)]
            return _list(wording.TOGETHER, [left, right], wording.COMMA_AND, part)
        case ExclusiveOr(left, right):
            if part.context is not _Context.BOUND and _is_literal(left) and _is_literal(right):
                return [wording.EITHER, words.literal(left), wording.OR, words.literal(right), wording.BUT_NOT_BOTH]
            return _list(wording.ONE_HOLDS, [left, right], wording.COMMA_OR, part)


def _quantified(part: _Part, formula: Quantified) -> list[_Part | str]:
    names, body, variable = _prefix(formula)
    several = len(names) > 1
    if isinstance(formula, ForAll):
        front = f"for all {listed(names)}, " if several else f"for every {names[0]}, "
    else:
        front = f"there are {listed(names)} such that " if several else f"there is some {names[0]} such that "
    return [front, _Part(body, part.context, part.number, variable)]


def _prefix(formula: Quantified) -> tuple[list[str], Formula, Variable]:
    """The quantifiers of one kind in front: their variables' names, what they govern, and the last variable."""
    names = []
    body: Formula = formula
    while isinstance(body, type(formula)):
        variable = body.variable
        names.append(variable_phrase(variable.name))
        body = body.body
    return names, body, variable


def _chain(part: _Part, formula: And | Or, words: Lexicon) -> list[_Part | str]:
    operands = _operands(formula)
    conjunction = isinstance(formula, And)
    several = len(operands) > 2
    if not all(map(_is_literal, operands[:-1])):
        all_hold = wording.ALL_HOLD if several else wording.BOTH_HOLD
        header = all_hold if conjunction else wording.ANY_HOLDS
        return _list(header, operands, wording.COMMA_AND if conjunction else wording.COMMA_OR, part)
    opener = ""
    if part.context not in (_Context.FREE, _Context.IF):
        opener = wording.EITHER if not conjunction else wording.ALL_HOLD if several else wording.BOTH
    pause = part.context is _Context.FREE and isinstance(operands[-1], Implies | ForAll | Exists)
    if several or pause:
        last = wording.COMMA_AND if conjunction else wording.COMMA_OR
    else:
        last = wording.AND if conjunction else wording.OR
    first = wording.COMMA.join(map(words.literal, operands[:-1]))
    return [opener, first, last, _Part(operands[-1], _Context.BOUND, part.number)]


def _list(header: str, items: list[Formula], last: str, part: _Part) -> list[_Part | str]:
    """A list with numbered items; ``last`` joins the last one."""
    pieces: list[_Part | str] = [header]
    for number, item in enumerate(items, 1):
        joint = "" if number == 1 else "; " if number < len(items) else f";{last.removeprefix(',')}"
        pieces.append(f"{joint}({part.number}{number}) ")
        pieces.append(_Part(item, _Context.FREE, f"{part.number}{number}."))
    return pieces


def _operands(formula: And | Or) -> list[Formula]:
    """The operands of a chain of one connective that is grouped to the left."""
    found: list[Formula] = []
    node: Formula = formula
    while type(node) is type(formula):
        found.append(node.right)
        node = node.left
    found.append(node)
    return found[::-1]


def _is_literal(formula: Formula) -> bool:
    return isinstance(formula.operand if isinstance(formula, Not) else formula, Atom | Equality)


def _is_plain(formula: Formula) -> bool:
    """Whether it is said inline without "if", so that it can stand between "if" and "then"."""
    node = formula
    while not _is_literal(node):
        match node:
            case And() | Or():
                *first, node = _operands(node)
                if not all(map(_is_literal, first)):
                    return False
            case Not(inner) | ForAll(_, inner) | Exists(_, inner):
                node = inner
            case _:
                return False
    return True


def _is_inline_equivalence(part: _Part, left: Formula, right: Formula) -> bool:
    """Whether "A if and only if B" is clear.

    Behind a quantifier it is where the variable occurs in B: then the quantifier cannot be taken to govern A alone.
    """
    return (
        part.context is _Context.FREE
        and _is_literal(left)
        and not isinstance(right, Implies | Iff)
        and (part.bound is None or part.bound in free_variables(right))
    )
