"""Bodies that are not quite as agreed: what was paid for is kept, and what is not known is not guessed."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.unit.asking.conversations import ask

from nlfol.models.api.chat import ApiChat
from nlfol.models.api.embedding import ApiEmbedder
from nlfol.models.entries.prices import Price
from nlfol.models.journal.journal import Journal
from nlfol.models.providers.base import without_halves
from nlfol.models.providers.openai import OpenaiChat, OpenaiChatEntry, OpenaiEmbeddingEntry
from nlfol.models.request import ChatError, ChatReply, Ending
from nlfol_extras.batches.lines import read_lines

from .chat_server import ChatServer, Scripted, completion, error
from .conftest import openai_entry, request
from .embedding_server import lengths, openai_body

ANSWER = '{"reasoning":"","answer":"P(a)"}'


def entry(server: ChatServer, **settings: Any) -> OpenaiChatEntry:
    return openai_entry(server.url, **{"retries": 0, **settings})


def replies(folder: Path, server: ChatServer, texts: list[str]) -> list[ChatReply]:
    """What a scripted server's answers are in the journal, and after it was read again."""
    chat = ApiChat(entry(server))
    asked = [request(chat.identity, text) for text in texts]
    with Journal(folder / "j.jsonl") as journal:
        ask(chat, asked, journal)
    with Journal(folder / "j.jsonl") as journal:
        return [journal.replies[each.key] for each in asked]


def usage(**said: Any) -> dict[str, Any]:
    whole = completion(ANSWER)
    return {**whole, "usage": {**whole["usage"], **said}}


def message(**said: Any) -> dict[str, Any]:
    return completion(ANSWER, **said)


def choice(**said: Any) -> dict[str, Any]:
    whole = completion(ANSWER)
    return {**whole, "choices": [{**whole["choices"][0], **said}]}


@pytest.mark.parametrize(
    "body",
    [
        usage(prompt_tokens=-5), usage(prompt_tokens=11.5), usage(prompt_tokens="many"), usage(prompt_tokens=10**12),
        usage(prompt_tokens=10**4000), json.dumps(usage()).replace('"prompt_tokens": 11', '"prompt_tokens": 1e400'),
        {**completion(ANSWER), "usage": []}, {**completion(ANSWER), "usage": "unknown"},
    ],
    ids=lambda body: str(body["usage"] if isinstance(body, dict) else body)[:30],
)  # fmt: skip
def test_invalid_token_counts_read_as_unknown_and_cost_bound(tmp_path: Path, body: object) -> None:
    with ChatServer({"one": [Scripted(body=body)]}) as server:
        (reply,) = replies(tmp_path, server, ["one"])
        bound = json.loads(request(ApiChat(entry(server)).identity, "one").canonical)
    assert (reply.outcome, reply.text, reply.prompt_tokens) == (Ending.ANSWERED, ANSWER, None)
    price = Price(prompt=1, completion=1)
    assert price.of_reply(reply) is None
    assert price.at_most(bound, reply) == price.bound(bound, batch=False)


@pytest.mark.parametrize(
    "body",
    [
        {**completion(ANSWER), "id": 7}, {**completion(ANSWER), "model": {}},
        {**completion(ANSWER), "system_fingerprint": 3}, usage(prompt_tokens_details=[]),
        usage(completion_tokens_details=0), message(refusal=False), choice(finish_reason={"type": "stop"}),
        choice(message={"content": [{"type": "text", "text": None}, {"type": "text", "text": ANSWER}]}),
    ],
)  # fmt: skip
def test_malformed_reply_metadata_keeps_answer(tmp_path: Path, body: object) -> None:
    with ChatServer({"one": [Scripted(body=body)]}) as server:
        (reply,) = replies(tmp_path, server, ["one"])
    assert (reply.outcome, reply.text, reply.attempts) == (Ending.ANSWERED, ANSWER, 1)


@pytest.mark.parametrize(
    ("said", "completion_tokens", "reasoning_tokens"),
    [
        # xAI: reasoning is counted in the total alone.
        ({"completion_tokens": 2, "total_tokens": 331, "reasoning_tokens": 317}, 319, 317),
        # Gemini: likewise, and it is not even named.
        ({"completion_tokens": 198, "total_tokens": 615, "reasoning_tokens": None}, 603, 405),
        # OpenAI: it is a part of the completion.
        ({"completion_tokens": 319, "total_tokens": 331, "reasoning_tokens": 317}, 319, 317),
        ({"completion_tokens": 7, "total_tokens": None, "reasoning_tokens": 3}, 7, 3),
        ({"completion_tokens": 7, "total_tokens": 3, "reasoning_tokens": 0}, 7, 0),
    ],
)
def test_reasoning_tokens_in_total_count_as_completion(
    said: dict[str, Any], completion_tokens: int, reasoning_tokens: int
) -> None:
    details = {"completion_tokens_details": {"reasoning_tokens": said.pop("reasoning_tokens")}}
    body = usage(prompt_tokens=12, prompt_tokens_details=None, **said, **details)
    with ChatServer() as server:
        reply, tokens = OpenaiChat(entry(server)).read(request(), json.dumps(body).encode(), 0.0)
    assert tokens == 12 + completion_tokens
    assert (reply.completion_tokens, reply.reasoning_tokens) == (completion_tokens, reasoning_tokens)
    assert Price(prompt=1e6, completion=2e6).of_reply(reply) == 12 + 2 * completion_tokens


