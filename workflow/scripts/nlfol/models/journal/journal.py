"""The journal: a durable, append-only file of every reply of a model.

One JSON object a line: ``{"key": ..., "request": {...}, "reply": {...}, "previous": ..., "sha256": ...}``. The key is
the SHA-256 of the request's canonical JSON; ``previous`` chains the line to the one before it (``reading``). Replies
are on the disk before the next ones are waited for, those that arrived together in one step, so a run that is killed
loses at most the answers under way, and the next run asks only for what is missing. What the model's other journals
answer is not missing (``siblings``). Opening reads every line; in memory are their places, and replies are read when
they are needed.
"""

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import fields
from pathlib import Path
from typing import BinaryIO, Self

from nlfol.models.journal.reading import (
    DIGEST,
    FIRST,
    KEY,
    OPTIONAL,
    JournalError,
    Lines,
    Record,
    checked,
    digest_in,
    is_as_written,
    line_at,
    read_reply,
    record_at,
    reply_at,
    verify,
)
from nlfol.models.journal.siblings import Siblings, beside
from nlfol.models.request import ChatReply, ChatRequest, Ending
from nlfol.store.locks import FileLock

_BLOCK = 1 << 20
"""Bytes that are read at once."""

_REPLY_FIELDS = tuple(field.name for field in fields(ChatReply))


