"""Lines of a journal, read while other processes write.

A line ends with the SHA-256 of what stands before it there, so that no byte of it changes unseen. Before that it has
the SHA-256 of the line before it, so that no line is lost, added or moved unseen; lines of earlier versions lack it.
"""

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from types import NoneType
from typing import Any, Final, TypeVar, get_args, get_type_hints

from nlfol.mappings import JsonDict
from nlfol.models.request import ChatReply, Ending
from nlfol.store.canonical import canonical, sha256
from nlfol.store.disk import StoreError

Record = tuple[JsonDict, ChatReply]
"""A request, as its canonical JSON has it, and its reply."""

_KINDS: Final = {
    name: kind | int if float in get_args(kind) else kind for name, kind in get_type_hints(ChatReply).items()
}
"""The types of a reply's values: JSON may write a whole number of seconds as an integer."""

_BEFORE, _AFTER = b',"sha256":"', b'"}'
_CHECKED = len(_BEFORE) + 64 + len(_AFTER)
_SUMMED, DIGEST = slice(-_CHECKED - 1), slice(-len(_AFTER) - 65, -len(_AFTER) - 1)
"""Digest in a line, with its end, and before it what the digest is of."""
_PREVIOUS = b',"previous":"'
_CHAINED = len(_PREVIOUS) + 64 + 1
FIRST: Final = b"0" * 64
"""Stands for the digest of the line before the first one."""

OPENING = b'{"key":"'
"""The beginning of each line; its key follows."""
KEY = slice(len(OPENING), len(OPENING) + 64)
"""The key in a line."""
_REQUEST, _REPLY = b'","request":', b',"reply":'
_REPLY_OPENING, _BEGIN = _REPLY + OPENING, KEY.stop + len(_REQUEST)

_INDEXED = 15
"""Digits of a key that are indexed: as a number they take 32 bytes. The whole key is compared when a line is read."""
_DIGITS = slice(KEY.start, KEY.start + _INDEXED)
_USUAL = 1 << 13
"""Bytes that hold most lines."""

T = TypeVar("T")

# No quote, backslash or control character; a set of what may stand there is matched sooner than one of what may not.
_PLAIN = rb"[ !#-\[\]-\xff]*+"
_STRING = rb'"%b(?:\\(?:["\\/bfnrt]|u[0-9a-f]{4})%b)*+"' % (_PLAIN, _PLAIN)
_NUMBER = rb"-?(?:0|[1-9][0-9]*)"
_FORMS: Final = {
    str: _STRING,
    int: _NUMBER,
    float: _NUMBER + rb"\.[0-9]+(?:e-?[0-9]+)?",
    NoneType: b"null",
    Ending: b'"(?:%b)"' % "|".join(Ending).encode(),
}


def _form(kind: object) -> bytes:
    # In reverse, None is before the strings: most values are none.
    return b"(?:%b)" % b"|".join(_FORMS[part] for part in reversed(get_args(kind) or (kind,)))


OPTIONAL: Final = ("logprob", "logprob_tokens")
"""Fields of a reply, the last, that lines have only if they are told."""
_VALUES = [b'"%b":%b' % (name.encode(), _form(kind)) for name, kind in _KINDS.items()]
_ALWAYS = len(_VALUES) - len(OPTIONAL)
_WRITTEN = re.compile(
    rb'(?s)\{%b(?:,%b|)\}(?:%b.{64}"|)%b.{64}%b\n'
    % (b",".join(_VALUES[:_ALWAYS]), b",".join(_VALUES[_ALWAYS:]), _PREVIOUS, _BEFORE, _AFTER)
)
"""A line from its reply on as it is written here, which need not be parsed to know that it can be."""


class JournalError(StoreError):
    """A journal that is damaged, or that the disk does not take."""


class JournalReader:
    """A journal that is followed; one that does not exist yet is empty."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._offset = 0

    def fresh(self) -> Iterator[Record]:
        """Yield the records added since those that were read; a line that is still being written is none.

        Raises ``JournalError`` if a line cannot be read.
        """
        with suppress(FileNotFoundError):
            if self._path.stat().st_size == self._offset:
                return
            with self._path.open("rb") as file:
                file.seek(self._offset)
                for line in file:
                    if not line.endswith(b"\n"):
                        return
                    record = record_at(self._path, line[:-1])
                    self._offset += len(line)
                    yield record


class Lines:
    """Places of lines by their keys, some 110 bytes a line: there may be millions, and replies stay on the disk."""

    def __init__(self) -> None:
        self._first: dict[int, int] = {}
        self._further: dict[int, list[int]] = {}

    def __len__(self) -> int:
        return len(self._first)

    def __iter__(self) -> Iterator[int]:
        """Yield all places, in the order in which they were added but for those of keys that begin alike."""
        return chain(self._first.values(), *self._further.values())

    def add(self, line: bytes, place: int) -> None:
        """Note the place of a line, a number."""
        try:
            digits = int(line[_DIGITS], 16)
        except ValueError:
            return  # no key finds a line that is damaged there
        if self._first.setdefault(digits, place) != place:
            self._further.setdefault(digits, []).append(place)

    def places(self, key: str) -> Sequence[int]:
        """Return the places of the lines that may be of a key, in the order in which they were added."""
        digits = int(key[:_INDEXED], 16)
        return (self._first[digits], *self._further.get(digits, ())) if digits in self._first else ()


def line_at(file: int, offset: int) -> bytes:
    """Return the line at an offset of an open file, without its end; the file's position stays as it is."""
    size = _USUAL
    while b"\n" not in (read := os.pread(file, size, offset)) and len(read) == size:
        size *= 8
    return read.partition(b"\n")[0]


