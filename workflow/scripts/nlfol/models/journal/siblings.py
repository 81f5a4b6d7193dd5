"""The other journals of a model: what they answer, and what their jobs are asking at this moment.

Equal requests of several jobs are asked once. Before a job sends a request it looks for the answer in the journals
beside its own; where there is none it *claims* the request, and a job that needs a claimed one waits for its answer.
A reply stays in the journal of the job that got it.

``.claims`` in the model's folder is the lock under which requests are claimed, and has a line for each job that began
to: the name of its journal. So others know whom to watch; a new file may be seen late on other machines. What a job
claimed is in ``.<journal>.claims``: a token with the process, then a key a line, with ``-`` before one that was given
up. The job holds that file's lock, so the claims of one that was killed end with it.
"""

import os
import secrets
import socket
from collections.abc import Collection, Iterable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from nlfol.models.journal.reading import JournalError, Lines, line_at, reply_at
from nlfol.models.request import ChatReply, Ending
from nlfol.store.locks import FileLock, HeldError, alone

_LONGEST = 1 << 48
"""Bytes that no journal has."""
_PART = "@"
"""Mark before the number of a part: no name of a dataset or task has it."""
_PATIENCE = 60.0
"""Seconds to wait for other jobs that claim."""


def beside(journal: Path) -> list[Path]:
    """Return the other journals of a journal's model, in order of name."""
    return sorted(path for path in journal.parent.glob("*.jsonl") if path.name != journal.name)


def journals_of(journal: Path) -> list[Path]:
    """Return a job's journal and those of the jobs that asked for its parts (``part_of``), in order of name."""
    return [journal, *sorted(journal.parent.glob(f"{journal.stem}{_PART}*{journal.suffix}"))]


def part_of(journal: Path, number: int) -> Path:
    """Return the journal of the part of a job with this number, of however many."""
    return journal.with_name(f"{journal.stem}{_PART}{number}{journal.suffix}")


class Siblings:
    """The journals beside a job's own, followed while their jobs write to them, and its claims among theirs."""

    def __init__(self, journal: Path) -> None:
        self._journal = journal
        self._registry = journal.with_name(".claims")
        # Jobs that began, and those of them that had not ended when they were looked at.
        self._begun = 0
        self._live: dict[str, _Claims] = {}
        self._own: tuple[BinaryIO, FileLock] | None = None
        # How far each journal was read; None before any was.
        self._read: dict[str, int] | None = None
        # Each line as one number: place of the journal in ``_read``, place in the journal.
        self._lines = Lines()

    def answered(self, key: str) -> ChatReply | None:
        """Return the first answer to a request in the other journals, in order of name; None if they have none.

        They are read at the first call and by ``claim``. Raises ``JournalError`` if a line of the request is damaged.
        """
        names = list(self._refreshed())
        lines = (divmod(place, _LONGEST) for place in self._lines.places(key))
        for name, offset in sorted((names[number], offset) for number, offset in lines):
            with self._journal.with_name(name).open("rb", buffering=0) as file:
                reply = reply_at(f"{file.name}, byte {offset}", line_at(file.fileno(), offset))
            if reply.key == key and reply.outcome is not Ending.FAILED:
                return reply
        return None

    def claim(self, keys: Collection[str]) -> set[str]:
        """Claim what other journals do not answer and no other job is asking; return what is this job's to ask.

        Raises ``LockError`` if other jobs go on claiming for a minute, ``JournalError`` as ``answered``.
        """
        with alone(self._registry, "list of jobs that ask", patience=_PATIENCE):
            if self._own is None:
                path = self._claims(self._journal.name)
                file = path.open("wb")
                self._own = file, FileLock(file, path, "list of claims")
                file.write(f"{secrets.token_hex(16)} process {os.getpid()} on {socket.gethostname()}\n".encode())
                with self._registry.open("a", encoding="utf-8") as registry:
                    registry.write(f"\n{self._journal.name}\n")  # a crash may have left half a line
            begun = self._registry.read_text(encoding="utf-8").splitlines()
            new = set(begun[self._begun :]) - {"", self._journal.name}
            self._begun = len(begun)
            watched = {name: _Claims(self._claims(name)) for name in new} | self._live
            self._live = {name: claims for name, claims in watched.items() if claims.is_live()}
            # After the claims: what a job that has ended since then answered is in its journal.
            self._refreshed(watched)
            taken = [claims.keys for claims in self._live.values()]
            ours = {key for key in keys if not any(key in claimed for claimed in taken) and self.answered(key) is None}
            self._add(ours)
        return ours

    def claimers(self, keys: Collection[str]) -> list[str]:
        """Return the jobs that were asking some of the requests at the last ``claim``: their journals and processes."""
        return [
            f"{self._journal.with_name(name)} ({claims.process})"
            for name, claims in sorted(self._live.items())
            if not claims.keys.isdisjoint(keys)
        ]

    def give_up(self, keys: Iterable[str]) -> None:
        """Leave requests that failed to whoever else needs them."""
        self._add(f"-{key}" for key in keys)

    def close(self) -> None:
        """End this job's claims."""
        if self._own is not None:
            file, lock = self._own
            self._claims(self._journal.name).unlink(missing_ok=True)
            lock.release()
            file.close()
            self._own = None

    def _claims(self, name: str) -> Path:
        return self._journal.with_name(f".{name}.claims")

    def _add(self, lines: Iterable[str]) -> None:
        text = "".join(f"{line}\n" for line in lines)
        if self._own is None or not text:
            return
        try:
            self._own[0].write(text.encode())
            self._own[0].flush()
            os.fsync(self._own[0].fileno())  # other machines see it from now on
        except OSError as error:
            raise JournalError(f"{self._own[0].name}: {error.strerror}; mend that and run again") from error

    def _refreshed(self, names: Iterable[str] = ()) -> dict[str, int]:
        """Index the lines that were added to some journals, at first to all, and return how far each is read."""
        if self._read is None:
            self._read, names = {}, {*names, *(path.name for path in beside(self._journal))}
        for name in sorted(names):
            with suppress(FileNotFoundError), self._journal.with_name(name).open("rb", 1 << 20) as file:
                offset = self._read.setdefault(name, 0)
                journal = list(self._read).index(name) * _LONGEST
                file.seek(offset)
                for line in file:
                    if not line.endswith(b"\n"):
                        break  # it is being written
                    self._lines.add(line, journal + offset)
                    offset += len(line)
                self._read[name] = offset
        return self._read


class _Claims:
    """The claims of another job, followed; to be read under the lock of all claims."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._token = b""
        self._place = 0
        self.keys: set[str] = set()

    @property
    def process(self) -> str:
        """Process that claims; unknown for claims of an older version."""
        return self._token.decode().strip().partition(" ")[2] or "process unknown"

    def is_live(self) -> bool:
        """Bring ``keys`` up to date; return whether the job has not ended."""
        with suppress(FileNotFoundError), self._path.open("rb+") as file:
            try:
                FileLock(file, self._path, "list of claims").release()
            except HeldError:
                if (token := file.readline()) != self._token:
                    self._token, self._place, self.keys = token, len(token), set()
                file.seek(self._place)
                lines = file.read().rpartition(b"\n")[0]
                self._place += len(lines) + bool(lines)
                for line in lines.decode().split():
                    if line.startswith("-"):
                        self.keys.discard(line[1:])
                    else:
                        self.keys.add(line)
                return True
            self._path.unlink()
        return False
