"""A budget for models that encode behind an interface: their stores of vectors are what was spent."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from nlfol.models.api.embedding import ApiEmbedder
from nlfol.models.budget import Ledger, VectorSpending
from nlfol.models.entries.embedding import ApiEmbeddingEntry, vectors_folder
from nlfol.models.entries.prices import Budget, Price
from nlfol.models.providers.registry import read_entry
from nlfol.models.vectors.local import EmbeddingError
from nlfol.models.vectors.request import EmbeddingRequest
from nlfol.models.vectors.store import Vectors

from .chat_server import ChatServer, Scripted
from .embedding_server import lengths, openai_body, serving

PRICE = Price(prompt=1_000_000, completion=0)
"""One a token."""
TEXTS = ["aaaa", "bbbb", "cccc", "dddd"]


def an_entry(url: str, **settings: Any) -> ApiEmbeddingEntry:
    said = {"kind": "embedding", "backend": "openai", "model": "tiny", "base_url": url, "api_key_env": None, **settings}
    entry = read_entry(json.dumps({**said, "texts_per_request": 1, "concurrency": 1}))
    assert isinstance(entry, ApiEmbeddingEntry)
    return entry


def ledger(journal: Path, entry: ApiEmbeddingEntry, total: float) -> Ledger:
    stores = {"m": VectorSpending(journal, entry, PRICE)}
    return Ledger(Budget(total=total), {"m": PRICE}, journal, "m", stores)


def test_embedding_bound_counts_bytes_plus_text_overhead(tmp_path: Path) -> None:
    entry = an_entry("http://localhost/v1", query_prompt="ask: ")
    spending = VectorSpending(tmp_path, entry, PRICE)
    # Two more signs than bytes of ASCII, and sixteen tokens a text that a tokenizer may put around it.
    assert spending.bound(EmbeddingRequest(("∀", "ab"), "document")) == 3 + 2 + 2 * 16
    assert spending.bound(EmbeddingRequest(("∀", "ab"), "query")) == 8 + 7 + 2 * 16


def test_budget_limits_embedding_requests_and_keeps_vectors(tmp_path: Path) -> None:
    with ChatServer(every=serving()) as server:
        entry = an_entry(server.url)
        vectors = Vectors(vectors_folder(tmp_path, entry, "d.t"), entry.identity)

        def encode(total: float) -> None:
            budget = ledger(tmp_path, entry, total)
            vectors.encode(TEXTS, "document", lambda: ApiEmbedder(entry, tmp_path / ".sharers", budget))

        # At most 20 a text, and 5 by what the server says.
        with pytest.raises(EmbeddingError, match=r"budget.total of 25 USD has no room for more: 10.0000 USD are spent"):
            encode(25)
        assert len(server.asked) == 2
        assert vectors.missing(TEXTS, "document") == TEXTS[2:]
        encode(1000)
        assert len(server.asked) == len(TEXTS)


def test_budget_bounds_lost_vectors_across_runs(tmp_path: Path) -> None:
    with ChatServer(every=lambda _: Scripted(manner="cut")) as server:
        entry = an_entry(server.url, retries=2)
        vectors = Vectors(vectors_folder(tmp_path, entry, "d.t"), entry.identity)
        for _ in range(2):
            budget = ledger(tmp_path, entry, 100)
            with pytest.raises(EmbeddingError, match=r"budget.total of 100 USD has no room"):
                vectors.encode(TEXTS, "document", partial(ApiEmbedder, entry, budget=budget))
            # At most 20 a text.
            assert len(server.asked) == 5


@pytest.mark.parametrize(("usage", "each"), [({"prompt_tokens": 5}, 5), (None, 20)])
def test_vector_spending_uses_reported_usage_or_bound(tmp_path: Path, usage: dict[str, int] | None, each: int) -> None:
    def answer(body: dict[str, Any]) -> Scripted:
        return Scripted(body={**openai_body(lengths(body["input"])), "usage": usage})

    with ChatServer(every=answer) as server:
        entry = an_entry(server.url)
        vectors = Vectors(vectors_folder(tmp_path, entry, "d.t"), entry.identity)
        vectors.encode(TEXTS, "document", lambda: ApiEmbedder(entry))
    spending = VectorSpending(tmp_path, entry, PRICE)
    assert spending.fresh() == [each] * len(TEXTS)
    assert spending.fresh() == []
