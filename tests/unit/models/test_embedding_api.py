"""Embedding models behind an interface; the server is real, and does what a test tells it."""

import json
import os
import secrets
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nlfol.models.api.embedding import ApiEmbedder
from nlfol.models.entries.embedding import ApiEmbeddingEntry
from nlfol.models.providers.registry import read_entry
from nlfol.models.vectors.local import EmbeddingError, LocalEmbedder
from nlfol.models.vectors.store import Vectors

from .chat_server import ChatServer, Scripted, error
from .embedding_server import lengths, openai_body, serving

# Drawn anew, so that not even a copy of this file holds it.
KEY = f"sk-{secrets.token_hex(16)}"
TEXTS = ["All dogs are mammals.", "No cat is a dog.", "∀x (Dog(x) → Mammal(x))", "Rex"]
BUSY = Scripted(429, error("busy"), {"Retry-After": "0"})


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NLFOL_TEST_KEY", KEY)


def openai(server: ChatServer, **settings: Any) -> ApiEmbedder:
    said = {"kind": "embedding", "backend": "openai", "model": "tiny", "base_url": server.url, "timeout": 60.0}
    entry = read_entry(json.dumps({**said, "api_key_env": "NLFOL_TEST_KEY", "retries": 2, **settings}))
    assert isinstance(entry, ApiEmbeddingEntry)
    return ApiEmbedder(entry)


def encoded(model: ApiEmbedder, texts: list[str] = TEXTS) -> Any:
    vectors = {
        text: embedding.vector
        for group in model.encode_groups(texts, "document")
        for text, embedding in zip(group.texts, group.embeddings, strict=True)
    }
    return np.stack([vectors[text] for text in texts])


@pytest.mark.parametrize("encoding", ["base64", "float"])
def test_loopback_embedder_matches_local_vectors(minilm: LocalEmbedder, encoding: str) -> None:
    def encode(texts: Any) -> Any:
        return np.stack([one.vector for one in minilm.encode(texts, "document")])

    here = encode(TEXTS)
    with ChatServer(every=serving(encode)) as server:
        together = encoded(openai(server, encoding=encoding))
        server.asked.clear()
        apart = encoded(openai(server, encoding=encoding, texts_per_request=1))
    assert here.shape == (4, 384)
    assert together.tobytes() == here.tobytes()
    assert np.allclose(apart, here, atol=1e-6)
    assert len(server.asked) == len(TEXTS)


def test_openai_embedding_request_follows_entry() -> None:
    with ChatServer(every=serving()) as server:
        model = openai(server, output_dimensions=3, document_prompt="text: ", encoding="float")
        found = encoded(model, ["a"])
    assert server.bodies == [{"model": "tiny", "input": ["text: a"], "encoding_format": "float", "dimensions": 3}]
    assert server.heads[0].startswith("POST /v1/embeddings ")
    assert f"authorization: bearer {KEY}" in server.heads[0].lower()
    assert found.tolist() == lengths(["text: a"]).tolist()
    assert model.identity == f'openai:{server.url}/tiny;output_dimensions=3;prompts=["","text: "]'


@pytest.mark.parametrize(
    ("bounds", "sizes"), [({"texts_per_request": 2}, [1, 2, 2]), ({"tokens_per_request": 4}, [1, 1, 3]), ({}, [5])]
)
def test_embedding_requests_respect_text_and_token_bounds(bounds: dict[str, int], sizes: list[int]) -> None:
    texts = ["a", "bb", "ccc", "d" * 12, "e" * 30]
    with ChatServer(every=serving()) as server:
        assert encoded(openai(server, **bounds), texts).tolist() == lengths(texts).tolist()
    assert sorted(len(body["input"]) for body in server.bodies) == sizes


def without_last(body: dict[str, Any]) -> dict[str, Any]:
    return {**body, "data": body["data"][1:]}


def doubled(body: dict[str, Any]) -> dict[str, Any]:
    return {**body, "data": [body["data"][0], body["data"][0]]}


TWO = openai_body(lengths(["a", "b"]))
PASSING = {
    "429": BUSY,
    "no JSON": Scripted(body="<html>"),
    "no embeddings": Scripted(body={"data": [{"index": 0}]}),
    "missing index": Scripted(body=without_last(TWO)),
    "duplicate index": Scripted(body=doubled(TWO)),
    "NaN": Scripted(body=openai_body(np.array([[1, 2, 3], [1, np.nan, 3]], np.float32))),
    "infinite": Scripted(body={"data": [{"index": place, "embedding": [1e300, 1, 1]} for place in range(2)]}),
    "empty": Scripted(body={"data": [{"index": place, "embedding": []} for place in range(2)]}),
    "no base64": Scripted(body={"data": [{"index": place, "embedding": "?"} for place in range(2)]}),
    "half a number": Scripted(body={"data": [{"index": place, "embedding": "AAA="} for place in range(2)]}),
}


