"""Answers with a vocabulary of their own and formulas over it.

An answer is ``{"reasoning": ..., "symbols": [{"name", "kind", "arity", "gloss"}], "answer": ...}``: the formula of a
sentence as a text, or of each sentence of a story as a list of texts. Model output is untrusted: names are checked
before anything is read with them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field, StrictInt, StrictStr

from nlfol.alignment import Symbol, SymbolKind
from nlfol.logic.measuring import Signature
from nlfol.logic.syntax import FREE_VARIABLE, NAME
from nlfol.tasks.answers import AnswerError, JsonAnswer, object_schema, read_form
from nlfol.tasks.program_answers import MAX_ARITY, arity_schema, array, string

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
    reasoning: StrictStr
    symbols: Annotated[list[_Declared], Field(max_length=MAX_DECLARED)]


class _OfSentence(_Vocabulary):
    answer: StrictStr


class _OfStory(_Vocabulary):
    answer: list[StrictStr]


@dataclass(frozen=True, slots=True)
class OwnFormulas:
    """The declared symbols of an answer with their glosses, and its formulas as texts, one for each sentence."""

    symbols: Mapping[Symbol, str]
    formulas: tuple[str, ...]

    def signature(self) -> Signature:
        """Return the signature with which its formulas are read."""
        by_kind = {kind: {each.name: each.arity for each in self.symbols if each.kind is kind} for kind in KINDS}
        return Signature(
            by_kind[SymbolKind.PREDICATE], by_kind[SymbolKind.FUNCTION], frozenset(by_kind[SymbolKind.CONSTANT])
        )


def own_schema(sentences: int | None, symbols: int, gloss: int, formula: int, reasoning: int) -> dict[str, Any]:
    """Return the JSON schema of an answer about the sentences of a story, or about one alone (None).

    ``symbols`` is how many it may declare; the other limits are in characters.
    """
    kinds = {"type": "string", "enum": [kind.value for kind in KINDS]}
    row = {"name": string(NAME_LENGTH), "kind": kinds, "arity": arity_schema(), "gloss": string(gloss)}
    one = string(formula)
    answer = one if sentences is None else {"type": "array", "items": one, "minItems": sentences, "maxItems": sentences}
    return object_schema({"symbols": array(row, symbols), "answer": answer}, reasoning)


def read_own(text: str, sentences: int | None) -> OwnFormulas:
    """Read the vocabulary and the formulas of an answer about so many sentences of a story, or about one alone (None).

    Raises ``AnswerError`` if it does not have the agreed form, a name is malformed, or a symbol is declared twice.
    """
    answer: _OfSentence | _OfStory
    if sentences is None:
        answer = read_form(text, _OfSentence)
        formulas: tuple[str, ...] = (answer.answer,)
    else:
        answer = read_form(text, _OfStory)
        formulas = tuple(answer.answer)
        if len(formulas) != sentences:
            raise AnswerError(f"{len(formulas)} formulas; there are {sentences} sentences")
    return OwnFormulas(_declared(answer.symbols), formulas)


def _declared(rows: Sequence[_Declared]) -> dict[Symbol, str]:
    declared: dict[Symbol, str] = {}
    known: set[tuple[bool, str]] = set()
    for row in rows:
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
        declared[Symbol(kind, row.name, row.arity)] = row.gloss
    return declared
