"""An embedding model behind an interface, from the configuration to the tables: MiniLM, here and over the loopback."""

import secrets
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from tests.unit.models.chat_server import ChatServer, Scripted, error
from tests.unit.models.embedding_server import Matrix, serving
from tests.workflow.checkout import MINILM, Checkout, configuration

from nlfol.models.entries.embedding import EmbeddingEntry
from nlfol.models.local.materialisation import materialise
from nlfol.models.vectors.local import LocalEmbedder
from nlfol.store import files, schemas

# Drawn anew, so that not even a copy of this file holds it.
KEY = f"sk-{secrets.token_hex(16)}"
VARIABLE = "NLFOL_TEST_KEY"
RESPONSES = [f"results/responses/mine/{task}" for task in ("most_similar", "ranking")]


@pytest.fixture(scope="module")
def minilm(tmp_path_factory: pytest.TempPathFactory) -> LocalEmbedder:
    entry = EmbeddingEntry.model_validate(MINILM)
    folder = tmp_path_factory.mktemp("minilm") / "weights"
    materialise(entry, folder)
    return LocalEmbedder(entry, folder)


@pytest.fixture
def server(minilm: LocalEmbedder) -> Iterator[ChatServer]:
    """Serves MiniLM; its first answer is that it is busy."""

    def encode(texts: Sequence[str]) -> Matrix:
        return np.stack([one.vector for one in minilm.encode(texts, "document")])

    with ChatServer() as running:
        faults = {"Every cat sleeps.": [Scripted(429, error(f"busy, {KEY}"), {"Retry-After": "0"})]}
        running.every = serving(encode, faults)
        yield running


def entry(server: ChatServer, **settings: Any) -> dict[str, Any]:
    common = {"kind": "embedding", "base_url": server.url, "api_key_env": VARIABLE, "texts_per_request": 8}
    return {**common, **settings}


def similarities(checkout: Checkout, folder: str, model: str) -> Any:
    rows = files.rows(checkout.folder / folder / f"{model}.arrow", schemas.RESPONSES)
    return [value for row in rows for value in row["similarities"]]


def test_embedding_api_scores_equal_local_and_vectors_are_cached(checkout: Checkout, server: ChatServer) -> None:
    openai = entry(server, backend="openai", model="minilm")
    values = configuration(minilm=MINILM, served=openai, shortened={**openai, "dimensions": 128})
    checkout.configure(values)
    targets = [f"{folder}/{name}.arrow" for folder in RESPONSES for name in values["models"]]
    run = checkout.run(*targets, environment={VARIABLE: KEY})
    assert (run.jobs["ask_embedding"], run.jobs["ask_embedding_api"]) == (2, 4)
    for folder in RESPONSES:
        here = similarities(checkout, folder, "minilm")
        assert np.allclose(similarities(checkout, folder, "served"), here, atol=1e-5)
        assert not np.allclose(similarities(checkout, folder, "shortened"), here, atol=1e-3)

    # Each text once in each role, over both tasks and all entries that ask the same; sentences were busy once.
    asked = Counter(text for body in server.bodies if "input" in body for text in body["input"])
    table = files.rows(checkout.folder / "results/items/mine/ranking.arrow", schemas.ITEMS)
    assert len(asked) > 50
    assert {text for text, count in asked.items() if count > 1} <= {row["text"] for row in table}

    # The search finds what is there.
    held = checkout.bytes("**/*")
    assert any(b"minilm" in content for content in held.values())
    assert not [name for name, content in held.items() if KEY.encode() in content]
    assert KEY not in run.output

    # Other code, lost results: the vectors are still there, and neither server nor key is needed.
    before = len(server.asked)
    for target in targets:
        (checkout.folder / target).unlink()
    run = checkout.snakemake(*targets, environment={VARIABLE: ""})
    assert (run.status, len(server.asked)) == (0, before), run.output


def test_embedding_api_error_hides_refused_key(checkout: Checkout, server: ChatServer) -> None:
    server.every = lambda _: Scripted(401, error(f"bad {KEY}", "invalid_api_key"))
    checkout.configure(configuration(served=entry(server, backend="openai", model="minilm")))
    run = checkout.fail(f"{RESPONSES[0]}/served.arrow", environment={VARIABLE: KEY})
    assert f"401: the key in {VARIABLE} is refused" in run.error
    assert KEY not in run.output
