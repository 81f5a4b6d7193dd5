"""Answers that declare a vocabulary of their own, with glosses, and write formulas over it."""

from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import Field, StrictInt, StrictStr

from nlfol.logic import Signature
from nlfol.logic.syntax import FREE_VARIABLE, NAME
from nlfol.problems.alignment import Symbol, SymbolKind
from nlfol.tasks.answers import AnswerError, JsonAnswer, read_form
from nlfol.tasks.program_answers import MAX_ARITY

MAX_DECLARED = 200
"""Symbols of an answer that are read."""

NAME_LENGTH = 60
"""Characters of a name that a schema allows."""

KINDS = (SymbolKind.PREDICATE, SymbolKind.FUNCTION, SymbolKind.CONSTANT)


class _Declared(JsonAnswer):
    name: Annotated[StrictStr, Field(max_length=200)]
    kind: Literal["predicate", "function", "constant"]
    arity: Annotated[StrictInt, Field(ge=0, le=MAX_ARITY)]
    gloss: StrictStr


class _Vocabulary(JsonAnswer):
    reasoning: StrictStr = ""
    symbols: Annotated[list[_Declared], Field(max_length=MAX_DECLARED)]


class _OfSentence(_Vocabulary):
    answer: StrictStr


class _OfStory(_Vocabulary):
    answer: list[StrictStr]


def read_own(
    text: str, sentences: int | None, reasoning: int | None = None
) -> tuple[tuple[tuple[Symbol, str], ...], tuple[str, ...]]:
    """Read symbols, with glosses, and formulas of an answer about so many sentences of a story, or about one (None).

    Names are checked before anything is read with them: model output is untrusted. Raises ``AnswerError`` if the answer
    does not have the agreed form, a name is malformed, or a symbol is declared twice.
    """
    answer: _OfSentence | _OfStory
    if sentences is None:
        answer = read_form(text, _OfSentence, reasoning)
        formulas: tuple[str, ...] = (answer.answer,)
    else:
        answer = read_form(text, _OfStory, reasoning)
        formulas = tuple(answer.answer)
        if len(formulas) != sentences:
            raise AnswerError(f"{len(formulas)} formulas; there are {sentences} sentences")
    declared: list[tuple[Symbol, str]] = []
    known: set[tuple[bool, str]] = set()
    for row in answer.symbols:
        kind = SymbolKind(row.kind)
        if not NAME.fullmatch(row.name):
            raise AnswerError(
                f"symbol {row.name[:NAME_LENGTH]!r}: a name is an ASCII letter, then ASCII letters, digits and '_'"
            )
        if kind is SymbolKind.CONSTANT and FREE_VARIABLE.fullmatch(row.name):
            raise AnswerError(f"constant {row.name!r}: so a variable is called")
        if (kind is SymbolKind.CONSTANT and row.arity) or (kind is SymbolKind.FUNCTION and not row.arity):
            raise AnswerError(f"{kind} {row.name!r} with {row.arity} arguments")
        # A predicate is told from a term by its place.
        key = (kind is SymbolKind.PREDICATE, row.name)
        if key in known:
            raise AnswerError(f"symbol {row.name!r} is declared twice")
        known.add(key)
        declared.append((Symbol(kind, row.name, row.arity), row.gloss))
    return tuple(declared), formulas


def signature_of(symbols: Iterable[Symbol]) -> Signature:
    """Return the signature of some symbols."""
    predicates, functions, constants = (
        {symbol.name: symbol.arity for symbol in symbols if symbol.kind is kind} for kind in KINDS
    )
    return Signature(predicates, functions, frozenset(constants))
