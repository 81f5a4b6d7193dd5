"""Files of JSON objects with texts, as most problems are published."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from nlfol.problems.errors import SourceError
from nlfol.problems.problem import Problem, Statement
from nlfol.programs.options import OptionsError, by_letter

Record = Mapping[str, Any]

_END = re.compile(r"(?<=[.?!])\s+(?=[A-Z\"'“])")


class Published(NamedTuple):
    """What a source holds.

    Attributes:
        problems: all of them, those refused with their reason.
        notes: on the files, for the log.
    """

    problems: tuple[Problem, ...]
    notes: tuple[str, ...] = ()


def sentences(text: str) -> list[str]:
    """The sentences of free English, by full stop and capital."""
    return _END.split(text.strip())


def read_array(path: str, content: bytes) -> list[Record]:
    """The objects of a JSON array.

    Raises:
        SourceError: if it is none.
    """
    return [object_of(f"{path}: row {row}", record) for row, record in enumerate(_array(path, content), 1)]


def read_lines(path: str, content: bytes) -> list[Record]:
    """The objects of JSON Lines.

    Raises:
        SourceError: if they are none; names the line.
    """
    found = []
    for number, line in enumerate(decoded(path, content).split("\n"), 1):
        if line.strip():
            place = f"{path}: line {number}"
            found.append(object_of(place, parsed(place, line)))
    return found


def parsed(place: str, text: str) -> Any:
    """A JSON value.

    Raises:
        SourceError: if it is none, or holds half a character, which no file could keep.
    """
    try:
        value = json.loads(text)
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise SourceError(f"{place}: half a character, {error.object[error.start]!r}; correct it") from error
    except (ValueError, RecursionError) as error:
        raise SourceError(f"{place}: not JSON: {error}; get the file from its publisher again") from error
    return value


def decoded(path: str, content: bytes) -> str:
    """The text of a file in UTF-8.

    Raises:
        SourceError: if it is in another encoding.
    """
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SourceError(f"{path}: not UTF-8 at byte {error.start}; save it as UTF-8") from error


def text_of(place: str, record: Record, key: str) -> str:
    """The text of a key, without blanks around it; numbers as written.

    Raises:
        SourceError: if there is none.
    """
    value = record.get(key)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        raise SourceError(f"{place}: {key!r} holds no text; its keys are {', '.join(map(str, record))}")
    return value.strip()


def options_of(place: str, record: Record, answer: str) -> tuple[Statement, ...]:
    """The options without their letters, which must be A, B, … and have the answer among them.

    Raises:
        SourceError: if they are not.
    """
    texts = record.get("options")
    if not isinstance(texts, Sequence) or isinstance(texts, str) or not all(isinstance(text, str) for text in texts):
        raise SourceError(f"{place}: 'options' is no list of texts; write them as 'A) …'")
    try:
        found = by_letter(texts)
    except OptionsError as error:
        raise SourceError(f"{place}: {error}") from error
    expected = [chr(ord("A") + number) for number in range(len(found))]
    if list(found) != expected or answer not in found:
        letters = ", ".join(found)
        raise SourceError(f"{place}: options {letters} and answer {answer!r}; expected A, B, … with the answer")
    return tuple(map(Statement, found.values()))


def letter_of(place: str, answer: str, options: Sequence[str]) -> str:
    """The letter of an answer that is one of the options, in whatever case.

    Raises:
        SourceError: if it is not one of them.
    """
    for number, option in enumerate(options):
        if option.lower() == answer.lower():
            return chr(ord("A") + number)
    raise SourceError(f"{place}: the answer {answer!r} is not one of {', '.join(options)}")


def _array(path: str, content: bytes) -> list[Any]:
    found = parsed(path, decoded(path, content))
    if not isinstance(found, list):
        raise SourceError(f"{path}: no JSON array; get the file from its publisher again")
    return found


def object_of(place: str, value: Any) -> Record:
    """A JSON value that must be an object.

    Raises:
        SourceError: if it is none.
    """
    if not isinstance(value, dict):
        raise SourceError(f"{place}: no JSON object; get the file from its publisher again")
    return value
