"""The same model here and behind an OpenAI-compatible server of the tests: the same answers, token for token."""

from __future__ import annotations

from pathlib import Path

import pytest

from nlfol.logic.reading import parse
from nlfol.models.api.chat import ApiChat
from nlfol.models.entries.chat import ApiChatEntry
from nlfol.models.request import ChatReply, ChatRequest, Message, Outcome
from nlfol.ontology.derivation import derive
from nlfol.tasks.answers import Limits, answer_schema
from nlfol.tasks.prompts import Prompts
from nlfol.tasks.task import Item, Member

from .chat_server import ChatServer
from .conftest import Load
from .served_chat import Served

PROMPTS = Path(__file__).parents[3] / "resources" / "prompts"
LIMITS = Limits(12, 24)
GOLD = "∀x (Cube(x) → Large(x))"
FORMULAS = [GOLD, "∃x (Cube(x) → Large(x))", "∀x (Large(x) → Cube(x))", "¬∀x (Cube(x) → Large(x))"]
MEMBERS = tuple(Member(formula, f"In English: {formula}", "perturbation") for formula in FORMULAS)
ITEM = Item("w:0", "w", "Every cube is large.", GOLD, derive([parse(GOLD)]), MEMBERS)


def asked(model: str, kind: str) -> list[ChatRequest]:
    found = []
    for presentation, order in [("formula", [0, 1, 2, 3]), ("english", [2, 0, 3, 1])]:
        prompt = Prompts(PROMPTS).render(kind, ITEM, presentation, order, LIMITS)
        messages = (Message("system", prompt.system), Message("user", prompt.user))
        schema = answer_schema(kind, len(MEMBERS), LIMITS)
        found.append(ChatRequest(model, messages, schema, 0.0, 1.0, 200, 3))
    return found if kind != "logical_translation" else found[:1]


def said(reply: ChatReply) -> tuple[object, ...]:
    return reply.outcome, reply.text, reply.prompt_tokens, reply.completion_tokens


@pytest.mark.parametrize("kind", ["logical_translation", "most_similar", "ranking"])
def test_a_model_behind_the_loopback_writes_what_it_writes_here(load: Load, kind: str) -> None:
    pytest.importorskip("llguidance")
    chat = load(limits={"tokens": 200}, context=4096)
    here = {reply.key: said(reply) for reply in chat.answer(asked(chat.identity, kind))}
    with ChatServer(every=Served(chat, LIMITS)) as server:
        entry = {"base_url": server.url, "api_key_env": None, "timeout": 600.0, "concurrency": 2}
        api = ApiChat(ApiChatEntry.model_validate({"kind": "chat", "backend": "openai", "model": "x", **entry}))
        there = {reply.key: said(reply) for reply in api.answer(asked(api.identity, kind))}
    assert {outcome for outcome, *_ in here.values()} == {Outcome.ANSWERED}
    assert [there[one.key] for one in asked(api.identity, kind)] == [
        here[one.key] for one in asked(chat.identity, kind)
    ]
