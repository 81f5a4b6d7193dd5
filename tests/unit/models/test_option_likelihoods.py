"""Choices by likelihood: the local loop against one forward pass, scripted servers as vLLM answers, and refusals."""

import json
import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from nlfol.asking.chat import open_backend
from nlfol.config import read_configuration
from nlfol.models.api.option_likelihoods import ApiOptions
from nlfol.models.entries.chat import LocalChatEntry, complete
from nlfol.models.entries.provider_table import ProviderTable, ProviderTableError
from nlfol.models.entries.source import PathSource
from nlfol.models.likelihood import chosen, options_of
from nlfol.models.local.option_likelihoods import LocalOptions
from nlfol.models.providers.registry import read_entry
from nlfol.models.request import ChatError, ChatReply, ChatRequest, Ending, JobFiles

from .chat_server import ChatServer, Scripted, error
from .conftest import CHOICE, FORMULA, openai_entry, request

ROOT = Path(__file__).parents[3]
YES_OR_NO = {"type": "string", "enum": ["yes", "no", "not at all"]}


def choice(answer: Mapping[str, object], text: str = "Is it so?", model: str = "test:model") -> ChatRequest:
    schema = {"type": "object", "properties": {"answer": answer}, "required": ["answer"], "additionalProperties": False}
    return replace(request(model, text, temperature=0.0), answer_schema=schema)


@pytest.fixture(scope="module")
def local(tiny_model: Any) -> Any:
    def make(architecture: str) -> LocalOptions:
        folder = tiny_model(architecture)
        said = {"kind": "chat", "backend": "transformers", "answer": "likelihood", "dtype": "float32", "device": "cpu"}
        entry = LocalChatEntry.model_validate({**said, "source": PathSource(path=str(folder)), "context": 2048})
        opened = open_backend(entry, JobFiles(Path(), weights=folder))
        assert isinstance(opened, LocalOptions)
        return opened

    return make


def by_one_pass(chat: LocalOptions, asked: ChatRequest, option: str) -> float:
    """The log-probability of an option, from one pass over prompt and option."""
    import torch

    prompt, tokens = chat.prompt(asked), chat.tokenizer(option, add_special_tokens=False)["input_ids"]
    with torch.inference_mode():
        logits = chat.model(input_ids=torch.tensor([[*prompt, *tokens]])).logits[0].float()
    every = torch.log_softmax(logits, dim=-1)
    return math.fsum(float(every[len(prompt) + place - 1, token]) for place, token in enumerate(tokens))


@pytest.mark.parametrize("architecture", ["qwen3", "mistral"])  # full attention, and sliding windows
def test_local_choice_is_that_of_one_pass(local: Any, architecture: str) -> None:
    chat = local(architecture)
    assert "answer=likelihood" in chat.identity
    asked = [choice(CHOICE), choice(YES_OR_NO, "Dogs bark."), choice(YES_OR_NO, "x " * 3000)]
    *replies, long = chat.answer(asked)
    for each, reply in zip(asked, replies, strict=False):
        options = options_of(each.answer_schema)
        scores = [by_one_pass(chat, each, option) for option in options]
        tokens = [chat.tokenizer(option, add_special_tokens=False)["input_ids"] for option in options]
        told = [math.fsum(row) for row in chat.logprobs(chat.prompt(each), tokens)]
        assert told == pytest.approx(scores, abs=1e-3)
        best = scores.index(max(scores))
        assert (reply.key, reply.outcome, reply.text) == (each.key, Ending.ANSWERED, options[best])
        share = math.exp(scores[best]) / sum(map(math.exp, scores))
        assert math.exp(reply.logprob) == pytest.approx(share, abs=1e-3)
        assert (reply.completion_tokens, reply.logprob_tokens) == (0, 1)
    assert long.outcome is Ending.FAILED
    assert "exceed the context of 2048" in (long.error or "")


def vllm(score: Any) -> Any:
    """A server that tells the log-probabilities of a prompt as vLLM does; of an option it has the score."""

    def every(body: dict[str, Any]) -> Scripted:
        assert (body["prompt_logprobs"], body["continue_final_message"], body["add_generation_prompt"]) == (
            0,
            True,
            False,
        )
        assert "response_format" not in body
        *_, asked, last = body["messages"]
        assert last["role"] == "assistant"
        option = last["content"]
        pieces = ["<|im_start|>", "assistant", "\n", *option]
        given = [-50.0] * 3 + [score(asked["content"], option) / len(option)] * len(option)
        places = [
            None,
            *(
                {str(n): {"logprob": x, "rank": 1, "decoded_token": p}}
                for n, (p, x) in enumerate(zip(pieces, given, strict=True))
            ),
        ]
        usage = {"prompt_tokens": len(pieces) + 1, "completion_tokens": 1}
        return Scripted(body={"prompt_logprobs": places, "usage": usage, "model": "tiny", "choices": []})

    return every


def asked_of(server: ChatServer, asked: ChatRequest) -> ChatReply:
    (reply,) = ApiOptions(openai_entry(server.url, answer="likelihood")).answer([asked])
    return reply


