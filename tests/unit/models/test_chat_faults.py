"""What becomes of requests to an interface where much goes wrong; the server is real, its faults are scripted."""

import errno
import json
import os
import threading
import traceback
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import cycle
from pathlib import Path
from time import monotonic
from typing import Any, get_args

import pytest
from tests.unit.asking.conversations import ask

from nlfol.models.api.chat import ApiChat
from nlfol.models.api.faults import retry_after
from nlfol.models.entries.provider_table import Bound
from nlfol.models.journal.journal import Journal
from nlfol.models.journal.reading import JournalError
from nlfol.models.request import ChatError, ChatReply, ChatRequest, Ending
from nlfol.store.presence import InterfaceUse

from .chat_server import ChatServer, Scripted, completion, error
from .conftest import openai_entry, permutation, request

KEY = "sk-very-secret-0123456789"
NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)

BUSY = Scripted(429, error("slow down", "rate_limit_exceeded"))
BUSY_SECONDS = Scripted(429, error("slow down"), {"Retry-After": "0.05"})
BUSY_MILLISECONDS = Scripted(429, error("slow down"), {"retry-after-ms": "50"})
BROKEN = Scripted(500, "<html>oops</html>")
OVERLOADED = Scripted(503, error("overloaded"))
RESET = Scripted(manner="reset")
CUT = Scripted(body=completion("never seen"), manner="cut")
HALF = Scripted(body='{"choices": [{"message": {"con')
OTHER = Scripted(body={"object": "error", "message": "no choices here"})
PASSING = [BUSY, BUSY_SECONDS, BUSY_MILLISECONDS, BROKEN, OVERLOADED, RESET, CUT, HALF, OTHER]

Connect = Callable[..., ApiChat]


@pytest.fixture
def connect(monkeypatch: pytest.MonkeyPatch) -> Connect:
    monkeypatch.setenv("NLFOL_TEST_KEY", KEY)

    def make(server: ChatServer, **settings: Any) -> ApiChat:
        return ApiChat(openai_entry(server.url, **{"timeout": 60.0, "api_key_env": "NLFOL_TEST_KEY", **settings}))

    return make


def replies(chat: ApiChat, texts: list[str]) -> dict[str, ChatReply]:
    """What came back, by what was asked."""
    asked = {request(chat.identity, text).key: text for text in texts}
    found = [(asked[reply.key], reply) for reply in chat.answer([request(chat.identity, text) for text in texts])]
    assert len(dict(found)) == len(found)
    return dict(found)


def said(reply: ChatReply) -> object:
    """The answer in a reply."""
    return json.loads(reply.text or "null")["answer"]


@pytest.mark.parametrize("fault", PASSING, ids=lambda fault: f"{fault.status}-{fault.manner}-{fault.body}"[:30])
def test_transient_fault_is_retried(connect: Connect, fault: Scripted) -> None:
    with ChatServer({"one": [fault]}) as server:
        reply = replies(connect(server), ["one"])["one"]
    assert (reply.outcome, said(reply), reply.attempts) == (Ending.ANSWERED, "one", 2)
    assert server.attempts["one"] == 2


def test_redirect_is_retried_midway_and_stops_run_at_start(connect: Connect) -> None:
    redirect = Scripted(302, "", {"Location": "http://127.0.0.1:9/"})
    with ChatServer({"two": [redirect]}) as server:
        found = replies(connect(server, concurrency=1), ["one", "two"])
    assert (said(found["two"]), found["two"].attempts) == ("two", 2)
    with (
        ChatServer({"one": [redirect]}) as server,
        pytest.raises(ChatError, match="302: the address is elsewhere; correct base_url"),
    ):
        replies(connect(server, concurrency=1), ["one"])