class Journal:
    """A journal opened for reading and appending, by one process at a time, which claims its requests (``claim``).

    A crash leaves a last line without an end: if it is a whole record its end is added, otherwise it is moved to
    ``<journal>.torn``. Nothing else is ever removed. The file and its folder are made if missing.

    Raises ``LockError`` if another process has it open, ``JournalError`` if it cannot be written, or a line that is not
    the torn last one cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            new = not path.exists()
            self._file: BinaryIO = path.open("ab+", buffering=0)
        except OSError as error:
            raise JournalError(
                f"{path}: {error.strerror}; see that it can be written, or set the key 'journal' to another folder"
            ) from error
        try:
            self._lock = FileLock(self._file, path, "journal")
        except BaseException:
            self._file.close()
            raise
        self._lines = Lines()
        self._end = 0
        self._last = FIRST
        self._siblings = Siblings(path)
        self.claim = self._siblings.claim
        self.claimers = self._siblings.claimers
        try:
            if new:
                # A new file's name is durable only once its folder is.
                folder = os.open(path.parent, os.O_RDONLY)
                try:
                    os.fsync(folder)
                finally:
                    os.close(folder)
            self._load()
        except BaseException:
            self.close()
            raise

    @property
    def replies(self) -> Mapping[str, ChatReply]:
        """The reply to each request key here: the first answer, or the last failure if there is no answer."""
        return _Replies(self._file, self.path, self._lines)

    def answered(self, key: str) -> ChatReply | None:
        """Return the reply to a request, here or else in the model's other journals; None if none has one or it failed.

        Raises ``JournalError`` if another journal is damaged there.
        """
        reply = self.replies.get(key)
        return self._siblings.answered(key) if reply is None or reply.outcome is Ending.FAILED else reply

    def append(self, replies: Iterable[tuple[ChatRequest, ChatReply]]) -> None:
        """Write replies to their requests; when this returns all of them are on the disk.

        Raises ``ValueError`` if a reply is to another request, ``JournalError`` if the disk does not take them; what it
        took before stays.
        """
        lines, failed, last = [], [], self._last
        for request, reply in replies:
            if reply.key != request.key:
                raise ValueError(f"{self.path}: reply {reply.key} is not to request {request.key}")
            # The request stands in it as the very text whose digest the key is.
            values = {name: getattr(reply, name) for name in _REPLY_FIELDS}
            values = {name: value for name, value in values.items() if value is not None or name not in OPTIONAL}
            written = json.dumps(values, ensure_ascii=False, separators=(",", ":"))
            content = f'{{"key":"{request.key}","request":{request.canonical},"reply":{written}'
            line = checked(content.encode(), last)
            last = digest_in(line)
            lines.append(line + b"\n")
            if reply.outcome is Ending.FAILED:
                failed.append(reply.key)
        self._write(b"".join(lines))
        for line in lines:
            self._keep(line)
        self._last = last
        self._siblings.give_up(failed)

    def close(self) -> None:
        """Close the file and release its lock, and what was claimed."""
        self._siblings.close()
        self._lock.release()
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _keep(self, line: bytes) -> None:
        self._lines.add(line, self._end)
        self._end += len(line)

    def _write(self, line: bytes) -> None:
        try:
            # An unbuffered write may take only a part, on a disk that is filling up.
            rest = memoryview(line)
            while rest:
                rest = rest[self._file.write(rest) :]
            os.fsync(self._file.fileno())
        except OSError as error:
            # Nothing may come after half a line: as the last one, the next opening can put it aside.
            self.close()
            raise JournalError(
                f"{self.path}: {error.strerror}; the {len(self._lines)} replies before are kept: make room for more "
                "and run again"
            ) from error

    def _load(self) -> None:
        last = line = b""
        with self.path.open("rb", _BLOCK) as file:
            for number, line in enumerate(file, start=1):
                if not is_as_written(line):
                    if not line.endswith(b"\n"):
                        break
                    verify(f"{self.path}:{number}", line[:-1])
                self._keep(line)
                last = line
        if line is not last:
            try:
                read_reply(line)
            except ValueError:
                self._set_aside(line)
            else:
                self._write(b"\n")
                self._keep(last := line + b"\n")
        self._last = last[DIGEST] or FIRST

    def _set_aside(self, torn: bytes) -> None:
        # Kept before it is cut off: a crash between the two leaves it in both places, never in neither.
        beside = self.path.with_name(self.path.name + ".torn")
        try:
            with beside.open("ab") as aside:
                aside.write(torn + b"\n")
                aside.flush()
                os.fsync(aside.fileno())
            self._file.truncate(os.fstat(self._file.fileno()).st_size - len(torn))
            os.fsync(self._file.fileno())
        except OSError as error:
            if beside.exists() and not beside.stat().st_size:
                beside.unlink()
            raise JournalError(
                f"{self.path}: its last line has no end and cannot be set aside in {beside.name} ({error.strerror}); "
                "make room and run again"
            ) from error


class _Replies(Mapping[str, ChatReply]):
    """Replies of a journal, each read when it is asked for."""

    def __init__(self, file: BinaryIO, path: Path, lines: Lines) -> None:
        self._file = file
        self._path = path
        self._lines = lines

    def __getitem__(self, key: str) -> ChatReply:
        found = None
        for place in self._lines.places(key):
            reply = reply_at(f"{self._path}, byte {place}", line_at(self._file.fileno(), place))
            # Whatever is put together from several files: what was once read as the answer stays the answer.
            if reply.key == key and (found := reply).outcome is not Ending.FAILED:
                break
        if found is None:
            raise KeyError(key)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(line_at(self._file.fileno(), place)[KEY].decode() for place in self._lines))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def unrecorded(path: Path, keys: Set[str]) -> set[str]:
    """Return those of some requests that no line is of, in a journal or the others of its model."""
    left = set(keys)
    for journal in (path, *beside(path)):
        if left and journal.exists():
            with journal.open("rb") as file:
                left.difference_update(line[KEY].decode(errors="replace") for line in file)
    return left


def recorded(path: Path, keys: Set[str]) -> dict[str, list[tuple[Path, int, ChatReply]]]:
    """Return the lines that answer some requests, by key: each with its journal and number, from 1, and the reply.

    Arguments and errors as of ``records_of``.
    """
    replies: dict[str, list[tuple[Path, int, ChatReply]]] = {}
    for journal, number, (_, reply) in records_of(path, keys):
        replies.setdefault(reply.key, []).append((journal, number, reply))
    return replies


def records_of(path: Path, keys: Set[str]) -> Iterator[tuple[Path, int, Record]]:
    """Yield the lines that are of some requests, of a journal and then of the others of its model.

    Each comes with its journal and its number, from 1. Nothing is locked or changed, and a last line without an end,
    which may be being written, is left out. Raises ``JournalError`` if there is no journal, or such a line cannot be
    read.
    """
    journals = [*([path] if path.exists() else []), *beside(path)]
    if not journals:
        raise JournalError(f"{path}: no such file")
    for journal in journals:
        with journal.open("rb") as file:
            for number, line in enumerate(file, start=1):
                key = line[KEY].decode(errors="replace")
                if key in keys and line.endswith(b"\n"):
                    yield journal, number, record_at(f"{journal}:{number}", line[:-1])
