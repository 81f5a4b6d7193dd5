"""What a model is asked of one task over a dataset: every request, or text, before anything is sent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from nlfol.asking.asking import Asking
from nlfol.models.entries.chat import ApiChatEntry, LocalChatEntry
from nlfol.models.request import ChatRequest, Message
from nlfol.models.vectors.request import Role
from nlfol.tasks.answers import Limits, answer_schema
from nlfol.tasks.orders import shown_orders
from nlfol.tasks.prompts import Prompts
from nlfol.tasks.task import Item


@dataclass(frozen=True, slots=True)
class Question:
    """One item as it is put to a model.

    Attributes:
        item: the item.
        presentation: what its candidates are shown as; "" where there are none.
        seed: the model's.
        order: the places in the candidate set, as shown.
        request: what is sent.
    """

    item: Item
    presentation: str
    seed: int
    order: list[int]
    request: ChatRequest


def questions(asking: Asking, entry: LocalChatEntry | ApiChatEntry, prompts: Path, identity: str) -> list[Question]:
    """Every item under every presentation and seed.

    Args:
        asking: what is asked.
        entry: the model's entry.
        prompts: folder of the templates.
        identity: the model's, as its back end has it.
    """
    items, kind = asking.items(entry.items), asking.task_kind
    limits = Limits(entry.limits.reasoning, entry.limits.formula)
    templates = Prompts(prompts)

    def question(item: Item, presentation: str, seed: int, order: list[int]) -> Question:
        prompt = templates.render(kind, item, presentation, order, limits)
        request = ChatRequest(
            model=identity,
            messages=_messages(entry, prompt.system, prompt.user),
            answer_schema=answer_schema(kind, len(item.members), limits),
            temperature=entry.sampling.temperature if _accepts(entry, "temperature") else None,
            top_p=entry.sampling.top_p if _accepts(entry, "top_p") else None,
            max_tokens=entry.limits.tokens,
            seed=seed,
        )
        return Question(item, presentation, seed, order, request)

    orders = [
        shown_orders(item, entry.seeds, seed=asking.seed, dataset=asking.dataset, kind=kind, protocol=asking.protocol)
        for item in items
    ]
    return [
        question(item, presentation, seed, shown[seed])
        for presentation, seed, (item, shown) in product(
            asking.presentations, entry.seeds, list(zip(items, orders, strict=True))
        )
    ]


def compared_texts(asking: Asking, items: Sequence[Item]) -> dict[Role, list[str]]:
    """What an embedding model compares, by presentation and item: sentences, and candidates one after another."""
    shown = list(product(asking.presentations, items))
    return {
        "query": [item.text for _, item in shown],
        "document": [member.shown(presentation) for presentation, item in shown for member in item.members],
    }


def _accepts(entry: LocalChatEntry | ApiChatEntry, parameter: str) -> bool:
    return isinstance(entry, LocalChatEntry) or bool(getattr(entry.accepted, parameter))


def _messages(entry: LocalChatEntry | ApiChatEntry, instructions: str, question: str) -> tuple[Message, ...]:
    role = entry.accepted.instructions if isinstance(entry, ApiChatEntry) else "system"
    if role == "user":
        return (Message("user", f"{instructions}\n\n{question}"),)
    return Message(role, instructions), Message("user", question)
