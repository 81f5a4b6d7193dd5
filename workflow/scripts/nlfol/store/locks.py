"""Exclusive access to a file, also on file systems without locks.

``flock`` is asked first: the kernel lets go of it when its process ends, however that ends. Network file systems
without it get a lock file beside the file, made so that only one process can make it, which names its owner. The lock
file of a process of this machine that has ended is taken over; that of another machine has to be deleted by hand.
"""

import errno
import fcntl
import json
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from tenacity import RetryCallState, Retrying, retry_if_exception_type, stop_after_delay, stop_never
from tenacity.wait import wait_random

from nlfol.store.disk import StoreError
from nlfol.store.logs import LOGGER

_NO_LOCKS = frozenset({errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL})


class LockError(StoreError):
    """A file that cannot be locked; the message names it and the remedy."""

    may_pass = True


class HeldError(LockError):
    """A file that another process has locked."""


class FileLock:
    """The right to write an open file, which stays untouched, until it is released or the process ends.

    Raises ``HeldError`` if another process has it, ``LockError`` if something else stands in the lock file's place.
    """

    def __init__(self, file: IO[Any], path: Path, noun: str) -> None:
        self._path = path
        self._what = noun
        self._lock_file: Path | None = None
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise HeldError(f"{path}: another process is writing this {noun}; wait for it to end") from error
        except OSError as error:
            if error.errno not in _NO_LOCKS:
                raise
            self._lock_file = self._make(path.with_name(f"{path.name}.lock"))

    def release(self) -> None:
        """Release the file for others; closing it does the rest."""
        if self._lock_file is not None:
            self._lock_file.unlink(missing_ok=True)
            self._lock_file = None

    def _make(self, path: Path) -> Path:
        owner = {"host": socket.gethostname(), "pid": os.getpid(), "since": datetime.now(UTC).isoformat("T", "seconds")}
        # Written under a temporary name, then linked, so that a lock file always has its owner.
        own = path.with_name(f"{path.name}.{owner['host']}.{owner['pid']}")
        own.write_text(json.dumps(owner), encoding="utf-8")
        try:
            for _ in range(2):
                with suppress(FileExistsError):
                    os.link(own, path)
                    return path
                self._put_aside_if_stale(path)
        finally:
            own.unlink()
        raise HeldError(f"{path}: another process took this {self._what} at the same moment; run again")

    def _put_aside_if_stale(self, path: Path) -> None:
        try:
            owner = json.loads(path.read_text(encoding="utf-8"))
            host, process, since = str(owner["host"]), int(owner["pid"]), str(owner["since"])
        except FileNotFoundError:
            return
        except (ValueError, TypeError, KeyError) as error:
            raise LockError(f"{path}: not a lock file of this program; look what it is, and delete it") from error
        if host == socket.gethostname() and not runs(process):
            stale = path.with_name(f"{path.name}.stale.{os.getpid()}")
            # Only one of two processes that find it stale can rename it.
            with suppress(FileNotFoundError):
                path.rename(stale)
                stale.unlink()
            return
        raise HeldError(
            f"{self._path}: process {process} on {host} has been writing this {self._what} since {since}, on a file "
            f"system without locks; wait for it to end or, if it no longer runs, delete {path}"
        )


@contextmanager
def alone(path: Path, noun: str, *, patience: float | None = None) -> Iterator[None]:
    """Hold the lock of a file, made where there is none, while the body runs, after waiting for other processes.

    ``noun`` says what is written meanwhile; ``patience`` is in seconds, and None waits for as long as it takes, which
    is logged. Raises ``HeldError`` at the end of the patience, ``LockError`` as ``FileLock``.
    """
    taking = Retrying(
        retry=retry_if_exception_type(HeldError),
        wait=wait_random(0.001, 0.01) if patience is not None else wait_random(0.1, 1),
        stop=stop_never if patience is None else stop_after_delay(patience),
        before_sleep=_said_once if patience is None else None,
        reraise=True,
    )
    with path.open("ab") as file:
        lock = taking(FileLock, file, path, noun)
        try:
            yield
        finally:
            lock.release()


def _said_once(state: RetryCallState) -> None:
    if state.attempt_number == 1 and state.outcome is not None:
        LOGGER.info(f"waiting: {state.outcome.exception()}")


def runs(process: int) -> bool:
    """Return whether a process of this machine is running."""
    try:
        with suppress(PermissionError):
            os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
