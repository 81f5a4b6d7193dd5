"""Whether an interface does what it is sent: holds answers to a structure, and samples.

Some servers take a schema and ignore it (docs/adding-a-model.md). Answers that break their schema show it; a model that
writes good JSON by itself does not, and its free answers would pass for held ones. So a server without keys, where a
question costs nothing, is first asked for an answer that nobody would give freely.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from nlfol.models.entries.capabilities import Structure
from nlfol.models.entries.chat import ApiChatEntry
from nlfol.models.request import ChatBackend, ChatError, ChatReply, ChatRequest, Ending, Message
from nlfol.store.canonical import canonical
from nlfol.tasks.answers import AnswerError
from nlfol.tasks.item import Item
from nlfol.tasks.task import AnyTask

QUESTION: Final = "How much is two and two? Say it in one English word, and not as JSON."
HELD_ANSWERS: Final = ({"answer": 90417263}, {"answer": 70418296})
"""What a server that holds answers to their schema says to the question, whatever its model: one of these."""

_SCHEMA: Final = {
    "type": "object",
    "properties": {"answer": {"type": "integer", "enum": [held["answer"] for held in HELD_ANSWERS]}},
    "required": ["answer"],
    "additionalProperties": False,
}
_OBJECT = TypeAdapter(dict[str, Any])
_NO_OBJECT = "no JSON object"
_NO_CHANCE = 3
"""Prompts with one answer under all seeds from which it is no chance any more."""
_SHOWN = 60
"""Characters of an answer that an error shows."""


def refuse_free_answers(entry: ApiChatEntry, interface: ChatBackend) -> str | None:
    """Ask a server without keys whether it holds answers to the structure that its entry names.

    Args:
        entry: the model's. One with a key or a price, with batches, or whose answers are free, is asked nothing.
        interface: its.

    Returns:
        Why it cannot be told; None where answers are held, or nothing was asked.

    Raises:
        ChatError: if the server answers freely, or cannot be asked.
    """
    paid = entry.api_key_env is not None or (entry.price is not None and entry.price.charges)
    if entry.structured == "none" or paid or entry.batch is not None:
        return None
    request = ChatRequest(
        model=entry.identity,
        messages=(Message("user", QUESTION),),
        answer_schema=_SCHEMA,
        temperature=entry.sampling.temperature if entry.accepted.temperature else None,
        top_p=entry.sampling.top_p if entry.accepted.top_p else None,
        max_tokens=entry.limits.tokens,
        seed=entry.seeds[0],
    )
    (reply,) = interface.answer([request])
    text = (reply.text or "").strip()
    if _is_held(entry.structured, text):
        return None
    if reply.outcome in (Ending.REFUSED, Ending.FAILED) or _may_become_held(text):
        return reply.error or f"{reply.outcome} ({text[:_SHOWN]!r})"
    wanted = "a JSON object" if entry.structured == "json_object" else " or ".join(map(canonical, HELD_ANSWERS))
    raise ChatError(
        f"{entry.identity}: answers are not held to structured: {entry.structured}; where that allows only {wanted}, "
        f"the server wrote {text[:_SHOWN]!r}. It ignores what it is sent: say in the entry what it honours, "
        "structured: json_object_schema, json_object, or none, which is part of the model's identity"
    )


def breaches(structure: Structure, task: AnyTask, answered: Iterable[tuple[Item, str, ChatReply]]) -> Counter[str]:
    """What answers show that an interface cannot have held to a structure: how often which fault was found.

    Args:
        structure: how the interface was told what answers look like.
        task: what was asked.
        answered: each reply, with the item that it is about and the part of the plan that it answers.
    """
    if structure == "none":
        return Counter()
    found = (_breach(structure, task, item, part, reply) for item, part, reply in answered)
    return Counter(fault for fault in found if fault is not None)


def unsampled(answered: Iterable[tuple[ChatRequest, ChatReply]]) -> int | None:
    """How many prompts have one answer under all their seeds, where that is so for all of them and no chance.

    Args:
        answered: requests at a temperature above 0, with their replies.

    Returns:
        None where an answer depends on its seed, or fewer than three prompts were answered under two seeds.
    """
    texts: defaultdict[tuple[Message, ...], list[str]] = defaultdict(list)
    for request, reply in answered:
        if reply.text:
            texts[request.messages].append(reply.text)
    compared = [found for found in texts.values() if len(found) > 1]
    alike = all(len(set(found)) == 1 for found in compared)
    return len(compared) if alike and len(compared) >= _NO_CHANCE else None


def _breach(structure: Structure, task: AnyTask, item: Item, part: str, reply: ChatReply) -> str | None:
    text = reply.text or ""
    if reply.outcome is Ending.TRUNCATED:
        return None if text.lstrip().startswith("{") else _NO_OBJECT
    if reply.outcome is not Ending.ANSWERED:
        return None
    if structure == "json_object":
        return None if _is_object(text) else _NO_OBJECT
    try:
        task.check(item, part, text)
    except AnswerError as error:
        # That no number stands twice in an order is not in the schemas that interfaces take.
        return None if "permutation" in str(error) else str(error)
    return None


def _is_held(structure: Structure, text: str) -> bool:
    if structure == "json_object":
        return text.startswith("{")  # perhaps cut off; a word would not begin so
    return _is_object(text) and _OBJECT.validate_json(text) in HELD_ANSWERS


def _may_become_held(text: str) -> bool:
    """Whether a text, cut off, is the beginning of one that is allowed, with white space of any kind."""
    return any(canonical(held).startswith("".join(text.split())) for held in HELD_ANSWERS)


def _is_object(text: str) -> bool:
    try:
        _OBJECT.validate_json(text)
    except ValidationError:
        return False
    return True
