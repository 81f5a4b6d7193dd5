"""Similarities of vectors."""

import numpy as np
import numpy.typing as npt

from nlfol.models.entries.embedding import Similarity
from nlfol.models.vectors.local import EmbeddingError

_PAIRS = 4096
"""Compared at once: bounds the memory."""


def truncated(vectors: npt.NDArray[np.float32], dimensions: int | None) -> npt.NDArray[np.float32]:
    """Return the first so many dimensions (Matryoshka), or all; raises ``EmbeddingError`` if there are fewer."""
    if dimensions is not None and dimensions > vectors.shape[-1]:
        raise EmbeddingError(f"dimensions is {dimensions} and the model's vectors have {vectors.shape[-1]}; lower it")
    return vectors[..., :dimensions]


def similarities(
    queries: npt.NDArray[np.float32], documents: npt.NDArray[np.float32], measure: Similarity = "cosine"
) -> npt.NDArray[np.float64]:
    """Return the similarity of each pair, larger for more alike; bit-equal for bit-equal pairs.

    Queries and documents have the shape (pairs, dimensions); the similarities are float64 (pairs,), computed in
    float64: the ``cosine`` of the angle, 0 where a vector is zero; the ``dot`` product; ``euclidean`` or ``manhattan``
    distance, negated. Raises ``EmbeddingError`` if a vector has numbers that are not finite.
    """
    for vectors in (queries, documents):
        broken = int((~np.isfinite(vectors)).any(axis=1).sum())
        if broken:
            raise EmbeddingError(
                f"{broken} of {len(vectors)} vectors have numbers that are not finite; compute the model in a wider "
                "dtype, and delete its folder of vectors in the journal"
            )
    parts = [
        _compared(queries[start : start + _PAIRS], documents[start : start + _PAIRS], measure)
        for start in range(0, max(1, len(queries)), _PAIRS)
    ]
    return np.concatenate(parts)


def _compared(
    queries: npt.NDArray[np.float32], documents: npt.NDArray[np.float32], measure: Similarity
) -> npt.NDArray[np.float64]:
    one, other = np.asarray(queries, dtype=np.float64), np.asarray(documents, dtype=np.float64)
    # Never through BLAS: it may sum a row in another order for its place in the matrix, and equal documents would
    # differ in the last bit, which breaks ties that are none.
    scores: npt.NDArray[np.float64]
    match measure:
        case "dot":
            scores = (one * other).sum(axis=1)
        case "euclidean":
            scores = -np.sqrt(((one - other) ** 2).sum(axis=1))
        case "manhattan":
            scores = -np.abs(one - other).sum(axis=1)
        case "cosine":
            norms = np.sqrt((one * one).sum(axis=1) * (other * other).sum(axis=1))
            products = (one * other).sum(axis=1)
            scores = np.clip(np.divide(products, norms, out=np.zeros_like(products), where=norms > 0), -1.0, 1.0)
    return scores
