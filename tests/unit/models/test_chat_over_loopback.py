"""The same model here and behind an OpenAI-compatible server of the tests: the same answers, token for token."""

import json
from pathlib import Path

import pytest

from nlfol.logic.reading import parse
from nlfol.models.api.chat import ApiChat
from nlfol.models.request import ChatReply, ChatRequest, Ending, Message
from nlfol.ontology.derivation import derive
from nlfol.tasks.entry import FormulaLimits
from nlfol.tasks.item import Item, Member
from nlfol.tasks.plan import Prompts, Setting, Step
from nlfol.tasks.registry import build_task

from .chat_server import ChatServer
from .conftest import Load, openai_entry
from .served_chat import Served

PROMPTS = Path(__file__).parents[3] / "resources" / "prompts"
LIMITS = FormulaLimits(formula=24)
REASONING = 3
GOLD = "∀x (Cube(x) → Large(x))"
FORMULAS = [GOLD, "∃x (Cube(x) → Large(x))", "∀x (Large(x) → Cube(x))", "¬∀x (Cube(x) → Large(x))"]
MEMBERS = tuple(Member(formula, f"In English: {formula}", "perturbation") for formula in FORMULAS)
ITEM = Item("w:0", "w", "Every cube is large.", GOLD, derive([parse(GOLD)]), MEMBERS)


def asked(model: str, kind: str) -> list[ChatRequest]:
    limits = {"formula": LIMITS.formula} if kind == "logical_translation" else {}
    task = build_task(json.dumps({"task": kind, "limits": limits, "reasoning": REASONING}))
    plan = task.plan(Setting(7, Prompts(PROMPTS)))
    found = []
    for presentation, seed in zip(task.entry.shown_as, (3, 12), strict=False):
        step = plan.following(ITEM, presentation, seed, [])
        assert isinstance(step, Step)
        messages = (Message("system", step.system), Message("user", step.user))
        found.append(ChatRequest(model, messages, step.schema, 0.0, 1.0, 200, 3))
    return found


def said(reply: ChatReply) -> tuple[object, ...]:
    return reply.outcome, reply.text, reply.prompt_tokens, reply.completion_tokens


@pytest.mark.parametrize("kind", ["logical_translation", "most_similar", "ranking"])
def test_a_model_behind_the_loopback_writes_what_it_writes_here(load: Load, kind: str) -> None:
    pytest.importorskip("llguidance")
    chat = load(limits={"tokens": 200}, context=4096)
    here = {reply.key: said(reply) for reply in chat.answer(asked(chat.identity, kind))}
    with ChatServer(every=Served(chat, LIMITS, REASONING)) as server:
        api = ApiChat(openai_entry(server.url, timeout=600.0, concurrency=2))
        there = {reply.key: said(reply) for reply in api.answer(asked(api.identity, kind))}
    assert {outcome for outcome, *_ in here.values()} == {Ending.ANSWERED}
    assert [there[one.key] for one in asked(api.identity, kind)] == [
        here[one.key] for one in asked(chat.identity, kind)
    ]
