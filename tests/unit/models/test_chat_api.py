import gzip
import json
from collections.abc import Callable
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Response

from nlfol.models.api import client
from nlfol.models.api.chat import ApiChat
from nlfol.models.providers.registry import provider
from nlfol.models.request import ChatError, ChatReply, ChatRequest, Ending

from .chat_server import completion
from .conftest import openai_entry, permutation, request

KEY = "sk-very-secret-0123456789"
ANSWER = '{"reasoning":"","answer":"P(a)"}'
PATH = "/v1/chat/completions"

Connect = Callable[..., ApiChat]


@pytest.fixture
def connect(httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch) -> Connect:
    monkeypatch.setenv("NLFOL_TEST_KEY", KEY)

    def make(**settings: Any) -> ApiChat:
        defaults = {"api_key_env": "NLFOL_TEST_KEY", "retries": 1, "timeout": 60.0, "concurrency": 4}
        return ApiChat(openai_entry(httpserver.url_for("/v1"), **{**defaults, **settings}))

    return make


def one(chat: ApiChat, asked: ChatRequest | None = None) -> ChatReply:
    asked = asked or request(chat.identity)
    (reply,) = chat.answer([asked])
    assert reply.key == asked.key
    return reply


def test_chat_client_sends_request_and_reads_reply(httpserver: HTTPServer, connect: Connect) -> None:
    httpserver.expect_oneshot_request(PATH, method="POST").respond_with_json(completion(ANSWER))
    chat = connect()
    reply = one(
        chat, request(chat.identity, answer=permutation(3), temperature=0.7, top_p=0.95, seed=12, max_tokens=99)
    )
    assert (reply.outcome, reply.text, reply.finish_reason) == (Ending.ANSWERED, ANSWER, "stop")
    assert (reply.prompt_tokens, reply.completion_tokens, reply.error) == (11, 7, None)
    assert reply.seconds
    ((sent, _),) = httpserver.log
    body = json.loads(sent.data)
    assert sent.headers["Authorization"] == f"Bearer {KEY}"
    assert (body["model"], body["temperature"], body["top_p"]) == ("tiny", 0.7, 0.95)
    assert (body["seed"], body["max_completion_tokens"]) == (12, 99)
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    shape = body["response_format"]["json_schema"]
    assert shape["strict"] is True
    assert shape["schema"]["properties"]["answer"] == {"type": "array", "items": {"type": "integer", "enum": [1, 2, 3]}}


@pytest.mark.parametrize(
    ("settings", "added"),
    [
        ({}, {}),
        ({"thinking": False}, {"chat_template_kwargs": {"enable_thinking": False}}),
        ({"template": {"enable_thinking": True}}, {"chat_template_kwargs": {"enable_thinking": True}}),
        (
            {"thinking": True, "template": {"tone": "dry"}, "extra": {"top_k": 20, "min_p": 0}},
            {"chat_template_kwargs": {"enable_thinking": True, "tone": "dry"}, "top_k": 20, "min_p": 0},
        ),
    ],
)
def test_request_carries_template_and_extra_settings(
    httpserver: HTTPServer, connect: Connect, settings: dict[str, Any], added: dict[str, Any]
) -> None:
    httpserver.expect_request(PATH, method="POST").respond_with_json(completion(ANSWER))
    for chat in (connect(), connect(**settings)):
        one(chat)
    plain, told = (json.loads(sent.data) for sent, _ in httpserver.log)
    assert {name: told[name] for name in told if name not in plain} == added


def test_chat_client_reads_gzip_response(httpserver: HTTPServer, connect: Connect) -> None:
    packed = gzip.compress(json.dumps(completion(ANSWER)).encode())
    headers = {"Content-Encoding": "gzip", "Content-Type": "application/json"}
    httpserver.expect_request(PATH).respond_with_response(Response(packed, headers=headers))
    assert one(connect()).text == ANSWER


