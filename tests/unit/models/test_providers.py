"""Anthropic's own interface, against a scripted server that answers as its documentation says."""

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
PATH = "/v1/messages"


def entry(server: HTTPServer, **settings: Any) -> ApiChatEntry:
    """Read an entry from JSON and complete it from the table, as the workflow does."""
    url = server.url_for("").rstrip("/")
    given = {"kind": "chat", "backend": "anthropic", "model": "claude-x-1", "base_url": url, "retries": 0, **settings}
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


def ask(
    server: HTTPServer, answers: Sequence[Response | dict[str, Any]], **settings: Any
) -> tuple[ChatReply, list[Request]]:
    """Ask once, of a server that answers in this order, and return the reply with the requests that it had."""
    for answer in answers:
        expected = server.expect_ordered_request(PATH, method="POST")
        if isinstance(answer, Response):
            expected.respond_with_response(answer)
        else:
            expected.respond_with_json(answer)
    chat = ApiChat(entry(server, **settings))
    (reply,) = chat.answer([question(chat.identity)])
    return reply, [request for request, _ in server.log]


def question(identity: str) -> ChatRequest:
    asked = request(identity, "All dogs are mammals.")
    earlier = (asked.messages[0], Message("user", "Cats?"), Message("assistant", "C(x)"), *asked.messages[1:])
    return ChatRequest(identity, earlier, asked.answer_schema, None, None, 5000, 3)


def error(status: int, name: str, message: str, **headers: str) -> Response:
    """An error in the provider's form."""
    body = {"type": "error", "error": {"type": name, "message": message}, "request_id": "req_1"}
    return Response(json.dumps(body), status, headers, content_type="application/json")


def test_anthropic_request_follows_documentation(httpserver: HTTPServer) -> None:
    settings = {"thinking": True, "thinking_budget": 2048, "reasoning_effort": "low"}
    reply, (sent,) = ask(httpserver, [anthropic()], **settings)
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


def schema() -> dict[str, object]:
    return strict_schema(request().answer_schema)


@pytest.mark.parametrize(
    ("settings", "path", "sent"),
    [
        ({}, ("thinking",), None),
        ({"thinking": False}, ("thinking",), {"type": "disabled"}),
        ({"thinking": True}, ("thinking",), {"type": "adaptive"}),
        ({"structured": "none"}, ("output_config",), None),
        ({"structured": "none", "reasoning_effort": "max"}, ("output_config",), {"effort": "max"}),
    ],
)
def test_anthropic_request_sends_only_declared_settings(
    httpserver: HTTPServer, settings: dict[str, Any], path: tuple[str, ...], sent: object
) -> None:
    _, (one,) = ask(httpserver, [anthropic()], **settings)
    found = one.get_json()
    for name in path:
        found = found.get(name)
    assert found == sent


def test_anthropic_reply_keeps_provider_metadata(httpserver: HTTPServer) -> None:
    reply, _ = ask(httpserver, [anthropic()])
    assert (reply.text, reply.thinking, reply.attempts) == (ANSWER, "Hm.", 1)
    assert (reply.prompt_tokens, reply.cached_tokens, reply.completion_tokens, reply.reasoning_tokens) == (11, 4, 9, 3)
    assert (reply.served_model, reply.response_id) == ("claude-x-1-20260101", "msg_1")
    assert Price(prompt=1e6, cached=1e5, completion=2e6).of_reply(reply) == pytest.approx(7 + 0.4 + 18)


@pytest.mark.parametrize(
    ("answer", "outcome", "text"),
    [
        (anthropic("half", "max_tokens"), Ending.TRUNCATED, "half"),
        (anthropic("half", "model_context_window_exceeded"), Ending.TRUNCATED, "half"),
        (anthropic("", "max_tokens"), Ending.EMPTY, None),
        (anthropic(" " * 80, "max_tokens"), Ending.BLANK, " " * 80),
        (anthropic("I", "refusal"), Ending.REFUSED, "I"),
        (
            anthropic("", "refusal", stop_details={"type": "refusal", "category": "bio", "explanation": "No."}),
            Ending.REFUSED,
            "No.",
        ),
        (anthropic(usage="unknown"), Ending.ANSWERED, ANSWER),
    ],
)
def test_stop_reason_decides_outcome(
    httpserver: HTTPServer, answer: dict[str, Any], outcome: Ending, text: str | None
) -> None:
    reply, _ = ask(httpserver, [answer])
    assert (reply.outcome, reply.text) == (outcome, text)


@pytest.mark.parametrize(
    "fault",
    [
        (error(429, "rate_limit_error", "slow down", **{"retry-after": "0"})),
        (error(529, "overloaded_error", "Overloaded", **{"retry-after": "0"})),
        {"type": "message"},
    ],
)
def test_transient_anthropic_fault_is_retried(httpserver: HTTPServer, fault: Response | dict[str, Any]) -> None:
    reply, sent = ask(httpserver, [fault, anthropic()], retries=1)
    assert (reply.outcome, reply.attempts, len(sent)) == (Ending.ANSWERED, 2, 2)


