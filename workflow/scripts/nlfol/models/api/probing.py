"""Whether an interface can be asked, found out in seconds and at no cost, before anything is asked of it."""

from __future__ import annotations

import socket
import time
from contextlib import suppress
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from nlfol.models.api.bridge import key_of
from nlfol.models.api.faults import sorted_fault
from nlfol.models.api.wire import plain_client
from nlfol.models.entries.interface import Interface
from nlfol.models.request import ChatError
from nlfol.validation import nearest

ATTEMPTS = 3
"""To reach an address: a server may be starting again."""

SECONDS = 2.0
"""Of an attempt; between two there is a second."""

_ANSWER = 5.0
"""Seconds for the list of models."""

_NO_LIST = frozenset({404, 405, 501})


def reach(entry: Interface) -> None:
    """See that an interface's address accepts connections; nothing is sent. Behind a proxy this is not tried.

    Raises:
        ChatError: if it accepts none, within ten seconds.
    """
    parts = urlsplit(entry.url)
    host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
    if {parts.scheme, "all"} & getproxies().keys() and not _is_near(host):
        return
    said = ""
    for attempt in range(ATTEMPTS):
        if attempt:
            time.sleep(1)
        try:
            with socket.create_connection((host, port), timeout=SECONDS):
                return
        except OSError as error:
            said = str(error) or type(error).__name__
    raise ChatError(
        f"{entry.identity}: {entry.url} cannot be reached ({said}), so nothing was asked; correct base_url, start the "
        "server, or see to the network of this machine"
    )


def probe(entry: Interface) -> str:
    """What an interface says when it is asked, for free, for its models.

    Raises:
        ChatError: if the key is missing or refused, or the address cannot be reached.
    """
    key = key_of(entry)
    reach(entry)
    from openai import APIConnectionError, APIStatusError, OpenAIError

    try:
        with plain_client(entry, key).with_options(timeout=_ANSWER) as client:
            names = [model.id for model in client.models.list().data or ()]
    except APIConnectionError as error:
        raise ChatError(f"{entry.identity}: {entry.url} does not answer: {error}") from None
    except APIStatusError as error:
        if error.status_code in _NO_LIST:
            return "reached; it does not list its models"
        fault = sorted_fault(error, entry, {})
        if isinstance(fault, ChatError):
            raise fault from None
        return f"reached; asked for its models, it answers {error.status_code}"
    except (OpenAIError, AttributeError, TypeError, ValueError):
        return "reached; its list of models cannot be read"
    if entry.model in names:
        return f"reached; it has {entry.model}"
    return f"reached; but among its {len(names)} models there is no {entry.model}{nearest(entry.model, names[:1000])}"


def _is_near(host: str) -> bool:
    """Whether no proxy leads to a host."""
    with suppress(OSError):
        return host == "localhost" or host.startswith("127.") or host == "::1" or bool(proxy_bypass(host))
    return False
