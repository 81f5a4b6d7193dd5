"""The ledger of a budget over all jobs of an experiment: what was spent and reserved, and whether a request fits.

What was spent is what the journals of the configuration's models say, and of embedding models their stores of vectors,
at their present prices: nothing is kept apart that could differ from them. Attempts without a reply count at their
upper bound, as a provider may charge them. What is under way is reserved at its upper bound, by each job in a file of
its own in ``journal/.budget``; a request's reservation ends after its reply is kept, so that at every moment the two
together are no less than the truth. One job at a time looks and reserves. A job that was killed is forgotten as in
``store.presence``; the cost of its requests is unknown. One that was only held up for so long reserves again before it
sends. Batches are reserved by the records of those in flight, see ``batches.record``.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from math import fsum
from pathlib import Path
from time import time
from types import MappingProxyType
from typing import Self

from nlfol.models.entries.embedding import ApiEmbeddingEntry, read_role, vectors_folder
from nlfol.models.entries.prices import Budget, Price, most_tokens
from nlfol.models.journal.batches import reserved_in_batches
from nlfol.models.journal.reading import JournalReader
from nlfol.models.request import ChatRequest, Shortage
from nlfol.models.vectors.request import EmbeddingRequest
from nlfol.models.vectors.store import folder_of
from nlfol.store import files, schemas
from nlfol.store.disk import StoreError
from nlfol.store.locks import alone
from nlfol.store.origins import metadata_at
from nlfol.store.presence import FORGOTTEN, fresh, own_file

_LOCK_WAIT = 60.0
"""Seconds to wait for another job that is reserving."""


class Ledger:
    """One job's view of the budget, from entering to leaving; ``stores`` has the spending on vectors, by model."""

    def __init__(
        self,
        budget: Budget,
        prices: Mapping[str, Price],
        journal: Path,
        model: str,
        stores: Mapping[str, VectorSpending] = MappingProxyType({}),
    ) -> None:
        self._budget = budget
        self._prices = prices
        self._journal = journal
        self._model = model
        self._stores = stores
        self._folder = journal / ".budget"
        self._own = own_file(self._folder, ".json")
        self._readers: dict[Path, JournalReader] = {}
        self._spent: dict[str, list[float]] = {name: [] for name in prices}
        self._perhaps: dict[str, float] = dict.fromkeys(prices, 0.0)
        self._reserved: dict[str, float] = {}
        self._sent: set[str] = set()
        self._shown = 0.0

    def reserve(
        self, requests: Iterable[ChatRequest | EmbeddingRequest], *, batch: bool = False, attempts: int = 1
    ) -> Shortage | None:
        """Reserve what some requests may cost in so many attempts, all or none of it; None if it is done."""
        bounds = {request.key: attempts * self.bound(request, batch=batch) for request in requests}
        with alone(self._folder / "lock", "ledger", patience=_LOCK_WAIT):
            self.beat()
            needed = fsum(bounds.values()) - fsum(self._reserved.get(key, 0.0) for key in bounds)
            shortage = self._shortage(needed)
            if shortage is None:
                self._reserved |= bounds
                self.beat()
        return shortage

    def bound(self, request: ChatRequest | EmbeddingRequest, *, batch: bool) -> float:
        """Return what a request costs at most."""
        if isinstance(request, EmbeddingRequest):
            return self._stores[self._model].bound(request)
        return self._prices[self._model].bound(json.loads(request.canonical), batch=batch)

    def release(self, keys: Iterable[str]) -> None:
        """End the reservations of these requests, whose replies are in the journal."""
        for key in keys:
            self._reserved.pop(key, None)
            self._sent.discard(key)
        self.beat()

    def lose(self, request: ChatRequest | EmbeddingRequest, attempts: int) -> None:
        """Note attempts that brought no reply but may be charged; of a dialogue model, the journal has them."""
        if isinstance(request, EmbeddingRequest):
            self._stores[self._model].lose(request, attempts)

    def send(self, key: str) -> bool:
        """Note that a request is sent now; False if its reservation was forgotten while this job was held up."""
        if time() - self._shown > FORGOTTEN / 2:
            # Alone: another job that takes this one for killed reserves what it had.
            with alone(self._folder / "lock", "ledger", patience=_LOCK_WAIT):
                self.beat()
        if key in self._reserved:
            self._sent.add(key)
        return key in self._reserved

    def beat(self) -> None:
        """Show that this job still runs; at least every few seconds, see ``presence.BEAT``."""
        if not self._own.exists():
            # Another job has taken this one for killed, as it was held up for long, and may have reserved as much.
            self._reserved = {key: amount for key, amount in self._reserved.items() if key in self._sent}
        # Others read it without a lock of this file: it is there whole or as it was before.
        text = json.dumps({"model": self._model, "amount": fsum(self._reserved.values())})
        new = self._own.with_suffix(".new")
        new.write_text(text, encoding="utf-8")
        os.replace(new, self._own)
        self._shown = time()

    def __enter__(self) -> Self:
        self._folder.mkdir(parents=True, exist_ok=True)
        self.beat()
        return self

    def __exit__(self, *_: object) -> None:
        # What was under way is not any more, whether or not its reply was said to be kept before the end.
        self._reserved.clear()
        self._sent.clear()
        self._own.unlink(missing_ok=True)

    def _shortage(self, needed: float) -> Shortage | None:
        # In the order in which money passes through them: what passes on meanwhile counts twice, not never.
        jobs: list[tuple[str, float]] = []
        self.beat()
        for path in fresh(self._folder.glob("*.json"), self._own):
            with suppress(FileNotFoundError):
                reserved = json.loads(path.read_text(encoding="utf-8"))
                jobs.append((str(reserved["model"]), float(reserved["amount"])))
        folders = {name: self._journal / name for name in self._prices}
        batches = {name: fsum(map(reserved_in_batches, folder.glob("*.batches"))) for name, folder in folders.items()}
        spent = self._read_journals()
        limits: list[tuple[str, float, Callable[[str], bool]]] = []
        if self._budget.total is not None:
            limits.append(("budget.total", self._budget.total, lambda _: True))
        if (own := self._budget.models.get(self._model)) is not None:
            limits.append((f"budget.models.{self._model}", own, lambda name: name == self._model))
        for where, limit, counts in limits:
            paid = fsum(amount for name, amount in spent.items() if counts(name))
            perhaps = fsum(amount for name, amount in self._perhaps.items() if counts(name))
            lost = f" ({perhaps:.4f} of it perhaps, for attempts without an answer)" if perhaps else ""
            under_way = fsum(amount for name, amount in jobs if counts(name))
            in_batches = fsum(amount for name, amount in batches.items() if counts(name))
            if paid + under_way + in_batches + needed > limit:
                money = self._budget.currency
                return Shortage(
                    f"{self._model}: {where} of {limit:g} {money} has no room for more: {paid:.4f} {money} are spent"
                    f"{lost}, {under_way + in_batches:.4f} reserved for what is under way, and the next may cost "
                    f"{needed:.4f}. Answers are kept; raise {where} in the configuration, or ask less (items, seeds, "
                    "limits), and run again",
                    pending=under_way > 0,
                )
        return None

    def _read_journals(self) -> dict[str, float]:
        for name, price in self._prices.items():
            for path in sorted((self._journal / name).glob("*.jsonl")):
                lost = []
                for request, reply in self._readers.setdefault(path, JournalReader(path)).fresh():
                    self._spent[name].append(price.at_most(request, reply))
                    lost.append(price.perhaps(request, reply))
                self._perhaps[name] += fsum(lost)
            if name in self._stores:
                self._spent[name] += self._stores[name].fresh()
            self._spent[name] = [fsum(self._spent[name])]
        return {name: fsum(amounts) for name, amounts in self._spent.items()}