@pytest.mark.parametrize("manner", ["hang", "drip"])
def test_slow_answer_is_retried_after_timeout(connect: Connect, manner: Any) -> None:
    with ChatServer({"one": [Scripted(body=completion("slow"), manner=manner)]}) as server:
        reply = replies(connect(server, timeout=1.0), ["one"])["one"]
    assert said(reply) == "one"
    # On a machine that is busy elsewhere the next one may be late, too.
    assert (reply.attempts or 0) >= 2


def test_timeout_error_names_setting_to_raise(connect: Connect) -> None:
    with ChatServer({"one": [Scripted(manner="hang")]}) as server:
        reply = replies(connect(server, timeout=0.2, retries=0), ["one"])["one"]
    assert reply.outcome is Ending.FAILED
    assert (reply.error or "").startswith("no answer in 0.2 s; raise timeout where answers take longer")


def test_request_fails_after_retry_limit(connect: Connect) -> None:
    with ChatServer({"one": [Scripted(500, error(f"overload of\n{KEY}"))] * 9}) as server:
        found = replies(connect(server, retries=2), ["one", "two"])
    assert (found["one"].outcome, found["one"].attempts, server.attempts["one"]) == (Ending.FAILED, 3, 3)
    assert found["one"].error == "500 Error code: 500 - overload of ***"
    assert said(found["two"]) == "two"


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"Retry-After": "2"}, 2.0),
        ({"retry-after": " 0.5 "}, 0.5),
        ({"Retry-After": format_datetime(NOW + timedelta(seconds=90), usegmt=True)}, 90.0),
        ({"Retry-After": format_datetime(NOW - timedelta(seconds=90), usegmt=True)}, 0.0),
        ({"Retry-After-Ms": "1500", "Retry-After": "9"}, 1.5),
        ({"Retry-After": "-1"}, 0.0),
        ({"Retry-After": "nan"}, None),
        ({"Retry-After": "soon"}, None),
    ],
)
def test_retry_after_reads_all_header_forms(headers: Mapping[str, str], seconds: float | None) -> None:
    assert retry_after(headers, NOW.timestamp()) == seconds


@pytest.mark.parametrize(
    ("fault", "outcome"),
    [
        (Scripted(400, error("filtered by the content management policy", "content_filter")), Ending.REFUSED),
        (Scripted(400, error("maximum context length is 8192 tokens", "context_length_exceeded")), Ending.REFUSED),
        (Scripted(400, error("Invalid schema for response_format", param="response_format")), Ending.FAILED),
        (Scripted(422, {"detail": "Unprocessable"}), Ending.FAILED),
        (Scripted(413, "too large"), Ending.FAILED),
        (Scripted(429, error("daily limit"), {"Retry-After": "86400"}), Ending.FAILED),
    ],
)
def test_declined_request_fails_without_retry(connect: Connect, fault: Scripted, outcome: Ending) -> None:
    with ChatServer({"one": [fault]}) as server:
        found = replies(connect(server), ["one", "two"])
    assert (found["one"].outcome, found["one"].attempts, said(found["two"])) == (outcome, 1, "two")
    assert (found["one"].error or "").startswith(f"{fault.status} ")


UNSUPPORTED = "Unsupported parameter: 'temperature' is not supported with this model."
INSTEAD = "Unsupported parameter: 'max_completion_tokens' is not supported with this model. Use 'max_tokens' instead."
ROLE = "Unsupported value: 'messages[0].role' does not support 'system' with this model."


