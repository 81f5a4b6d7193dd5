"""What goes over the wire to an interface: the client, and the body of a request for a completion."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from nlfol.models.entries.chat import ApiChatEntry
from nlfol.models.entries.interface import OPENAI_URL, Interface
from nlfol.models.request import ChatError, ChatRequest
from nlfol.models.schema import strict_schema

if TYPE_CHECKING:
    from httpx2 import URL
    from openai import OpenAI

    from nlfol.models.api.connections import BoundedClient

CHARACTERS_A_TOKEN = 3
"""To estimate what a text takes; English has more, formulas have fewer."""


def client(entry: Interface, key: str | None) -> BoundedClient:
    """The client of an entry's interface; it does not retry by itself.

    Its requests have the headers of OpenAI's own client, which would build them for each.

    Args:
        entry: the model's entry.
        key: the key; None for an interface without.

    Raises:
        ChatError: if the environment names a proxy that cannot be used.
    """
    import httpx2
    from openai import AsyncOpenAI, Omit

    from nlfol.models.api.connections import BoundedClient

    # Connections stay open for a minute: to open one takes longer than to ask a fast server.
    limits = httpx2.Limits(
        max_connections=entry.concurrency, max_keepalive_connections=entry.concurrency, keepalive_expiry=60.0
    )
    # A key goes to the address it was given for, and to no other.
    settings: dict[str, Any] = {"follow_redirects": False, "limits": limits, "timeout": entry.timeout}
    if _is_here(entry):
        settings["transport"] = httpx2.AsyncHTTPTransport(limits=limits)
    with _usable(entry):
        made = BoundedClient(**settings)
    own = AsyncOpenAI(**_settings(entry, key), http_client=made)
    for name, value in {**own.auth_headers, **own.default_headers, **headers(entry, key)}.items():
        # Not those by which that client tells how it is used.
        if not (isinstance(value, Omit) or name.startswith("X-Stainless-")):
            made.headers[name] = value
    return made


def request_url(entry: Interface, path: str) -> URL:
    """Where requests go, for a path after the address of an entry's interface."""
    import httpx2

    return httpx2.URL(entry.url + path).copy_merge_params(dict(entry.query))


def plain_client(entry: Interface, key: str | None) -> OpenAI:
    """The same as ``client`` for one request at a time."""
    import httpx2
    from openai import DefaultHttpxClient, OpenAI

    settings: dict[str, Any] = {"follow_redirects": False}
    if _is_here(entry):
        settings["transport"] = httpx2.HTTPTransport()
    with _usable(entry):
        return OpenAI(**_settings(entry, key), http_client=DefaultHttpxClient(**settings))


@contextmanager
def _usable(entry: Interface) -> Iterator[None]:
    import httpx2

    try:
        yield
    except (ImportError, ValueError, httpx2.InvalidURL) as error:
        # The client takes proxies from the environment when it is made; what else it is given was validated.
        socks = "pip install socksio for a SOCKS proxy, or " if isinstance(error, ImportError) else ""
        raise ChatError(
            f"{entry.identity}: a proxy that the environment names cannot be used ({error}); {socks}correct "
            "http_proxy, https_proxy and all_proxy, or unset them"
        ) from None


def _is_here(entry: Interface) -> bool:
    """Whether the interface is on this machine, which no proxy leads to."""
    host = urlsplit(entry.url).hostname or ""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _settings(entry: Interface, key: str | None) -> dict[str, Any]:
    return {
        # The client insists on one.
        "api_key": key or "none",
        # Always given: without one the client would take it from its own environment variable, and the journal would
        # hold one provider's answers under another's name.
        "base_url": entry.url,
        "timeout": entry.timeout,
        "max_retries": 0,
        "default_query": dict(entry.query),
    }


def headers(entry: Interface, key: str | None) -> dict[str, Any]:
    """What a request's headers have beside the client's own, or instead: those carry the key as OpenAI wants it."""
    from openai import omit

    own: dict[str, Any] = {}
    if entry.url != OPENAI_URL:
        # The client takes these from the environment, where they are meant for OpenAI.
        custom = os.environ.get("OPENAI_CUSTOM_HEADERS", "").splitlines()
        names = [line.partition(":")[0].strip() for line in custom]
        own |= dict.fromkeys(["OpenAI-Organization", "OpenAI-Project", *filter(None, names)], omit)
    if key is None or entry.key_header:
        own["Authorization"] = omit
    if key is not None and entry.key_header:
        own[entry.key_header] = key
    return own


def body(entry: ApiChatEntry, request: ChatRequest) -> dict[str, Any]:
    """A request as the interface takes it, with no parameter that the model does not accept."""
    accepted = entry.accepted
    sent: dict[str, Any] = {
        "model": entry.model,
        "messages": [{"role": message.role, "content": message.content} for message in request.messages],
        accepted.limit: request.max_tokens,
    }
    if request.temperature is not None:
        sent["temperature"] = request.temperature
    if request.top_p is not None:
        sent["top_p"] = request.top_p
    if accepted.seed:
        sent["seed"] = request.seed
    if entry.reasoning_effort is not None:
        sent["reasoning_effort"] = entry.reasoning_effort
    schema = strict_schema(request.answer_schema)
    match entry.structured:
        case "json_schema":
            named = {"name": "answer", "strict": True, "schema": schema}
            sent["response_format"] = {"type": "json_schema", "json_schema": named}
        case "json_object":
            sent["response_format"] = {"type": "json_object"}
        case "json_object_schema":
            sent["response_format"] = {"type": "json_object", "schema": schema}
        case "none":
            pass
    return sent
