"""Embedding models: the protocols of all, and one that runs here, through sentence-transformers."""

import logging
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from typing import Any, Protocol, Self, runtime_checkable

import numpy as np
import numpy.typing as npt

from nlfol.models.entries.embedding import EmbeddingEntry, Role
from nlfol.models.local import loading, materialisation
from nlfol.models.request import ChatError, JobFiles

_LOG = logging.getLogger(__name__)
_CHUNK = 4096
"""Texts of one group: what a run that is killed may lose."""

Row = tuple[int, ...]
"""A text's tokens, prompt included."""


class EmbeddingError(RuntimeError):
    """An embedding model that cannot be used as configured."""


class LostVectorsError(EmbeddingError):
    """Texts without a vector; asking for them later may help."""

    may_pass = True


@dataclass(frozen=True, slots=True, eq=False)
class Embedding:
    """One text's vector, float32 (dimensions,), with its number of tokens; truncated if the model saw only a part."""

    vector: npt.NDArray[np.float32]
    tokens: int | None = None
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """A text's row of tokens, cut off where the model stops, and their number; equal rows are equal texts to it."""

    row: Row
    tokens: int
    truncated: bool


@dataclass(frozen=True, slots=True, eq=False)
class EmbeddingGroup:
    """Texts that were encoded together, with tokens billed and, as canonical JSON, the engine; None where unknown."""

    texts: Sequence[str]
    embeddings: Sequence[Embedding]
    engine: str | None
    tokens: int | None = None


class Embedder(Protocol):
    """An embedding model, wherever it runs."""

    @property
    def identity(self) -> str:
        """The model with its revision, settings and prompts."""
        ...

    def encode_groups(self, texts: Sequence[str], role: Role) -> Generator[EmbeddingGroup, None, None]:
        """Encode distinct texts, and yield each group of vectors as soon as it is there, in any order.

        Raises ``EmbeddingError`` if the model cannot be asked at all, or after all others were handed out, if
        some texts cannot be encoded.
        """
        ...


@runtime_checkable
class ReadingEmbedder(Embedder, Protocol):
    """An embedding model that tells which texts are equal to it."""

    def read(self, texts: Sequence[str], role: Role) -> list[Reading]:
        """Return what it sees of texts, in their order; nothing is encoded."""
        ...