@pytest.mark.parametrize(
    ("rejection", "remedy"),
    [
        (error(UNSUPPORTED, "unsupported_parameter", "temperature"), "capabilities: {temperature: false}"),
        (error("'top_p' is not supported by this model"), "capabilities: {top_p: false}"),
        (error("Unrecognized request argument supplied: seed"), "capabilities: {seed: false}"),
        (error(INSTEAD, "unsupported_parameter", "max_completion_tokens"), "capabilities: {limit: max_tokens}"),
        (
            error("'response_format' of type 'json_schema' is not supported"),
            "structured: json_object_schema, json_object, or none",
        ),
        (error("Unrecognized request argument supplied: reasoning_effort"), "leave reasoning_effort out"),
        (error(ROLE, "unsupported_value", "messages[0].role"), "capabilities: {instructions: user}"),
        (error("Unknown parameter: 'chat_template_kwargs'."), "leave thinking and template out"),
    ],
)
def test_unsupported_parameter_stops_run_with_capability_remedy(
    connect: Connect, rejection: dict[str, Any], remedy: str
) -> None:
    with ChatServer(every=lambda body: Scripted(400, rejection)) as server:
        chat = connect(server, concurrency=2, reasoning_effort="low", thinking=True)
        with pytest.raises(ChatError, match="400: the model does not take ") as caught:
            replies(chat, [str(number) for number in range(50)])
    assert str(caught.value).endswith(f"declare it in the entry: {remedy}")
    assert len(server.asked) <= 4


def ordered(chat: ApiChat, text: str) -> ChatRequest:
    """A request for a permutation, sent with its bounds."""
    asked = request(chat.identity, text, answer=permutation(3))
    return replace(asked, bounds=("maxItems", "maxLength", "minItems", "uniqueItems"))


def rejecting(*unknown: str, said: str) -> Callable[[dict[str, Any]], Scripted | None]:
    """A server that rejects schemas with some keywords; ``said`` names the first that it finds."""

    def every(body: dict[str, Any]) -> Scripted | None:
        sent = json.dumps(body["response_format"])
        found = next((keyword for keyword in unknown if f'"{keyword}"' in sent), None)
        return Scripted(400, error(said.format(found), param="response_format")) if found else None

    return every


@pytest.mark.parametrize(
    "said", ["Invalid schema for response_format 'answer': '{}' is not permitted.", 'Unimplemented keys: ["{}"]']
)
def test_rejected_schema_keyword_is_dropped_for_job_and_logged_once(
    connect: Connect, caplog: pytest.LogCaptureFixture, said: str
) -> None:
    with ChatServer(every=rejecting("uniqueItems", "maxLength", said=said)) as server:
        chat = connect(server, concurrency=2, capabilities={"bounds": list(get_args(Bound))})
        found = list(chat.answer([ordered(chat, str(number)) for number in range(6)]))
    assert {(reply.outcome, reply.attempts) for reply in found} == {(Ending.ANSWERED, 1)}
    assert {reply.engine for reply in found} == {'{"not_held_to":["maxLength","uniqueItems"]}'}
    assert len(server.bodies) <= 6 + 2 * 2
    assert server.bodies[-1]["response_format"]["json_schema"]["schema"]["properties"] == {
        "reasoning": {"type": "string"},
        "answer": {name: part for name, part in permutation(3).items() if name != "uniqueItems"},
    }
    assert caplog.text.count("does not know") == 2
    assert "does not know maxLength in a schema" in caplog.text
    assert "write in the entry: capabilities: {bounds: [minItems, maxItems]}" in caplog.text


def test_rejection_naming_unsent_keyword_keeps_all_keywords(connect: Connect) -> None:
    with ChatServer(every=rejecting("minItems", said="minLength is wrong")) as server:
        chat = connect(server)
        (reply,) = chat.answer([ordered(chat, "one")])
    assert (reply.outcome, reply.engine, len(server.bodies)) == (Ending.FAILED, None, 1)


def test_keyless_server_starts_at_two_concurrent_requests(connect: Connect) -> None:
    texts = [str(number) for number in range(4)]
    for settings, most in (({"api_key_env": None}, 2), ({"api_key_env": None, "concurrency": 4}, 4), ({}, 4)):
        with ChatServer(seconds=0.3) as server:
            replies(connect(server, **settings), texts)
        assert server.most == most


def test_unauthorized_keyless_request_error_suggests_api_key_env(connect: Connect) -> None:
    with ChatServer(every=lambda _: Scripted(401, error("no key", "invalid_api_key"))) as server:
        chat = connect(server, api_key_env=None)
        with pytest.raises(ChatError, match=r"401: a request without a key is refused; name the .* as api_key_env"):
            replies(chat, ["x"])


