import numpy as np
import pytest

from nlfol.models.entries.embedding import Similarity
from nlfol.models.vectors.local import EmbeddingError
from nlfol.models.vectors.similarity import similarities, truncated

MEASURES: list[Similarity] = ["cosine", "dot", "euclidean", "manhattan"]


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("dimensions", [3, 16, 384, 4096])
def test_equal_documents_have_bit_equal_similarities(dimensions: int, measure: Similarity) -> None:
    generator = np.random.default_rng(0)
    query, document = generator.standard_normal((2, dimensions)).astype(np.float32)
    for count in range(1, 12):
        found = similarities(np.stack([query] * count), np.stack([document] * count), measure)
        assert set(found) == set(similarities(query[np.newaxis], document[np.newaxis], measure))


def test_similarity_measures_match_worked_values() -> None:
    queries, documents = np.array([[1.0, 2.0, 2.0]] * 2, np.float32), np.array([[3.0, 0.0, 4.0], [0, 0, 0]], np.float32)
    assert similarities(queries, documents, "cosine") == pytest.approx([11 / 15, 0])
    assert similarities(queries, documents, "dot") == pytest.approx([11, 0])
    assert similarities(queries, documents, "euclidean") == pytest.approx([-(12**0.5), -3])
    assert similarities(queries, documents, "manhattan") == pytest.approx([-6, -5])


def test_cosine_stays_within_range() -> None:
    query = np.array([1.0, 2.0, 3.0], dtype=np.float32)
    documents = np.stack([query, -query, 0 * query, 3 * query])
    found = similarities(np.stack([query] * 4), documents)
    assert found == pytest.approx([1.0, -1.0, 0.0, 1.0])
    assert found.max() <= 1.0
    many = np.random.default_rng(2).standard_normal((500, 7)).astype(np.float32)
    assert similarities(many, 4 * many).max() == -similarities(many, -3 * many).min() == 1.0


def test_chunked_similarities_match_single_chunk() -> None:
    generator = np.random.default_rng(1)
    queries, documents = generator.standard_normal((2, 9000, 4)).astype(np.float32)
    assert np.array_equal(similarities(queries, documents)[8000:], similarities(queries[8000:], documents[8000:]))
    assert similarities(queries[:0], documents[:0]).shape == (0,)


def test_truncated_vectors_keep_leading_dimensions() -> None:
    vectors = np.arange(8, dtype=np.float32).reshape(2, 4)
    assert truncated(vectors, 2).tolist() == [[0, 1], [4, 5]]
    assert truncated(vectors, None) is not None
    with pytest.raises(EmbeddingError, match="dimensions is 5 and the model's vectors have 4"):
        truncated(vectors, 5)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("broken", [np.nan, np.inf])
def test_similarity_rejects_non_finite_vectors(measure: Similarity, broken: float) -> None:
    """A model in float16 may overflow; as a cosine of 0 or NaN that would be scored as an answer, even a right one."""
    vectors = np.array([[1.0, 2.0], [broken, 0.0]], dtype=np.float32)
    with pytest.raises(EmbeddingError, match=r"1 of 2 vectors .* not finite"):
        similarities(np.ones((2, 2), dtype=np.float32), vectors, measure)
    with pytest.raises(EmbeddingError, match=r"1 of 2 vectors .* not finite"):
        similarities(vectors, np.ones((2, 2), dtype=np.float32), measure)


@pytest.mark.parametrize(
    ("measure", "expected"), [("dot", 1.0), ("euclidean", -((2e16 + 2) ** 0.5)), ("manhattan", -2e8)]
)
def test_similarity_sums_use_float64(measure: Similarity, expected: float) -> None:
    """In float32 the one is lost beside the others."""
    queries, documents = np.array([[1e8, 1, 1e8]], np.float32), np.array([[1, 1, -1]], np.float32)
    assert similarities(queries, documents, measure).tolist() == [expected]
