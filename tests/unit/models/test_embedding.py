import json
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from tests.late import needs

from nlfol.models.entries.embedding import EmbeddingEntry, Role
from nlfol.models.entries.source import PathSource
from nlfol.models.vectors.local import Embedding, EmbeddingError, LocalEmbedder

pytestmark = needs("sentence_transformers")


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


def embedder(directory: Path, **settings: Any) -> LocalEmbedder:
    source = PathSource(path=str(directory))
    entry = EmbeddingEntry(
        kind="embedding", backend="sentence_transformers", source=source, **{"device": "cpu", **settings}
    )
    return LocalEmbedder(entry, directory)


def stacked(embeddings: list[Embedding]) -> npt.NDArray[np.float32]:
    return np.stack([embedding.vector for embedding in embeddings])


def test_texts_with_equal_tokens_are_encoded_once(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = embedder(directory)
    encode = model.model.encode
    encoded: list[list[str]] = []

    def counted(texts: Sequence[str], **options: Any) -> Any:
        encoded.append(list(texts))
        return encode(texts, **options)

    monkeypatch.setattr(model.model, "encode", counted)
    found = model.encode(
        ["no cat is a dog .", "all dogs", "all  dogs", "all → ¬ dogs", "all ∧ ∨ dogs", "a"], "document"
    )
    assert encoded == [["no cat is a dog .", "all → ¬ dogs", "all dogs", "a"]]
    vectors = stacked(found)
    assert vectors.shape == (6, 16)
    assert vectors.dtype == np.float32
    assert vectors[1].tobytes() == vectors[2].tobytes()
    assert vectors[3].tobytes() == vectors[4].tobytes()
    assert [one.tokens for one in found] == [6, 2, 2, 4, 4, 1]
    assert model.encode([], "query") == []


@pytest.mark.parametrize(("budget", "sizes"), [(1, [1] * 6), (8, [1, 1, 2, 2]), (40, [6])])
def test_embedding_batches_respect_token_budget(
    directory: Path, monkeypatch: pytest.MonkeyPatch, budget: int, sizes: list[int]
) -> None:
    texts = ["a", "a dog", "a cat is", "all dogs are", "all dogs are mammals . no", "no cat is a dog ."]
    expected = stacked(embedder(directory).encode(texts, "query"))
    model = embedder(directory, tokens_per_batch=budget)
    encode = model.model.encode
    batches: list[int] = []

    def counted(texts: Sequence[str], **options: Any) -> Any:
        batches.append(len(texts))
        return encode(texts, **options)

    monkeypatch.setattr(model.model, "encode", counted)
    assert np.allclose(stacked(model.encode(texts, "query")), expected, atol=1e-6)
    assert batches == sizes


def meeting(encode: Callable[..., Any], count: int, met: set[int]) -> Callable[..., Any]:
    """The same, but nobody's first call goes on before so many threads have called."""
    barrier = threading.Barrier(count)

    def called(texts: Sequence[str], **options: Any) -> Any:
        if threading.get_ident() not in met:
            met.add(threading.get_ident())
            barrier.wait(60)
        return encode(texts, **options)

    return called


@pytest.mark.parametrize("count", [1, 3])
def test_embedding_threads_compute_separate_batches(
    directory: Path, monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    torch = pytest.importorskip("torch")
    texts = [" ".join(["dogs"] * count) for count in range(1, 30)]
    usual = torch.get_num_threads()
    expected = stacked(embedder(directory, tokens_per_batch=40).encode(texts, "query"))
    with monkeypatch.context() as patch:
        patch.setattr(torch, "get_num_threads", lambda: count)
        model = embedder(directory, tokens_per_batch=40)
    threads: set[int] = set()
    monkeypatch.setattr(model.model, "encode", meeting(model.model.encode, count, threads))
    assert stacked(model.encode(texts, "query")).tobytes() == expected.tobytes()
    assert len(threads) == count
    assert torch.get_num_threads() == usual


def test_tokenizer_runs_in_single_thread(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    from sentence_transformers import SentenceTransformer

    preprocess, busy, beside = SentenceTransformer.preprocess, threading.Lock(), list[bool]()

    def slow(*arguments: Any, **options: Any) -> Any:
        beside.append(busy.locked())
        with busy:
            time.sleep(0.01)
            return preprocess(*arguments, **options)

    monkeypatch.setattr(SentenceTransformer, "preprocess", slow)
    monkeypatch.setattr(torch, "get_num_threads", lambda: 3)
    model = embedder(directory, tokens_per_batch=1)
    monkeypatch.setattr(model.model, "encode", meeting(model.model.encode, 3, set()))
    model.encode(["a", "a dog", "a cat is", "all dogs are", "no cat is a dog ."], "query")
    assert beside == [False] * 5


def test_embedding_batch_halves_when_memory_runs_out(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    texts = ["a", "a dog", "a cat is", "all dogs are"]
    expected = stacked(embedder(directory).encode(texts, "query"))
    model = embedder(directory)
    encode = model.model.encode

    def limited(texts: Sequence[str], **options: Any) -> Any:
        if len(texts) > 1:
            raise torch.OutOfMemoryError("full")
        return encode(texts, **options)

    monkeypatch.setattr(model.model, "encode", limited)
    assert np.allclose(stacked(model.encode(texts, "query")), expected, atol=1e-6)

    def full(texts: Sequence[str], **options: Any) -> Any:
        raise torch.OutOfMemoryError("full")

    monkeypatch.setattr(model.model, "encode", full)
    with pytest.raises(EmbeddingError, match="one text of 12 characters exceeds the memory"):
        model.encode(texts, "query")


def test_embedding_prompts_depend_on_role(directory: Path) -> None:
    model, plain = embedder(directory, query_prompt="query : "), embedder(directory)

    def vector(model: LocalEmbedder, text: str, role: Role) -> bytes:
        return model.encode([text], role)[0].vector.tobytes()

    assert model.identity == 'test:bert;dtype=float32;prompts=["query : ",""]'
    assert vector(model, "all dogs", "document") == vector(plain, "all dogs", "query")
    assert vector(model, "all dogs", "query") == vector(plain, "query : all dogs", "document")
    assert vector(model, "all dogs", "query") != vector(model, "all dogs", "document")


def test_truncated_texts_are_counted(directory: Path, caplog: pytest.LogCaptureFixture) -> None:
    found = embedder(directory).encode(["a " * 40, "a"], "document")
    assert [one.truncated for one in found] == [True, False]
    assert "test:bert;dtype=float32: 1 of 2 texts exceed 32 tokens and are cut off" in caplog.text


def test_missing_device_is_named(directory: Path) -> None:
    torch = pytest.importorskip("torch")
    if torch.cuda.is_available():
        pytest.skip("there is a CUDA device")
    with pytest.raises(EmbeddingError, match="device cuda is asked for and there is none"):
        embedder(directory, device="cuda")
