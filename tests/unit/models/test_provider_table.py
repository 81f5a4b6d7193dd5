import json
from pathlib import Path
from typing import Any, get_args

import pytest
import yaml

from nlfol.models.entries.chat import ApiChatEntry, complete
from nlfol.models.entries.provider_table import Capabilities, ProviderTable, ProviderTableError, Structure
from nlfol.models.providers.openai import OpenaiChatEntry
from nlfol.models.providers.registry import read_entry

from .conftest import openai_entry

ROW = "{provider: 'https://a/v1', models: [m], read: 2026-01-01, source: 'https://a'"
PRICE = "{currency: USD, prompt: 1, completion: 1}"
GEMINI = "https://generativelanguage.googleapis.com/v1beta/openai/"
SHIPPED = Path(__file__).parents[3] / "resources" / "providers.yaml"


@pytest.fixture(scope="module")
def table() -> ProviderTable:
    return ProviderTable(SHIPPED)


def entry(model: str, **settings: Any) -> OpenaiChatEntry:
    return openai_entry(None, model=model, **settings)


def test_provider_table_matches_provider_and_exact_model(table: ProviderTable) -> None:
    known = complete(entry("o3-mini-2025-01-31"), table).accepted
    assert (known.temperature, known.top_p, known.limit) == (False, False, "max_completion_tokens")
    assert known.reasoning_effort == ("low", "medium", "high")
    # Without a key it is one's own server, which may take grammars.
    everything = Capabilities(
        bounds=("maxItems", "maxLength", "minItems"), structured=get_args(Structure), prompt_logprobs=True
    )
    of_openai = {"structured": ("json_schema", "json_object", "none"), "template": False}
    others = Capabilities.model_validate({"bounds": ("maxItems", "minItems"), **of_openai})
    assert complete(entry("o3-mini-of-mine"), table).accepted == others
    assert "grammar" not in complete(entry("gpt-4o-mini", api_key_env="OPENAI_API_KEY"), table).accepted.structured
    assert complete(entry("o3-mini", base_url="http://localhost:8000/v1"), table).accepted == everything
    assert complete(entry("o3-mini", base_url="https://api.openai.com/v1/"), table).accepted.temperature is False
    assert complete(entry("gpt-4o-mini"), table).accepted.temperature is True


def test_provider_row_without_models_covers_all_models(table: ProviderTable) -> None:
    known = complete(entry("gemini-of-mine", base_url=GEMINI), table).accepted
    assert (known.seed, known.temperature, known.reasoning_effort[0]) == (False, True, "none")
    assert complete(entry("gpt-4o-mini"), table).accepted.bounds == ("maxItems", "minItems")


def test_declared_capabilities_override_provider_table(table: ProviderTable) -> None:
    declared = complete(entry("o3-mini", capabilities={"temperature": True}), table)
    assert (declared.accepted.temperature, declared.accepted.top_p) == (True, False)
    unknown = complete(entry("mine", capabilities={"limit": "max_tokens", "seed": False}), table)
    assert (unknown.accepted.limit, unknown.accepted.seed, unknown.accepted.top_p) == ("max_tokens", False, True)


@pytest.mark.parametrize(
    ("settings", "bounds"),
    [
        ({"backend": "openai"}, ("maxItems", "minItems")),
        ({"backend": "openai", "base_url": "https://api.openai.com/v1/"}, ("maxItems", "minItems")),
        ({"backend": "openai", "structured": "none"}, ()),
        ({"backend": "openai", "base_url": "https://elsewhere/v1"}, ()),
        ({"backend": "openai", "base_url": GEMINI}, ("maxItems", "minItems")),
        (
            {"backend": "openai", "base_url": "http://mine/v1", "api_key_env": None},
            ("maxItems", "maxLength", "minItems"),
        ),
        ({"backend": "openai", "capabilities": {"bounds": ["uniqueItems"]}}, ("uniqueItems",)),
        ({"backend": "openai", "capabilities": {"seed": False}}, ("maxItems", "minItems")),
        ({"backend": "anthropic"}, ()),
    ],
)
def test_provider_decides_answer_bounds(
    table: ProviderTable, settings: dict[str, Any], bounds: tuple[str, ...]
) -> None:
    found = read_entry(json.dumps({"kind": "chat", "model": "m", **settings}))
    assert isinstance(found, ApiChatEntry)
    assert complete(found, table).bounds == bounds


