"""Counting the jobs that ask one interface at this moment: each keeps a file in a common folder fresh.

A file that its job has not touched for a while is that of a job that ended without taking it away, and is removed by
whoever sees it. Ages are differences between the files' own times, which one file system gives, so that machines need
not agree on the time; no locks are needed, and a killed job is forgotten after ``FORGOTTEN`` seconds.
"""

import os
import secrets
import socket
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Self

from nlfol.store.canonical import sha256

FORGOTTEN = 30.0
"""Seconds after which a job that did not show itself no longer counts."""
BEAT = 2.0
"""Seconds between two looks."""


def own_file(folder: Path, suffix: str = "") -> Path:
    """Return the path of a file in a folder that is this job's alone."""
    return folder / f"{socket.gethostname()}.{os.getpid()}.{secrets.token_hex(4)}{suffix}"


def fresh(files: Iterable[Path], own: Path) -> Iterator[Path]:
    """Yield the files that their jobs keep fresh, as seen from this job's own, and remove the others."""
    now = own.stat().st_mtime
    for path in files:
        with suppress(FileNotFoundError):
            if now - path.stat().st_mtime > FORGOTTEN:
                path.unlink()
            else:
                yield path


class InterfaceUse:
    """One job's use of an interface, from entering to leaving.

    ``interface`` is what jobs in ``folder`` share, such as an address and the name of the variable with the key.
    """

    def __init__(self, folder: Path, interface: str) -> None:
        self._folder = folder / sha256(interface)[:16]
        self._own = own_file(self._folder)

    def count(self) -> int:
        """Refresh this job's file, and count the jobs with fresh files, this one included."""
        self._folder.mkdir(parents=True, exist_ok=True)
        self._own.touch()
        # This machine's clock may be behind the file system's.
        return max(1, sum(1 for _ in fresh(self._folder.iterdir(), self._own)))

    def __enter__(self) -> Self:
        self.count()
        return self

    def __exit__(self, *_: object) -> None:
        self._own.unlink(missing_ok=True)
