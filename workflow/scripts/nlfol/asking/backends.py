"""Opening the model that an entry describes, when something is to be asked of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from nlfol.asking.adherence import refuse_free_answers
from nlfol.models.entries.batch import ProviderBatch, VllmBatch
from nlfol.models.entries.chat import ApiChatEntry, LocalChatEntry
from nlfol.models.local.materialisation import identity
from nlfol.models.request import ChatBackend
from nlfol.store.logs import LOGGER

if TYPE_CHECKING:
    from nlfol.models.budget.ledger import Ledger


@dataclass(frozen=True, slots=True)
class Place:
    """Where a dialogue model's job finds what it needs.

    Attributes:
        journal: where answers are kept.
        sharers: where jobs that ask one interface find one another.
        weights: folder of the materialised model; None for one behind an interface.
        service: the service file of the model's server; None for one that the workflow does not serve.
        ledger: the budget; None without one, or for a model that runs here.
    """

    journal: Path
    sharers: Path
    weights: Path | None = None
    service: Path | None = None
    ledger: Ledger | None = None


def identity_of(entry: LocalChatEntry | ApiChatEntry, weights: Path | None) -> str:
    """What a model's requests call it; nothing is loaded and no key is needed."""
    if isinstance(entry, ApiChatEntry):
        return entry.identity
    assert weights is not None
    return identity(entry, weights)


def open_backend(entry: LocalChatEntry | ApiChatEntry, place: Place) -> ChatBackend:
    """The model, ready to be asked.

    Raises:
        ChatError: if it cannot be asked, or its interface does not hold answers to their structure.
    """
    if isinstance(entry, LocalChatEntry):
        from nlfol.models.local.chat import LocalChat

        assert place.weights is not None
        return LocalChat(entry, place.weights)
    from nlfol.models.api.chat import ApiChat
    from nlfol.models.api.probing import reach
    from nlfol.models.batches.chat import BatchChat, VllmBatchChat
    from nlfol.models.serving.service import Server

    match entry.batch:
        case ProviderBatch():
            reach(entry)
            return BatchChat(entry, place.journal, place.ledger)
        case VllmBatch():
            return VllmBatchChat(entry)
    server = None if place.service is None else Server(place.service, entry.identity)
    backend = ApiChat(entry, place.sharers, place.ledger, server=server)
    if server is None:
        reach(entry)
    # Without the budget: it costs nothing.
    if doubt := refuse_free_answers(entry, ApiChat(entry, place.sharers, server=server)):
        LOGGER.warning(f"warning: whether {entry.identity} holds answers to a structure is not known: {doubt}")
    return backend
