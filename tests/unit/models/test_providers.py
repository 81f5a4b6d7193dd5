"""Anthropic's and Gemini's own interfaces, against scripted servers that answer as their documentation says."""

import json
import logging
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from nlfol.models.api.chat import ApiChat
from nlfol.models.api.probing import probe
from nlfol.models.entries.chat import ApiChatEntry, complete
from nlfol.models.entries.prices import Price
from nlfol.models.entries.provider_table import ProviderTable, ProviderTableError
from nlfol.models.providers.registry import read_entry
from nlfol.models.request import ChatError, ChatReply, ChatRequest, Ending, Message
from nlfol.models.schema import strict_schema

from .conftest import request

KEY = "sk-very-secret-0123456789"
ANSWER = '{"reasoning":"","answer":"P(a)"}'
TABLE = ProviderTable(Path(__file__).parents[3] / "resources/providers.yaml")
BACKENDS = ("anthropic", "gemini")
MODEL = {"anthropic": "claude-x-1", "gemini": "gemini-x-1"}
PATH = {"anthropic": "/v1/messages", "gemini": "/v1beta/models/gemini-x-1:generateContent"}
BASE = {"anthropic": "", "gemini": "/v1beta"}


def entry(server: HTTPServer, backend: str, **settings: Any) -> ApiChatEntry:
    """As the workflow has it: read from JSON, and completed from the table."""
    url = server.url_for(BASE[backend]).rstrip("/")
    given = {"kind": "chat", "backend": backend, "model": MODEL[backend], "base_url": url, "retries": 0, **settings}
    read = read_entry(json.dumps({"api_key_env": "NLFOL_TEST_KEY", "limits": {"tokens": 5000}, **given}))
    assert isinstance(read, ApiChatEntry)
    return complete(read, TABLE)


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NLFOL_TEST_KEY", KEY)


def anthropic(text: str = ANSWER, stop: str = "end_turn", **more: Any) -> dict[str, Any]:
    content = [{"type": "thinking", "thinking": "Hm.", "signature": "s"}, {"type": "text", "text": text}]
    usage = {"input_tokens": 5, "cache_creation_input_tokens": 2, "cache_read_input_tokens": 4, "output_tokens": 9}
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-x-1-20260101",
        "content": content,
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {**usage, "output_tokens_details": {"thinking_tokens": 3}},
        **more,
    }


def gemini(text: str = ANSWER, stop: str = "STOP", **more: Any) -> dict[str, Any]:
    parts = [{"text": "Hm.", "thought": True}, {"text": text}]
    usage = {"promptTokenCount": 11, "cachedContentTokenCount": 4, "candidatesTokenCount": 6, "thoughtsTokenCount": 3}
    return {
        "candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": stop, "index": 0}],
        "usageMetadata": {**usage, "totalTokenCount": 20},
        "modelVersion": "gemini-x-1-001",
        "responseId": "r1",
        **more,
    }


SUCCESS = {"anthropic": anthropic, "gemini": gemini}


def ask(
    server: HTTPServer, backend: str, answers: Sequence[Response | dict[str, Any]], **settings: Any
) -> tuple[ChatReply, list[Request]]:
    """Ask once, of a server that answers in this order, and return the reply with the requests that it had."""
    for answer in answers:
        expected = server.expect_ordered_request(PATH[backend], method="POST")
        if isinstance(answer, Response):
            expected.respond_with_response(answer)
        else:
            expected.respond_with_json(answer)
    chat = ApiChat(entry(server, backend, **settings))
    (reply,) = chat.answer([question(chat.identity)])
    return reply, [request for request, _ in server.log]


def question(identity: str) -> ChatRequest:
    asked = request(identity, "All dogs are mammals.")
    earlier = (asked.messages[0], Message("user", "Cats?"), Message("assistant", "C(x)"), *asked.messages[1:])
    return ChatRequest(identity, earlier, asked.answer_schema, None, None, 5000, 3)


def error(backend: str, status: int, name: str, message: str, **headers: str) -> Response:
    """An error in the provider's form."""
    named = {"type": name, "message": message}
    body = {"type": "error", "error": named, "request_id": "req_1"}
    if backend == "gemini":
        body = {"error": {"code": status, "message": message, "status": name}}
    return Response(json.dumps(body), status, headers, content_type="application/json")