def checked(content: bytes, previous: bytes | None = None) -> bytes:
    """Return a line with its checksum, and the digest of the line before it, from its object without the brace."""
    content = content if previous is None else content + _PREVIOUS + previous + b'"'
    return content + _BEFORE + hashlib.sha256(content).hexdigest().encode() + _AFTER


def digest_in(line: bytes) -> bytes:
    """Return the digest that a line, without its end, closes with."""
    return line[-len(_AFTER) - 64 : -len(_AFTER)]


def previous_in(line: bytes) -> bytes | None:
    """Return the digest of the line before a line; None if it has none, as those of earlier versions."""
    content = line[:-_CHECKED]
    # Without it a reply's closing brace is the last.
    return content[-65:-1] if content[-_CHAINED:].startswith(_PREVIOUS) and content.endswith(b'"') else None


def read_record(line: bytes) -> Record:
    """Read a line of a journal; raises ``ValueError`` if it is none."""
    return _or_value_error(_read_record, line)


def read_reply(line: bytes) -> ChatReply:
    """Read the reply of a line, sooner than ``read_record`` does; raises ``ValueError`` as there."""
    return _or_value_error(_read_reply, line)


def is_as_written(line: bytes) -> bool:
    """Return whether a line, with its end, is unchanged and has the form in which lines are written: it can be read."""
    has_form = (begin := _written(line)) > 0 and _WRITTEN.fullmatch(line, begin) is not None
    return has_form and hashlib.sha256(line[_SUMMED]).hexdigest().encode() == line[DIGEST]


def verify(location: object, line: bytes) -> None:
    """Verify a line, sooner than it is read; ``JournalError`` as ``record_at``."""
    if not is_as_written(line + b"\n"):
        record_at(location, line)


def _or_value_error(read: Callable[[bytes], T], line: bytes) -> T:
    try:
        return read(line)
    except (TypeError, KeyError) as error:
        raise ValueError(str(error)) from error
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def record_at(location: object, line: bytes) -> Record:
    """Read a line of a journal; ``JournalError`` names its place and beginning if it is none."""
    return _at(location, line, read_record)


def reply_at(location: object, line: bytes) -> ChatReply:
    """Read the reply of a line; ``JournalError`` as ``record_at``."""
    return _at(location, line, read_reply)


def _at(location: object, line: bytes, read: Callable[[bytes], T]) -> T:
    try:
        return read(line)
    except ValueError as error:
        raise JournalError(
            f"{location}: not a journal line ({error}): {line[:80]!r}; restore the file, or delete the line"
        ) from error


def _content(line: bytes) -> bytes:
    content = line[:-_CHECKED]
    if not line.endswith(_BEFORE + hashlib.sha256(content).hexdigest().encode() + _AFTER):
        raise ValueError("it does not end with its checksum: it was changed since it was written")
    return content if previous_in(line) is None else content[:-_CHAINED]


def _read_record(line: bytes) -> Record:
    record = json.loads(_content(line) + b"}")
    if not isinstance(record, dict) or record.keys() != {"key", "request", "reply"}:
        raise ValueError("no object with key, request and reply")
    if sha256(canonical(record["request"])) != record["key"]:
        raise ValueError("the key is not its request's")
    return record["request"], _reply(record["reply"], record["key"])


def _read_reply(line: bytes) -> ChatReply:
    content, written = _content(line), _written(line)
    return _reply(json.loads(content[written:].decode()), line[KEY].decode()) if written else _read_record(line)[1]


def _written(line: bytes) -> int:
    """Return where the reply begins in a line whose request stands there as the text whose digest the key is; else 0.

    So it is in every line that is written here.
    """
    key = line[KEY]
    # From the end: a request may have the same names, but in a reply's strings their quotes are escaped.
    end = line.rfind(_REPLY_OPENING + key + b'"')
    is_whole = end > 0 and line[:_BEGIN] == OPENING + key + _REQUEST
    return end + len(_REPLY) if is_whole and hashlib.sha256(line[_BEGIN:end]).hexdigest().encode() == key else 0


def _reply(written: Any, key: str) -> ChatReply:
    fields = dict(written)
    reply = ChatReply(**{**fields, "outcome": Ending(fields["outcome"])})
    for name, kind in _KINDS.items():
        if not isinstance(value := getattr(reply, name), kind):
            raise TypeError(f"reply.{name} is {str(value)[:80]!r}")
    if reply.key != key:
        raise ValueError("the reply is to another key")
    return reply
