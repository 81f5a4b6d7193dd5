"""Checks of an interface before anything is asked of it, in seconds and at no cost: can it be reached, does it obey.

Some servers take a schema and ignore it (docs/adding-a-model.md). A model that writes good JSON by itself does not show
it, and its free answers would pass for held ones. So a server without keys, where a question costs nothing, is first
asked for an answer that nobody would give freely.
"""

import asyncio
import socket
import time
from contextlib import suppress
from typing import Final
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from nlfol.models.api.client import Client, is_loopback, key_of
from nlfol.models.api.faults import Rejection, sorted_fault
from nlfol.models.entries.chat import ApiChatEntry
from nlfol.models.entries.interface import Interface
from nlfol.models.providers.base import PassingFault
from nlfol.models.providers.registry import provider
from nlfol.models.request import AwayError, ChatBackend, ChatError, ChatRequest, Ending, Feed, Message
from nlfol.models.schema import json_object
from nlfol.store.canonical import canonical
from nlfol.validation import nearest

ATTEMPTS = 3
"""To reach an address: a server may be starting again."""

SECONDS = 2.0
"""Time of an attempt; between two there is a second."""

_ANSWER = 5.0
"""Seconds for the list of models."""

_NO_LIST = frozenset({404, 405, 501})

QUESTION: Final = "How much is two and two? Say it in one English word, and not as JSON."
HELD_ANSWERS: Final = ({"answer": 90417263}, {"answer": 70418296})
"""The only answers to the question that the schema allows, whatever the model."""

_SCHEMA: Final = {
    "type": "object",
    "properties": {"answer": {"type": "integer", "enum": [held["answer"] for held in HELD_ANSWERS]}},
    "required": ["answer"],
    "additionalProperties": False,
}
_SHOWN = 60
"""Characters of an answer that an error shows."""


def reach(entry: Interface) -> None:
    """Check that an address accepts connections within ten seconds, or raise ``ChatError``; not behind a proxy."""
    parts = urlsplit(entry.url)
    host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
    is_direct = False
    with suppress(OSError):
        is_direct = is_loopback(host) or bool(proxy_bypass(host))
    if {parts.scheme, "all"} & getproxies().keys() and not is_direct:
        return
    reason = ""
    for attempt in range(ATTEMPTS):
        if attempt:
            time.sleep(1)
        try:
            with socket.create_connection((host, port), timeout=SECONDS):
                return
        except OSError as error:
            reason = str(error) or type(error).__name__
    raise AwayError(
        f"{entry.identity}: {entry.url} cannot be reached ({reason}), so nothing was asked; correct base_url, start "
        "the server, or see to the network of this machine"
    )


def probe(entry: Interface) -> str:
    """Return what an interface says of its models, for free; ``ChatError`` if it refuses the key or is unreachable."""
    key = key_of(entry)
    reach(entry)
    asked = provider(entry)

    async def listing() -> bytes:
        client = Client(asked, key)
        try:
            return await client.get(asked.models, _ANSWER)
        finally:
            await client.close()

    try:
        names = asked.listed(asyncio.run(listing()))
    except (TimeoutError, PassingFault) as fault:
        raise AwayError(f"{entry.identity}: {entry.url} does not answer: {str(fault) or 'time-out'}") from None
    except Rejection as rejection:
        if rejection.status in _NO_LIST:
            return "reached; it does not list its models"
        sorted_ = sorted_fault(rejection, entry, {}, {})
        if isinstance(sorted_, ChatError):
            raise sorted_ from None
        return f"reached; asked for its models, it answers {rejection.status}"
    except (AttributeError, KeyError, TypeError, ValueError):
        return "reached; its list of models cannot be read"
    # Gemini lists its models as paths.
    if entry.model in names or f"models/{entry.model}" in names:
        return f"reached; it has {entry.model}"
    return f"reached; but among its {len(names)} models there is no {entry.model}{nearest(entry.model, names[:1000])}"


def refuse_free_answers(entry: ApiChatEntry, interface: ChatBackend) -> str | None:
    """Ask a server without keys whether it holds answers to the structure that its entry names.

    One with a key or a price, with batches, or whose answers are free, is asked nothing. Return why it cannot be told;
    None if answers are held, or nothing was asked. Raises ``ChatError`` if the server answers freely, or cannot be
    asked.
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
    ((reply,),) = interface.answer_feed(Feed([request]))
    text = (reply.text or "").strip()
    # An object may be cut off; a word would not begin so.
    if text.startswith("{") if entry.structured == "json_object" else json_object(text) in HELD_ANSWERS:
        return None
    # A text that is cut off may be the beginning of one that is allowed, with white space of any kind.
    may_become_held = any(canonical(held).startswith("".join(text.split())) for held in HELD_ANSWERS)
    if reply.outcome in (Ending.REFUSED, Ending.FAILED) or may_become_held:
        return reply.error or f"{reply.outcome} ({text[:_SHOWN]!r})"
    wanted = "a JSON object" if entry.structured == "json_object" else " or ".join(map(canonical, HELD_ANSWERS))
    ignored = "the response format json_object" if entry.structured == "json_object" else "JSON schemas"
    raise ChatError(
        f"{entry.identity}: This server ignores {ignored} (structured: {entry.structured}): asked for {wanted}, it "
        f"wrote {text[:_SHOWN]!r}. Set `structured: none` (plain text) for it, or give `nlfol run` the option "
        "`--structured none`"
    )
