"""Opening an embedding model, when something is to be encoded, and the vectors that there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from nlfol.models.entries.embedding import ApiEmbeddingEntry, EmbeddingEntry
from nlfol.models.local.materialisation import identity
from nlfol.models.request import ChatError
from nlfol.models.vectors.local import Embedder, EmbeddingError
from nlfol.models.vectors.request import Role
from nlfol.models.vectors.similarity import similarities, truncated
from nlfol.models.vectors.store import Vectors

if TYPE_CHECKING:
    from nlfol.models.budget.ledger import Ledger

ALIKE: Role = "document"
"""The role of texts that are compared with one another, and not searched."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where an embedding model's job finds what it needs.

    Attributes:
        store: folder of vectors. Of models that run here it is one for each dataset and task: a vector's last bits
            depend on what it was encoded beside, and must not depend on which other task was asked first.
        sharers: where jobs that ask one interface find one another.
        weights: folder of the model; None for one behind an interface.
        service: the service file of the model's server; None for one that the workflow does not serve.
        ledger: the budget; None where there is none, or for a model that runs here.
    """

    store: Path
    sharers: Path
    weights: Path | None = None
    service: Path | None = None
    ledger: Ledger | None = None

    @classmethod
    def of_job(cls, job: Any, ledger: Ledger | None) -> Place:
        """The place of a job of Snakemake's, from its parameters and inputs."""
        weights, service = (Path(named) if named else None for named in (job.input.weights, job.input.server))
        return cls(Path(job.params.vectors), Path(job.params.sharers), weights, service, ledger)


def open_embedder(entry: EmbeddingEntry | ApiEmbeddingEntry, place: Place) -> Embedder:
    """The model, ready to encode.

    Raises:
        EmbeddingError: if it cannot be asked.
    """
    if isinstance(entry, EmbeddingEntry):
        from nlfol.models.vectors.local import LocalEmbedder

        assert place.weights is not None
        return LocalEmbedder(entry, place.weights)
    from nlfol.models.api.embedding import ApiEmbedder
    from nlfol.models.api.probing import reach
    from nlfol.models.serving.service import Server

    server = Server(place.service, entry.identity) if place.service else None
    embedder = ApiEmbedder(entry, place.sharers, place.ledger, server)
    if server is None:
        try:
            reach(entry)
        except ChatError as error:
            raise EmbeddingError(str(error)) from None
    return embedder


def open_vectors(entry: EmbeddingEntry | ApiEmbeddingEntry, place: Place) -> Vectors:
    """The vectors of a model that are there, and will be."""
    named = entry.identity
    if isinstance(entry, EmbeddingEntry) and place.weights is not None:
        named = identity(entry, place.weights)
    return Vectors(place.store, named, one_engine=isinstance(entry, ApiEmbeddingEntry))


def cosines(pairs: Sequence[tuple[str, str]], entry: EmbeddingEntry | ApiEmbeddingEntry, place: Place) -> list[float]:
    """How similar the texts of each pair are: the cosine of their vectors, whatever the entry compares by.

    Args:
        pairs: of texts, both encoded as documents.
        entry: the model's.
        place: where it is, and its vectors.

    Raises:
        EmbeddingError: if the model cannot be asked, or its vectors cannot be compared.
    """
    if not pairs:
        return []
    vectors, model = open_vectors(entry, place), cache(lambda: open_embedder(entry, place))
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    known = dict(zip(texts, vectors.encode(texts, ALIKE, model).vectors, strict=True))
    one, other = (truncated(np.stack([known[pair[side]] for pair in pairs]), entry.dimensions) for side in (0, 1))
    return [float(similarity) for similarity in similarities(one, other)]
