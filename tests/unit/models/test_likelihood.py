"""Log-probabilities: which tokens of a reply carry the answer, from all that servers and the local loop tell."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nlfol.models.api.chat import ApiChat
from nlfol.models.entries.chat import complete
from nlfol.models.entries.provider_table import ProviderTable, ProviderTableError
from nlfol.models.likelihood import Likelihood, likelihood, visible
from nlfol.models.local.chat import LocalChat
from nlfol.models.providers.openai import Completion
from nlfol.models.request import Ending

from .chat_server import ChatServer, Scripted, completion
from .conftest import CHOICE, openai_entry, permutation, replies, request

Load = Callable[..., LocalChat]

WITHOUT = ['{"', "answer", '":"', "∀x", " P(", "x)", '"}']
WITH = ['{"', "reasoning", '":"', "so \\", '" Answer: ', '","', "answer", '":', "3", "}"]


def likely(tokens: list[str], text: str | None = None) -> Likelihood | None:
    """Give each token a power of two, so that the sum says which ones are in it."""
    listed = [(visible(token.encode()), -(2.0**number)) for number, token in enumerate(tokens)]
    return likelihood("".join(tokens) if text is None else text, listed)


def of(*numbers: int) -> Likelihood:
    return Likelihood(-sum(2.0**number for number in numbers), len(numbers))


@pytest.mark.parametrize(
    ("tokens", "text", "expected"),
    [
        (WITHOUT, None, of(3, 4, 5, 6)),
        (WITH, None, of(8, 9)),
        # A thought before, the end of the turn after it.
        (["<think>", '{"answer":', "</think>", *WITHOUT, "<|im_end|>"], "".join(WITHOUT), of(6, 7, 8, 9)),
        # White space of a server's grammar.
        (["{\n", '  "answer":', "  ", "3", "\n}"], None, of(2, 3, 4)),
        # Halves of a character, as servers write them.
        ([*WITHOUT[:3], "\ufffd", "\ufffd", "x", *WITHOUT[4:]], "".join(WITHOUT), of(3, 4, 5, 6, 7, 8)),
        (["I think.", "Answer:", " 3"], None, of(2)),
        (["P(", "a)"], None, of(0, 1)),
        # Cut off in the reasoning, or before the answer's value; another text; nothing at all.
        (WITH[:5], None, None),
        (WITH[:6], None, None),
        (WITH[:7], None, None),
        (WITHOUT[:2], None, None),
        (WITHOUT, "P(a)", None),
        ([], None, None),
        ([], "P(a)", None),
    ],
)
def test_likelihood_is_of_the_tokens_of_the_answer(
    tokens: list[str], text: str | None, expected: Likelihood | None
) -> None:
    assert likely(tokens, text) == expected


@pytest.mark.parametrize("logprob", [0.5, float("-inf"), float("nan")])
def test_numbers_that_are_no_logprobs_tell_nothing(logprob: float) -> None:
    assert likelihood("P(a)", [("P(a)", logprob)]) is None
    assert likelihood("P(a)", [("P(", None), ("a)", -1.0)]) == Likelihood(-1.0, 1)


def told(text: str, *tokens: dict[str, Any]) -> dict[str, Any]:
    body = completion(text)
    body["choices"][0]["logprobs"] = {"content": list(tokens), "refusal": None}
    return body


def test_api_tells_the_logprob_of_an_answer_that_asks_for_it() -> None:
    half = {"token": "bytes:\\xe2\\x88", "bytes": [0xE2, 0x88], "logprob": -0.5}
    body = told('{"answer":"∀"}', {"token": '{"answer":"', "logprob": -9.0}, half, {"token": '"}', "logprob": -0.25})
    with ChatServer({"one": [Scripted(body=body)]}) as server:
        chats = [ApiChat(openai_entry(server.url, logprobs=logprobs)) for logprobs in (True, False)]
        assert chats[0].identity == chats[1].identity
        asked = replace(request(chats[0].identity, "one"), logprobs=True)
        (reply,) = chats[0].answer([asked])
        (silent,) = chats[1].answer([request(chats[1].identity, "two")])
    assert (reply.outcome, reply.logprob, reply.logprob_tokens) == (Ending.ANSWERED, -0.75, 2)
    assert (silent.logprob, silent.logprob_tokens) == (None, None)
    assert [body.get("logprobs") for body in server.bodies] == [True, None]
    # Entries without it find their answers in older journals.
    assert "logprobs" not in request().canonical
    assert asked.key != request(chats[0].identity, "one").key


@pytest.mark.parametrize(
    "content", [None, [], 7, [{"token": "P(a)"}], [{"token": "P(a)", "logprob": "?"}], [{"token": "Q", "logprob": -1}]]
)
def test_malformed_logprobs_are_absent_and_keep_the_answer(content: object) -> None:
    body = completion("P(a)")
    body["choices"][0]["logprobs"] = {"content": content}
    reply = Completion.read(json.dumps(body).encode()).reply("k", None)
    assert (reply.outcome, reply.text, reply.logprob) == (Ending.ANSWERED, "P(a)", None)


def test_entry_that_cannot_tell_logprobs_is_refused() -> None:
    table = ProviderTable(Path(__file__).parents[3] / "resources/providers.yaml")
    assert complete(openai_entry(None, model="gpt-4o-mini", logprobs=True), table).logprobs
    with pytest.raises(ProviderTableError, match="logprobs is given, which o3-mini does not take; leave it out"):
        complete(openai_entry(None, model="o3-mini", logprobs=True), table)


def recomputed(chat: LocalChat, asked: Any, text: str) -> Likelihood | None:
    """Log-probabilities from one pass over prompt and answer, with the answer's tokens as they were drawn."""
    import torch

    (row,) = chat.write([chat.row(asked)])
    with torch.inference_mode():
        logits = chat.model(input_ids=torch.tensor([row.tokens])).logits[0].float()
    every = torch.log_softmax(logits, dim=-1)
    start = len(row.prompt)
    told = [float(every[start + place - 1, token]) for place, token in enumerate(row.written)]
    known = [None if row.logprobs[place] is None else one for place, one in enumerate(told)]
    parts = [visible(chat.tokenizer.decode([token], skip_special_tokens=True).encode()) for token in row.written]
    return likelihood(text, zip(parts, known, strict=True))


@pytest.mark.parametrize("answer", [{"type": "string", "maxLength": 16}, CHOICE, permutation(3)])
@pytest.mark.parametrize(
    "settings", [{}, {"constrained": False}, {"thinking": True, "limits": {"tokens": 99, "thinking": 8}}]
)
def test_local_logprob_is_that_of_one_pass(load: Load, answer: dict[str, object], settings: dict[str, Any]) -> None:
    chat = load(**settings)
    plain = [request(chat.identity, text, answer=answer, max_tokens=60) for text in ("Dogs bark.", "Cats do not.")]
    asked = [replace(each, logprobs=True) for each in plain]
    found, silent = replies(chat, asked), replies(chat, plain)
    assert {reply.logprob for reply in silent.values()} == {None}
    for each in asked:
        reply = found[each.key]
        expected = recomputed(chat, each, reply.text or "")
        if expected is None:
            assert reply.logprob is None
        else:
            assert reply.logprob == pytest.approx(expected.logprob, abs=1e-3)
            assert reply.logprob_tokens == expected.tokens
            assert reply.logprob is not None
            assert reply.logprob < 0