@pytest.mark.parametrize(
    ("status", "name", "message", "outcome"),
    [
        (400, "invalid_request_error", "prompt is too long: 3 tokens > 2 maximum", Ending.REFUSED),
        (413, "request_too_large", "Request exceeds the maximum size", Ending.FAILED),
    ],
)
def test_declined_anthropic_request_keeps_run_going(
    httpserver: HTTPServer, status: int, name: str, *, message: str, outcome: Ending
) -> None:
    reply, _ = ask(httpserver, [error(status, name, message)])
    assert (reply.outcome, reply.error) == (outcome, f"{status} Error code: {status} - {message}")


CREDIT = "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing."
ADAPTIVE = '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive".'


@pytest.mark.parametrize(
    ("status", "name", "message", "remedy"),
    [
        (401, "authentication_error", f"invalid x-api-key {KEY}", "NLFOL_TEST_KEY is refused"),
        (404, "not_found_error", "model: claude-x-1", "no such model or address"),
        (400, "invalid_request_error", CREDIT, "has no credit left"),
        (402, "billing_error", "pay", "has no credit left"),
        (400, "invalid_request_error", ADAPTIVE, "without thinking_budget for models that decide"),
        (400, "invalid_request_error", "This model does not support effort", "leave reasoning_effort out"),
    ],
)
def test_permanent_anthropic_error_stops_run_with_remedy(
    httpserver: HTTPServer, status: int, name: str, *, message: str, remedy: str
) -> None:
    more = {"thinking": True, "thinking_budget": 2048, "reasoning_effort": "low"}
    with pytest.raises(ChatError, match=remedy) as caught:
        ask(httpserver, [error(status, name, message)], **more)
    assert KEY not in str(caught.value)


@pytest.mark.parametrize(
    ("settings", "fault"),
    [
        ({"sampling": {"temperature": 0.5}}, "sampling.temperature is given, which claude-x-1 does not"),
        ({"sampling": {"top_p": 0.5}}, "sampling.top_p is given, which claude-x-1 does not take"),
        ({"capabilities": {"temperature": True}}, "Anthropic's interface takes no temperature"),
        ({"structured": "json_object"}, "structured is json_object, .* json_schema or none"),
        ({"reasoning_effort": "minimal"}, "reasoning_effort is minimal"),
        ({"thinking": True, "thinking_budget": 1000}, "greater than or equal to 1024"),
        ({"thinking_budget": 2048}, "thinking_budget is for models that are to think"),
        ({"thinking": True, "thinking_budget": 5000}, "leaves no room for an answer in limits.tokens"),
        ({"batch": True}, "backend anthropic has none"),
    ],
)
def test_anthropic_entry_rejects_invalid_settings(httpserver: HTTPServer, settings: dict[str, Any], fault: str) -> None:
    with pytest.raises((ValidationError, ProviderTableError), match=fault):
        entry(httpserver, **settings)


def test_thinking_belongs_to_anthropic_identity(httpserver: HTTPServer) -> None:
    silent, thinking = entry(httpserver), entry(httpserver, thinking=True, thinking_budget=2048)
    assert (silent.thinking, thinking.thinking, thinking.without_thinking.thinking) == (None, True, False)
    assert silent.identity == f"anthropic:{silent.url}/claude-x-1"
    assert thinking.identity == f"{silent.identity};thinking=2048"
    assert thinking.without_thinking.identity == f"{silent.identity};thinking=no"


def test_anthropic_probe_lists_models(httpserver: HTTPServer) -> None:
    listed = {"data": [{"type": "model", "id": "claude-x-1"}], "has_more": False}
    httpserver.expect_request("/v1/models").respond_with_json(listed)
    assert probe(entry(httpserver)) == "reached; it has claude-x-1"
    assert httpserver.log[0][0].query_string == b"limit=1000"


def test_missing_anthropic_package_error_names_install(httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "anthropic", None)
    with pytest.raises(ChatError, match=r"needs the package anthropic; pip install .*requirements-providers.txt"):
        ask(httpserver, [])


def test_environment_headers_stay_unsent_to_anthropic(httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", "X-Mine: secret")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Mine: secret")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "another")
    _, (sent,) = ask(httpserver, [anthropic()], api_key_env=None)
    assert not {"X-Mine", "Authorization"} & {name for name, _ in sent.headers}


def test_debug_log_masks_key(httpserver: HTTPServer, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        ask(httpserver, [error(500, "api_error", KEY), anthropic()], retries=1)
    assert KEY not in caplog.text