@pytest.mark.parametrize("fault", PASSING)
def test_transient_embedding_fault_is_retried(fault: str) -> None:
    with ChatServer(every=serving(faults={"a": [PASSING[fault]]})) as server:
        assert encoded(openai(server), ["a", "b"]).tolist() == lengths(["a", "b"]).tolist()
    assert len(server.asked) == 2


def test_unexpected_vector_dimension_stops_run() -> None:
    with ChatServer(every=serving()) as server, pytest.raises(EmbeddingError, match="a vector of 3 dimensions came"):
        encoded(openai(server, output_dimensions=2))
    assert len(server.asked) == 1


def test_mixed_vector_dimensions_stop_run() -> None:
    longer = Scripted(body=openai_body(np.ones((1, 4), np.float32)))
    with ChatServer(every=serving(faults={"b": [longer]})) as server:
        model = openai(server, texts_per_request=1, concurrency=1)
        with pytest.raises(EmbeddingError, match="of 4 dimensions came where 3 are expected"):
            encoded(model, ["a", "b"])


def test_declined_text_leaves_other_vectors_stored(tmp_path: Path) -> None:
    def answer(body: dict[str, Any]) -> Scripted:
        if "c" in body["input"]:
            return Scripted(400, error("This model's maximum context length is 8 tokens"))
        return serving()(body)

    with ChatServer(every=answer) as server:
        vectors = Vectors(tmp_path, openai(server).identity)
        with pytest.raises(
            EmbeddingError, match=r"1 of 4 texts have no vector, one of them 'c': 400 .*maximum context"
        ):
            vectors.encode(["a", "b", "c", "d"], "query", lambda: openai(server))
        server.asked.clear()
        found = vectors.encode(["d", "b", "a"], "query", lambda: openai(server))
    assert found.vectors.tolist() == lengths(["d", "b", "a"]).tolist()
    assert server.asked == []


@pytest.mark.parametrize(
    ("response", "said"),
    [
        (Scripted(401, error(f"bad {KEY}", "invalid_api_key")), "401: the key in NLFOL_TEST_KEY is refused"),
        (
            Scripted(400, {"error": {"code": 400, "details": [{"reason": "API_KEY_INVALID"}]}}),
            "is refused; put a valid",
        ),
        (Scripted(400, [{"error": {"message": "API_KEY_INVALID"}}]), "is refused; put a valid"),
        (Scripted(400, error("dimensions is not supported", param="dimensions")), "leave output_dimensions out"),
    ],
)
def test_permanent_embedding_fault_stops_run(response: Scripted, said: str) -> None:
    with ChatServer(every=lambda _: response) as server, pytest.raises(EmbeddingError, match=said) as caught:
        encoded(openai(server, output_dimensions=3))
    assert KEY not in str(caught.value)
    assert len(server.asked) == 1


def test_missing_key_error_names_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NLFOL_TEST_KEY")
    with ChatServer() as server, pytest.raises(EmbeddingError, match="environment variable NLFOL_TEST_KEY is not set"):
        openai(server)
    assert server.asked == []


def test_interrupted_embedding_keeps_received_vectors(tmp_path: Path) -> None:
    refused = {"d": [Scripted(401, error(KEY))]}
    with ChatServer(every=serving(faults=refused)) as server:
        model = openai(server, texts_per_request=1, concurrency=1)
        vectors = Vectors(tmp_path, model.identity)
        with pytest.raises(EmbeddingError, match="is refused"):
            vectors.encode(["a", "b", "d", "c"], "query", lambda: model)
        assert server.asked[:3] == ["a", "b", "d"]
        found = Vectors(tmp_path, model.identity).encode(["a", "b", "d", "c", "a"], "query", lambda: model)
    assert server.attempts == {"a": 1, "b": 1, "c": 1, "d": 2}
    assert found.vectors.tolist() == lengths(["a", "b", "d", "c", "a"]).tolist()
    # The search finds what is there: the server's word for its model, and no key.
    content = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert b"tiny-2026-01-01" in content
    assert KEY.encode() not in content


