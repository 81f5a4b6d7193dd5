"""When a request that had no answer is sent again, and after how long."""

from __future__ import annotations

from tenacity import RetryCallState
from tenacity.wait import wait_random, wait_random_exponential

from nlfol.models.api.faults import PassingFault

LONGEST_PAUSE = 600.0
"""Seconds that an interface may ask to wait; one that asks for more is not waited for."""

_BACKOFF = wait_random_exponential(multiplier=1, max=60)
_SPREAD = wait_random(0, 1)


def worth_another(error: BaseException) -> bool:
    """Whether the same request may be sent again, and soon."""
    return isinstance(error, PassingFault) and (error.pause or 0.0) <= LONGEST_PAUSE


def pause_before_next(state: RetryCallState) -> float:
    """Seconds to the next attempt: what the interface asks for and a little more, or exponential with full jitter."""
    fault = _fault(state)
    return _BACKOFF(state) if fault.pause is None else fault.pause + _SPREAD(state)


def _fault(state: RetryCallState) -> PassingFault:
    assert state.outcome is not None
    fault = state.outcome.exception()
    assert isinstance(fault, PassingFault)
    return fault
