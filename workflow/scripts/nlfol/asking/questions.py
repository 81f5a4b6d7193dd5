"""Questions to models: requests to dialogue models, and the texts that embedding models compare."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from nlfol.asking.dialogue import Dialogue
from nlfol.facts import is_blind, sighted
from nlfol.models.entries.chat import ApiChatEntry, LocalChatEntry
from nlfol.models.entries.embedding import ApiEmbeddingEntry, EmbeddingEntry, Role
from nlfol.models.entries.interface import ServableInterface
from nlfol.models.entries.provider_table import Capabilities
from nlfol.models.local import materialisation
from nlfol.models.request import ChatRequest, Message
from nlfol.models.schema import bounds_in
from nlfol.randomness import label_digest
from nlfol.tasks.answers import reasoning_of
from nlfol.tasks.item import Item
from nlfol.tasks.plan import Prompts, Setting, Step

if TYPE_CHECKING:
    from nlfol.asking.asking import Asking


def dialogues(asking: Asking, entry: LocalChatEntry | ApiChatEntry, prompts: Path, identity: str) -> Iterator[Dialogue]:
    """Yield every item under every presentation and seed, as a dialogue that has not begun."""
    seeds = asking.seeds(entry.seeds)
    texts = Prompts(prompts, plain=is_plain(asking, entry))
    plan = asking.task.plan(Setting(asking.seed, texts))

    def to_request(step: Step, seed: int) -> ChatRequest:
        return request_of(step, entry, identity, seed)

    for shown in asking.presentations:
        for seed, (presentation, item) in product(seeds, asking.asked([shown], asking.items(entry.items))):
            yield Dialogue(plan, to_request, item, presentation, seed, asking.task.opened)


def request_of(step: Step, entry: LocalChatEntry | ApiChatEntry, identity: str, seed: int) -> ChatRequest:
    """Return the request for a step to a model, which requests call ``identity``."""
    accepted = entry.accepted if isinstance(entry, ApiChatEntry) else Capabilities()
    return ChatRequest(
        model=identity,
        messages=messages_of(step, accepted.instructions),
        answer_schema=step.schema,
        temperature=entry.sampling.temperature if accepted.temperature else None,
        top_p=entry.sampling.top_p if accepted.top_p else None,
        max_tokens=entry.limits.tokens + reasoning_of(step.schema),
        seed=_seed(step, seed, sampled=entry.sampling.temperature != 0),
        bounds=bounds_in(step.schema, entry.bounds if isinstance(entry, ApiChatEntry) else ()),
        logprobs=entry.logprobs,
    )


def is_plain(asking: Asking, entry: LocalChatEntry | ApiChatEntry) -> bool:
    """Return whether a model is asked for plain text: one that is held to no object, and read tolerantly."""
    held = not isinstance(entry, ApiChatEntry) or entry.structured != "none"
    return not held and asking.task.entry.envelope == "tolerant"


def compared_texts(
    asking: Asking, items: Sequence[Item], entry: EmbeddingEntry | ApiEmbeddingEntry
) -> dict[Role, list[str]]:
    """Return what an embedding model compares, by presentation and item: sentences, and candidates in a row.

    Controls have no sentence.
    """
    shown = list(product(asking.presentations, items))
    texts: dict[Role, list[str]] = {"query": [item.text for presentation, item in shown if not is_blind(presentation)]}
    for presentation, item in shown:
        role = entry.role_of(formula=sighted(presentation) == "formula")
        texts.setdefault(role, []).extend(member.shown(presentation) for member in item.members)
    return texts


def messages_of(step: Step, role: Literal["system", "developer", "user"] = "system") -> tuple[Message, ...]:
    """Return the turns of a step; role ``user`` puts instructions before the question, in one message."""
    turns = [*(Message(turn.role, turn.content) for turn in step.earlier), Message("user", step.user)]
    if role == "user":
        first, *rest = turns
        return Message("user", f"{step.system}\n\n{first.content}"), *rest
    return Message(role, step.system), *turns


def _seed(step: Step, seed: int, *, sampled: bool) -> int:
    """Return the seed of a step: that of its dialogue, unless it is a further draw."""
    if not step.draw or not sampled:
        return seed
    return int.from_bytes(label_digest(seed, "draw", step.draw)[:4]) >> 1  # interfaces take 31 bits


def identity_of(entry: LocalChatEntry | ApiChatEntry, weights: Path | None) -> str:
    """Return what requests to a model call it; nothing is loaded and no key is needed."""
    if weights is not None and isinstance(entry, LocalChatEntry | ServableInterface):
        return materialisation.identity(entry, weights)
    return entry.identity
