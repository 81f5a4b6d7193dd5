"""Entries of models that the workflow serves itself."""

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from nlfol.config import Configuration, ConfigurationError, as_json, experiment_json, read_configuration
from nlfol.models.entries.chat import ApiChatEntry, complete
from nlfol.models.entries.embedding import vectors_folder
from nlfol.models.entries.prices import FREE
from nlfol.models.entries.provider_table import ProviderTable
from nlfol.models.providers.registry import price_of, read_entry
from nlfol.spending import settle_models

ROOT = Path(__file__).parents[3]
COMMIT = "0123456789" * 4
HUB = {"hub": "Qwen/Qwen3-8B", "revision": COMMIT}
SERVE: dict[str, Any] = {"engine": "vllm", "source": HUB, "arguments": ["--max-model-len=8192"]}
GGUF: dict[str, Any] = {"engine": "llama.cpp", "source": {**HUB, "file": "q4.gguf"}}
CHAT: dict[str, Any] = {"kind": "chat", "backend": "openai", "model": "Qwen/Qwen3-8B", "serve": SERVE}
EMBEDDING: dict[str, Any] = {**CHAT, "kind": "embedding", "model": "Qwen/Qwen3-Embedding-8B"}


def record_weights(folder: Path) -> Path:
    """Weights of the hub as they are once materialised, as far as a server's command reads them."""
    place = folder / "weights"
    place.mkdir()
    source = f"hub:Qwen/Qwen3-8B@{COMMIT}"
    (place / "source.json").write_text(json.dumps({"source": source, "path": ".", "stamp": ""}))
    (place / "config.json").write_text('{"max_position_embeddings": 4096}')
    return place


def read(entry: dict[str, Any]) -> Any:
    return read_entry(json.dumps(entry))


def test_served_identity_names_weights_and_arguments_without_address() -> None:
    held = "structured=grammar"
    assert read(CHAT).identity == f'vllm:hub:Qwen/Qwen3-8B@{COMMIT};arguments=["--max-model-len=8192"];{held}'
    assert read({**CHAT, "serve": {**SERVE, "arguments": []}}).identity == f"vllm:hub:Qwen/Qwen3-8B@{COMMIT};{held}"
    assert read({**CHAT, "structured": "none"}).identity.endswith('8192"];structured=none')
    given = {**SERVE, "arguments": [], "context": 4096, "dtype": "float16", "command": ["/opt/vllm"]}
    assert read({**CHAT, "serve": given}).identity.endswith(f"@{COMMIT};context=4096;dtype=float16;{held}")
    embedding = read({**EMBEDDING, "query_prompt": "Query: "})
    assert embedding.identity.startswith(f"vllm:hub:Qwen/Qwen3-8B@{COMMIT};arguments=")
    assert embedding.identity.endswith(';prompts=["Query: ",""]')
    for port in (1024, 1025):
        reached = read(CHAT).model_copy(update={"base_url": f"http://127.0.0.1:{port}/v1"})
        assert reached.url == f"http://127.0.0.1:{port}/v1"
        assert reached.identity == read(CHAT).identity


def test_unstarted_server_lacks_address() -> None:
    with pytest.raises(ValueError, match="has no address before its server runs"):
        read(CHAT).url  # noqa: B018 - it is computed