@pytest.mark.parametrize(
    ("fault", "remedy"),
    [
        (Scripted(401, error(f"Incorrect API key: {KEY}", "invalid_api_key")), "the key in NLFOL_TEST_KEY is refused"),
        (Scripted(403, error("no")), "may not use this model"),
        (Scripted(404, error("no", "model_not_found")), "correct model or base_url"),
        (Scripted(402, error("pay")), "has no credit left"),
        (Scripted(429, error("quota", "insufficient_quota")), "has no credit left"),
    ],
)
def test_fatal_fault_stops_run_and_keeps_answers_in_flight(
    connect: Connect, tmp_path: Path, fault: Scripted, remedy: str
) -> None:
    script = {"10": [fault]}
    with ChatServer(script, seconds=0.05) as server:
        chat = connect(server, concurrency=8)
        asked = [request(chat.identity, str(number)) for number in range(200)]
        with Journal(tmp_path / "j.jsonl") as journal, pytest.raises(ChatError) as caught:
            ask(chat, asked, journal)
    assert str(caught.value).startswith(f"{chat.identity}: {fault.status}: ")
    assert remedy in str(caught.value)
    assert "\n" not in str(caught.value)
    assert KEY not in "".join(traceback.format_exception(caught.value))
    with Journal(tmp_path / "j.jsonl") as journal:
        assert set(server.asked) == {"10"} | {
            each.messages[-1].content for each in asked if journal.answered(each.key) is not None
        }
    assert len(server.asked) < 40


def test_consecutive_failures_stop_run(connect: Connect) -> None:
    with ChatServer(every=lambda body: BROKEN) as server:
        chat = connect(server, retries=0)
        with pytest.raises(ChatError, match="20 requests in a row failed, the last one with: 500 "):
            replies(chat, [str(number) for number in range(600)])
    assert len(server.asked) < 60


def test_faulty_server_answers_all_requests_exactly_once(connect: Connect, tmp_path: Path) -> None:
    texts = [f"Sentence {number}." for number in range(600)]
    empty = Scripted(body=completion(""))
    faults = cycle([*PASSING * 4, empty, *PASSING, Scripted(manner="drip"), *PASSING * 3, Scripted(manner="hang")])
    script: dict[str, list[Scripted]] = {}
    for number, text in enumerate(texts):
        if number % 10 < 3:
            script[text] = [next(faults) for _ in range(1 + number % 2)]
    with ChatServer(script, seconds=0.005) as server:
        chat = connect(server, concurrency=64, timeout=3.0)
        asked = [request(chat.identity, text) for text in texts]
        with Journal(tmp_path / "j.jsonl") as journal:
            found = ask(chat, asked, journal)
    lines = (tmp_path / "j.jsonl").read_text().splitlines()
    assert Counter(json.loads(line)["key"] for line in lines) == Counter(each.key for each in asked)
    for each, text in zip(asked, texts, strict=True):
        reply = found[each.key]
        if reply.outcome is Ending.EMPTY:
            assert empty in script[text]
        else:
            assert (reply.outcome, said(reply)) == (Ending.ANSWERED, text)
    outcomes = Counter(reply.outcome for reply in found.values())
    assert outcomes.keys() == {Ending.ANSWERED, Ending.EMPTY}
    assert outcomes[Ending.EMPTY] < 30
    # Hardly more often than the scripts say: on a busy machine an answer may come too late.
    assert len(server.asked) <= sum(len(steps) for steps in script.values()) + 600 + 50


