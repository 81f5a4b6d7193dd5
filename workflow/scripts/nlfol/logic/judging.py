"""Verdicts on many pairs, on many cores."""

import gc
import multiprocessing
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from itertools import chain

from nlfol.logic import measuring, trees
from nlfol.logic.decision.satisfiability import FIRST_FAMILY, FURTHER_FAMILIES
from nlfol.logic.decision.solver import DEFAULT_BUDGET
from nlfol.logic.decision.verdicts import Verdict
from nlfol.logic.equivalence import equivalence
from nlfol.logic.reading import strict
from nlfol.logic.reading.tolerant import reading
from nlfol.logic.syntax import Formula

_Pair = tuple[Formula, Formula]

_MAX_CHUNK = 500
_CHUNKS_FOR_EACH = 4
_MAX_SENT = 100  # levels of a formula above which it is not sent to another process, because pickling recurses


def judge_pairs(pairs: Iterable[_Pair], *, jobs: int = 1, budget: int = DEFAULT_BUDGET) -> list[Verdict]:
    """Return the verdicts on pairs of formulas, in their order; the same for any number of jobs.

    Equal pairs are judged once. With more than one job, neighbouring pairs go to one process, where they share work,
    in new processes (``spawn``): the module that calls this must be importable without side effects.
    """
    listed = list(pairs)
    distinct = list(dict.fromkeys(listed))
    judge = partial(_judged, budget=budget)
    deep = [pair for pair in distinct if max(formula.profile.levels for formula in pair) > _MAX_SENT]
    of_pair = dict(zip(deep, judge(deep), strict=True))
    shallow = [pair for pair in distinct if pair not in of_pair]
    of_pair |= zip(shallow, _in_processes(judge, shallow, jobs), strict=True)
    return [of_pair[pair] for pair in listed]


def _in_processes(judge: Callable[[list[_Pair]], list[Verdict]], pairs: list[_Pair], jobs: int) -> list[Verdict]:
    if jobs <= 1 or len(pairs) < 2:
        return judge(pairs)
    length = max(1, min(_MAX_CHUNK, -(-len(pairs) // (jobs * _CHUNKS_FOR_EACH))))
    chunks = [pairs[start : start + length] for start in range(0, len(pairs), length)]
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(jobs, len(chunks)), mp_context=context) as pool:
        return list(chain.from_iterable(pool.map(judge, chunks)))


def _judged(pairs: Sequence[_Pair], budget: int) -> list[Verdict]:
    with without_collecting():
        return [equivalence(first, second, budget=budget) for first, second in pairs]


@contextmanager
def without_collecting() -> Iterator[None]:
    """Pause garbage collection: caches are large and have no cycles, and scanning them takes a sixth of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if gc.get_freeze_count() == 0:
            # Or all that is new would be looked through at once: so it joins what is old, unseen.
            gc.freeze()
            gc.unfreeze()
        if enabled:
            gc.enable()


def forget() -> None:
    """Drop what is remembered of formulas to save work on others like them; no result depends on it."""
    for family in (FIRST_FAMILY, *FURTHER_FAMILIES):
        family.forget()
    strict.forget()
    reading.forget()
    measuring.forget()
    trees.forget()
