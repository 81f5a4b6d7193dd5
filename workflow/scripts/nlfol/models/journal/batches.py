"""Records of a job's batches in flight, written beside its journal before anything is waited for.

``<journal>.batches`` has one JSON object a line: first what is about to be sent (``token``, which the batch carries as
metadata, the request ``keys`` and the ``bound`` of their cost), then the batch's ``id`` under that token, at last
``closed``. A kill between sending and noting the id leaves a token without one, by which the batch is found again.

The records beside the model's other journals are read as well, and never written: what is in one of their batches is
taken from there by the first job that asks for it.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import fsum
from pathlib import Path

from nlfol.models.request import ChatError
from nlfol.store.disk import StoreError


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


def refuse_in_flight(journal: Path, keys: Iterable[str]) -> None:
    """Refuse to ask requests one by one that are in a batch already, which would be paid for twice.

    Raises ``ChatError`` if some are, ``BatchRecordError`` if a record of the model cannot be read.
    """
    for path in sorted(journal.parent.glob("*.batches")):
        in_flight = {key for sent in read_batches(path) if sent.closed is None for key in sent.keys}
        if pending := in_flight.intersection(keys):
            raise ChatError(
                f"{path}: {len(pending)} of the requests are in batches in flight, and would be paid for twice; put "
                "batch: true back into the model's entry until they are answered, or cancel the batches and delete "
                "this file"
            )


def reserved_in_batches(path: Path) -> float:
    """Return the highest cost of a record's batches in flight."""
    return fsum(sent.bound for sent in read_batches(path) if sent.closed is None)


def read_batches(path: Path) -> Iterator[Sent]:
    """Yield the batches of a record, none where there is no file; raises ``BatchRecordError`` if it cannot be read."""
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
