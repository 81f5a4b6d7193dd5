"""What a dialogue model's answer to each task looks like, and reading it.

An answer is one JSON object, ``{"reasoning": ..., "answer": ...}``, reasoning first so that a model thinks before it
commits. What models write is untrusted: its size is bounded, and pydantic's reader bounds its depth.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, StrictInt, StrictStr, ValidationError

MAX_ANSWER = 200_000
"""Characters of an answer that are read."""


class AnswerError(ValueError):
    """An answer that is not of the agreed form."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of the strings in an answer, in characters."""

    reasoning: int
    formula: int


class _Answer(BaseModel):
    model_config = ConfigDict(extra="forbid")
    reasoning: StrictStr


class _FormulaAnswer(_Answer):
    answer: StrictStr


class _IndexAnswer(_Answer):
    answer: StrictInt


class _OrderAnswer(_Answer):
    answer: list[StrictInt]


_Form = TypeVar("_Form", bound=_Answer)


def formula_schema(limits: Limits) -> dict[str, Any]:
    """JSON schema of an answer that is a formula."""
    return _object_schema({"type": "string", "maxLength": limits.formula}, limits)


def index_schema(count: int, limits: Limits) -> dict[str, Any]:
    """JSON schema of an answer that is one of the numbers 1 to ``count``."""
    return _object_schema({"type": "integer", "enum": list(range(1, count + 1))}, limits)


def order_schema(count: int, limits: Limits) -> dict[str, Any]:
    """JSON schema of an answer that is a permutation of the numbers 1 to ``count``."""
    numbers = {"type": "integer", "enum": list(range(1, count + 1))}
    return _object_schema(
        {"type": "array", "items": numbers, "minItems": count, "maxItems": count, "uniqueItems": True}, limits
    )


def answer_schema(kind: str, candidates: int, limits: Limits) -> dict[str, Any]:
    """JSON schema of the answer to a kind of task about so many candidates."""
    schemas: dict[str, Callable[[], dict[str, Any]]] = {
        "logical_translation": lambda: formula_schema(limits),
        "most_similar": lambda: index_schema(candidates, limits),
        "ranking": lambda: order_schema(candidates, limits),
    }
    return schemas[kind]()


def _object_schema(answer: dict[str, Any], limits: Limits) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {"reasoning": {"type": "string", "maxLength": limits.reasoning}, "answer": answer},
        "required": ["reasoning", "answer"],
        "additionalProperties": False,
    }


def read_formula(text: str) -> str:
    """The formula's text.

    Raises:
        AnswerError: if the answer is not of the agreed form.
    """
    return _read(text, _FormulaAnswer).answer


def read_index(text: str, count: int) -> int:
    """The place chosen, from 0.

    Raises:
        AnswerError: if the answer is not of the agreed form or not a number from 1 to ``count``.
    """
    number = _read(text, _IndexAnswer).answer
    if not 1 <= number <= count:
        raise AnswerError(f"answer {number} is not a number from 1 to {count}")
    return number - 1


def read_order(text: str, count: int) -> list[int]:
    """The places in the order given, from 0.

    Raises:
        AnswerError: if the answer is not of the agreed form or no permutation of the numbers 1 to ``count``.
    """
    numbers: Sequence[int] = _read(text, _OrderAnswer).answer
    if sorted(numbers) != list(range(1, count + 1)):
        raise AnswerError(f"answer is no permutation of the numbers 1 to {count}")
    return [number - 1 for number in numbers]


def read_answer(task: str, text: str, candidates: int) -> str | int | list[int]:
    """What a task's answer says: the formula, the place chosen, or the places in order.

    Raises:
        AnswerError: if the answer is not of the agreed form.
    """
    readers: dict[str, Callable[[], str | int | list[int]]] = {
        "logical_translation": lambda: read_formula(text),
        "most_similar": lambda: read_index(text, candidates),
        "ranking": lambda: read_order(text, candidates),
    }
    return readers[task]()


def _read(text: str, form: type[_Form]) -> _Form:
    if len(text) > MAX_ANSWER:
        raise AnswerError(f"{len(text)} characters; at most {MAX_ANSWER} are read")
    try:
        return form.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"])) or "answer"
        raise AnswerError(f"{place}: {first['msg']}") from error