def test_a_request_to_anthropic_is_as_its_documentation_says(httpserver: HTTPServer) -> None:
    settings = {"thinking": True, "thinking_budget": 2048, "reasoning_effort": "low"}
    reply, (sent,) = ask(httpserver, "anthropic", [anthropic()], **settings)
    assert reply.outcome is Ending.ANSWERED
    assert sent.headers["Authorization"] == f"Bearer {KEY}"
    assert sent.headers["anthropic-version"] == "2026-10-21"
    assert not [name for name, _ in sent.headers if name.startswith(("X-Api-Key", "X-Stainless"))]
    assert sent.get_json() == {
        "model": "claude-x-1",
        "max_tokens": 5000,
        "system": "Translate into first-order logic.",
        "messages": [
            {"role": "user", "content": "Cats?"},
            {"role": "assistant", "content": "C(x)"},
            {"role": "user", "content": "All dogs are mammals."},
        ],
        "thinking": {"type": "enabled", "budget_tokens": 2048},
        "output_config": {"effort": "low", "format": {"type": "json_schema", "schema": schema()}},
    }


def test_a_request_to_gemini_is_as_its_documentation_says(httpserver: HTTPServer) -> None:
    reply, (sent,) = ask(httpserver, "gemini", [gemini()], thinking=True, thinking_budget=2048)
    assert reply.outcome is Ending.ANSWERED
    assert sent.headers["x-goog-api-key"] == KEY
    assert "Authorization" not in sent.headers
    assert sent.get_json() == {
        "systemInstruction": {"parts": [{"text": "Translate into first-order logic."}]},
        "contents": [
            {"role": "user", "parts": [{"text": "Cats?"}]},
            {"role": "model", "parts": [{"text": "C(x)"}]},
            {"role": "user", "parts": [{"text": "All dogs are mammals."}]},
        ],
        "generationConfig": {
            "maxOutputTokens": 5000,
            "seed": 3,
            "responseMimeType": "application/json",
            "responseJsonSchema": schema(),
            "thinkingConfig": {"includeThoughts": True, "thinkingBudget": 2048},
        },
    }


def schema() -> dict[str, object]:
    return strict_schema(request().answer_schema)


@pytest.mark.parametrize(
    ("backend", "settings", "path", "sent"),
    [
        ("anthropic", {}, ("thinking",), None),
        ("anthropic", {"thinking": False}, ("thinking",), {"type": "disabled"}),
        ("anthropic", {"thinking": True}, ("thinking",), {"type": "adaptive"}),
        ("anthropic", {"structured": "none"}, ("output_config",), None),
        ("anthropic", {"structured": "none", "reasoning_effort": "max"}, ("output_config",), {"effort": "max"}),
        ("gemini", {}, ("generationConfig", "thinkingConfig"), None),
        ("gemini", {"thinking": False}, ("generationConfig", "thinkingConfig"), {"thinkingBudget": 0}),
        ("gemini", {"thinking": True}, ("generationConfig", "thinkingConfig"), {"includeThoughts": True}),
        ("gemini", {"reasoning_effort": "low"}, ("generationConfig", "thinkingConfig"), {"thinkingLevel": "LOW"}),
        ("gemini", {"structured": "json_object"}, ("generationConfig", "responseJsonSchema"), None),
        ("gemini", {"structured": "none"}, ("generationConfig", "responseMimeType"), None),
        ("gemini", {"capabilities": {"seed": False}}, ("generationConfig", "seed"), None),
    ],
)
def test_what_an_entry_says_of_thinking_and_structure_is_sent_and_nothing_else(
    httpserver: HTTPServer, backend: str, settings: dict[str, Any], path: tuple[str, ...], sent: object
) -> None:
    _, (one,) = ask(httpserver, backend, [SUCCESS[backend]()], **settings)
    found = one.get_json()
    for name in path:
        found = found.get(name)
    assert found == sent


def test_gemini_is_sent_the_sampling_of_the_request(httpserver: HTTPServer) -> None:
    httpserver.expect_request(PATH["gemini"]).respond_with_json(gemini())
    chat = ApiChat(entry(httpserver, "gemini"))
    list(chat.answer([request(chat.identity)]))
    settings = httpserver.log[0][0].get_json()["generationConfig"]
    assert (settings["temperature"], settings["topP"]) == (0.7, 0.95)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_reply_keeps_what_the_provider_says_of_it(httpserver: HTTPServer, backend: str) -> None:
    reply, _ = ask(httpserver, backend, [SUCCESS[backend]()])
    assert (reply.text, reply.thinking, reply.attempts) == (ANSWER, "Hm.", 1)
    assert (reply.prompt_tokens, reply.cached_tokens, reply.completion_tokens, reply.reasoning_tokens) == (11, 4, 9, 3)
    assert (reply.served_model, reply.response_id) in {("claude-x-1-20260101", "msg_1"), ("gemini-x-1-001", "r1")}
    assert Price(prompt=1e6, cached=1e5, completion=2e6).of_reply(reply) == pytest.approx(7 + 0.4 + 18)