class VectorSpending:
    """Spending on the vectors of a model behind an API, as its store of vectors in ``journal`` records it."""

    def __init__(self, journal: Path, entry: ApiEmbeddingEntry, price: Price) -> None:
        self._folder = folder_of(vectors_folder(journal, entry, ""), entry.identity)
        self._entry = entry
        self._price = price
        self._read: set[Path] = set()
        self._lost = self._folder / "lost"
        self._offset = 0

    def lose(self, request: EmbeddingRequest, attempts: int) -> None:
        """Note the most tokens of attempts that brought no vectors, as a line of the store's file ``lost``."""
        self._folder.mkdir(parents=True, exist_ok=True)
        with self._lost.open("a", encoding="utf-8") as file:
            file.write(f"{attempts * most_tokens(self._prompted(request))}\n")

    def bound(self, request: EmbeddingRequest) -> float:
        """Return what a request costs at most."""
        return self._price.bound_of_texts(self._prompted(request))

    def fresh(self) -> list[float]:
        """Return costs of what was added since the last call: of vectors, if unknown bounds, and of lost attempts.

        Raises ``StoreError`` for damaged files.
        """
        added = sorted(set(self._folder.glob("*.arrow")) - self._read)
        self._read.update(added)
        return [*map(self._cost, added), *self._fresh_losses()]

    def _fresh_losses(self) -> list[float]:
        if not self._lost.exists():
            return []
        with self._lost.open("rb") as file:
            file.seek(self._offset)
            lines = file.read().rpartition(b"\n")[0]
        self._offset += len(lines) + bool(lines)
        try:
            return [self._price.of(int(line), 0, 0, batch=False) for line in lines.split()]
        except ValueError as error:
            raise StoreError(f"{self._lost}: not a number of tokens ({error}); delete the line") from error

    def _prompted(self, request: EmbeddingRequest) -> list[str]:
        return [self._entry.prompt(request.role) + text for text in request.texts]

    def _cost(self, path: Path) -> float:
        metadata = metadata_at(path)
        if "tokens" in metadata:
            return self._price.of(int(metadata["tokens"]), 0, 0, batch=False)
        texts = tuple(str(row["text"]) for row in files.rows(path, schemas.VECTORS))
        return self.bound(EmbeddingRequest(texts, read_role(metadata["role"])))
