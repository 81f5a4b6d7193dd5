"""What goes wrong with an interface, sorted by what helps against it.

========================================  ===========================================================================
429, 408, 409, 425, 5xx, time-outs,       :class:`PassingFault`: the same request again, later
connections that break, bodies that break
off or are no completion
401, 402, 403, 404, no credit, redirects  ``ChatError``: nothing can be asked before a person has done something
400, 422 that name a parameter            ``ChatError``: the entry has to declare what the model accepts
500 that names one as invalid             likewise
other 4xx                                 :class:`Declined`: this one request, for good
========================================  ===========================================================================
"""

from __future__ import annotations

import json
import math
import re
import time
from collections.abc import Mapping
from contextlib import suppress
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

from nlfol.models.api.bodies import without_halves
from nlfol.models.entries.interface import Interface
from nlfol.models.request import ChatError, Ending

if TYPE_CHECKING:
    from httpx2 import Response
    from openai import APIStatusError

_PASSING = frozenset({408, 409, 425, 429})
_OVERLOAD = frozenset({429, 503, 529})
_NO_CREDIT = frozenset({"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"})
_BAD_KEY = re.compile(r"API_KEY_INVALID")
"""Gemini says so with status 400."""
_DELAY = re.compile(r'"retryDelay":\s*"(\d+(?:\.\d+)?)s"')
"""Gemini's way of ``Retry-After``."""
_TOO_LONG = re.compile(r"context.?(length|window)|maximum context|prompt is too long", re.IGNORECASE)
_FILTERED = re.compile(r"content.?(filter|policy|management)|responsibleai", re.IGNORECASE)
_UNKNOWN = re.compile(
    r"(un|not )support|unknown|unrecogni[sz]ed|unexpected|extra (inputs|fields)|not (permitted|allowed)"
    "|input should be",
    re.IGNORECASE,
)
_INVALID = re.compile(r"validation error.*input should be", re.IGNORECASE | re.DOTALL)
"""llama-cpp-python says so with status 500."""
_REMEDIES = {
    "temperature": "capabilities: {temperature: false}",
    "top_p": "capabilities: {top_p: false}",
    "seed": "capabilities: {seed: false}",
    "max_completion_tokens": "capabilities: {limit: max_tokens}",
    "max_tokens": "capabilities: {limit: max_completion_tokens}",
    "reasoning_effort": "leave reasoning_effort out",
    "response_format": "structured: json_object_schema, json_object, or none",
    "dimensions": "leave output_dimensions out",
    "outputDimensionality": "leave output_dimensions out",
    "encoding_format": "encoding: float",
    "taskType": "task_type: null",
    "role": "capabilities: {instructions: user}",
}


class PassingFault(Exception):  # noqa: N818 - a fault is not an error of this program
    """Something that may be gone when the same request is sent again.

    Attributes:
        pause: the seconds that the interface asks to wait.
        overload: whether there were too many requests.
    """

    def __init__(self, message: str, pause: float | None = None, *, overload: bool = False) -> None:
        super().__init__(message)
        self.pause = pause
        self.overload = overload


class Declined(Exception):  # noqa: N818
    """A request that the interface does not take, while it may take others.

    Attributes:
        outcome: ``refused`` where asking again would not help, ``failed`` where nobody knows.
    """

    def __init__(self, message: str, outcome: Ending) -> None:
        super().__init__(message)
        self.outcome = outcome


def status_error(response: Response) -> APIStatusError:
    """A response that is no success as the error that OpenAI's client would raise for it."""
    from openai import APIStatusError

    said: Any = response.text.strip()
    with suppress(ValueError, RecursionError):
        said = json.loads(said)
    if isinstance(said, dict):
        said = said.get("error", said)
    message = said.get("message") if isinstance(said, dict) else None
    shown = f" - {message}" if message and isinstance(message, str) else ""
    return APIStatusError(f"Error code: {response.status_code}{shown}", response=response, body=said)


def sorted_fault(
    error: APIStatusError, entry: Interface, sent: Mapping[str, object]
) -> PassingFault | Declined | ChatError:
    """What a status other than success means.

    Args:
        error: as the client raised it.
        entry: the model's entry.
        sent: the body that was sent.
    """
    status, message = error.status_code, f"{error.status_code} {without_halves(error.message)}"
    if remedy := _account_remedy(error, entry):
        # Without the interface's own words: they hold the key, or parts of it.
        return ChatError(f"{entry.identity}: {status}: {remedy}")
    said = f"{error.code} {error.message}"
    if status in _PASSING or (status >= 500 and not _INVALID.search(said)):
        pause = retry_after(error.response.headers, time.time())
        if pause is None and (delay := _DELAY.search(error.response.text)):
            pause = float(delay[1])
        return PassingFault(message, pause, overload=status in _OVERLOAD)
    if (parameter := _parameter(error, sent)) is not None:
        return ChatError(
            f"{entry.identity}: {status}: the model does not take {parameter} as it was sent; "
            f"declare it in the entry: {_REMEDIES[parameter]}"
        )
    if _FILTERED.search(said) or _TOO_LONG.search(said):
        return Declined(message, Ending.REFUSED)
    return Declined(message, Ending.FAILED)


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """The seconds that a response asks to wait, from ``retry-after-ms`` or ``Retry-After`` (seconds or a date).

    Args:
        headers: of the response, whatever the case of their names.
        now: the time, in seconds since the epoch.
    """
    lower = {name.lower(): value.strip() for name, value in headers.items()}
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(lower.get(name, "")) * unit
        except ValueError:
            continue
        if math.isfinite(seconds):
            return max(0.0, seconds)
    try:
        return max(0.0, parsedate_to_datetime(lower["retry-after"]).timestamp() - now)
    except (KeyError, ValueError, OverflowError):
        return None


def _account_remedy(error: APIStatusError, entry: Interface) -> str | None:
    key = f"the key in {entry.api_key_env}" if entry.api_key_env else "a request without a key"
    refused = (
        f"{key} is refused; put a valid one there"
        if entry.api_key_env
        else f"{key} is refused; name the environment variable that holds one as api_key_env"
    )
    if error.status_code == 402 or error.code in _NO_CREDIT:
        return f"the account of {key} has no credit left; add some and run again"
    if error.status_code == 400 and _BAD_KEY.search(error.response.text):
        return refused
    if 300 <= error.status_code < 400:
        return "the address is elsewhere; correct base_url"
    return {
        401: refused,
        403: f"{key} may not use this model; ask for access or choose another model",
        404: "no such model or address; correct model or base_url",
    }.get(error.status_code)


def _parameter(error: APIStatusError, sent: Mapping[str, object]) -> str | None:
    """The parameter that a rejection names as one that the model does not know, if it does."""
    said = f"{error.code} {error.message}"
    if not _UNKNOWN.search(said):
        return None
    candidates = [name for name in _REMEDIES if name in sent or name == "role"]
    named = re.split(r"\W+", error.param or "")
    for words in (named, re.split(r"\W+", said)):
        for name in candidates:
            if name in words:
                return name
    return None
