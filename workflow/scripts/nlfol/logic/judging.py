"""Verdicts on many pairs, on many cores."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import chain

from nlfol.logic.equivalence import equivalence
from nlfol.logic.profiles import profile
from nlfol.logic.solver import DEFAULT_BUDGET
from nlfol.logic.syntax import Formula
from nlfol.logic.verdicts import Verdict

Pair = tuple[Formula, Formula]

_MAX_CHUNK = 500
_CHUNKS_FOR_EACH = 4
_MAX_SENT = 100


def judge_pairs(
    pairs: Iterable[Pair],
    *,
    jobs: int = 1,
    budget: int = DEFAULT_BUDGET,
    engines: Sequence[str] = (),
) -> list[Verdict]:
    """The verdicts on pairs of formulas, in their order; the same for any number of jobs.

    Equal pairs are judged once. With more than one job, neighbouring pairs go to one process, where they share work,
    in new processes (``spawn``): the module that calls this must be importable without side effects.

    Args:
        pairs: first and second formula of each.
        jobs: number of processes.
        budget: as for ``equivalence``.
        engines: as for ``equivalence``.
    """
    listed = list(pairs)
    distinct = list(dict.fromkeys(listed))
    # Pickling recurses, so what is deep stays in this process.
    deep = [pair for pair in distinct if max(profile(formula).levels for formula in pair) > _MAX_SENT]
    of_pair = dict(zip(deep, _judged(deep, budget, tuple(engines)), strict=True))
    distinct = [pair for pair in distinct if pair not in of_pair]
    if jobs <= 1 or len(distinct) < 2:
        verdicts = _judged(distinct, budget, tuple(engines))
    else:
        length = max(1, min(_MAX_CHUNK, -(-len(distinct) // (jobs * _CHUNKS_FOR_EACH))))
        chunks = [distinct[start : start + length] for start in range(0, len(distinct), length)]
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(min(jobs, len(chunks)), mp_context=context) as pool:
            judge = partial(_judged, budget=budget, engines=tuple(engines))
            verdicts = list(chain.from_iterable(pool.map(judge, chunks)))
    of_pair |= zip(distinct, verdicts, strict=True)
    return [of_pair[pair] for pair in listed]


def _judged(pairs: Sequence[Pair], budget: int, engines: tuple[str, ...]) -> list[Verdict]:
    return [equivalence(first, second, budget=budget, engines=engines) for first, second in pairs]
