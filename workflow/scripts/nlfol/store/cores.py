"""Work on several cores, whose results come in the order of what was to be done: the same for any number of cores."""

import multiprocessing
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")
R = TypeVar("R")

_AHEAD = 2
"""Pieces of work for each core that wait or are done before they are taken."""
_WORK: list[Callable[[Any], Any]] = []
"""Work of this process, if it is a fork."""


def in_order(work: Callable[[T], R], pieces: Iterable[T], cores: int) -> Iterator[R]:
    """Yield the results of pieces of work, of which few are in memory at once; on one core, in this process.

    Else in forks of this process, which inherit ``work`` and its log; pieces and results are sent. An error in a piece
    is raised where its result would come, and ends what is under way.
    """
    if cores == 1:
        yield from map(work, pieces)
        return
    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(cores, mp_context=context, initializer=_WORK.append, initargs=(work,)) as pool:
        ahead: deque[Future[R]] = deque()
        try:
            for piece in pieces:
                ahead.append(pool.submit(_done, piece))
                if len(ahead) > _AHEAD * cores:
                    yield ahead.popleft().result()
            while ahead:
                yield ahead.popleft().result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _done(piece: Any) -> Any:
    return _WORK[-1](piece)
