"""Records of a job's batches in flight, written beside its journal before anything is waited for.

``<journal>.batches`` has one JSON object a line: first what is about to be sent (``token``, which the batch carries as
metadata, the request ``keys`` and the ``bound`` of their cost), then the batch's ``id`` under that token, at last
``closed``. A kill between sending and noting the id leaves a token without one, by which the batch is found again.

The records beside the model's other journals are read as well, and never written: what is in one of their batches is
taken from there by the first job that asks for it.
"""

import json
import os
import secrets
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import fsum
from pathlib import Path
from typing import Any

from nlfol.models.request import ChatError
from nlfol.store.files import StoreError


class BatchRecordError(StoreError):
    """A record that is damaged."""


@dataclass(slots=True)
class Sent:
    """A batch on record.

    Attributes:
        token: its name here.
        keys: of its requests.
        bound: the highest cost of these.
        id: the provider's name; None if unknown.
        closed: why nothing more is expected of it; None if something is.
    """

    token: str
    keys: tuple[str, ...]
    bound: float
    id: str | None = None
    closed: str | None = None


class BatchRecord:
    """The record beside a journal, and what others of its model have in flight.

    Raises ``BatchRecordError`` if one of them cannot be read.
    """

    def __init__(self, journal: Path) -> None:
        self.path = journal.with_name(f"{journal.name}.batches")
        self._sent = {sent.token: sent for sent in _read(self.path)}
        others = sorted(path for path in journal.parent.glob("*.batches") if path.name != self.path.name)
        self._of_others = [sent for path in others for sent in _read(path)]

    def open(self) -> list[Sent]:
        """Return the batches of which something is expected: own ones in the order of sending, then those of others."""
        return [sent for sent in (*self._sent.values(), *self._of_others) if sent.closed is None]

    def is_own(self, sent: Sent) -> bool:
        """Return whether a batch was sent for this journal."""
        return sent.token in self._sent

    def intend(self, keys: Sequence[str], bound: float) -> Sent:
        """Write down that a batch is about to be sent."""
        sent = Sent(secrets.token_hex(16), tuple(keys), bound)
        self._write({"token": sent.token, "keys": keys, "bound": bound})
        self._sent[sent.token] = sent
        return sent

    def name(self, sent: Sent, batch: str) -> None:
        """Note the provider's name of a batch."""
        if self.is_own(sent):
            self._write({"token": sent.token, "id": batch})
        sent.id = batch

    def close(self, sent: Sent, why: str) -> None:
        """Note that nothing more is expected of a batch."""
        if self.is_own(sent):
            self._write({"token": sent.token, "closed": why})
        sent.closed = why

    def _write(self, line: dict[str, Any]) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("ab+") as file:
            # After half a line, which a crash leaves, nothing more could be read.
            torn = file.tell() and os.pread(file.fileno(), 1, file.tell() - 1) != b"\n"
            file.write((b"\n" if torn else b"") + json.dumps(line, separators=(",", ":")).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())


def refuse_in_flight(journal: Path, keys: Iterable[str]) -> None:
    """Refuse to ask requests one by one that are in a batch already, which would be paid for twice.

    Raises ``ChatError`` if some are, ``BatchRecordError`` if a record of the model cannot be read.
    """
    for path in sorted(journal.parent.glob("*.batches")):
        in_flight = {key for sent in _read(path) if sent.closed is None for key in sent.keys}
        if found := in_flight.intersection(keys):
            raise ChatError(
                f"{path}: {len(found)} of the requests are in batches in flight, and would be paid for twice; put "
                "batch: true back into the model's entry until they are answered, or cancel the batches and delete "
                "this file"
            )


def reserved_in_batches(path: Path) -> float:
    """Return the highest cost of a record's batches in flight."""
    return fsum(sent.bound for sent in _read(path) if sent.closed is None)


def _read(path: Path) -> Iterator[Sent]:
    batches: dict[str, Sent] = {}
    lines = path.read_bytes().split(b"\n") if path.exists() else []
    for number, line in enumerate(lines, start=1):
        try:
            entry = json.loads(line) if line else None
        except ValueError:
            continue  # torn by a crash: what it records was not yet done
        if entry is None:
            continue
        try:
            if "keys" in entry:
                batches[entry["token"]] = Sent(entry["token"], tuple(entry["keys"]), float(entry["bound"]))
            else:
                sent = batches[entry["token"]]
                sent.id, sent.closed = entry.get("id", sent.id), entry.get("closed", sent.closed)
        except (TypeError, KeyError, ValueError, AttributeError) as error:
            raise BatchRecordError(
                f"{path}:{number}: not a line of this record ({error!r}); restore the file, or delete it if no batch "
                "is in flight"
            ) from error
    yield from batches.values()