@pytest.mark.parametrize("reason", ["error", "network_error", "insufficient_system_resource"])
def test_interrupted_answer_is_retried(tmp_path: Path, reason: str) -> None:
    part = completion('{"reasoning":"Some', reason)
    with ChatServer({"one": [Scripted(body=part)]}) as server:
        chat = ApiChat(entry(server, retries=1))
        (reply,) = chat.answer([request(chat.identity, "one")])
    assert (reply.outcome, reply.attempts, json.loads(reply.text or "")["answer"]) == (Ending.ANSWERED, 2, "one")


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("∀x 🙂", "∀x 🙂"), ("\ufeffa", "\ufeffa"), ("a \ud83d b", "a \ufffd b"), ("a \ude00", "a \ufffd"),
        ("\ud83d", "\ufffd"), ("\ud83d\ude00", "😀"),
    ],
)  # fmt: skip
def test_lone_surrogates_are_replaced(text: str, whole: str) -> None:
    assert without_halves(text) == whole


def test_chat_answer_survives_lone_surrogate(tmp_path: Path) -> None:
    with ChatServer({"one": [Scripted(body=json.dumps(completion("∀ \ud83d")))]}) as server:
        (reply,) = replies(tmp_path, server, ["one"])
    assert (reply.outcome, reply.text, reply.attempts) == (Ending.ANSWERED, "∀ \ufffd", 1)


def test_batch_line_survives_lone_surrogate() -> None:
    line = json.dumps({"custom_id": "k", "response": {"status_code": 200, "body": completion("∀ \ud83d")}})
    with ChatServer() as server:
        found = read_lines(entry(server), None, [line.encode()], wanted={"k"}, batch="batch_0")
    assert (found.replies["k"].text, found.ignored) == ("∀ \ufffd", 0)


@pytest.mark.parametrize("said", [{"usage": []}, {"usage": {"prompt_tokens": -3}}, {"model": 7}])
def test_embedding_reply_survives_malformed_metadata(said: dict[str, Any]) -> None:
    with ChatServer(every=lambda body: Scripted(body={**openai_body(lengths(body["input"])), **said})) as server:
        entry = {"kind": "embedding", "backend": "openai", "model": "tiny", "base_url": server.url, "encoding": "float"}
        model = ApiEmbedder(OpenaiEmbeddingEntry.model_validate({**entry, "api_key_env": None, "retries": 0}))
        (group,) = model.encode_groups(["a", "b"], "document")
    assert len(group.embeddings) == 2
    assert "usage" not in said or group.tokens is None


@pytest.mark.parametrize("status", [400, 500])
def test_error_with_lone_surrogate_loses_only_its_request(tmp_path: Path, status: int) -> None:
    shown = Scripted(status, json.dumps(error("cannot read 'a \ud83d'")))
    with ChatServer({"one": [shown]}) as server:
        one, two = replies(tmp_path, server, ["one", "two"])
    assert (one.outcome, two.outcome) == (Ending.FAILED, Ending.ANSWERED)
    assert "cannot read 'a \ufffd'" in (one.error or "")


@pytest.mark.parametrize("key", ["sk-0123456789abcdef\nOTHER=x", "“sk-0123456789abcdef”", "sk-0123456789\x07abcdef"])
def test_key_with_line_break_is_refused_without_disclosure(monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    monkeypatch.setenv("NLFOL_TEST_KEY", key)
    with ChatServer() as server, pytest.raises(ChatError, match="NLFOL_TEST_KEY holds a line break") as caught:
        ApiChat(entry(server, api_key_env="NLFOL_TEST_KEY"))
    assert "0123" not in str(caught.value)


@pytest.mark.parametrize(("batch", "share"), [(False, 1.0), (True, 0.5)])
def test_follow_up_bound_counts_requests_and_prior_answers(batch: bool, share: float) -> None:
    price = Price(prompt=1, cached=2, completion=4, batch=0.5)
    asked = {"messages": [{"content": "Sentence."}], "answer_schema": {}, "max_tokens": 100}
    once = price.bound(asked, batch=batch)
    assert price.bound_of_following(asked, 0, batch=batch) == 0
    # The second step has one answer before it, the third two, the fourth three.
    answers = (100 + 200 + 300) * 2 * share / 1e6
    assert price.bound_of_following(asked, 3, batch=batch) == pytest.approx(3 * once + answers, rel=1e-12)
