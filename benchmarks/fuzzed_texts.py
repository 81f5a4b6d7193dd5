"""Fuzzing of the tolerant reader with texts pasted of signs, words and formulas: escaping errors and slow texts.

    python benchmarks/fuzzed_texts.py [--count 1000000] [--seed 1] [--jobs 1]

It prints how many texts are read and refused, each text at which another error than FormulaSyntaxError escapes, and
those that take longest, in seconds of processor time. A text that finds something belongs into
``tests/unit/logic/found_texts.jsonl``. The status is 1 if an error escapes or a text takes more than half a second.
"""

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from time import process_time
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.unit.logic.hostile_texts import pasted

from nlfol.logic.errors import FormulaSyntaxError
from nlfol.logic.reading import read_tolerantly

MOST_SECONDS = 0.5
SHOWN = 3
PORTION = 5_000


class Portion(NamedTuple):
    """Numbers of texts read, texts at which another error escaped, and the slowest with their seconds."""

    read: int
    escaped: list[tuple[str, str]]
    slowest: list[tuple[float, str]]


def fuzzed(seed: int, count: int) -> Portion:
    """Read some texts."""
    read, escaped, times = 0, list[tuple[str, str]](), list[tuple[float, str]]()
    for number, text in enumerate(pasted(count, seed)):
        start = process_time()
        try:
            read_tolerantly(text, propositions=number % 2 == 1)
            read += 1
        except FormulaSyntaxError:
            pass
        except Exception as error:  # whatever escapes is what is looked for
            escaped.append((text, repr(error)))
        times.append((process_time() - start, text))
    return Portion(read, escaped, sorted(times, reverse=True)[:SHOWN])


def main() -> None:
    """Print what was found."""
    parser = argparse.ArgumentParser(description="Fuzzed texts for the tolerant reader.")
    parser.add_argument("--count", type=int, default=1_000_000, help="texts")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    options = parser.parse_args()
    portions = -(-options.count // PORTION)
    seeds = range(options.seed * portions, (options.seed + 1) * portions)
    with ProcessPoolExecutor(options.jobs) as pool:
        found = list(pool.map(partial(fuzzed, count=min(PORTION, options.count)), seeds))
    total, read = portions * min(PORTION, options.count), sum(each.read for each in found)
    print(f"{total} texts: {read} read, {total - read} refused")
    escaped = [each for portion in found for each in portion.escaped]
    for text, error in escaped:
        print(f"  {error} escapes: {text!r}")
    slowest = sorted((each for portion in found for each in portion.slowest), reverse=True)[:SHOWN]
    for seconds, text in slowest:
        print(f"  {seconds:.3f} s for {len(text)}: {text[:60]!r}")
    sys.exit(bool(escaped) or slowest[0][0] > MOST_SECONDS)


if __name__ == "__main__":
    main()