def test_completed_entry_round_trips(table: ProviderTable) -> None:
    once = complete(entry("o3-mini"), table)
    assert OpenaiChatEntry.model_validate_json(once.model_dump_json()) == once


def test_nucleus_left_to_provider_is_never_refused(table: ProviderTable) -> None:
    left = complete(entry("o3-mini", sampling={"top_p": None}), table)
    assert left.sampling.top_p is None


@pytest.mark.parametrize(
    ("settings", "fault"),
    [
        ({"sampling": {"temperature": 0}}, "sampling.temperature is given, which o3-mini does not take; leave it out"),
        ({"sampling": {"top_p": 1}}, "sampling.top_p is given"),
        ({"reasoning_effort": "minimal"}, "reasoning_effort is minimal, .* it takes low or medium or high"),
        ({"thinking": False}, "thinking or template is given, which o3-mini does not take; leave both out"),
        ({"template": {"tone": "dry"}}, "thinking or template is given"),
        (
            {"structured": "json_object_schema"},
            "structured is json_object_schema, .* json_schema or json_object or none",
        ),
        ({"capabilities": {"structured": []}}, "structured is json_schema, .* it takes none"),
    ],
)
def test_unsupported_setting_is_refused_before_requests(
    table: ProviderTable, settings: dict[str, Any], fault: str
) -> None:
    with pytest.raises(ProviderTableError, match=fault):
        complete(entry("o3-mini", **settings), table)


def test_server_without_schemas_requires_structured_setting(table: ProviderTable) -> None:
    loose: dict[str, Any] = {"base_url": "http://localhost/v1", "capabilities": {"structured": ["none"]}}
    with pytest.raises(ProviderTableError, match="say which under structured"):
        complete(entry("mine", **loose), table)
    free = complete(entry("mine", **loose, structured="none"), table)
    assert free.identity == "openai:http://localhost/v1/mine;structured=none"


def test_price_is_found_by_provider_and_exact_model(table: ProviderTable) -> None:
    known = table.price("https://api.openai.com/v1", "gpt-4o-mini")
    assert known is not None
    assert (known.prompt, known.cached, known.completion, known.batch) == (0.15, 0.075, 0.6, 0.5)
    assert known.read is not None
    assert known.source is not None
    assert table.price("https://api.openai.com/v1", "gpt-4o-mini-of-mine") is None
    assert table.price("http://localhost:8000/v1", "gpt-4o-mini") is None


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[", "cannot be read as YAML"),
        ("{}", "valid tuple"),
        (f"- {ROW}, provider: openai}}", "the key 'provider' occurs twice"),
        (f"- {ROW.replace('[m]', '[]')}, accepts: {{}}}}", "0.models"),
        (f"- {ROW}, accepts: {{colour: red}}}}", "0.accepts.colour"),
        (f"- {ROW}, price: {{currency: USD, prompt: 1}}}}", "0.price.completion"),
        (f"- {ROW}}}", "either accepts or price"),
        (f"- {ROW.partition(', source')[0]}, accepts: {{}}}}", "source"),
        (f"- {ROW.replace('models: [m], ', '')}, price: {PRICE}}}", "a price is that of a model; add models"),
        (f"- {ROW}, accepts: {{}}}}\n- {ROW}, accepts: {{}}}}", "m of https://a/v1 has two rows"),
        (f"- {ROW}, price: {PRICE}}}\n- {ROW}, price: {PRICE}}}", "m of https://a/v1 has two rows"),
    ],
)
def test_provider_table_error_names_file_and_row(tmp_path: Path, text: str, fault: str) -> None:
    path = tmp_path / "providers.yaml"
    path.write_text(text)
    with pytest.raises(ProviderTableError, match=rf"providers\.yaml: .*{fault}"):
        ProviderTable(path)


def test_documented_entries_validate() -> None:
    text = (Path(__file__).parents[3] / "docs" / "adding-a-model.md").read_text()
    blocks = [part.partition("```")[0] for part in text.split("```yaml\n") if part.startswith(("azure:", "opus:"))]
    table = ProviderTable(SHIPPED)
    entries = {name: read_entry(json.dumps(entry)) for text in blocks for name, entry in yaml.safe_load(text).items()}
    for entry in entries.values():
        assert isinstance(entry, ApiChatEntry)
        complete(entry, table)
    servers = {"azure", "vllm", "sglang", "qwen3-silent", "llama-cpp", "llama-cpp-python", "ollama"}
    assert entries.keys() == {*servers, "opus", "flash"}