@pytest.mark.parametrize("entry", [CHAT, EMBEDDING])
@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ({"base_url": "http://localhost:8000/v1"}, "take out base_url, or serve"),
        ({"api_key_env": "OPENAI_API_KEY"}, "take out api_key_env, or serve"),
        ({"query": {"a": "b"}, "key_header": "api-key"}, "take out query, key_header, or serve"),
        ({"price": {"prompt": 1, "completion": 1}}, "or price of its own: take out price, or serve"),
        ({"model": "-c/x"}, "model: has letters, digits"),
        ({"serve": {**SERVE, "source": {**HUB, "revision": "main"}}}, "serve.source.hub.revision"),
        ({"serve": {**SERVE, "source": {**HUB, "file": "../x.gguf"}}}, "no path inside a package or repository"),
        ({"serve": {**SERVE, "engine": "sglang"}}, "serve.engine"),
        ({"serve": {**GGUF, "dtype": "float16"}}, "llama.cpp computes with what the GGUF file holds; take it out"),
        ({"serve": {**GGUF, "adapter": {"trained": "mine"}}}, "llama.cpp takes GGUF files alone; serve it with vllm"),
        ({"serve": {**SERVE, "command": []}}, "serve.command"),
        ({"serve": {**SERVE, "start": 0}}, "start"),
        ({"serve": {**SERVE, "arguments": [8192]}}, "arguments"),
        ({"serve": {**SERVE, "arguments": ["--port=8000"]}}, "--port is not for an entry to say; take it out"),
        ({"serve": {**SERVE, "arguments": ["--served_model_name", "x"]}}, "--served-model-name is not for an entry"),
        ({"serve": {**SERVE, "arguments": ["--config", "x.yaml"]}}, "--config is not for an entry"),
        ({"serve": {**SERVE, "arguments": ["--hf-token=secret"]}}, "--hf-token is not for an entry to say"),
    ],
)
def test_served_entry_rejects_contradicting_settings(entry: dict[str, Any], given: dict[str, Any], fault: str) -> None:
    with pytest.raises(ValidationError, match=fault) as caught:
        read({**entry, **given})
    assert "secret" not in str(caught.value)


def test_served_entry_rejects_batch() -> None:
    with pytest.raises(ValidationError, match="batches or price of its own: take out batch, or serve"):
        read({**CHAT, "batch": True})


def test_served_vectors_share_folder_with_local_models() -> None:
    assert vectors_folder(Path("journal"), read(EMBEDDING), "mine.ranking") == Path("journal/vectors/mine.ranking")


def test_entry_json_omits_settings_irrelevant_to_answers() -> None:
    entry = read({**CHAT, "serve": {**SERVE, "start": 60}})
    assert entry.serve.start == 60
    assert as_json(entry) == as_json(read(CHAT))
    assert read_entry(as_json(entry)).identity == entry.identity


def test_served_entry_bypasses_provider_table() -> None:
    entry = read(CHAT)
    assert isinstance(entry, ApiChatEntry)
    settled = complete(entry, ProviderTable(ROOT / "resources/providers.yaml"))
    assert settled.accepted.limit == "max_completion_tokens"
    assert price_of(settled) == FREE


def _experiment(**more: Any) -> dict[str, Any]:
    dataset = {"reader": "table", "path": "sentences.csv"}
    tasks: dict[str, Any] = {"logical_translation": {}}
    return {"seed": 1, "datasets": {"mine": dataset}, "tasks": tasks, "models": {"qwen": CHAT}, **more}


def test_served_models_skip_budget_but_count_in_digest() -> None:
    def settled(**more: Any) -> Configuration:
        return settle_models(read_configuration(_experiment(**more)), ROOT / "resources/providers.yaml")

    free = settled(budget={"total": 1})
    slower = settled(models={"qwen": {**CHAT, "serve": {**SERVE, "start": 60}}})
    other = settled(models={"qwen": {**CHAT, "serve": {**SERVE, "arguments": ["--dtype=half"]}}})
    assert experiment_json(free) == experiment_json(slower)
    assert experiment_json(free) != experiment_json(other)
    with pytest.raises(ConfigurationError, match=r"budget.models.qwen: no such model behind an interface"):
        settled(budget={"models": {"qwen": 1}})


# A grammar would hold the thought behind llama.cpp, so there it is not the default of both.
@pytest.mark.parametrize(("serve", "both"), [(SERVE, {}), (GGUF, {"structured": "json_schema"})])
def test_served_entries_that_differ_in_thinking_are_one_model_apart_from_it(
    serve: dict[str, Any], both: dict[str, Any]
) -> None:
    silent, thoughtful = (
        read({**CHAT, "serve": serve, "template": {"enable_thinking": each}, **both}) for each in (False, True)
    )
    assert (silent.thinks, thoughtful.thinks) == (False, True)
    assert silent.without_thinking.identity == thoughtful.without_thinking.identity == silent.identity
    assert silent.identity != thoughtful.identity
