"""A dialogue model whose requests are answered in batches."""

import time
from collections import Counter
from collections.abc import Callable, Generator, Sequence, Set
from contextlib import closing, nullcontext
from math import fsum
from pathlib import Path
from typing import Any, Self

from nlfol.models.api.client import key_of
from nlfol.models.api.exchange import without_key
from nlfol.models.api.probing import reach
from nlfol.models.budget import Ledger
from nlfol.models.entries.chat import ApiChatEntry
from nlfol.models.journal.batches import Sent
from nlfol.models.journal.journal import recorded
from nlfol.models.providers.base import without_halves
from nlfol.models.request import ChatError, ChatReply, ChatRequest, Ending, Feed, JobFiles, Shortage
from nlfol.store.logs import LOGGER
from nlfol_extras.batches.interface import BatchInterface, Gone
from nlfol_extras.batches.lines import Returned, parts, read_lines
from nlfol_extras.batches.record import BatchRecord

_ENDED = frozenset({"completed", "failed", "expired", "cancelled"})
_SAID = 300


class BatchChat:
    """Asks in batches that another process can find again (``BatchRecord``); raises ``ChatError`` without its key."""

    def __init__(
        self,
        entry: ApiChatEntry,
        journal: Path,
        ledger: Ledger | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        assert entry.batch is not None
        self.identity = entry.identity
        self._entry = entry
        self._batch = entry.batch
        self._key = key_of(entry)
        self._journal = journal
        self._ledger = ledger
        self._sleep = sleep
        self._attempts: Counter[str] = Counter()
        self._shortage: Shortage | None = None

    @classmethod
    def open(cls, entry: ApiChatEntry, files: JobFiles) -> Self:
        """Open the model for a job, once it can be reached; raises ``ChatError`` if it cannot be asked."""
        reach(entry)
        return cls(entry, files.kept, files.ledger)

    def answer_feed(self, feed: Feed[ChatRequest]) -> Generator[Sequence[ChatReply], None, None]:
        """Yield the replies to all that wait, batch by batch; ``ChatError`` if interface or budget allows no more."""
        waiting = {request.key: request for request in feed.drain()}
        record = BatchRecord(self._journal)
        with closing(BatchInterface(self._entry, self._key)) as interface, self._ledger or nullcontext():
            self._take_up(waiting, record, interface)
            while waiting:
                self._send(waiting, record, interface)
                expected = [sent for sent in record.open() if not waiting.keys().isdisjoint(sent.keys)]
                if not expected:
                    assert self._shortage is not None
                    raise ChatError(self._shortage.message)
                ended = False
                for sent in expected:
                    try:
                        returned, status = self._look(sent, waiting, record, interface)
                    except Gone:
                        LOGGER.warning(f"warning: {self.identity} no longer has batch {sent.id}; it is asked again")
                        returned, status = Returned(), "gone"
                    group = [*returned.replies.values(), *(self._failures(returned, sent, waiting) if status else ())]
                    for reply in group:
                        waiting.pop(reply.key, None)
                    if group:
                        yield group
                    if status and (not returned.others or not record.is_own(sent)):
                        record.close(sent, status)
                    ended = ended or bool(status)
                    if returned.fatal is not None:
                        raise returned.fatal
                if waiting and not ended:
                    self._sleep(self._batch.interval)

    def _take_up(self, waiting: dict[str, ChatRequest], record: BatchRecord, interface: BatchInterface) -> None:
        """Find what an earlier process had in flight, and of other jobs' batches those with what waits here."""
        batches = [sent for sent in record.open() if record.is_own(sent) or not waiting.keys().isdisjoint(sent.keys)]
        kept = self._answered({key for sent in batches for key in sent.keys}) if batches else set()
        for sent in batches:
            if kept.issuperset(sent.keys):
                record.close(sent, "answered")
            elif sent.id is None:
                batch = interface.find(sent.token)
                if batch is None:
                    record.close(sent, "never sent")
                else:
                    record.name(sent, batch)

    def _send(self, waiting: dict[str, ChatRequest], record: BatchRecord, interface: BatchInterface) -> None:
        """Send whatever is in no batch yet and fits into the budget."""
        self._shortage = None
        in_flight = {key for sent in record.open() for key in sent.keys}
        unsent = [request for key, request in waiting.items() if key not in in_flight]
        size = self._batch.megabytes * 1e6
        for part in parts(self._entry, unsent, self._batch.requests, size):
            affordable = self._affordable(part)
            if affordable:
                keys = [request.key for request, _ in affordable]
                sent = record.intend(keys, self._bound(affordable))
                if self._ledger:
                    self._ledger.release(keys)  # the record has it
                record.name(sent, interface.send(b"".join(line for _, line in affordable), sent.token))
                LOGGER.info(f"{self.identity}: batch {sent.id} with {len(keys)} requests is in flight")
            if len(affordable) < len(part):
                break

    def _bound(self, part: list[tuple[ChatRequest, bytes]]) -> float:
        ledger = self._ledger
        return fsum(ledger.bound(request, batch=True) for request, _ in part) if ledger else 0.0

    def _affordable(self, part: list[tuple[ChatRequest, bytes]]) -> list[tuple[ChatRequest, bytes]]:
        """Reserve as much of a part as the budget has room for, to a factor of two, and return it."""
        while part and self._ledger:
            shortage = self._ledger.reserve([request for request, _ in part], batch=True)
            if shortage is None:
                break
            self._shortage = shortage
            part = part[: len(part) // 2]
        return part

    def _look(
        self, sent: Sent, waiting: dict[str, ChatRequest], record: BatchRecord, interface: BatchInterface
    ) -> tuple[Returned, str | None]:
        """Return what a batch has for those waiting, and how it ended, if it has."""
        assert sent.id is not None
        batch = interface.look(sent.id)
        if batch.status == "failed":
            # Nothing of it was asked; with the same lines it would fail again.
            return Returned(fatal=self._rejected(batch, sent) if record.is_own(sent) else None), "failed"
        names = [name for name in (batch.output_file_id, batch.error_file_id) if name]
        wanted = waiting.keys() & set(sent.keys)
        returned = read_lines(
            self._entry, self._key, [interface.read(name) for name in names], wanted=wanted, batch=sent.id
        )
        if returned.others:
            returned.others &= set(sent.keys) - self._answered(set(sent.keys))
        if returned.others and record.is_own(sent):
            LOGGER.warning(
                f"warning: batch {sent.id} has {len(returned.others)} answers to what is not asked now; it stays "
                f"on record in {record.path}, for a run that asks them"
            )
        if returned.ignored:
            LOGGER.warning(f"warning: batch {sent.id}: {returned.ignored} lines repeat others or cannot be read")
        return returned, batch.status if batch.status in _ENDED else None

    def _answered(self, keys: Set[str]) -> set[str]:
        """Return those of some requests that a journal of the model answers."""
        known = recorded(self._journal, keys)
        return {key for key, lines in known.items() if any(reply.outcome is not Ending.FAILED for *_, reply in lines)}

    def _failures(self, returned: Returned, sent: Sent, waiting: dict[str, ChatRequest]) -> list[ChatReply]:
        """Return replies to those that an ended batch leaves without one for the last time; others are asked again."""
        if returned.fatal is not None:
            return []
        failed = []
        for key in sent.keys:
            if key not in waiting or key in returned.replies:
                continue
            self._attempts[key] += 1
            if self._attempts[key] > self._entry.retries:
                error = without_key(returned.faults.get(key, "the batch ended without an answer"), self._key)
                attempts = self._attempts[key]
                failed.append(ChatReply(key, Ending.FAILED, error=error[:_SAID], batch=sent.id, attempts=attempts))
        return failed

    def _rejected(self, batch: Any, sent: Sent) -> ChatError:
        faults = [f"{fault.code}: {fault.message}" for fault in (batch.errors.data if batch.errors else None) or []]
        reason = without_key(without_halves("; ".join(faults[:3]))[:_SAID] or "no reason given", self._key)
        return ChatError(
            f"{self.identity}: batch {sent.id} of {len(sent.keys)} requests was rejected: {reason}; mend that, or have "
            "fewer in a batch (batch: {requests: ...} in the entry), and run again"
        )
