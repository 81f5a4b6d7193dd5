"""The growth of a call's time with the size of its input, however busy the machine."""

from collections.abc import Callable
from time import process_time
from timeit import repeat

TRIES = 10


def seconds(call: Callable[[], object], times: int) -> float:
    """Return the least CPU seconds of several calls; ``timeit`` keeps the garbage collector out."""
    return min(repeat(call, timer=process_time, number=1, repeat=times))


def takes_within(most: float, long: Callable[[], object], short: Callable[[], object]) -> bool:
    """Tell whether a call takes less than ``most`` times as long as another.

    Other work may delay any one measurement, never hasten it: each call's shortest of up to thirty counts.
    """
    taken, least = seconds(long, 1), seconds(short, 3)
    for _ in range(TRIES):
        if taken < most * least:
            return True
        taken, least = min(taken, seconds(long, 2)), min(least, seconds(short, 3))
    return taken < most * least
