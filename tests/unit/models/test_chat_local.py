import dataclasses
import json
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from tests.late import Late, needs

from nlfol.models.entries.chat import Limits, LocalChatEntry
from nlfol.models.entries.source import PathSource
from nlfol.models.local import generation
from nlfol.models.local.chat import LocalChat
from nlfol.models.local.generation import common
from nlfol.models.local.sampling import draw
from nlfol.models.request import ChatError, ChatRequest, Ending, Message

from .conftest import CHOICE, FORMULA, Load, permutation, replies, request, texts

pytestmark = needs("torch")
torch = Late("torch")

QWEN, MISTRAL = "test:qwen3", "test:mistral"


@pytest.fixture(scope="module")
def requests() -> list[ChatRequest]:
    answers = [FORMULA, CHOICE, permutation(4), permutation(7)]
    return [
        request(QWEN, "All dogs are mammals. " * (1 + place % 3), answer=answers[place % 4], seed=place)
        for place in range(10)
    ]


def watch(patch: pytest.MonkeyPatch, chat: LocalChat, see: Callable[[Any], object]) -> None:
    """Have ``see`` called with all tokens that the model is given, before it reads them."""
    forward = chat.model.forward

    def watched(*arguments: Any, **options: Any) -> Any:
        see(options["input_ids"])
        return forward(*arguments, **options)

    patch.setattr(chat.model, "forward", watched)


@pytest.mark.parametrize("architecture", ["qwen3", "mistral"])
def test_constrained_answers_match_schema(load: Load, requests: list[ChatRequest], architecture: str) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    asked = [dataclasses.replace(each, model=f"test:{architecture}") for each in requests]
    found = replies(load(architecture, batch_size=4), asked)
    for each in asked:
        reply = found[each.key]
        assert (reply.outcome, reply.finish_reason, reply.error) == (Ending.ANSWERED, "stop", None)
        jsonschema.validate(json.loads(reply.text or ""), dict(each.answer_schema))
        assert reply.prompt_tokens
        assert reply.completion_tokens
        assert reply.seconds


@pytest.mark.parametrize("thinking", [False, True])
def test_single_choice_schema_is_followed(load: Load, thinking: bool) -> None:
    options: dict[str, Any] = {"thinking": True, "limits": Limits(tokens=300, thinking=5)} if thinking else {}
    one = {"answer": {"type": "integer", "enum": [7]}}
    schema = {"type": "object", "properties": one, "required": ["answer"], "additionalProperties": False}
    chat = load("qwen3", **options)
    asked = [dataclasses.replace(request(chat.identity), answer_schema=schema), request(chat.identity, answer=CHOICE)]
    found = replies(chat, asked)
    assert found[asked[0].key].outcome is Ending.ANSWERED
    assert found[asked[0].key].text == '{"answer":7}'
    assert found[asked[1].key].outcome is Ending.ANSWERED


@pytest.mark.parametrize("temperature", [0.0, 0.7])
@pytest.mark.parametrize("architecture", ["qwen3", "mistral"])
def test_local_answers_are_batch_invariant(
    load: Load, requests: list[ChatRequest], architecture: str, temperature: float
) -> None:
    asked = [dataclasses.replace(each, model=f"test:{architecture}", temperature=temperature) for each in requests]
    alone = load(architecture, batch_size=1)
    one_by_one = [texts(alone, [each])[0] for each in asked]
    assert texts(alone, asked) == one_by_one
    assert texts(load(architecture, batch_size=4), asked) == one_by_one
    assert texts(load(architecture, batch_size=16), asked) == one_by_one


def test_greedy_answers_match_transformers(load: Load) -> None:
    chat = load(constrained=False)
    asked = [request(QWEN, "All dogs. " * place, temperature=0, max_tokens=40) for place in range(1, 5)]
    for each, text in zip(asked, texts(chat, asked), strict=True):
        prompt = torch.tensor([chat.prompt(each)])
        whole = chat.model.generate(prompt, max_new_tokens=40, do_sample=False)
        assert text == chat.tokenizer.decode(whole[0, prompt.shape[1] :], skip_special_tokens=True)


