from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from nlfol.models.entries.capabilities import Capabilities, CapabilityError, CapabilityTable
from nlfol.models.entries.chat import complete
from nlfol.models.providers.openai import OpenaiChatEntry

ROW = "- {provider: 'https://a/v1', models: [m], accepts: {}, source: 'https://a', checked: 2026-01-01}"
SHIPPED = Path(__file__).parents[3] / "resources" / "capabilities.yaml"


@pytest.fixture(scope="module")
def table() -> CapabilityTable:
    return CapabilityTable(SHIPPED)


def entry(model: str, **settings: Any) -> OpenaiChatEntry:
    return OpenaiChatEntry.model_validate({"kind": "chat", "backend": "openai", "model": model, **settings})


def test_a_model_is_found_by_provider_and_exact_name(table: CapabilityTable) -> None:
    known = complete(entry("o3-mini-2025-01-31"), table).accepted
    assert (known.temperature, known.top_p, known.limit) == (False, False, "max_completion_tokens")
    assert known.reasoning_effort == ("low", "medium", "high")
    everything = Capabilities()
    assert complete(entry("o3-mini-of-mine"), table).accepted == everything
    assert complete(entry("o3-mini", base_url="http://localhost:8000/v1"), table).accepted == everything
    assert complete(entry("o3-mini", base_url="https://api.openai.com/v1/"), table).accepted.temperature is False
    assert complete(entry("gpt-4o-mini"), table).accepted.temperature is True


def test_what_an_entry_declares_takes_the_place_of_the_table(table: CapabilityTable) -> None:
    declared = complete(entry("o3-mini", capabilities={"temperature": True}), table)
    assert (declared.accepted.temperature, declared.accepted.top_p) == (True, False)
    unknown = complete(entry("mine", capabilities={"limit": "max_tokens", "seed": False}), table)
    assert (unknown.accepted.limit, unknown.accepted.seed, unknown.accepted.top_p) == ("max_tokens", False, True)


def test_a_completed_entry_is_the_same_however_often_it_is_read(table: CapabilityTable) -> None:
    once = complete(entry("o3-mini"), table)
    assert OpenaiChatEntry.model_validate_json(once.model_dump_json()) == once


@pytest.mark.parametrize(
    ("settings", "fault"),
    [
        ({"sampling": {"temperature": 0}}, "sampling.temperature is given, which o3-mini does not take; leave it out"),
        ({"sampling": {"top_p": 1}}, "sampling.top_p is given"),
        ({"reasoning_effort": "minimal"}, "reasoning_effort is minimal, .* it takes low or medium or high"),
        (
            {"structured": "json_object_schema"},
            "structured is json_object_schema, .* json_schema or json_object or none",
        ),
        ({"capabilities": {"structured": []}}, "structured is json_schema, .* it takes none"),
    ],
)
def test_what_a_model_does_not_take_is_refused_before_anything_is_asked(
    table: CapabilityTable, settings: dict[str, Any], fault: str
) -> None:
    with pytest.raises(CapabilityError, match=fault):
        complete(entry("o3-mini", **settings), table)


def test_a_server_that_cannot_hold_answers_to_a_schema_has_to_be_said_to(table: CapabilityTable) -> None:
    loose: dict[str, Any] = {"base_url": "http://localhost/v1", "capabilities": {"structured": ["none"]}}
    with pytest.raises(CapabilityError, match="say which under structured"):
        complete(entry("mine", **loose), table)
    free = complete(entry("mine", **loose, structured="none"), table)
    assert free.identity == "openai:http://localhost/v1/mine;structured=none"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[", "cannot be read as YAML"),
        ("{}", "valid tuple"),
        (ROW.replace("[m]", "[]"), "0.models"),
        ("- {provider: 'https://a/v1', models: [m], accepts: {colour: red}}", "0.accepts.colour"),
        (f"{ROW}\n{ROW}", "m of https://a/v1 has two rows"),
    ],
)
def test_faults_of_a_table_name_file_and_row(tmp_path: Path, text: str, fault: str) -> None:
    path = tmp_path / "capabilities.yaml"
    path.write_text(text)
    with pytest.raises(CapabilityError, match=rf"capabilities\.yaml: .*{fault}"):
        CapabilityTable(path)
