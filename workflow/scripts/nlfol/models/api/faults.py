"""Faults of an interface, sorted by what helps against them.

========================================  ===========================================================================
429, 408, 409, 425, 5xx, time-outs,       :class:`PassingFault`: the same request again, later
connections that break, bodies that break
off or are no completion
401, 402, 403, 404, no credit, redirects  ``ChatError``: nothing can be asked before a person has done something; a
                                          redirect after good replies is passing (``Exchange``)
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
from collections.abc import Iterator, Mapping
from contextlib import suppress
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Self

from tenacity import RetryCallState
from tenacity.wait import wait_random, wait_random_exponential

from nlfol.models.entries.interface import Interface
from nlfol.models.providers.base import Declined, PassingFault, without_halves
from nlfol.models.request import ChatError, Ending

if TYPE_CHECKING:
    from httpx2 import Response

LONGEST_PAUSE = 600.0
"""Seconds that an interface may ask to wait; one that asks for more is not waited for."""

_BACKOFF = wait_random_exponential(multiplier=1, max=60)
_SPREAD = wait_random(0, 1)
_PASSING = frozenset({408, 409, 425, 429})
_OVERLOAD = frozenset({429, 503, 529})
_NO_CREDIT = frozenset({"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"})
_SPENT = re.compile(r"credit balance is too low")
"""Anthropic's words, with status 400."""
_BAD_KEY = re.compile(r"API_KEY_INVALID")
"""Gemini says so with status 400."""
_DELAY = re.compile(r'"retryDelay":\s*"(\d+(?:\.\d+)?)s"')
"""Gemini's way of ``Retry-After``."""
_TOO_LONG = re.compile(
    r"context.?(length|window|size)|maximum (context|number of tokens)|prompt is too long", re.IGNORECASE
)
_FILTERED = re.compile(r"content.?(filter|policy|management)|responsibleai", re.IGNORECASE)
_UNKNOWN = re.compile(
    r"(un|not )support|unknown|unrecogni[sz]ed|unexpected|extra (inputs|fields)|not (permitted|allowed)"
    "|input should be",
    re.IGNORECASE,
)
_INVALID = re.compile(r"validation error.*input should be", re.IGNORECASE | re.DOTALL)
"""llama-cpp-python says so with status 500."""


class Rejection(Exception):  # noqa: N818 - it is sorted before anybody sees it
    """A response that is no success, with the provider's ``code`` and the ``param`` at fault, if it names them."""

    def __init__(
        self, status: int, message: str, body: Any = None, text: str = "", headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(message)
        named = body if isinstance(body, Mapping) else {}
        self.status, self.message, self.text, self.headers = status, message, text, headers or {}
        self.code, self.param = named.get("code"), named.get("param")

    @classmethod
    def of(cls, response: Response) -> Self:
        """Read a response."""
        body: Any = response.text.strip()
        with suppress(ValueError, RecursionError):
            body = json.loads(body)
        if isinstance(body, list) and body:
            body = body[0]  # Gemini puts its error into a list
        if isinstance(body, dict):
            body = body.get("error", body)
        message = body.get("message") if isinstance(body, dict) else None
        shown = f" - {message}" if message and isinstance(message, str) else ""
        shown = f"Error code: {response.status_code}{shown}"
        return cls(response.status_code, shown, body, response.text, response.headers)

    @property
    def said(self) -> str:
        """Code and message, in which causes are looked for."""
        return f"{self.code} {self.message}"


def sorted_fault(
    rejection: Rejection, entry: Interface, sent: Mapping[str, object], remedies: Mapping[str, str]
) -> PassingFault | Declined | ChatError:
    """Return what a status other than success, to the body ``sent``, means; for ``remedies`` see ``Provider``."""
    status, message = rejection.status, f"{rejection.status} {without_halves(rejection.message)}"
    if remedy := _account_remedy(rejection, entry):
        # Without the interface's own words: they hold the key, or parts of it.
        return ChatError(f"{entry.identity}: {status}: {remedy}")
    if status in _PASSING or (status >= 500 and not _INVALID.search(rejection.said)):
        pause = retry_after(rejection.headers, time.time())
        if pause is None and (delay := _DELAY.search(rejection.text)):
            pause = float(delay[1])
        return PassingFault(message, pause, overload=status in _OVERLOAD)
    if (parameter := _parameter(rejection, sent, remedies)) is not None:
        return ChatError(
            f"{entry.identity}: {status}: the model does not take {parameter} as it was sent; "
            f"declare it in the entry: {remedies[parameter]}"
        )
    if _FILTERED.search(rejection.said) or _TOO_LONG.search(rejection.said):
        return Declined(message, Ending.REFUSED)
    return Declined(message, Ending.FAILED)


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """Return the seconds to wait by ``retry-after-ms`` or ``Retry-After``; ``now`` is in seconds since the epoch."""
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


def _account_remedy(rejection: Rejection, entry: Interface) -> str | None:
    key = f"the key in {entry.api_key_env}" if entry.api_key_env else "a request without a key"
    refused = (
        f"{key} is refused; put a valid one there"
        if entry.api_key_env
        else f"{key} is refused; name the environment variable that holds one as api_key_env"
    )
    if rejection.status == 402 or str(rejection.code) in _NO_CREDIT or _SPENT.search(rejection.message):
        return f"the account of {key} has no credit left; add some and run again"
    if rejection.status == 400 and _BAD_KEY.search(rejection.text):
        return refused
    if 300 <= rejection.status < 400:
        return "the address is elsewhere; correct base_url"
    return {
        401: refused,
        403: f"{key} may not use this model; ask for access or choose another model",
        404: "no such model or address; correct model or base_url",
    }.get(rejection.status)


def _parameter(rejection: Rejection, sent: Mapping[str, object], remedies: Mapping[str, str]) -> str | None:
    """Return the parameter that a rejection names as one that the model does not know, if it does."""
    if not _UNKNOWN.search(rejection.said):
        return None
    names = {"role", *_names(sent)}
    candidates = [name for name in remedies if name in names]
    named = re.split(r"\W+", str(rejection.param or ""))
    for words in (named, re.split(r"\W+", rejection.said)):
        for name in candidates:
            if name in words:
                return name
    return None


def _names(sent: Mapping[str, object]) -> Iterator[str]:
    """Yield the names of all parameters, those within others included."""
    for name, value in sent.items():
        yield name
        if isinstance(value, Mapping):
            yield from _names(value)


def worth_another(error: BaseException) -> bool:
    """Return whether the same request may be sent again, and soon."""
    return isinstance(error, PassingFault) and (error.pause or 0.0) <= LONGEST_PAUSE


def pause_before_next(state: RetryCallState) -> float:
    """Return the seconds to wait: a little more than the interface asks for, or exponential with full jitter."""
    assert state.outcome is not None
    fault = state.outcome.exception()
    assert isinstance(fault, PassingFault)
    return _BACKOFF(state) if fault.pause is None else fault.pause + _SPREAD(state)
