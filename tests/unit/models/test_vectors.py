from collections.abc import Callable, Generator, Sequence
from pathlib import Path

import numpy as np
import pytest

from nlfol.models.entries.embedding import Role
from nlfol.models.vectors import local
from nlfol.models.vectors.local import Embedding, EmbeddingGroup, LocalEmbedder
from nlfol.models.vectors.store import Vectors
from nlfol.store.files import StoreError


class Lengths:
    """A double of an embedding model, whose vectors are lengths of texts; it counts what it is asked."""

    identity = "test:lengths"

    def __init__(self) -> None:
        self.asked: list[tuple[Role, list[str]]] = []

    def encode_groups(self, texts: Sequence[str], role: Role) -> Generator[EmbeddingGroup, None, None]:
        self.asked.append((role, list(texts)))
        vectors = [Embedding(np.array([len(text), 1], np.float32), len(text), len(text) > 3) for text in texts]
        yield EmbeddingGroup(texts, vectors, '{"made":"by hand"}')


def unneeded() -> Lengths:
    raise AssertionError("the model is opened")


def opened(model: Lengths) -> Callable[[], Lengths]:
    return lambda: model


def test_text_is_encoded_once_per_role(tmp_path: Path) -> None:
    model = Lengths()
    vectors = Vectors(tmp_path, "test:lengths")
    found = vectors.encode(["ab", "abcd", "ab"], "query", opened(model))
    assert found.vectors.tolist() == [[2, 1], [4, 1], [2, 1]]
    assert found.truncated.tolist() == [False, True, False]
    vectors.encode(["abc", "ab"], "query", opened(model))
    vectors.encode(["ab"], "document", opened(model))
    assert model.asked == [("query", ["ab", "abcd"]), ("query", ["abc"]), ("document", ["ab"])]


def test_stored_vectors_load_without_model(tmp_path: Path) -> None:
    Vectors(tmp_path, "test:lengths").encode(["ab", "abcd"], "query", opened(Lengths()))
    later = Vectors(tmp_path, "test:lengths")
    found = later.encode(["abcd"], "query", unneeded)
    assert (found.vectors.tolist(), found.truncated.tolist()) == ([[4, 1]], [True])
    assert later.engines == {'{"made":"by hand"}'}


def test_models_keep_separate_vectors(tmp_path: Path) -> None:
    Vectors(tmp_path, "test:lengths").encode(["ab"], "query", opened(Lengths()))
    other = Lengths()
    Vectors(tmp_path, "test:lengths;dtype=bfloat16").encode(["ab"], "query", opened(other))
    assert other.asked


def test_vectors_stored_by_other_process_are_reused(tmp_path: Path) -> None:
    one, other = Vectors(tmp_path, "test:lengths"), Vectors(tmp_path, "test:lengths")
    one.encode(["a"], "query", opened(Lengths()))
    other.encode(["ab"], "query", opened(Lengths()))
    assert one.encode(["ab"], "query", unneeded).vectors.tolist() == [[2, 1]]


@pytest.mark.usefixtures("lockless")
def test_vector_store_works_without_file_locks(tmp_path: Path) -> None:
    model = Lengths()
    vectors = Vectors(tmp_path, "test:lengths")
    vectors.encode(["ab"], "query", opened(model))
    assert vectors.encode(["ab", "abc"], "query", opened(model)).vectors.tolist() == [[2, 1], [3, 1]]
    assert model.asked == [("query", ["ab"]), ("query", ["abc"])]


def test_vector_store_refuses_other_models_file(tmp_path: Path) -> None:
    one, other = Vectors(tmp_path, "test:lengths"), Vectors(tmp_path, "test:other")
    one.encode(["ab"], "query", opened(Lengths()))
    one.folder.rename(other.folder)
    with pytest.raises(StoreError, match=r"holds vectors of test:lengths, not test:other"):
        other.encode(["ab"], "query", unneeded)


SHORT = ["a dog", "all dogs are mammals", "∀x (Dog(x) → Mammal(x))", "no cat is a dog or a bird", "some"]
LONG = [text + " and all cats are mammals" * 8 for text in SHORT]


def test_minilm_equivalent_texts_tie_across_chunks_and_top_ups(
    minilm: LocalEmbedder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It reads no case and no white space; beside longer texts a vector's last bits are others."""
    monkeypatch.setattr(local, "_CHUNK", 5)
    vectors = Vectors(tmp_path, minilm.identity)
    capitals, wide = [text.upper() for text in SHORT], [f" {text}" for text in SHORT]
    vectors.encode([*SHORT, *LONG[:1], *capitals, *LONG[1:]], "document", lambda: minilm)
    Vectors(tmp_path, minilm.identity).encode([*wide, "mammals and so on " * 8], "document", lambda: minilm)
    found = Vectors(tmp_path, minilm.identity).encode([*SHORT, *capitals, *wide], "document", unneeded).vectors
    small, great, spaced = np.split(found, 3)
    assert small.tobytes() == great.tobytes() == spaced.tobytes()
    assert len(np.unique(small, axis=0)) == len(SHORT)


def test_texts_truncated_to_same_prefix_tie(minilm: LocalEmbedder, tmp_path: Path) -> None:
    beginning = "all dogs are mammals and " * 60
    vectors = Vectors(tmp_path, minilm.identity)
    one = vectors.encode([beginning + "cats", "a dog"], "document", lambda: minilm)
    other = vectors.encode([beginning + "no birds at all"], "document", lambda: minilm)
    assert one.vectors[0].tobytes() == other.vectors[0].tobytes()
    assert (one.truncated.tolist(), other.truncated.tolist()) == ([True, False], [True])
