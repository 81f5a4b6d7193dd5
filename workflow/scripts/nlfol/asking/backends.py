"""The model that an entry describes: its identity, and its backend when something is to be asked of it."""

from __future__ import annotations

from typing import Any

from nlfol.models.entries.batch import ProviderBatch, VllmBatch
from nlfol.models.entries.chat import ApiChatEntry, LocalChatEntry
from nlfol.models.entries.embedding import ApiEmbeddingEntry, EmbeddingEntry
from nlfol.models.job_files import JobFiles
from nlfol.models.local import materialisation
from nlfol.models.request import ChatBackend
from nlfol.models.vectors.local import Embedder

AskedEntry = LocalChatEntry | ApiChatEntry | EmbeddingEntry | ApiEmbeddingEntry


def identities(*entries: AskedEntry, files: JobFiles) -> list[str]:
    """Return what requests to models call them; nothing is loaded and no key is needed.

    Args:
        entries: variants of one model.
        files: of the job.
    """
    return [
        entry.identity
        if files.weights is None or isinstance(entry, ApiChatEntry | ApiEmbeddingEntry)
        else materialisation.identity(entry, files.weights)
        for entry in entries
    ]


def open_backend(entry: LocalChatEntry | ApiChatEntry, files: JobFiles) -> ChatBackend:
    """Open a dialogue model.

    Raises:
        ChatError: if it cannot be asked, or its interface does not hold answers to their structure.
    """
    backend: ChatBackend = _backend_class(entry).open(entry, files)
    return backend


def open_embedder(entry: EmbeddingEntry | ApiEmbeddingEntry, files: JobFiles) -> Embedder:
    """Open an embedding model.

    Raises:
        EmbeddingError: if it cannot be asked.
    """
    embedder: Embedder = _embedder_class(entry).open(entry, files)
    return embedder


def _backend_class(entry: LocalChatEntry | ApiChatEntry) -> Any:
    if isinstance(entry, LocalChatEntry):
        from nlfol.models.local.chat import LocalChat

        return LocalChat
    from nlfol.models.api.chat import ApiChat
    from nlfol.models.batches.chat import BatchChat, VllmBatchChat

    match entry.batch:
        case ProviderBatch():
            return BatchChat
        case VllmBatch():
            return VllmBatchChat
        case None:
            return ApiChat


def _embedder_class(entry: EmbeddingEntry | ApiEmbeddingEntry) -> Any:
    if isinstance(entry, EmbeddingEntry):
        from nlfol.models.vectors.local import LocalEmbedder

        return LocalEmbedder
    from nlfol.models.api.embedding import ApiEmbedder

    return ApiEmbedder
