"""Undecided generated pairs, and the cost of a pair.

    python benchmarks/unknowns.py [--pairs 1920 1440] [--jobs 2]

Two kinds of formulas, from the generator that the tests use (``tests/property/generated.py``). ``prenex``: up to 5
quantifiers in front of 5 to 50 operators, 8 predicates of one or two places, 12 constants, a variable in a quarter of
the places. ``nested``: quantifiers anywhere among 5 to 38 operators, 4 predicates, a variable in most places, ↔ and ⊕
as frequent as ∧ and ∨. Each formula makes four pairs: rewritten by eight laws, its negation normal form, one change,
its negation. A verdict is wrong if it contradicts how the pair was made, or if its counter-model is none.

A pair's seconds are processor time: where pairs share work the first of them pays for it.

Measured with ``--pairs 20000 10000``: 0 wrong, 4 and 8 unknown; mean 5 and 6 ms, 99th percentile 67 and 34 ms.
"""

import argparse
import multiprocessing
import resource
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from random import Random
from statistics import mean

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.property.generated import Pair, pairs

from nlfol.logic.equivalence import Outcome, Verdict, equivalence
from nlfol.logic.structures import holds

KINDS = ("prenex", "nested")
PAIRS_OF_EACH = 4
FORMULAS_OF_A_PART = 20


@dataclass(frozen=True)
class Judged:
    """One pair: its kind, outcome and means, whether that is wrong, and the seconds of processor time that it took."""

    kind: str
    outcome: Outcome
    means: str
    wrong: bool
    seconds: float


def is_wrong(pair: Pair, verdict: Verdict) -> bool:
    """Return whether a verdict contradicts what is known of a pair, or its counter-model is none."""
    if verdict.outcome is Outcome.INVALID:
        return True
    model = verdict.counter_model
    if model is not None and holds(pair.first, model) == holds(pair.second, model):
        return True
    if verdict.outcome is Outcome.UNKNOWN or pair.equivalent is None:
        return False
    return (verdict.outcome is Outcome.EQUIVALENT) != pair.equivalent


def part(number: int, kind: str) -> list[Judged]:
    """The pairs of some formulas, drawn by the number of the part."""
    judged = []
    for pair in pairs(Random(f"{kind} {number}"), kind, FORMULAS_OF_A_PART):
        start = _seconds()
        verdict = equivalence(pair.first, pair.second)
        seconds = _seconds() - start
        judged.append(Judged(pair.kind, verdict.outcome, verdict.means, is_wrong(pair, verdict), seconds))
    return judged


def report(kind: str, judged: Sequence[Judged]) -> str:
    """A few lines: shares, seconds, means."""
    seconds = sorted(one.seconds for one in judged)
    unknown = Counter(one.kind for one in judged if one.outcome is Outcome.UNKNOWN)
    wrong, percentile = sum(one.wrong for one in judged), seconds[-1 - len(seconds) // 100]
    means = Counter(f"{one.outcome} by {one.means}" for one in judged)
    lines = [
        f"{kind}: {len(judged)} pairs, unknown {unknown.total()} ({unknown.total() / len(judged):.2%}), wrong {wrong}",
        f"  seconds a pair: mean {mean(seconds):.3f}, 99th percentile {percentile:.3f}, most {seconds[-1]:.3f}",
    ]
    lines += [f"  {count:6} {name}" for name, count in means.most_common()]
    lines += [f"  {count:6} unknown among {name}" for name, count in unknown.most_common()]
    return "\n".join(lines)


def _seconds() -> float:
    """Processor time of this process and of those that it has ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def main() -> None:
    """Judge both kinds and print a report of each; exit status 1 if a verdict is wrong."""
    parser = argparse.ArgumentParser(description="Undecided and wrong verdicts on generated pairs.")
    parser.add_argument(
        "--pairs", type=int, nargs=2, metavar=("PRENEX", "NESTED"), default=(1920, 1440), help="pairs of each kind"
    )
    parser.add_argument("--jobs", type=int, default=1, help="processes; the verdicts are the same for any number")
    options = parser.parse_args()
    wrong = 0
    with ProcessPoolExecutor(options.jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        for kind, count in zip(KINDS, options.pairs, strict=True):
            if count < 1:
                continue
            parts = range(-(-count // (FORMULAS_OF_A_PART * PAIRS_OF_EACH)))
            found = pool.map(partial(part, kind=kind), parts)
            judged = list(chain.from_iterable(found))[:count]
            wrong += sum(one.wrong for one in judged)
            print(report(kind, judged), flush=True)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