def test_chat_client_uses_environment_proxy(
    httpserver: HTTPServer, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", httpserver.url_for(""))
    monkeypatch.delenv("no_proxy", raising=False)
    httpserver.expect_request(PATH).respond_with_json(completion(ANSWER))
    assert one(connect(base_url="http://interface.invalid/v1")).outcome is Ending.ANSWERED
    ((sent, _),) = httpserver.log
    assert sent.headers["Host"] == "interface.invalid"


@pytest.mark.parametrize(
    ("url", "is_warned"),
    [("http://interface.invalid/v1", True), ("https://interface.invalid/v1", False), ("http://127.0.0.1:9/v1", False)],
)
def test_client_warns_about_key_over_plain_http(caplog: pytest.LogCaptureFixture, url: str, is_warned: bool) -> None:
    asked = provider(openai_entry(url))
    client.Client(asked, KEY)
    assert ("http:// sends the key where others can read it; use https://" in caplog.text) is is_warned
    caplog.clear()
    client.Client(asked, None)
    assert "sends the key" not in caplog.text


@pytest.mark.parametrize("proxy", [False, True])
def test_oversized_decompressed_response_is_rejected(
    httpserver: HTTPServer, connect: Connect, monkeypatch: pytest.MonkeyPatch, proxy: bool
) -> None:
    monkeypatch.setattr(client, "LARGEST_REPLY", 1 << 20)
    if proxy:
        monkeypatch.setenv("http_proxy", httpserver.url_for(""))
        monkeypatch.delenv("no_proxy", raising=False)
    headers = {"Content-Encoding": "gzip", "Content-Type": "application/json"}
    larger = gzip.compress(json.dumps(completion("x" * (1 << 20))).encode())
    httpserver.expect_oneshot_request(PATH).respond_with_response(Response(larger, headers=headers))
    httpserver.expect_request(PATH).respond_with_json(completion("small"))
    elsewhere = {"base_url": "http://interface.invalid/v1"} if proxy else {}
    chat = connect(retries=0, concurrency=1, **elsewhere)
    large, small = chat.answer([request(chat.identity, "one"), request(chat.identity, "two")])
    assert (large.outcome, small.text) == (Ending.FAILED, "small")
    assert "a body of more than 1 MiB" in (large.error or "")


@pytest.mark.parametrize("proxy", ["ftp://user:password@127.0.0.1:9", "http://127.0.0.1:port"])
def test_unusable_proxy_error_names_environment_variables(
    connect: Connect, monkeypatch: pytest.MonkeyPatch, proxy: str
) -> None:
    monkeypatch.setenv("https_proxy", proxy)
    with pytest.raises(ChatError, match="a proxy that the environment names cannot be used") as caught:
        one(connect(base_url="https://interface.invalid/v1"))
    assert "correct http_proxy, https_proxy and all_proxy" in str(caught.value)
    assert "password" not in str(caught.value)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_loopback_server_bypasses_environment_proxy(
    httpserver: HTTPServer, connect: Connect, monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    # Nobody can reach it.
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    httpserver.expect_request(PATH).respond_with_json(completion(ANSWER))
    assert one(connect(base_url=f"http://{host}:{httpserver.port}/v1")).outcome is Ending.ANSWERED


def test_unreachable_server_fails_request(connect: Connect, httpserver: HTTPServer) -> None:
    chat = connect(retries=0)
    httpserver.stop()
    reply = one(chat)
    httpserver.start()
    assert reply.outcome is Ending.FAILED
    assert "ConnectError" in (reply.error or "")


@pytest.mark.parametrize(
    ("scripted", "outcome", "text"),
    [
        (completion(None, refusal="I cannot."), Ending.REFUSED, "I cannot."),
        (completion(None, "content_filter"), Ending.REFUSED, None),
        (completion('{"reasoning":"so', "length"), Ending.TRUNCATED, '{"reasoning":"so'),
        (completion(None, "length"), Ending.EMPTY, None),
        (completion(""), Ending.EMPTY, None),
        (completion(" \n"), Ending.BLANK, " \n"),
        (completion('{"reasoning":' + " " * 64, "length"), Ending.BLANK, '{"reasoning":' + " " * 64),
        ({**completion(ANSWER), "choices": []}, Ending.FAILED, None),
    ],
)
def test_chat_outcomes_cover_refusal_truncation_and_empty_reply(
    httpserver: HTTPServer, connect: Connect, scripted: dict[str, object], outcome: Ending, text: str | None
) -> None:
    httpserver.expect_request(PATH).respond_with_json(scripted)
    reply = one(connect())
    assert (reply.outcome, reply.text) == (outcome, text)
    assert (reply.error is not None) == (outcome in (Ending.FAILED, Ending.EMPTY))


def test_chat_caller_can_stop_early(httpserver: HTTPServer, connect: Connect) -> None:
    httpserver.expect_request(PATH).respond_with_json(completion(ANSWER))
    chat = connect(concurrency=2)
    replies = chat.answer([request(chat.identity, seed=seed) for seed in range(20)])
    next(replies)
    replies.close()  # type: ignore[attr-defined]
    assert len(httpserver.log) <= 3
    assert list(chat.answer([])) == []