def test_answers_repeat_and_vary_with_seed(load: Load) -> None:
    seeds = [request(QWEN, seed=seed) for seed in range(4)]
    first = texts(load(), seeds)
    assert texts(load(), seeds) == first
    assert len(set(first)) == 4
    greedy = [dataclasses.replace(each, temperature=0) for each in seeds]
    assert len(set(texts(load(), greedy))) == 1


@pytest.mark.parametrize(("own", "mass"), [(None, 1.0), (0.2, 0.2)])
def test_nucleus_left_to_weights_is_their_own(
    load: Load, own: float | None, mass: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    chat, met = load(), list[float]()
    chat.model.generation_config.top_p = own

    def watched(logits: Any, temperatures: Any, masses: Any, words: Any) -> Any:
        met.extend(masses.tolist())
        return draw(logits, temperatures, masses, words)

    monkeypatch.setattr(generation, "draw", watched)
    texts(chat, [request(QWEN, top_p=None, max_tokens=5), request(QWEN, top_p=0.5, max_tokens=5)])
    assert set(met) == {mass, 0.5}


@pytest.mark.parametrize("constrained", [True, False])
def test_token_limit_truncates_answer(load: Load, constrained: bool) -> None:
    for limit in (1, 3):
        (reply,) = load(constrained=constrained).answer([request(QWEN, max_tokens=limit)])
        assert (reply.outcome, reply.finish_reason) == (Ending.TRUNCATED, "length")
        assert reply.completion_tokens == limit


def test_free_answer_ends_at_end_token(load: Load) -> None:
    chat = load(constrained=False)
    head = chat.model.get_output_embeddings()
    end = chat.tokenizer.eos_token_id
    with torch.no_grad():
        head.weight.zero_()
        chat.model.model.norm.weight.fill_(1.0)
    assert chat.tokenizer.convert_ids_to_tokens(end) == "<|end|>"
    hot = [request(QWEN, temperature=1.0, top_p=1, seed=seed, max_tokens=300) for seed in range(8)]
    found = replies(chat, hot)
    # Every token is equally likely, so about one in 426 ends the turn.
    ended = [reply for reply in found.values() if reply.outcome is Ending.ANSWERED]
    assert ended
    assert all("<|end|>" not in (reply.text or "") for reply in ended)


def test_overlong_prompt_fails_alone(load: Load) -> None:
    long, short = request(QWEN, "dog " * 800), request(QWEN)
    found = replies(load(), [long, short])
    assert found[short.key].outcome is Ending.ANSWERED
    assert found[long.key].outcome is Ending.FAILED
    assert "exceed the context of 1024" in (found[long.key].error or "")


def test_full_device_halves_batch(load: Load, requests: list[ChatRequest], monkeypatch: pytest.MonkeyPatch) -> None:
    expected = texts(load(), requests)
    chat, sizes, most = load(batch_size=8), [], 3

    def limited(tokens: Any) -> None:
        sizes.append(len(tokens))
        if len(tokens) > most:
            raise torch.OutOfMemoryError("full")

    watch(monkeypatch, chat, limited)
    assert texts(chat, requests) == expected
    assert [size for size in sizes if size > 3] == [8, 4]
    most = 0
    with pytest.raises(ChatError, match=r"one prompt of \d+ tokens exceeds the memory"):
        list(chat.answer(requests))


def test_mid_batch_memory_error_preserves_answers(
    load: Load, requests: list[ChatRequest], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = texts(load(), requests)
    chat, calls = load(batch_size=10), list[int]()

    def limited(tokens: Any) -> None:
        calls.append(len(tokens))
        if calls.count(calls[-1]) == 2 and 2 < calls[-1] < 8:
            raise torch.OutOfMemoryError("full")

    watch(monkeypatch, chat, limited)
    assert texts(chat, requests) == expected


def test_shared_prefixes_are_prefilled_once(load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    chat = load(constrained=False, batch_size=16)
    asked = [
        ChatRequest(QWEN, (Message("system", system), Message("user", user)), {}, 0.7, 1.0, 5, seed)
        for system, user in product(["The first story.", "The other story."], ["All dogs.", "All cats.", "No birds."])
        for seed in range(2)
    ]
    read: list[int] = []
    watch(monkeypatch, chat, lambda tokens: read.append(tokens.numel() if tokens.shape[1] > 1 else 0))
    texts(chat, asked)
    prompts = [tuple(chat.prompt(each)) for each in asked]
    stories = [list(dict.fromkeys(prompts[:6])), list(dict.fromkeys(prompts[6:]))]
    task, stems = common(prompts), [common(story) for story in stories]
    assert 0 < task < min(stems)
    stems_padded = 2 * max(stem - task for stem in stems)
    rest = [len(prompt) - stem for story, stem in zip(stories, stems, strict=True) for prompt in story]
    assert sum(read) == task + stems_padded + 6 * max(rest)


def test_shared_prefix_is_kept_for_next_batch(
    load: Load, requests: list[ChatRequest], monkeypatch: pytest.MonkeyPatch
) -> None:
    chat, widths = load(batch_size=2), list[int]()
    watch(monkeypatch, chat, lambda tokens: widths.append(tokens.shape[1]))
    whole = min(len(chat.prompt(each)) for each in requests)
    texts(chat, requests)
    assert len([width for width in widths if width > whole // 2]) == 1


def test_caller_keeps_gradients_enabled(load: Load) -> None:
    replies_so_far = load().answer([request(QWEN, seed=seed) for seed in range(3)])
    next(replies_so_far)
    assert torch.is_grad_enabled()
    assert not torch.is_inference_mode_enabled()


def test_local_chat_rejects_missing_device_and_template(
    load: Load, tiny_model: Callable[[str], Path], tmp_path: Path
) -> None:
    if not torch.cuda.is_available():
        with pytest.raises(ChatError, match="device cuda is asked for and there is none"):
            load(device="cuda")
    for path in tiny_model("qwen3").iterdir():
        if path.name != "chat_template.jinja":
            (tmp_path / path.name).write_bytes(path.read_bytes())
    entry = LocalChatEntry(
        kind="chat", backend="transformers", source=PathSource(path=str(tmp_path)), limits=Limits(tokens=9)
    )
    with pytest.raises(ChatError, match="no chat template"):
        LocalChat(entry, tmp_path)


def test_template_rejecting_role_is_reported(load: Load) -> None:
    chat = load()
    chat.tokenizer.chat_template = "{{ raise_exception('System role not supported') }}"
    with pytest.raises(ChatError, match=r"refuses roles \['system', 'user'\] \(System role not supported\)"):
        list(chat.answer([request(QWEN)]))


def test_half_precision_answers_match_schema(load: Load, requests: list[ChatRequest]) -> None:
    chat = load(dtype="bfloat16", batch_size=4)
    assert all(set(json.loads(text or "")) == {"reasoning", "answer"} for text in texts(chat, requests))
    engine = json.loads(chat.engine)
    assert (engine["dtype"], engine["batch_size"], engine["attention"]) == ("bfloat16", 4, "sdpa")
    assert engine["versions"].keys() == {"torch", "transformers", "accelerate", "llguidance"}
    assert list(engine["devices"]) == ["cpu"]
    assert len(engine["chat_template"]) == 64


def test_weights_exceeding_memory_are_offloaded_to_disk(load: Load, requests: list[ChatRequest]) -> None:
    chat = load(max_memory={"cpu": "100KB"})
    assert "disk" in chat.model.hf_device_map.values()
    assert texts(chat, requests[:3]) == texts(load(), requests[:3])


def test_prompt_filling_context_exactly_is_answered(load: Load) -> None:
    asked = request(QWEN, "All dogs are mammals. " * 8, max_tokens=40)
    length = len(load().prompt(asked))
    (fitting,) = load(context=length + 40, limits={"tokens": 40}).answer([asked])
    (too_long,) = load(context=length + 39, limits={"tokens": 39}).answer([asked])
    assert (fitting.outcome, fitting.prompt_tokens) == (Ending.ANSWERED, length)
    assert too_long.outcome is Ending.FAILED
    assert fitting.engine
    assert not too_long.engine
