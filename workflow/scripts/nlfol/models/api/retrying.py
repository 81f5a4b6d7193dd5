"""When a request that had no answer is sent again, and after how long."""

from __future__ import annotations

from collections.abc import Callable

from tenacity import RetryCallState
from tenacity.wait import wait_random, wait_random_exponential

from nlfol.models.api.faults import PassingFault, TwinFault

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
    if isinstance(fault, TwinFault):
        return 0.0
    return _BACKOFF(state) if fault.pause is None else fault.pause + _SPREAD(state)


def stop_after_retries(retries: int) -> Callable[[RetryCallState], bool]:
    """Whether one request was sent often enough: make one for each.

    Twins do not count: a server without names for its responses rightly gives one answer to two requests. That ends,
    as the connection of a twin is given up and what a new one brings first is no twin.
    """
    twins = 0

    def stop(state: RetryCallState) -> bool:
        nonlocal twins
        twins += isinstance(_fault(state), TwinFault)
        return state.attempt_number - twins > retries

    return stop


def _fault(state: RetryCallState) -> PassingFault:
    assert state.outcome is not None
    fault = state.outcome.exception()
    assert isinstance(fault, PassingFault)
    return fault
