"""What was spent on the vectors of a model behind an interface: what its store of vectors says."""

from __future__ import annotations

from pathlib import Path

from nlfol.models.entries.embedding import ApiEmbeddingEntry, vectors_folder
from nlfol.models.entries.prices import Price
from nlfol.models.vectors.request import EmbeddingRequest
from nlfol.models.vectors.store import folder_of
from nlfol.store import files, schemas
from nlfol.store.origins import metadata_at


class VectorSpending:
    """Follows the store of one model.

    Args:
        journal: folder of the journals, in which the store lies.
        entry: the model's.
        price: of its tokens.
    """

    def __init__(self, journal: Path, entry: ApiEmbeddingEntry, price: Price) -> None:
        self._folder = folder_of(vectors_folder(journal, entry, ""), entry.identity)
        self._entry = entry
        self._price = price
        self._read: set[Path] = set()

    def bound(self, request: EmbeddingRequest) -> float:
        """What a request costs at most."""
        prompt = self._entry.prompt(request.role)
        return self._price.bound_of_texts(prompt + text for text in request.texts)

    def fresh(self) -> list[float]:
        """What each group of vectors cost that was added since the last call, at most where nobody said its tokens.

        Raises:
            StoreError: if a file of the store is damaged.
        """
        added = sorted(set(self._folder.glob("*.arrow")) - self._read)
        self._read.update(added)
        return [self._cost(path) for path in added]

    def _cost(self, path: Path) -> float:
        said = metadata_at(path)
        if "tokens" in said:
            return self._price.of(int(said["tokens"]), 0, 0, batch=False)
        texts = tuple(str(row["text"]) for row in files.rows(path, schemas.VECTORS))
        return self.bound(EmbeddingRequest(texts, "query" if said["role"] == "query" else "document"))
