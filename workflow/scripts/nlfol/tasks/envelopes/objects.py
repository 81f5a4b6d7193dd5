r"""JSON objects in a text, as models write them: strictly first, then loosely.

Loose objects may have single or curly quotes, keys without quotes, trailing commas, comments, raw newlines, quotes
within strings, and Python's words. An object without its end is none: an answer that was cut off is not read. Size,
depth and steps are bounded, so the time is linear in the text.

json-repair does the same and more, but completes what was cut off, lets the last of equal keys win, and reads
``"\forall"`` as a form feed: each would make a wrong answer right, or a right one wrong.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from nlfol.mappings import JsonDict
from nlfol.tasks.envelopes.liberties import ContradictionError, Liberty, MisfitError

MAX_DEPTH = 20
"""Objects and lists within one another."""

MAX_STARTS = 100
"""Places of a text at which an object is looked for."""

MAX_STEPS = 100_000
"""Values, keys and signs of loose objects that are read."""

COMMENTS = r"\s*+(?:(?://[^\n]{0,200}\n|/\*[^*]{0,200}\*/)\s*+){0,20}+"
"""White space and a few short comments, as a regular expression that never goes back."""

_START = re.compile(rf"""\{{(?={COMMENTS}(?:["'“”‘’}}]|[A-Za-z_][\w ]{{0,40}}:))""")
_COMMAND = re.compile(
    r"(?<!\\)((?:\\\\)*)\\(?=forall|rightarrow|bigwedge|bigvee|bigoplus|boxed|nexists|notin|text(?:bf|it|rm|tt|sf)?\{|"
    r"(?:neg|neq|ne|not|to|top|bot)(?![A-Za-z])|(?![\"'\\/bfnrtu])|u(?![0-9A-Fa-f]{4}))"
)
"""Backslashes that begin no escape of JSON, or a command of LaTeX: ``\\forall`` is no form feed."""

_BLANK = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_NAME = re.compile(r"[A-Za-z_][\w-]*(?: [A-Za-z_][\w-]*)*")
_NUMBER = re.compile(r"-?\d{1,30}(?:\.\d{1,30})?(?![\w.])")
_WORDS = {"true": True, "false": False, "null": None, "none": None}
_CLOSING = {'"': '"', "'": "'", "“": "”", "‘": "’", "”": "”", "’": "’"}
_INSIDE = {quote: re.compile(rf"(?:[^{quote}\\]|\\.)*", re.DOTALL) for quote in set(_CLOSING.values())}
_AFTER = re.compile(r"\s*(?:[,:}\]]|//|/\*)")
_ESCAPES = re.compile(r"\\(u[0-9A-Fa-f]{4}|.)", re.DOTALL)
_MEANT = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


class Found(NamedTuple):
    """An object with its place in the text, and the liberties that reading it took."""

    value: Any
    start: int
    end: int
    liberties: frozenset[Liberty]


class Repeated(JsonDict):
    """An object with a key twice, under one value."""


def strict_object(text: str) -> Any:
    """Return the object that a text is as JSON; raises ``MisfitError``, or ``ContradictionError`` by equal keys."""
    try:
        return _STRICT.decode(text)
    except (ValueError, RecursionError) as error:
        if isinstance(error, ContradictionError):
            raise
        raise MisfitError("no JSON object") from error


def with_commands(text: str) -> tuple[str, bool]:
    """Double the backslashes that stand for themselves; return whether there were any."""
    escaped, count = _COMMAND.subn(r"\1\\\\", text) if "\\" in text else (text, 0)
    return escaped, count > 0


def objects(text: str) -> Iterator[Found]:
    """Yield the outermost objects of a text; raises ``ContradictionError`` if one has two values under one key.

    Raises ``MisfitError`` if the text begins more objects than are looked for.
    """
    reader = _Loose(text)
    end = 0
    for tries, match in enumerate(_START.finditer(text)):
        if match.start() < end:
            continue
        if tries >= MAX_STARTS:
            raise MisfitError(f"more than {MAX_STARTS} braces")
        start = match.start()
        try:
            value, end, liberties = _decoded(text, start)
        except (ValueError, RecursionError) as error:
            if isinstance(error, ContradictionError):
                raise
            try:
                value, end = reader.object_at(start)
            except MisfitError:
                continue
            liberties = frozenset({Liberty.SYNTAX})
        yield Found(value, start, end, liberties)


def _decoded(text: str, start: int) -> tuple[Any, int, frozenset[Liberty]]:
    """Decode the object that begins there as JSON, or JSON with raw newlines."""
    try:
        return *_STRICT.raw_decode(text, start), frozenset()
    except json.JSONDecodeError as error:
        if not error.msg.startswith("Invalid control character"):
            raise
        return *_RAW.raw_decode(text, start), frozenset({Liberty.SYNTAX})


def paired(pairs: list[tuple[str, Any]]) -> JsonDict:
    """Return an object of its pairs; raises ``ContradictionError`` if a key has two values."""
    fields = dict(pairs)
    if len(fields) == len(pairs):
        return fields
    for key, value in pairs:
        if fields[key] != value:
            raise ContradictionError(f"key {key[:40]!r} has two values")
    return Repeated(fields)


_STRICT = json.JSONDecoder(object_pairs_hook=paired)
_RAW = json.JSONDecoder(object_pairs_hook=paired, strict=False)


class _Loose:
    """A reader of loose objects; its steps count over all objects of a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.steps = 0

    def object_at(self, start: int) -> tuple[JsonDict, int]:
        """Return the object that begins there and where it ends; raises ``MisfitError`` if there is none."""
        return self._object(start, 1)

    def _step(self, depth: int) -> None:
        self.steps += 1
        if self.steps > MAX_STEPS or depth > MAX_DEPTH:
            raise MisfitError("an object too large or too deep")

    def _skip(self, position: int) -> int:
        match = _BLANK.match(self.text, position)
        return match.end() if match else position

    def _sign(self, position: int, signs: str) -> str:
        sign = self.text[position : position + 1]
        if not sign or sign not in signs:
            raise MisfitError(f"none of {signs} at character {position + 1}")
        return sign

    def _value(self, position: int, depth: int) -> tuple[Any, int]:
        self._step(depth)
        sign = self.text[position : position + 1]
        if sign == "{":
            return self._object(position, depth)
        if sign == "[":
            return self._list(position, depth)
        if sign in _CLOSING and sign:
            return self._string(position)
        if match := _NUMBER.match(self.text, position):
            return (float if "." in match[0] else int)(match[0]), match.end()
        match = _NAME.match(self.text, position)
        if match and match[0].lower() in _WORDS:
            return _WORDS[match[0].lower()], match.end()
        raise MisfitError(f"no value at character {position + 1}")

    def _object(self, position: int, depth: int) -> tuple[JsonDict, int]:
        pairs: list[tuple[str, Any]] = []
        position = self._skip(position + 1)
        while self.text[position : position + 1] != "}":
            self._step(depth)
            key, position = self._key(position)
            position = self._skip(position)
            self._sign(position, ":")
            value, position = self._value(self._skip(position + 1), depth + 1)
            pairs.append((key, value))
            position = self._skip(position)
            if self._sign(position, ",}") == ",":
                position = self._skip(position + 1)
        return paired(pairs), position + 1

    def _list(self, position: int, depth: int) -> tuple[list[Any], int]:
        values: list[Any] = []
        position = self._skip(position + 1)
        while self.text[position : position + 1] != "]":
            value, position = self._value(position, depth + 1)
            values.append(value)
            position = self._skip(position)
            if self._sign(position, ",]") == ",":
                position = self._skip(position + 1)
        return values, position + 1

    def _key(self, position: int) -> tuple[str, int]:
        if (sign := self.text[position : position + 1]) and sign in _CLOSING:
            return self._string(position)
        match = _NAME.match(self.text, position)
        if match is None:
            raise MisfitError(f"no key at character {position + 1}")
        return match[0], match.end()

    def _string(self, position: int) -> tuple[str, int]:
        """Read up to the first closing quote that a sign of JSON follows: others stand within the string."""
        quote = _CLOSING[self.text[position]]
        end = position + 1
        while True:
            match = _INSIDE[quote].match(self.text, end)
            end = match.end() if match else end
            if end >= len(self.text):
                raise MisfitError("a string without end")
            if self.text[end] != quote:  # a backslash at the very end
                raise MisfitError("a string without end")
            if _AFTER.match(self.text, end + 1):
                return _ESCAPES.sub(_unescaped, self.text[position + 1 : end]), end + 1
            self.steps += 1
            end += 1


def _unescaped(match: re.Match[str]) -> str:
    sign = match[1]
    if len(sign) == 5:
        return chr(int(sign[1:], 16))
    return _MEANT.get(sign, sign)