class LocalEmbedder:
    """A loaded model.

    A vector's last bits depend on the batch it was computed in. So that texts which are equal to the model have
    bit-equal vectors, each distinct row of tokens is encoded once a call, and once in a store (``store.Vectors``). On a
    CPU each core computes batches of its own: faster than all of them together on one, and no vector depends on how
    many there are. Raises ``EmbeddingError`` if there is no such device, ``ModelSourceError`` if the directory holds no
    materialised model.
    """

    def __init__(self, entry: EmbeddingEntry, directory: Path) -> None:
        import torch
        from sentence_transformers import SentenceTransformer

        self.identity = materialisation.identity(entry, directory)
        self._entry = entry
        try:
            device = "cuda" if loading.on_cuda(entry.device, self.identity) else "cpu"
        except ChatError as error:
            raise EmbeddingError(str(error)) from None
        self.model: Any = SentenceTransformer(
            str(materialisation.weights(directory)),
            device=device,
            **loading.FROM_HERE,
            # Other formats are pickled: loading them runs what they say.
            model_kwargs={"dtype": entry.dtype, "use_safetensors": True},
        )
        # A tokenizer must not be used by two threads: each call sets its settings.
        self.model.preprocess = _one_at_a_time(self.model.preprocess)
        self._threads = torch.get_num_threads() if device == "cpu" else 1
        self._budget = entry.tokens_per_batch or loading.tokens_at_once(device)
        packages = ["transformers", "sentence-transformers"]
        self.engine = loading.describe(self.model, packages, tokens_per_batch=self._budget)

    @classmethod
    def open(cls, entry: EmbeddingEntry, files: JobFiles) -> Self:
        """Load the model for a job; raises as the constructor."""
        assert files.weights is not None
        return cls(entry, files.weights)

    def read(self, texts: Sequence[str], role: Role) -> list[Reading]:
        """Return what the model sees of texts, in their order; nothing is encoded."""
        prompts = [self._entry.prompt(role) + text for text in texts]
        limit = self.model.max_seq_length
        # Silent: the tokenizer's own warning foresees errors that cannot come, because texts are cut off.
        rows = self.model.tokenizer(prompts, verbose=False)["input_ids"] if prompts else []
        readings = []
        for text, row in zip(prompts, rows, strict=True):
            cut = limit is not None and len(row) > limit
            seen = self.model.tokenizer(text, truncation=True, max_length=limit)["input_ids"] if cut else row
            readings.append(Reading(tuple(seen), len(row), cut))
        return readings

    def encode_groups(self, texts: Sequence[str], role: Role) -> Generator[EmbeddingGroup, None, None]:
        """Encode distinct texts in groups; raises as ``encode``."""
        for start in range(0, len(texts), _CHUNK):
            part = texts[start : start + _CHUNK]
            yield EmbeddingGroup(part, self.encode(part, role), self.engine)

    def encode(self, texts: Sequence[str], role: Role) -> list[Embedding]:
        """Encode distinct texts in order; raises ``EmbeddingError`` if not even one fits the device's memory."""
        prompt = self._entry.prompt(role)
        readings = self.read(texts, role)
        first = {reading.row: text for reading, text in zip(reversed(readings), reversed(texts), strict=True)}
        # Like lengths side by side waste least on padding; the tokens themselves make the order total.
        waiting = sorted(first, key=lambda row: (-len(row), row))
        vectors: dict[Row, npt.NDArray[np.float32]] = {}
        with _side_by_side(self._threads) as compute:
            while waiting:
                batches = list(_batches(waiting, self._budget))
                texts_of = ([first[row] for row in batch] for batch in batches)
                for batch, encoded in zip(batches, compute(self._encode, texts_of, repeat(prompt)), strict=True):
                    if encoded is None:
                        break
                    vectors |= zip(batch, encoded, strict=True)
                    waiting = waiting[len(batch) :]
        if overlong := sum(reading.truncated for reading in readings):
            limit = self.model.max_seq_length
            _LOG.warning(
                "%s: %d of %d texts exceed %d tokens and are cut off", self.identity, overlong, len(texts), limit
            )
        return [Embedding(vectors[reading.row], reading.tokens, reading.truncated) for reading in readings]

    def _encode(self, texts: Sequence[str], prompt: str) -> npt.NDArray[np.float32] | None:
        """Return one batch's vectors; None, and a smaller budget from now on, if it does not fit."""
        import torch

        try:
            encoded = self.model.encode(
                list(texts),
                # "" rather than None, which would put the prompt in front that the model's own configuration names.
                prompt=prompt,
                batch_size=len(texts),
                show_progress_bar=False,
                convert_to_numpy=True,
            )
        except torch.OutOfMemoryError as error:
            if len(texts) == 1:
                raise EmbeddingError(
                    f"{self.identity}: one text of {len(texts[0])} characters exceeds the memory"
                ) from error
            self._budget //= 2
            torch.cuda.empty_cache()
            return None
        return np.asarray(encoded, dtype=np.float32)


def _batches(rows: Sequence[Row], budget: int) -> Iterator[Sequence[Row]]:
    """Yield the rows in their order, as many together as the budget of tokens holds padded, and one at least."""
    start = 0
    while start < len(rows):
        stop = start + max(1, budget // max(1, len(rows[start])))
        yield rows[start:stop]
        start = stop


def _one_at_a_time(function: Callable[..., Any]) -> Callable[..., Any]:
    lock = threading.Lock()

    def called(*arguments: Any, **options: Any) -> Any:
        with lock:
            return function(*arguments, **options)

    return called


@contextmanager
def _side_by_side(threads: int) -> Iterator[Callable[..., Iterable[Any]]]:
    """Provide a ``map`` whose calls run on several threads at once, each on one core."""
    import torch

    if threads == 1:
        yield map
        return
    with ThreadPoolExecutor(threads, initializer=torch.set_num_threads, initargs=(1,)) as pool:
        yield pool.map
