"""Lines of a journal, read while other processes write.

A line ends with the SHA-256 of what stands before it there, so that no byte of it changes unseen.
"""

import hashlib
import json
from pathlib import Path
from typing import Final, get_args, get_type_hints

from nlfol.mappings import JsonDict
from nlfol.models.request import ChatReply, Ending
from nlfol.store.canonical import canonical, sha256
from nlfol.store.files import StoreError

Record = tuple[JsonDict, ChatReply]
"""A request, as its canonical JSON has it, and its reply."""

_KINDS: Final = {
    name: kind | int if float in get_args(kind) else kind for name, kind in get_type_hints(ChatReply).items()
}
"""The types of a reply's values: JSON may write a whole number of seconds as an integer."""


_BEFORE, _AFTER = b',"sha256":"', b'"}'
_CHECKED = len(_BEFORE) + 64 + len(_AFTER)


class JournalError(StoreError):
    """A journal that is damaged, or that the disk does not take."""


class JournalReader:
    """A journal that is followed; one that does not exist yet is empty."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._offset = 0

    def fresh(self) -> list[Record]:
        """Return the records added since the last call; a line that is still being written is none.

        Raises ``JournalError`` if a line cannot be read.
        """
        try:
            if self._path.stat().st_size == self._offset:
                return []
            with self._path.open("rb") as file:
                file.seek(self._offset)
                lines = file.read().rpartition(b"\n")[0]
        except FileNotFoundError:
            return []
        records = [record_at(self._path, line) for line in lines.splitlines()]
        self._offset += len(lines) + bool(lines)
        return records


OPENING = b'{"key":"'
"""The beginning of each line; its key follows."""


def checked(content: bytes) -> bytes:
    """Return a line with its checksum, from its JSON object without the closing brace."""
    return content + _BEFORE + hashlib.sha256(content).hexdigest().encode() + _AFTER


def read_record(line: bytes) -> Record:
    """Read a line of a journal; raises ``ValueError`` if it is none."""
    try:
        return _read_record(line)
    except (TypeError, KeyError) as error:
        raise ValueError(str(error)) from error
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def record_at(location: object, line: bytes) -> Record:
    """Read a line of a journal; ``JournalError`` names its place and beginning if it is none."""
    try:
        return read_record(line)
    except ValueError as error:
        raise JournalError(
            f"{location}: not a journal line ({error}): {line[:80]!r}; restore the file, or delete the line"
        ) from error


def _read_record(line: bytes) -> Record:
    content = line[:-_CHECKED]
    if checked(content) != line:
        raise ValueError("it does not end with its checksum: it was changed since it was written")
    record = json.loads(content + b"}")
    if not isinstance(record, dict) or record.keys() != {"key", "request", "reply"}:
        raise ValueError("no object with key, request and reply")
    if sha256(canonical(record["request"])) != record["key"]:
        raise ValueError("the key is not its request's")
    fields = dict(record["reply"])
    reply = ChatReply(**{**fields, "outcome": Ending(fields["outcome"])})
    for name, kind in _KINDS.items():
        if not isinstance(value := getattr(reply, name), kind):
            raise TypeError(f"reply.{name} is {str(value)[:80]!r}")
    if reply.key != record["key"]:
        raise ValueError("the reply is to another key")
    return record["request"], reply
