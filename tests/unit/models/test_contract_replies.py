"""Replies that OpenAI's and Anthropic's types allow: each is read, or refused with a reason."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest
from httpx2 import Response
from hypothesis import given, settings
from hypothesis import strategies as st
from openai._models import construct_type
from openai.types import Batch, CreateEmbeddingResponse
from openai.types.chat import ChatCompletion
from pydantic import ValidationError
from tests.unit.models.provider_types import Schema, specified, typed, values

from nlfol.models.api.faults import Rejection, sorted_fault
from nlfol.models.journal.journal import Journal
from nlfol.models.journal.reading import read_record
from nlfol.models.providers.base import Declined, PassingFault, without_halves
from nlfol.models.providers.openai import OpenaiChat, OpenaiEmbeddingEntry, OpenaiEmbeddings
from nlfol.models.request import ChatError, ChatReply, ChatRequest, Ending
from nlfol.models.vectors.request import EmbeddingRequest
from nlfol_extras.batches.chat import _ENDED, BatchChat
from nlfol_extras.batches.lines import read_lines

from .conftest import openai_entry, request

ENTRY = openai_entry("https://interface.invalid/v1", structured="json_schema")
ASKED = request(ENTRY.identity, max_tokens=10**9)
OPENAI_STATUSES = (301, 400, 401, 403, 404, 408, 409, 422, 429, 500, 503)

PUBLISHED: list[Any] = [
    pytest.param(lambda name, kind: typed(kind), id="client"),
    pytest.param(lambda name, kind: specified(name), id="specification"),
]
Published = Callable[[str, Any], Schema]
published = pytest.mark.parametrize("schema", PUBLISHED)
many = settings(max_examples=60)


def kept(reply: ChatReply, asked: ChatRequest, folder: Path) -> ChatReply:
    """Return a reply from the journal."""
    path = folder / f"{len(list(folder.iterdir()))}.jsonl"
    with Journal(path) as journal:
        journal.append([(asked, reply)])
    return read_record(path.read_bytes()[:-1])[1]


def count(stated: object) -> int | None:
    """Return a stated number of tokens, None if it is not a number."""
    return stated if isinstance(stated, int) and 0 <= stated <= 10**9 else None


def check_completion(body: dict[str, Any], reply: ChatReply) -> None:
    """Check that the first choice of a completion is read to the letter."""
    choice, usage = body["choices"][0], body.get("usage") or {}
    said, refusal = choice["message"].get("content") or "", choice["message"].get("refusal")
    refused = bool(refusal) or choice["finish_reason"] == "content_filter"
    assert reply.text == (without_halves(refusal or said) or None)
    assert (reply.outcome is Ending.REFUSED) is refused
    assert reply.finish_reason == choice["finish_reason"]
    assert reply.prompt_tokens == count(usage.get("prompt_tokens"))
    if not (said or refused):
        assert reply.outcome is Ending.EMPTY
        assert choice["finish_reason"] in (reply.error or "")


@published
def test_any_completion_is_read_and_kept(schema: Published, tmp_path: Path) -> None:
    @many
    @given(values(schema("CreateChatCompletionResponse", ChatCompletion)))
    def check(body: dict[str, Any]) -> None:
        content = json.dumps(body).encode()
        if not body["choices"]:
            # Charged, and asked again.
            with pytest.raises(ValidationError, match="choices"):
                OpenaiChat(ENTRY).read(ASKED, content, 1.0)
            return
        reply, _ = OpenaiChat(ENTRY).read(ASKED, content, 1.0)
        if reply.outcome is not Ending.FAILED:  # longer than was asked for
            check_completion(body, reply)
        assert kept(reply, ASKED, tmp_path) == reply

    check()


@published
def test_any_line_of_a_batch_is_read_or_has_a_reason(schema: Published) -> None:
    completions = values(schema("CreateChatCompletionResponse", ChatCompletion))
    errors = values(specified("ErrorResponse")) if schema is PUBLISHED[1].values[0] else st.just({"error": {}})
    responses = st.one_of(
        st.none(),
        st.fixed_dictionaries({"status_code": st.just(200), "request_id": st.just("r"), "body": completions}),
        st.fixed_dictionaries({"status_code": st.sampled_from(OPENAI_STATUSES), "body": errors | st.none()}),
    )
    fault = st.fixed_dictionaries({"code": st.sampled_from(["batch_expired", None, 7]), "message": st.just("late")})
    lines = st.fixed_dictionaries({"id": st.just("b"), "custom_id": st.just("k"), "response": responses})

    @many
    @given(lines, st.none() | fault)
    def check(line: dict[str, Any], error: object) -> None:
        content = json.dumps({**line, "error": error}).encode()
        found = read_lines(ENTRY, None, [content], wanted={"k"}, batch="batch_0")
        response = line["response"] or {}
        assert found.ignored == 0
        if response.get("status_code") == 200 and response["body"]["choices"]:
            check_completion(response["body"], found.replies["k"])
        else:
            reply = found.replies.get("k")
            assert found.faults.get("k") or found.fatal or (reply and reply.error)

    check()


@published
def test_any_state_of_a_batch_is_understood(schema: Published, tmp_path: Path) -> None:
    states = set(get_args(Batch.model_fields["status"].annotation))
    assert states == _ENDED | {"validating", "in_progress", "finalizing", "cancelling"}
    chat = BatchChat(openai_entry("https://interface.invalid/v1", batch=True), tmp_path / "j.jsonl")

    @many
    @given(values(schema("Batch", Batch)))
    def check(body: dict[str, Any]) -> None:
        batch: Any = construct_type(type_=Batch, value=body)
        sent = _sent()
        assert "was rejected: " in str(chat._rejected(batch, sent))
        assert {type(batch.output_file_id), type(batch.error_file_id)} <= {str, type(None)}

    check()


def _sent() -> Any:
    from nlfol.models.journal.batches import Sent

    return Sent("token", ("k",), 0.0, "batch_0")


@published
def test_any_embeddings_are_read_or_have_a_reason(schema: Published) -> None:
    entry = OpenaiEmbeddingEntry.model_validate({"kind": "embedding", "backend": "openai", "model": "e"})
    asked = EmbeddingRequest(("a", "b"), "query")

    @many
    @given(values(schema("CreateEmbeddingResponse", CreateEmbeddingResponse)), st.booleans())
    def check(body: dict[str, Any], in_order: bool) -> None:
        rows = [item["embedding"] for item in body["data"]]
        body["data"] = [{**item, "index": index if in_order else 7} for index, item in enumerate(body["data"])]
        content = json.dumps(body).encode()
        if in_order and len({len(row) for row in rows}) == 1 and min(len(row) for row in rows) > 0:
            if len(rows) == len(asked.texts) and max(abs(number) for row in rows for number in row) < 1e38:
                reply, _ = OpenaiEmbeddings(entry).read(asked, content, 1.0)
                assert reply.vectors is not None
                assert reply.vectors.shape == (len(rows), len(rows[0]))
        else:
            with pytest.raises((ValidationError, PassingFault, ChatError), match=r".+"):
                OpenaiEmbeddings(entry).read(asked, content, 1.0)

    check()


def check_errors(schema: Schema, entry: Any, statuses: tuple[int, ...]) -> None:
    """Check that an error of any content is sorted, with a reason."""

    @many
    @given(values(schema), st.sampled_from(statuses), st.booleans())
    def check(body: object, status: int, listed: bool) -> None:
        shown = Response(status, content=json.dumps([body] if listed else body))
        fault = sorted_fault(Rejection.of(shown), entry, {"temperature": 0, "seed": 1}, OpenaiChat.remedies)
        assert isinstance(fault, PassingFault | Declined | ChatError)
        assert str(status) in str(fault)

    check()


def test_any_openai_error_has_a_reason() -> None:
    check_errors(specified("ErrorResponse"), ENTRY, OPENAI_STATUSES)


def test_any_anthropic_error_has_a_reason() -> None:
    pytest.importorskip("anthropic", reason="requirements-providers.txt")
    from anthropic.types import ErrorResponse

    check_errors(typed(ErrorResponse), ENTRY, (400, 401, 402, 403, 404, 413, 429, 500, 504, 529))


def test_any_anthropic_message_is_read_and_kept(tmp_path: Path) -> None:
    pytest.importorskip("anthropic", reason="requirements-providers.txt")
    from anthropic.types import Message

    from nlfol_extras.anthropic import AnthropicChat, AnthropicChatEntry

    provider = AnthropicChat(AnthropicChatEntry.model_validate({"kind": "chat", "backend": "anthropic", "model": "m"}))

    @many
    @given(values(typed(Message)))
    def check(body: dict[str, Any]) -> None:
        reply, _ = provider.read(ASKED, json.dumps(body).encode(), 1.0)
        said = "".join(block["text"] for block in body["content"] if block["type"] == "text")
        assert (reply.outcome is Ending.REFUSED) is (body.get("stop_reason") == "refusal")
        if said:
            assert (reply.text or "").startswith(without_halves(said)) or reply.outcome is Ending.REFUSED
        assert reply.completion_tokens == count(body["usage"]["output_tokens"])
        assert reply.error or reply.outcome is not Ending.EMPTY
        assert kept(reply, ASKED, tmp_path) == reply

    check()