def test_reply_records_provider_metadata(connect: Connect) -> None:
    thought = Scripted(body=completion("{}", reasoning_content="Let me see."))
    other = Scripted(body=completion("{}", reasoning="Let us see."))
    with ChatServer({"one": [thought], "two": [other]}) as server:
        found = replies(connect(server), ["one", "two"])
    one = found["one"]
    assert (one.served_model, one.fingerprint, one.response_id) == ("tiny-2026-01-01", "fp_1", "chatcmpl-1")
    assert (one.thinking, one.attempts) == ("Let me see.", 1)
    assert (one.prompt_tokens, one.cached_tokens, one.completion_tokens, one.reasoning_tokens) == (11, 4, 7, 3)
    assert (found["two"].thinking, found["two"].text) == ("Let us see.", "{}")


def test_common_word_key_leaves_answers_unmasked(connect: Connect, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NLFOL_TEST_KEY", "none")
    with ChatServer({"one": [Scripted(body=completion("none of them"))]}) as server:
        assert replies(connect(server), ["one"])["one"].text == "none of them"


@pytest.mark.parametrize(
    ("settings", "sent", "absent"),
    [
        ({}, f"authorization: bearer {KEY}", "api-key"),
        ({"key_header": "api-key", "query": {"api-version": "2024-10-21"}}, f"api-key: {KEY}", "authorization"),
        ({"api_key_env": None}, "user-agent:", "authorization"),
    ],
)
def test_key_is_sent_in_configured_header(connect: Connect, settings: dict[str, Any], sent: str, absent: str) -> None:
    with ChatServer() as server:
        assert said(replies(connect(server, **settings), ["one"])["one"]) == "one"
    (head,) = (text.lower() for text in server.heads)
    assert sent in head
    assert absent not in head
    assert head.startswith(f"post /v1/chat/completions{'?api-version=2024-10-21' if 'query' in settings else ''} ")


def test_retry_after_pause_is_honoured(connect: Connect) -> None:
    with ChatServer({"one": [Scripted(429, error("busy"), {"Retry-After": "1"})]}) as server:
        start = monotonic()
        assert said(replies(connect(server), ["one"])["one"]) == "one"
        assert monotonic() - start >= 1


def test_requests_per_minute_limit_is_kept(connect: Connect) -> None:
    with ChatServer() as server:
        start = monotonic()
        replies(connect(server, requests_per_minute=240), [str(number) for number in range(12)])
        # Four a second, of which the first four may go at once.
        assert monotonic() - start >= 1.9


def test_concurrent_jobs_share_interface_concurrency(connect: Connect, tmp_path: Path) -> None:
    with ChatServer(seconds=0.02) as server, InterfaceUse(tmp_path, f"{server.url} NLFOL_TEST_KEY"):
        entry = openai_entry(server.url, concurrency=8, api_key_env="NLFOL_TEST_KEY")
        connect(server)  # sets the key
        replies(ApiChat(entry, tmp_path), [str(number) for number in range(40)])
        assert server.most == 4


def test_rate_limiting_reduces_concurrency(connect: Connect) -> None:
    """It takes four requests at once. Asked 32 at once all the time, it turns away so many that some fail for good."""
    inside = Counter[str]()

    def narrow(body: dict[str, Any]) -> Scripted | None:
        inside["refused"] += server.inside > 4
        return Scripted(429, error("too many"), {"retry-after-ms": "1"}) if server.inside > 4 else None

    texts = [str(number) for number in range(200)]
    with ChatServer(seconds=0.1, every=narrow) as server:
        found = replies(connect(server, concurrency=32, retries=50), texts)
    assert [said(found[text]) for text in texts] == texts
    assert inside["refused"] < 150


def test_full_disk_stops_further_requests(connect: Connect, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with ChatServer(seconds=0.01) as server, Journal(tmp_path / "j.jsonl") as journal:
        chat = connect(server, concurrency=4)
        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(JournalError, match="No space left on device"):
            ask(chat, [request(chat.identity, str(number)) for number in range(100)], journal)
        # What was under way has been given up, and no thread asks on.
        assert not [thread for thread in threading.enumerate() if thread.name == "exchange"]
        assert len(server.asked) <= 4
