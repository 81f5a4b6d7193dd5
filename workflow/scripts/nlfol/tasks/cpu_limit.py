"""A limit of CPU time for reading what a model wrote, so that no single answer can stop a job.

Every reader takes linear time, so the limit is far above what the longest answer needs on a slow machine. Only time of
the thread that reads counts: how busy the machine is changes nothing. Proofs are no reading and have budgets of their
own.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import thread_time
from types import FrameType

from nlfol.tasks.answers import AnswerError

MAX_SECONDS = 30.0
"""CPU seconds for one reading of an answer."""


class TookTooLongError(AnswerError):
    """An answer that was not read within the limit."""


class _ExpiredError(BaseException):
    """Interrupts a reader; none of them catches it."""


_ends: list[float] = []
"""The time of the main thread at which its limit ends, if it has one."""


@contextmanager
def limited_cpu() -> Iterator[None]:
    """Limit the CPU time of reading; raises ``TookTooLongError``.

    A limit within another is none of its own. Python interrupts its main thread alone, so in others there is no limit.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    if _ends:
        # The timer counts ticks, of which a busy machine loses some: it may be late.
        if thread_time() >= _ends[0]:
            raise _ExpiredError
        yield
        return
    end = thread_time() + MAX_SECONDS

    def expire(_number: int, _frame: FrameType | None) -> None:
        # The timer counts all threads, so it may be early, and comes again.
        if thread_time() >= end:
            raise _ExpiredError

    before = signal.signal(signal.SIGVTALRM, expire)
    _ends.append(end)
    signal.setitimer(signal.ITIMER_VIRTUAL, MAX_SECONDS, MAX_SECONDS / 30)
    try:
        yield
    except _ExpiredError:
        raise TookTooLongError(f"took too long: not read within {MAX_SECONDS:g} s of CPU time") from None
    finally:
        _ends.clear()
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
