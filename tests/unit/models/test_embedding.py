from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nlfol.models.embedding import Embedder, EmbeddingError, similarities
from nlfol.models.specification import EmbeddingSpecification, PathSource

pytest.importorskip("sentence_transformers")


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sentence-transformers model of one layer with random weights."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    torch.manual_seed(0)
    base, whole = tmp_path_factory.mktemp("bert"), tmp_path_factory.mktemp("embedder")
    words = ["[PAD]", "[UNK]", "query", ":", *["all", "dogs", "are", "mammals", "no", "cat", "is", "a", "dog", "."]]
    tokenizer = Tokenizer(models.WordLevel({word: place for place, word in enumerate(dict.fromkeys(words))}, "[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="[PAD]", unk_token="[UNK]", model_max_length=32
    ).save_pretrained(base)
    config = BertConfig(
        vocab_size=64,
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=32,
    )
    BertModel(config).save_pretrained(base)
    transformer = Transformer(str(base))
    SentenceTransformer(modules=[transformer, Pooling(16)], device="cpu").save(str(whole))
    (whole / "source.json").write_text(json.dumps({"source": "test:bert", "path": ".", "stamp": ""}))
    return whole


def embedder(directory: Path, **settings: Any) -> Embedder:
    source = PathSource(path=str(directory))
    specification = EmbeddingSpecification(
        kind="embedding", backend="sentence_transformers", source=source, **{"device": "cpu", **settings}
    )
    return Embedder(specification, directory)


def test_each_distinct_text_is_encoded_once(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = embedder(directory)
    encode = model._model.encode
    encoded: list[str] = []

    def counted(texts: Sequence[str], **options: Any) -> Any:
        encoded.extend(texts)
        return encode(texts, **options)

    monkeypatch.setattr(model._model, "encode", counted)
    texts = ["no cat is a dog .", "all dogs", "no cat is a dog .", "a"]
    vectors = model.encode(texts, "document")
    again = model.encode(["all dogs", "mammals"], "query")
    assert encoded == ["no cat is a dog .", "all dogs", "a", "mammals"]
    assert vectors.shape == (4, 16)
    assert vectors.dtype == np.float32
    assert vectors[0].tobytes() == vectors[2].tobytes()
    assert vectors[1].tobytes() == again[0].tobytes()
    assert model.encode([], "query").shape == (0, 16)


def test_prompts_go_by_role(directory: Path) -> None:
    model = embedder(directory, query_prompt="query : ")
    plain = embedder(directory)
    assert np.array_equal(model.encode(["all dogs"], "document"), plain.encode(["all dogs"], "query"))
    assert np.array_equal(model.encode(["all dogs"], "query"), plain.encode(["query : all dogs"], "document"))
    assert not np.array_equal(model.encode(["all dogs"], "query"), model.encode(["all dogs"], "document"))


def test_texts_that_are_cut_off_are_counted(directory: Path, caplog: pytest.LogCaptureFixture) -> None:
    embedder(directory).encode(["a " * 40, "a"], "document")
    assert "test:bert;dtype=float32: 1 of 2 texts exceed 32 tokens and are cut off" in caplog.text


def test_a_device_that_is_not_there_is_named(directory: Path) -> None:
    torch = pytest.importorskip("torch")
    if torch.cuda.is_available():
        pytest.skip("there is a CUDA device")
    with pytest.raises(EmbeddingError, match="device cuda is asked for and there is none"):
        embedder(directory, device="cuda")


@pytest.mark.parametrize("dimensions", [3, 16, 384, 4096])
def test_equal_documents_have_bit_equal_similarities(dimensions: int) -> None:
    generator = np.random.default_rng(0)
    query = generator.standard_normal(dimensions).astype(np.float32)
    document = generator.standard_normal(dimensions).astype(np.float32)
    for count in range(1, 12):
        found = similarities(query, np.stack([document] * count))
        assert set(found) == set(similarities(query, document[np.newaxis]))
    expected = float(query.astype(float) @ document) / float(np.linalg.norm(query) * np.linalg.norm(document))
    assert found[0] == pytest.approx(expected, abs=1e-6)


def test_similarities_stay_within_their_range() -> None:
    query = np.array([1.0, 2.0, 3.0], dtype=np.float32)
    assert similarities(query, np.stack([query, -query, 0 * query])) == pytest.approx([1.0, -1.0, 0.0])
    assert max(similarities(query, np.stack([query * 3]))) <= 1.0
    assert similarities(query, np.empty((0, 3), dtype=np.float32)) == []
