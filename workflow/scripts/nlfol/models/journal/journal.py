"""The journal: a durable, append-only file of every reply of a model.

One JSON object a line: ``{"key": ..., "request": {...}, "reply": {...}, "sha256": ...}``. The key is the SHA-256 of the
request's canonical JSON; the last value is that of the line before it (``reading``). Replies are on the disk before the
next ones are waited for, those that arrived together in one step, so a run that is killed loses at most the answers
under way, and the next run asks only for what is missing.
"""

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import fields
from pathlib import Path
from types import MappingProxyType
from typing import BinaryIO, Self

from nlfol.models.journal.reading import (
    JournalError,
    Record,
    checked,
    has_checksum,
    read_lines,
    read_record,
    seal,
)
from nlfol.models.request import ChatReply, ChatRequest, Ending
from nlfol.store.locks import FileLock

_OPENING = b'{"key":"'
"""The beginning of each line; its key follows."""

_REPLY_FIELDS = tuple(field.name for field in fields(ChatReply))


class Journal:
    """A journal opened for reading and appending, by one process at a time.

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
        self._replies: dict[str, ChatReply] = {}
        # What is to be written before the next lines: a seal over lines without checksums.
        self._seal = b""
        try:
            if new:
                _sync_folder(path.parent)
            self._load()
        except BaseException:
            self.close()
            raise

    @property
    def replies(self) -> Mapping[str, ChatReply]:
        """The reply to each request key: the first answer, or the last failure if there is no answer."""
        return MappingProxyType(self._replies)

    def answered(self, key: str) -> ChatReply | None:
        """Return the reply to a request; None if there is none or it failed."""
        reply = self._replies.get(key)
        return None if reply is None or reply.outcome is Ending.FAILED else reply

    def append(self, replies: Iterable[tuple[ChatRequest, ChatReply]]) -> None:
        """Write replies to their requests; when this returns all of them are on the disk.

        Raises ``ValueError`` if a reply is to another request, ``JournalError`` if the disk does not take them; what it
        took before stays.
        """
        lines = []
        for request, reply in replies:
            if reply.key != request.key:
                raise ValueError(f"{self.path}: reply {reply.key} is not to request {request.key}")
            # The request stands in it as the very text whose digest the key is.
            said = {name: getattr(reply, name) for name in _REPLY_FIELDS}
            written = json.dumps(said, ensure_ascii=False, separators=(",", ":"))
            content = f'{{"key":"{request.key}","request":{request.canonical},"reply":{written}'
            lines.append((checked(content.encode()) + b"\n", reply))
        self._write(self._seal + b"".join(line for line, _ in lines))
        self._seal = b""
        for _, reply in lines:
            self._keep(reply)

    def close(self) -> None:
        """Close the file and release its lock."""
        self._lock.release()
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _keep(self, reply: ChatReply) -> None:
        # Whatever is put together from several files: what was once read as the answer stays the answer.
        if self.answered(reply.key) is None:
            self._replies[reply.key] = reply

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
                f"{self.path}: {error.strerror}; the {len(self._replies)} replies before are kept: make room for more "
                "and run again"
            ) from error

    def _load(self) -> None:
        self._file.seek(0)
        *lines, torn = self._file.read().split(b"\n")
        for number, (record, problem) in enumerate(read_lines(lines), start=1):
            if problem is not None:
                raise JournalError(
                    f"{self.path}:{number}: not a journal line ({problem}); restore the file, or delete the line"
                )
            if record is not None:
                self._keep(record[1])
        if torn:
            *_, (record, _) = read_lines([*lines, torn])
            if record is None:
                self._set_aside(torn)
            else:
                self._write(b"\n")
                self._keep(record[1])
                lines.append(torn)
        if lines and not any(map(has_checksum, lines)):
            self._seal = seal(lines) + b"\n"

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


def keys_in(path: Path) -> set[str]:
    """Return the keys of the requests that a journal's lines are of; none where there is no journal."""
    if not path.exists():
        return set()
    with path.open("rb") as file:
        return {line[len(_OPENING) : len(_OPENING) + 64].decode(errors="replace") for line in file}


def recorded(path: Path, keys: Set[str]) -> dict[str, list[tuple[int, ChatReply]]]:
    """Return the lines of a journal that answer some requests, by key: each with its number, from 1, and the reply.

    Arguments and errors as of ``records_of``.
    """
    replies: dict[str, list[tuple[int, ChatReply]]] = {}
    for number, (_, reply) in records_of(path, keys):
        replies.setdefault(reply.key, []).append((number, reply))
    return replies


def records_of(path: Path, keys: Set[str]) -> Iterator[tuple[int, Record]]:
    """Yield the lines of a journal that are of some requests: each with its number, from 1.

    The journal is neither locked nor changed, and a last line without an end, which may be being written, is left out.
    Raises ``JournalError`` if the file is missing, or such a line cannot be read.
    """
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                key = line[len(_OPENING) : len(_OPENING) + 64].decode(errors="replace")
                if key in keys and line.startswith(_OPENING) and line.endswith(b"\n"):
                    yield number, read_record(line[:-1])
    except FileNotFoundError as error:
        raise JournalError(f"{path}: no such file") from error
    except (ValueError, TypeError, KeyError) as error:
        raise JournalError(
            f"{path}:{number}: not a journal line ({error}); restore the file, or delete the line"
        ) from error


def _sync_folder(folder: Path) -> None:
    # A new file's name is durable only once its folder is.
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
