"""Reading journals without writing them, also while other processes do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final, get_args, get_type_hints

from nlfol.models.request import ChatReply, Ending
from nlfol.store.canonical import canonical, sha256
from nlfol.store.files import StoreError

Record = tuple[dict[str, Any], ChatReply]
"""A request, as its canonical JSON has it, and its reply."""

_KINDS: Final = {
    name: kind | int if float in get_args(kind) else kind for name, kind in get_type_hints(ChatReply).items()
}
"""What a reply's values are instances of: JSON may write a whole number of seconds as an integer."""


class JournalError(StoreError):
    """A journal that is damaged, or that the disk does not take."""


class JournalReader:
    """Follows a journal; one that is not there yet is empty.

    Args:
        path: the journal.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._offset = 0

    def fresh(self) -> list[Record]:
        """The records that were added since the last call; a line that is still being written is none.

        Raises:
            JournalError: if a line cannot be read.
        """
        try:
            if self._path.stat().st_size == self._offset:
                return []
            with self._path.open("rb") as file:
                file.seek(self._offset)
                whole = file.read().rpartition(b"\n")[0]
        except FileNotFoundError:
            return []
        records = []
        for line in whole.splitlines():
            try:
                records.append(read_record(line))
            except (ValueError, TypeError, KeyError) as error:
                raise JournalError(
                    f"{self._path}: not a journal line ({error}): {line[:80]!r}; restore the file, or delete the line"
                ) from error
        self._offset += len(whole) + bool(whole)
        return records


def read_record(line: bytes) -> Record:
    """A line of a journal.

    Raises:
        ValueError, TypeError, KeyError: if it is none.
    """
    record = json.loads(line)
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