def test_server_is_asked_for_each_option_and_one_reply_is_kept() -> None:
    with ChatServer(every=vllm(lambda _, option: -1.0 if 'no"' in option else -3.0)) as server:
        entry = openai_entry(server.url, answer="likelihood", structured="grammar")
        assert entry.identity.endswith(";structured=grammar;answer=likelihood")
        asked = [choice(YES_OR_NO, text, entry.identity) for text in ("One?", "Two?")]
        replies = {reply.key: reply for reply in ApiOptions(entry).answer(asked)}
    assert {each.key for each in asked} == set(replies)
    for reply in replies.values():
        assert (reply.outcome, reply.text) == (Ending.ANSWERED, '{"answer":"no"}')
        assert math.exp(reply.logprob or 0) == pytest.approx(math.exp(-1) / (math.exp(-1) + 2 * math.exp(-3)))
        assert reply.prompt_tokens == sum(4 + len(option) for option in options_of(asked[0].answer_schema))
    assert len(server.bodies) == 6


def test_model_that_prefers_short_options_is_at_its_floor() -> None:
    """By length alone it chooses the same option with the text and without it: no more than the blind control."""
    with ChatServer(every=vllm(lambda _, option: -float(len(option)))) as server:
        sighted, blind = (asked_of(server, choice(YES_OR_NO, text)) for text in ("Do all dogs bark?", "(withheld)"))
    assert sighted.text == blind.text == '{"answer":"no"}'
    assert sighted.logprob == blind.logprob


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"choices": []}, "tells no log-probabilities of prompts"),  # llama.cpp ignores what it does not know
        (
            {"prompt_logprobs": [None, {"1": {"logprob": -1.0, "decoded_token": '"yes"}<|im_end|>'}}]},
            "the prompt ends with",
        ),
        ({"prompt_logprobs": [None]}, "the prompt ends with"),
    ],
)
def test_server_that_tells_no_likelihoods_stops_the_run(body: dict[str, Any], message: str) -> None:
    with ChatServer(every=lambda _: Scripted(body=body)) as server, pytest.raises(ChatError, match=message):
        asked_of(server, choice(YES_OR_NO))


def test_option_beyond_context_is_refused_as_a_prompt_is() -> None:
    full = Scripted(400, error("maximum context length is 10 tokens", code="context_length_exceeded"))
    with ChatServer(every=lambda _: full) as server:
        reply = asked_of(server, choice(YES_OR_NO))
    assert (reply.outcome, reply.text) == (Ending.REFUSED, None)


def test_first_of_equally_likely_options_is_chosen() -> None:
    assert chosen(choice(YES_OR_NO), [-2.0, -1.0, -1.0]).text == '{"answer":"no"}'


@pytest.mark.parametrize("schema", [request(answer=CHOICE).answer_schema, choice(FORMULA).answer_schema])
def test_schema_without_lone_options_is_refused(schema: dict[str, object]) -> None:
    with pytest.raises(ChatError, match="chooses among the values of one field, without reasoning"):
        options_of(schema)


SERVED = {"engine": "llama.cpp", "source": {"path": "m.gguf"}}


@pytest.mark.parametrize("said", [{"api_key_env": "OPENAI_API_KEY"}, {"serve": SERVED}, {"backend": "anthropic"}])
def test_interface_without_prompt_logprobs_is_refused_by_name(said: dict[str, Any]) -> None:
    chat = {"kind": "chat", "backend": "openai", "model": "some-model", "answer": "likelihood"}
    entry: Any = read_entry(json.dumps({**chat, **said}))
    with pytest.raises(ProviderTableError, match=r"answer is likelihood, which some-model does not take; .* vLLM"):
        complete(entry, ProviderTable(ROOT / "resources/providers.yaml"))


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"sampling": {"temperature": 0.7}}, "sampling.temperature"),
        ({"thinking": True}, "thinking"),
        ({"structured": "none"}, "structured: none"),
        ({"reasoning_effort": "low"}, "reasoning_effort"),
    ],
)
def test_setting_of_what_is_written_is_refused(settings: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=f"compares JSON objects and writes none; leave {named} out"):
        openai_entry("http://localhost:1/v1", answer="likelihood", **settings)


def test_configuration_names_task_that_is_no_choice() -> None:
    values = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    values["models"]["smollm2-135m"]["answer"] = "likelihood"
    values["tasks"] = {"most_similar": {"task": "most_similar", "datasets": ["tarski"]}}
    with pytest.raises(ValueError, match=r"tasks.most_similar asks for reasoning, .*: set its reasoning to 0"):
        read_configuration(values)
    values["tasks"]["most_similar"]["reasoning"] = 0
    assert read_configuration(values).jobs("chat")
    values["tasks"]["ranking"] = {"task": "ranking", "datasets": ["tarski"], "reasoning": 0}
    with pytest.raises(ValueError, match=r"models.smollm2-135m.answer: likelihood .*; tasks.ranking is none"):
        read_configuration(values)