@pytest.mark.parametrize(
    ("backend", "answer", "outcome", "text"),
    [
        ("anthropic", anthropic("half", "max_tokens"), Ending.TRUNCATED, "half"),
        ("anthropic", anthropic("half", "model_context_window_exceeded"), Ending.TRUNCATED, "half"),
        ("anthropic", anthropic("", "max_tokens"), Ending.EMPTY, None),
        ("anthropic", anthropic(" " * 80, "max_tokens"), Ending.BLANK, " " * 80),
        ("anthropic", anthropic("I", "refusal"), Ending.REFUSED, "I"),
        (
            "anthropic",
            anthropic("", "refusal", stop_details={"type": "refusal", "category": "bio", "explanation": "No."}),
            Ending.REFUSED,
            "No.",
        ),
        ("anthropic", anthropic(usage="unknown"), Ending.ANSWERED, ANSWER),
        ("gemini", gemini("half", "MAX_TOKENS"), Ending.TRUNCATED, "half"),
        ("gemini", gemini("", "MAX_TOKENS"), Ending.EMPTY, None),
        ("gemini", gemini("", "SAFETY"), Ending.REFUSED, None),
        ("gemini", {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}, Ending.REFUSED, None),
        ("gemini", {"candidates": [{"finishReason": "RECITATION"}]}, Ending.REFUSED, None),
        ("gemini", gemini(usageMetadata=[]), Ending.ANSWERED, ANSWER),
    ],
)
def test_why_a_provider_stopped_decides_the_outcome(
    httpserver: HTTPServer, backend: str, answer: dict[str, Any], outcome: Ending, text: str | None
) -> None:
    reply, _ = ask(httpserver, backend, [answer])
    assert (reply.outcome, reply.text) == (outcome, text)


@pytest.mark.parametrize(
    ("backend", "fault"),
    [
        ("anthropic", error("anthropic", 429, "rate_limit_error", "slow down", **{"retry-after": "0"})),
        ("anthropic", error("anthropic", 529, "overloaded_error", "Overloaded", **{"retry-after": "0"})),
        ("anthropic", {"type": "message"}),
        ("gemini", error("gemini", 429, "RESOURCE_EXHAUSTED", "slow down", **{"retry-after": "0"})),
        ("gemini", error("gemini", 503, "UNAVAILABLE", "overloaded", **{"retry-after": "0"})),
        ("gemini", gemini("", "OTHER")),
        ("gemini", {}),
    ],
)
def test_what_may_pass_is_asked_again(httpserver: HTTPServer, backend: str, fault: Response | dict[str, Any]) -> None:
    reply, sent = ask(httpserver, backend, [fault, SUCCESS[backend]()], retries=1)
    assert (reply.outcome, reply.attempts, len(sent)) == (Ending.ANSWERED, 2, 2)


TOO_LONG = "The input token count (2000000) exceeds the maximum number of tokens allowed (1048576)."


@pytest.mark.parametrize(
    ("backend", "status", "name", "message", "outcome"),
    [
        ("anthropic", 400, "invalid_request_error", "prompt is too long: 3 tokens > 2 maximum", Ending.REFUSED),
        ("anthropic", 413, "request_too_large", "Request exceeds the maximum size", Ending.FAILED),
        ("gemini", 400, "INVALID_ARGUMENT", TOO_LONG, Ending.REFUSED),
        ("gemini", 400, "INVALID_ARGUMENT", "Request contains an invalid argument.", Ending.FAILED),
    ],
)
def test_a_request_that_is_declined_stops_no_other(
    httpserver: HTTPServer, backend: str, status: int, name: str, *, message: str, outcome: Ending
) -> None:
    reply, _ = ask(httpserver, backend, [error(backend, status, name, message)])
    assert (reply.outcome, reply.error) == (outcome, f"{status} Error code: {status} - {message}")


CREDIT = "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing."
ADAPTIVE = '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive".'


@pytest.mark.parametrize(
    ("backend", "status", "name", "message", "remedy"),
    [
        ("anthropic", 401, "authentication_error", f"invalid x-api-key {KEY}", "NLFOL_TEST_KEY is refused"),
        ("anthropic", 404, "not_found_error", "model: claude-x-1", "no such model or address"),
        ("anthropic", 400, "invalid_request_error", CREDIT, "has no credit left"),
        ("anthropic", 402, "billing_error", "pay", "has no credit left"),
        ("anthropic", 400, "invalid_request_error", ADAPTIVE, "without thinking_budget for models that decide"),
        ("anthropic", 400, "invalid_request_error", "This model does not support effort", "leave reasoning_effort out"),
        ("gemini", 400, "INVALID_ARGUMENT", "API key not valid. API_KEY_INVALID", "NLFOL_TEST_KEY is refused"),
        ("gemini", 402, "RESOURCE_EXHAUSTED", "Your prepayment credits are depleted.", "has no credit left"),
        ("gemini", 403, "PERMISSION_DENIED", "no", "may not use this model"),
        ("gemini", 400, "INVALID_ARGUMENT", 'Unknown name "responseJsonSchema"', "structured: json_object, or none"),
    ],
)
def test_an_error_that_a_person_has_to_mend_stops_the_run_and_says_how(
    httpserver: HTTPServer, backend: str, status: int, name: str, *, message: str, remedy: str
) -> None:
    more = {"thinking": True, "thinking_budget": 2048, "reasoning_effort": "low"} if backend == "anthropic" else {}
    with pytest.raises(ChatError, match=remedy) as caught:
        ask(httpserver, backend, [error(backend, status, name, message)], **more)
    assert KEY not in str(caught.value)


