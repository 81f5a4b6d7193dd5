"""Forms of a dialogue model's answers: their schemas, and reading them.

An answer is one JSON object, ``{"reasoning": ..., "answer": ...}``, reasoning first so that a model thinks before it
commits, or without reasoning where none is asked for. The budget of reasoning is in tokens: so a model is told, and
``max_tokens`` has room for it. Schemas bound it by the characters of so many tokens, to which grammars hold local
models. Model output is untrusted: its size is bounded, and pydantic's reader bounds its depth.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, StrictInt, StrictStr, ValidationError

from nlfol.mappings import JsonDict, JsonObject

MAX_ANSWER = 200_000
"""Characters of an answer that are read."""

REASONING = "reasoning"

CHARACTERS_A_TOKEN = 4
"""Characters of reasoning for a token of its budget."""

_SHOWN = 60
"""Characters of a wrong word that an error shows."""


class AnswerError(ValueError):
    """An answer that does not have the agreed form."""


class JsonAnswer(BaseModel):
    """A part of a JSON answer, without unknown fields."""

    model_config = ConfigDict(extra="forbid")


class _Answer(JsonAnswer):
    reasoning: StrictStr = ""


class _TextAnswer(_Answer):
    answer: StrictStr


class _IndexAnswer(_Answer):
    answer: StrictInt


class _OrderAnswer(_Answer):
    answer: list[StrictInt]


_JsonAnswer = TypeVar("_JsonAnswer", bound=JsonAnswer)


def text_schema(characters: int, reasoning: int) -> JsonDict:
    """Return the JSON schema of an answer that is a text, such as a formula, of so many characters."""
    return object_schema({"answer": {"type": "string", "maxLength": characters}}, reasoning)


def index_schema(count: int, reasoning: int) -> JsonDict:
    """Return the JSON schema of an answer that is one of the numbers 1 to ``count``."""
    return object_schema({"answer": {"type": "integer", "enum": list(range(1, count + 1))}}, reasoning)


def word_schema(words: Sequence[str], reasoning: int) -> JsonDict:
    """Return the JSON schema of an answer that is one of some words."""
    return object_schema({"answer": {"type": "string", "enum": list(words)}}, reasoning)


def order_schema(count: int, reasoning: int) -> JsonDict:
    """Return the JSON schema of an answer that is a permutation of the numbers 1 to ``count``."""
    numbers = {"type": "integer", "enum": list(range(1, count + 1))}
    order = {"type": "array", "items": numbers, "minItems": count, "maxItems": count, "uniqueItems": True}
    return object_schema({"answer": order}, reasoning)


def object_schema(fields: JsonDict, reasoning: int = 0) -> JsonDict:
    """Return the JSON schema of an object with some fields, after so many tokens of reasoning; without any for 0."""
    longest = {"type": "string", "maxLength": reasoning * CHARACTERS_A_TOKEN}
    before = {REASONING: longest} if reasoning else {}
    properties = {**before, **fields}
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def reasoning_of(schema: JsonObject) -> int:
    """Return the tokens of reasoning that an answer of a schema may have."""
    longest: int = schema.get("properties", {}).get(REASONING, {}).get("maxLength", 0)
    return longest // CHARACTERS_A_TOKEN


def read_text(text: str, reasoning: int | None = None) -> str:
    """Return the text that is the answer; raises ``AnswerError`` if it does not have the agreed form."""
    return read_form(text, _TextAnswer, reasoning).answer


def read_index(text: str, count: int, reasoning: int | None = None) -> int:
    """Return the place chosen, from 0; raises ``AnswerError`` unless the answer is a number from 1 to ``count``."""
    number = read_form(text, _IndexAnswer, reasoning).answer
    if not 1 <= number <= count:
        raise AnswerError(f"answer {number} is not a number from 1 to {count}")
    return number - 1


def read_word(text: str, words: Sequence[str], reasoning: int | None = None) -> str:
    """Return the word chosen; raises ``AnswerError`` if it is not offered."""
    word = read_form(text, _TextAnswer, reasoning).answer
    if word not in words:
        raise AnswerError(f"answer {word[:_SHOWN]!r} is not one of {', '.join(words)}")
    return word


def read_order(text: str, count: int, reasoning: int | None = None) -> list[int]:
    """Return the places in the order given, from 0; raises ``AnswerError`` unless they are a permutation."""
    numbers: Sequence[int] = read_form(text, _OrderAnswer, reasoning).answer
    if sorted(numbers) != list(range(1, count + 1)):
        raise AnswerError(f"answer is no permutation of the numbers 1 to {count}")
    return [number - 1 for number in numbers]


@lru_cache(maxsize=16)
def _validated(form: type[_JsonAnswer], text: str) -> _JsonAnswer:
    """Validate an answer, once where its form is checked before it is read."""
    return form.model_validate_json(text)


def read_form(text: str, form: type[_JsonAnswer], reasoning: int | None = None) -> _JsonAnswer:
    """Return an answer of any form; raises ``AnswerError`` if it does not have that form.

    ``reasoning`` is the budget: with one, an answer must have reasoning, with 0 it must have none; with None it may.
    """
    if len(text) > MAX_ANSWER:
        raise AnswerError(f"{len(text)} characters; at most {MAX_ANSWER} are read")
    try:
        answer: _JsonAnswer = _validated(form, text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        location = ".".join(map(str, first["loc"])) or "answer"
        raise AnswerError(f"{location}: {first['msg']}") from error
    if reasoning is not None and (REASONING in answer.model_fields_set) != (reasoning > 0):
        raise AnswerError(f"{REASONING}: {'Field required' if reasoning else 'Extra inputs are not permitted'}")
    return answer
