import json
from collections.abc import Sequence

import pytest
from tests.late import Late, needs

from nlfol.models.local.chat import LocalChat
from nlfol.models.local.row import Row, Thinking
from nlfol.models.request import ChatError, ChatReply, ChatRequest, Ending

from .conftest import CHOICE, FORMULA, Load, replies, request

pytestmark = needs("torch")
torch = Late("torch")

ASKED = [
    request("test:qwen3", "All dogs are mammals. " * (1 + place % 2), answer=(FORMULA, CHOICE)[place % 2], seed=place)
    for place in range(6)
]


def thinking(load: Load, *, limit: int | None = 8, tokens: int = 300, **settings: object) -> LocalChat:
    return load(thinking=True, limits={"tokens": tokens, "thinking": limit}, **settings)


def ending_a_thought_as_likely_as_anything(chat: LocalChat) -> LocalChat:
    """Every token equally likely: about one in 426 ends the thought."""
    with torch.no_grad():
        chat.model.get_output_embeddings().weight.zero_()
    return chat


def told(replies: Sequence[ChatReply]) -> list[tuple[str | None, str | None, str | None]]:
    return [(reply.thinking, reply.text, reply.finish_reason) for reply in replies]


@pytest.mark.parametrize(
    ("written", "thought", "answer"),
    [
        ([7, 8], [], []),
        ([7, 8, 9], [], [9]),
        ([5, 7, 8, 9, 7, 8], [5], [9, 7, 8]),
        ([7, 7, 8], [7], []),
        ([8], [8], []),
        ([7], [7], []),
        ([7, 5, 8], [7, 5, 8], []),
    ],
)
def test_only_complete_marker_ends_thought(written: list[int], thought: list[int], answer: list[int]) -> None:
    row = Row(ASKED[0], [1], Thinking((7, 8)))
    row.begin(None)
    for token in written:
        row.take(token, frozenset())
    assert (row.thought, row.answer) == (thought, answer)


def test_thought_is_free_and_answer_matches_schema(load: Load) -> None:
    found = replies(thinking(load), ASKED)
    for each in ASKED:
        reply = found[each.key]
        assert (reply.outcome, reply.finish_reason) == (Ending.ANSWERED, "thinking_limit")
        assert reply.thinking
        assert "think>" not in reply.thinking
        assert set(json.loads(reply.text or "")) == {"reasoning", "answer"}
    assert len({reply.thinking for reply in found.values()}) == len(ASKED)


def test_thoughts_and_answers_are_batch_invariant(load: Load) -> None:
    found = replies(thinking(load, batch_size=4), ASKED)
    alone = thinking(load, batch_size=1)
    assert told([found[each.key] for each in ASKED]) == told([next(alone.answer([each])) for each in ASKED])


def test_model_ended_thought_excludes_marker(load: Load) -> None:
    chat = ending_a_thought_as_likely_as_anything(thinking(load, limit=600, batch_size=8))
    hot = [request("test:qwen3", temperature=1.0, top_p=1.0, seed=seed) for seed in range(8)]
    found = replies(chat, hot)
    ended = [reply for reply in found.values() if reply.finish_reason == "stop"]
    assert 0 < len(ended) < len(hot)
    for reply in found.values():
        json.loads(reply.text or "")
        assert "</think>" not in (reply.thinking or "")
        assert "<|end|>" not in (reply.thinking or "")


def test_thought_limit_is_separate_from_answer_limit(load: Load) -> None:
    chat = thinking(load, limit=20, tokens=5)
    (reply,) = chat.answer([request("test:qwen3", max_tokens=5)])
    assert (reply.outcome, reply.finish_reason) == (Ending.TRUNCATED, "length")
    assert reply.thinking == chat.tokenizer.decode(_thought(chat, request("test:qwen3", max_tokens=5))).strip()
    end, gap = (len(chat.tokenizer(text, add_special_tokens=False)["input_ids"]) for text in ("</think>", "\n\n"))
    assert reply.completion_tokens == 20 + end + gap + 5


def _thought(chat: LocalChat, asked: ChatRequest) -> list[int]:
    (row,) = chat.write([chat.row(asked)])
    assert len(row.thought) == 20
    return row.thought


def test_unlimited_thought_shares_answer_token_limit(load: Load) -> None:
    (reply,) = thinking(load, limit=None).answer([request("test:qwen3", max_tokens=12)])
    assert (reply.outcome, reply.text, reply.completion_tokens) == (Ending.TRUNCATED, None, 12)
    assert reply.thinking


def test_unconstrained_answer_is_separated_from_thought(load: Load) -> None:
    chat = ending_a_thought_as_likely_as_anything(thinking(load, limit=30, constrained=False, batch_size=8))
    hot = [request("test:qwen3", temperature=1.0, top_p=1.0, seed=seed, max_tokens=40) for seed in range(8)]
    found = replies(chat, hot)
    assert any(reply.finish_reason in {"thinking_limit", "length"} and reply.text for reply in found.values())
    assert all("</think>" not in (reply.thinking or "") for reply in found.values())


@pytest.mark.parametrize(("told", "end"), [(False, "</think>\n\n"), (True, "assistant\n"), (None, "assistant\n")])
def test_chat_template_receives_thinking_setting(load: Load, told: bool | None, end: str) -> None:
    chat = load(thinking=told, limits={"tokens": 300, "thinking": 8})
    assert chat.tokenizer.decode(chat.prompt(ASKED[0])).endswith(end)


def test_unknown_thinking_end_marker_is_reported(load: Load) -> None:
    with pytest.raises(ChatError, match=r"knows '\[/THINK\]', the end of a thought"):
        thinking(load, thinking_end="[/THINK]")