@pytest.mark.parametrize(
    ("backend", "settings", "fault"),
    [
        ("anthropic", {"sampling": {"temperature": 0.5}}, "sampling.temperature is given, which claude-x-1 does not"),
        ("anthropic", {"sampling": {"top_p": 0.5}}, "sampling.top_p is given, which claude-x-1 does not take"),
        ("anthropic", {"capabilities": {"temperature": True}}, "Anthropic's interface takes no temperature"),
        ("anthropic", {"structured": "json_object"}, "structured is json_object, .* json_schema or none"),
        ("anthropic", {"reasoning_effort": "minimal"}, "reasoning_effort is minimal"),
        ("anthropic", {"thinking": True, "thinking_budget": 1000}, "greater than or equal to 1024"),
        ("anthropic", {"thinking_budget": 2048}, "thinking_budget is for models that are to think"),
        ("anthropic", {"thinking": True, "thinking_budget": 5000}, "leaves no room for an answer in limits.tokens"),
        ("anthropic", {"batch": True}, "backend anthropic has none"),
        ("gemini", {"batch": True}, "backend gemini has none"),
        ("gemini", {"reasoning_effort": "low", "thinking": False}, "reasoning_effort is a level of thinking"),
        ("gemini", {"reasoning_effort": "max"}, "reasoning_effort is max"),
        ("gemini", {"serve": {"kind": "vllm", "revision": "0" * 40}}, "Extra inputs are not permitted"),
    ],
)
def test_an_entry_that_the_provider_would_reject_is_refused_before_anything_is_asked(
    httpserver: HTTPServer, backend: str, settings: dict[str, Any], fault: str
) -> None:
    with pytest.raises((ValidationError, ProviderTableError), match=fault):
        entry(httpserver, backend, **settings)


@pytest.mark.parametrize("backend", BACKENDS)
def test_thinking_is_part_of_what_a_model_is(httpserver: HTTPServer, backend: str) -> None:
    silent, thinking = entry(httpserver, backend), entry(httpserver, backend, thinking=True, thinking_budget=2048)
    assert (silent.thinking, thinking.thinking, thinking.without_thinking.thinking) == (None, True, False)
    assert silent.identity == f"{backend}:{silent.url}/{MODEL[backend]}"
    assert thinking.identity == f"{silent.identity};thinking=2048"
    assert thinking.without_thinking.identity == f"{silent.identity};thinking=no"


@pytest.mark.parametrize(
    ("backend", "path", "listed"),
    [
        ("anthropic", "/v1/models", {"data": [{"type": "model", "id": "claude-x-1"}], "has_more": False}),
        ("gemini", "/v1beta/models", {"models": [{"name": "models/gemini-x-1"}]}),
    ],
)
def test_the_models_of_a_provider_are_listed(
    httpserver: HTTPServer, backend: str, path: str, listed: dict[str, Any]
) -> None:
    httpserver.expect_request(path).respond_with_json(listed)
    assert probe(entry(httpserver, backend)) == f"reached; it has {MODEL[backend]}"
    assert httpserver.log[0][0].query_string in (b"limit=1000", b"pageSize=1000")


def test_anthropic_without_its_package_says_what_to_install(
    httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "anthropic", None)
    with pytest.raises(ChatError, match=r"needs the package anthropic; pip install .*requirements-providers.txt"):
        ask(httpserver, "anthropic", [])


@pytest.mark.parametrize("backend", BACKENDS)
def test_headers_that_the_environment_has_for_the_provider_go_nowhere_else(
    httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch, backend: str
) -> None:
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", "X-Mine: secret")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Mine: secret")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "another")
    _, (sent,) = ask(httpserver, backend, [SUCCESS[backend]()], api_key_env=None)
    assert not {"X-Mine", "Authorization", "x-goog-api-key"} & {name for name, _ in sent.headers}


@pytest.mark.parametrize("backend", BACKENDS)
def test_no_log_shows_a_key(httpserver: HTTPServer, caplog: pytest.LogCaptureFixture, backend: str) -> None:
    with caplog.at_level(logging.DEBUG):
        ask(httpserver, backend, [error(backend, 500, "api_error", KEY), SUCCESS[backend]()], retries=1)
    assert KEY not in caplog.text
