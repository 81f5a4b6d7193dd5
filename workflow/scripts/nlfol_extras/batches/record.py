"""The record of a job's batches, which is written before anything is waited for (``journal.batches``)."""

import json
import os
import secrets
from collections.abc import Sequence
from pathlib import Path

from nlfol.mappings import JsonDict
from nlfol.models.journal.batches import Sent, read_batches


class BatchRecord:
    """The record beside a journal, and what others of its model have in flight.

    Raises ``BatchRecordError`` if one of them cannot be read.
    """

    def __init__(self, journal: Path) -> None:
        self.path = journal.with_name(f"{journal.name}.batches")
        self._sent = {sent.token: sent for sent in read_batches(self.path)}
        others = sorted(path for path in journal.parent.glob("*.batches") if path.name != self.path.name)
        self._of_others = [sent for path in others for sent in read_batches(path)]

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

    def _write(self, line: JsonDict) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("ab+") as file:
            # After half a line, which a crash leaves, nothing more could be read.
            torn = file.tell() and os.pread(file.fileno(), 1, file.tell() - 1) != b"\n"
            file.write((b"\n" if torn else b"") + json.dumps(line, separators=(",", ":")).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
