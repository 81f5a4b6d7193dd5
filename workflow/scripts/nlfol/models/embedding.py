"""An embedding model that runs here, through sentence-transformers, and the similarity of its vectors."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from nlfol.models import materialisation
from nlfol.models.specification import EmbeddingSpecification

_LOG = logging.getLogger(__name__)

Role = Literal["query", "document"]
"""A query is what one searches with, a document what one searches in; some models want a prompt before one of them."""


class EmbeddingError(RuntimeError):
    """An embedding model that cannot be used as configured."""


class Embedder:
    """A loaded model that encodes each distinct text once.

    A vector's last bits depend on the batch it was computed in. So that equal texts have bit-equal vectors, in either
    role where the prompts are equal too, what was encoded is kept for as long as the embedder lives. Runs that ask
    alike get the same vectors.

    Args:
        specification: the model's entry.
        directory: where it was materialised.

    Raises:
        EmbeddingError: if there is no such device.
        ModelSourceError: if the directory holds no materialised model.
    """

    def __init__(self, specification: EmbeddingSpecification, directory: Path) -> None:
        import torch
        from sentence_transformers import SentenceTransformer

        self.identity = materialisation.identity(specification, directory)
        self._specification = specification
        cuda = torch.cuda.is_available()
        if specification.device == "cuda" and not cuda:
            raise EmbeddingError(
                f"{self.identity}: device cuda is asked for and there is none; set device to auto or cpu"
            )
        device = specification.device if specification.device != "auto" else "cuda" if cuda else "cpu"
        self._model: Any = SentenceTransformer(
            str(materialisation.weights(directory)),
            device=device,
            local_files_only=True,
            # Other formats are pickled: loading them runs what they say.
            model_kwargs={"dtype": specification.dtype, "use_safetensors": True},
        )
        # By the prompt rather than the role: that is what the model sees.
        self._known: dict[tuple[str, str], npt.NDArray[np.float32]] = {}

    def encode(self, texts: Sequence[str], role: Role) -> npt.NDArray[np.float32]:
        """The texts' vectors, in their order.

        Args:
            texts: any number of them, repeats included.
            role: decides the prompt put before them.

        Returns:
            float32 (texts, dimensions).
        """
        prompt = self._prompt(role)
        missing = {text for text in texts if (prompt, text) not in self._known}
        if missing:
            # Like lengths side by side waste least on padding; the text itself makes the order total.
            ordered = sorted(missing, key=lambda text: (-len(text), text))
            self._warn_of_overlong(ordered, prompt)
            vectors = self._model.encode(
                ordered,
                prompt=prompt,
                batch_size=self._specification.batch_size,
                show_progress_bar=False,
                convert_to_numpy=True,
            )
            for text, vector in zip(ordered, vectors, strict=True):
                self._known[prompt, text] = np.asarray(vector, dtype=np.float32)
        if not texts:
            return np.empty((0, int(self._model.get_embedding_dimension())), dtype=np.float32)
        return np.stack([self._known[prompt, text] for text in texts])

    def _prompt(self, role: Role) -> str:
        prompt = self._specification.query_prompt if role == "query" else self._specification.document_prompt
        # "" rather than None, which would put the prompt in front that the model's own configuration names.
        return prompt or ""

    def _warn_of_overlong(self, texts: Sequence[str], prompt: str) -> None:
        limit = self._model.max_seq_length
        if limit is None:
            return
        # Silent: the tokenizer's own warning foresees errors that cannot come, because texts are cut off.
        encoded = self._model.tokenizer([prompt + text for text in texts], verbose=False)["input_ids"]
        lengths = [len(tokens) for tokens in encoded]
        overlong = sum(length > limit for length in lengths)
        if overlong:
            _LOG.warning(
                "%s: %d of %d texts exceed %d tokens and are cut off", self.identity, overlong, len(texts), limit
            )


def similarities(query: npt.NDArray[np.float32], documents: npt.NDArray[np.float32]) -> list[float]:
    """Cosine of the angle between a query and each document; bit-equal for bit-equal documents.

    Args:
        query: (dimensions,).
        documents: (documents, dimensions).

    Returns:
        Numbers in [-1, 1], computed in float64; 0 where a vector is zero.
    """
    wide = np.asarray(query, dtype=np.float64)
    rows = np.ascontiguousarray(documents, dtype=np.float64)
    # Not a matrix product: BLAS may sum a row in another order for its place in the matrix, and equal documents would
    # differ in the last bit, which breaks ties that are none.
    products = (rows * wide).sum(axis=1)
    norms = np.sqrt((rows * rows).sum(axis=1)) * np.sqrt((wide * wide).sum())
    cosines = np.divide(products, norms, out=np.zeros_like(products), where=norms > 0)
    return [float(cosine) for cosine in np.clip(cosines, -1.0, 1.0)]
