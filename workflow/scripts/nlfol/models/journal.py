"""The journal: a durable, append-only file of every answer a model gave.

One JSON object a line: ``{"key": ..., "request": {...}, "reply": {...}}``, the key being the SHA-256 of the request's
canonical JSON. Each line is on the disk before the next request's answer is waited for, so a run that is killed loses
at most the answers under way, and the next run asks only for what is missing.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import BinaryIO, Self

from nlfol.models.canonical import canonical, sha256
from nlfol.models.request import ChatBackend, ChatError, ChatReply, ChatRequest, Outcome
from nlfol.store.files import StoreError


class JournalError(StoreError):
    """A journal that is damaged, or that another process is writing."""


class Journal:
    """A journal opened for reading and appending, by one process at a time.

    A last line without an end is what a crash leaves: if it is a whole record its end is added, otherwise it is moved
    to ``<journal>.torn``. Nothing else is ever removed.

    Args:
        path: the file; it and its folder are made where missing.

    Raises:
        JournalError: if another process has it open, or if a line that is not the torn last one cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        new = not path.exists()
        self._file: BinaryIO = path.open("ab+", buffering=0)
        try:
            self._lock()
            if new:
                _sync_folder(path.parent)
            self._replies = self._load()
        except BaseException:
            self._file.close()
            raise

    @property
    def replies(self) -> Mapping[str, ChatReply]:
        """The last reply to each request key, failed ones included."""
        return MappingProxyType(self._replies)

    def answered(self, key: str) -> ChatReply | None:
        """The reply to a request, unless there is none or it failed."""
        reply = self._replies.get(key)
        return None if reply is None or reply.outcome is Outcome.FAILED else reply

    def append(self, request: ChatRequest, reply: ChatReply) -> None:
        """Write a reply; when this returns it is on the disk.

        Raises:
            ValueError: if the reply is to another request.
            OSError: if the disk does not take it.
        """
        if reply.key != request.key:
            raise ValueError(f"{self.path}: reply {reply.key} is not to request {request.key}")
        record = {"key": request.key, "request": json.loads(request.canonical()), "reply": asdict(reply)}
        self._write(json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
        self._replies[reply.key] = reply

    def close(self) -> None:
        """Close the file and let other processes have it."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise JournalError(f"{self.path}: another process is writing this journal; wait for it to end") from error
        except OSError as error:
            raise JournalError(
                f"{self.path}: this file system has no locks ({error.strerror}); put journals on one that has"
            ) from error

    def _write(self, line: bytes) -> None:
        try:
            # An unbuffered write may take only a part, on a disk that is filling up.
            rest = memoryview(line)
            while rest:
                rest = rest[self._file.write(rest) :]
            os.fsync(self._file.fileno())
        except OSError:
            # Nothing may come after half a line: as the last one, the next opening can put it aside.
            self._file.close()
            raise

    def _load(self) -> dict[str, ChatReply]:
        self._file.seek(0)
        *lines, torn = self._file.read().split(b"\n")
        replies: dict[str, ChatReply] = {}
        for number, line in enumerate(lines, start=1):
            try:
                reply = _read(line)
            except (ValueError, TypeError, KeyError) as error:
                raise JournalError(
                    f"{self.path}:{number}: not a journal line ({error}); restore the file, or delete the line"
                ) from error
            replies[reply.key] = reply
        if torn:
            try:
                reply = _read(torn)
            except (ValueError, TypeError, KeyError):
                self._set_aside(torn)
            else:
                self._write(b"\n")
                replies[reply.key] = reply
        return replies

    def _set_aside(self, torn: bytes) -> None:
        # Kept before it is cut off: a crash between the two leaves it in both places, never in neither.
        with self.path.with_name(self.path.name + ".torn").open("ab") as aside:
            aside.write(torn + b"\n")
            aside.flush()
            os.fsync(aside.fileno())
        self._file.truncate(os.fstat(self._file.fileno()).st_size - len(torn))
        os.fsync(self._file.fileno())


def ask(
    backend: ChatBackend,
    requests: Sequence[ChatRequest],
    journal: Journal,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, ChatReply]:
    """Have every request answered, asking only what the journal does not answer yet.

    Args:
        backend: the model; it is not touched where nothing is missing.
        requests: in any order; equal ones are asked once.
        journal: where replies are looked up and kept, each the moment it arrives.
        progress: called with (distinct requests done, distinct requests) at the start and after every reply.

    Returns:
        The reply to each request key; those that failed again are among them.

    Raises:
        ChatError: if the model cannot be asked, if a request names another model, or if the back end does not give
            exactly one reply a request.
    """
    distinct = {request.key: request for request in requests}
    done = {key: reply for key in distinct if (reply := journal.answered(key)) is not None}
    missing = {key: request for key, request in distinct.items() if key not in done}
    if progress:
        progress(len(done), len(distinct))
    if not missing:
        return {key: done[key] for key in distinct}
    identity = backend.identity
    for request in missing.values():
        if request.model != identity:
            raise ChatError(f"request for {request.model} put to {identity}; build requests with the model's identity")
    for reply in backend.answer(list(missing.values())):
        if reply.key not in missing:
            raise ChatError(f"{identity}: reply to {reply.key}, which was not asked or is answered already")
        journal.append(missing.pop(reply.key), reply)
        done[reply.key] = reply
        if progress:
            progress(len(done), len(distinct))
    if missing:
        raise ChatError(f"{identity}: no reply to {len(missing)} requests, {next(iter(missing))} among them")
    return {key: done[key] for key in distinct}


def _read(line: bytes) -> ChatReply:
    record = json.loads(line)
    if not isinstance(record, dict) or record.keys() != {"key", "request", "reply"}:
        raise ValueError("no object with key, request and reply")
    if sha256(canonical(record["request"])) != record["key"]:
        raise ValueError("the key is not its request's")
    fields = dict(record["reply"])
    reply = ChatReply(**{**fields, "outcome": Outcome(fields["outcome"])})
    if reply.key != record["key"]:
        raise ValueError("the reply is to another key")
    return reply


def _sync_folder(folder: Path) -> None:
    # A new file's name is durable only once its folder is.
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