def test_key_in_served_model_name_is_masked(tmp_path: Path) -> None:
    shown = Scripted(body=openai_body(lengths(["a"]), model=KEY))
    with ChatServer(every=lambda _: shown) as server:
        vectors = Vectors(tmp_path, openai(server).identity)
        vectors.encode(["a"], "query", lambda: openai(server))
    assert vectors.engines == {'{"served_model":"***"}'}


def test_changed_vector_dimension_is_reported(tmp_path: Path) -> None:
    with ChatServer(every=serving()) as server:
        identity = openai(server).identity
        Vectors(tmp_path, identity).encode(["a"], "query", lambda: openai(server))
    with ChatServer(every=serving(lambda texts: np.ones((len(texts), 4), np.float32))) as other:
        changed = Vectors(tmp_path, identity)
        with pytest.raises(EmbeddingError, match="holds vectors of 3 and 4 dimensions"):
            changed.encode(["a", "b"], "query", lambda: openai(other))


def test_changed_served_model_stops_embedding(tmp_path: Path) -> None:
    renamed = {"b": [Scripted(body=openai_body(lengths(["b"]), model="tiny-2026-02-02"))]}
    two_names = r"came from .*tiny-2026-01-01.* and .*tiny-2026-02-02"

    def encode(*texts: str) -> None:
        vectors = Vectors(tmp_path, openai(server).identity, one_engine=True)
        vectors.encode(texts, "query", lambda: openai(server, texts_per_request=1, concurrency=1))

    with ChatServer(every=serving(faults=renamed)) as server:
        encode("a")
        with pytest.raises(EmbeddingError, match=two_names):
            encode("a", "b", *"cdefghijkl")
        assert server.asked == ["a", "b"]
        with pytest.raises(EmbeddingError, match=two_names):
            encode("m")
        assert server.asked == ["a", "b"]


def test_gemini_retry_delay_in_body_is_honoured() -> None:
    tomorrow = Scripted(429, {"error": {"message": "quota", "details": [{"retryDelay": "86400s"}]}})
    soon = Scripted(429, {"error": {"message": "quota", "details": [{"retryDelay": "0.01s"}]}})
    script = serving(faults={"a": [soon, soon, tomorrow]})
    with ChatServer(every=script) as server, pytest.raises(EmbeddingError, match="1 of 1 texts have no vector"):
        encoded(openai(server, retries=5), ["a"])
    assert len(server.asked) == 3


PROGRAM = """
import sys
from pathlib import Path
from nlfol.models.api.embedding import ApiEmbedder
from nlfol.models.providers.openai import OpenaiEmbeddingEntry
from nlfol.models.vectors.store import Vectors

entry = OpenaiEmbeddingEntry(
    kind="embedding", backend="openai", model="tiny", base_url=sys.argv[2], api_key_env=None, concurrency=2,
    texts_per_request=5,
)
model = ApiEmbedder(entry)
Vectors(Path(sys.argv[1]), model.identity).encode([f"Text {number}." for number in range(300)], "query", lambda: model)
"""


def test_killed_embedding_run_repeats_only_texts_in_flight(tmp_path: Path) -> None:
    def start() -> subprocess.Popen[bytes]:
        environment = {**os.environ, "PYTHONPATH": ":".join(sys.path)}
        return subprocess.Popen([sys.executable, "-c", PROGRAM, str(tmp_path), server.url], env=environment)

    with ChatServer(every=serving(), seconds=0.02) as server:
        for kill in range(1, 4):
            with start() as process:
                while len(server.asked) < 15 * kill and process.poll() is None:
                    time.sleep(0.001)
                process.send_signal(signal.SIGKILL)
        kept = len(list(tmp_path.rglob("*.arrow")))
        assert 0 < kept < 60
        with start() as process:
            assert process.wait() == 0
    texts = {json.dumps(body["input"]) for body in server.bodies}
    assert sum(len(json.loads(batch)) for batch in texts) >= 300
    # Two requests of five texts under way, and as many kept by nobody yet, at each of three kills.
    assert sum(len(body["input"]) for body in server.bodies) - 300 <= 3 * 2 * 2 * 5
    found = Vectors(tmp_path, f"openai:{server.url}/tiny").encode(
        [f"Text {number}." for number in range(300)], "query", lambda: pytest.fail("asked again")
    )
    assert found.vectors.tolist() == lengths([f"Text {number}." for number in range(300)]).tolist()
