"""Fuzzing of all readers of texts (``tests/property/fuzzed_readers.py``): escaping errors and slow texts.

    python benchmarks/fuzzed_texts.py [--count 25000] [--seed 1] [--jobs 1] [--reader NAME ...]

A text is what a reader reads with slips or pieces of its notation in it, such pieces alone, or either many times over.
For each reader it prints how many texts are read and refused, each text at which another error escapes than those that
the reader documents, and those that take longest, in seconds of processor time: up to 3,000 characters, so that what
is not linear shows. A text that finds something belongs into the tests. The status is 1 if an error escapes or a text
takes more than two seconds; half a second is what a program may need of Z3.

Measured with ``--seed 1`` to ``12``, 299,880 texts: one in seven is read, no undocumented error escapes. The slowest
took 1.5 s (2,000 brackets within one another in a grammar's YAML, bounded since), all others less than .7 s.
"""

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from time import process_time
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.property.fuzzed_readers import READERS, texts

MOST_SECONDS = 2.0
SHOWN = 3


class Portion(NamedTuple):
    """Numbers of texts read and refused, texts at which another error escaped, and the slowest with their seconds."""

    read: int
    refused: int
    escaped: list[tuple[str, str]]
    slowest: list[tuple[float, str]]


def fuzzed(name: str, seed: int, count: int) -> Portion:
    """Put some texts to a reader."""
    reader = READERS[name]
    read, refused, escaped, times = 0, 0, list[tuple[str, str]](), list[tuple[float, str]]()
    for text in texts(reader, count, seed):
        start = process_time()
        try:
            reader.read(text)
            read += 1
        except reader.errors:
            refused += 1
        except Exception as error:  # whatever escapes is what is looked for
            escaped.append((text, repr(error)))
        times = sorted([*times, (process_time() - start, text)], reverse=True)[:SHOWN]
    return Portion(read, refused, escaped, times)


def main() -> None:
    """Print what was found."""
    parser = argparse.ArgumentParser(description="Fuzzed texts for all readers.")
    parser.add_argument("--count", type=int, default=25_000, help="texts of all readers together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--reader", action="append", choices=READERS, help="one reader alone; repeatable")
    options = parser.parse_args()
    names = options.reader or list(READERS)
    found_any = False
    with ProcessPoolExecutor(options.jobs) as pool:
        portions = pool.map(partial(fuzzed, seed=options.seed, count=options.count // len(names)), names)
        for name, portion in zip(names, portions, strict=True):
            print(f"{name}: {portion.read} read, {portion.refused} refused", flush=True)
            for text, error in portion.escaped:
                print(f"  {error} escapes: {text!r}")
            for seconds, text in portion.slowest:
                print(f"  {seconds:.3f} s for {len(text)}: {text[:60]!r}")
            found_any |= bool(portion.escaped) or portion.slowest[0][0] > MOST_SECONDS
    sys.exit(found_any)


if __name__ == "__main__":
    main()
