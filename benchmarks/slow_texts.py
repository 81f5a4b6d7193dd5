"""The texts that the tolerant reader takes longest for, among those written to make it slow.

    python benchmarks/slow_texts.py [--slips 10000] [--folio FILE]

The texts are those of the tests (``tests/unit/logic/hostile_texts.py``): long, deep, full of brackets; and formulas of
Tarski's World, and of FOLIO where its file is given, after random slips. Seconds are processor time.
"""

import argparse
import json
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from time import process_time

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.unit.logic.corpora import tarski
from tests.unit.logic.hostile_texts import HOSTILE, slips

from nlfol.logic.errors import FormulaSyntaxError
from nlfol.logic.reading import read_tolerantly

SHOWN = 3


def seconds(text: str) -> float:
    """Processor time of one reading."""
    start = process_time()
    with suppress(FormulaSyntaxError):
        read_tolerantly(text)
    return process_time() - start


def slowest(name: str, texts: Iterable[str]) -> str:
    """Count the texts, and return those that take longest, by their beginnings."""
    timed = sorted(((seconds(text), text) for text in texts), reverse=True)
    lines = [f"{name}: {len(timed)} texts, {sum(time for time, _ in timed):.2f} s"]
    return "\n".join([*lines, *(f"  {time:.3f} s for {len(text):7}: {text[:60]!r}" for time, text in timed[:SHOWN])])


def main() -> None:
    """Print the slowest texts of each kind."""
    parser = argparse.ArgumentParser(description="The slowest texts for the tolerant reader.")
    parser.add_argument("--slips", type=int, default=10_000, help="formulas with slips of each corpus")
    parser.add_argument("--folio", type=Path, help="FOLIO v0.0's folio-train.jsonl")
    options = parser.parse_args()
    print(slowest("hostile", HOSTILE))
    print(slowest("tarski with slips", slips(tarski(), options.slips, 2024)))
    if options.folio:
        stories = [json.loads(line) for line in options.folio.read_text(encoding="utf-8").splitlines()]
        texts = sorted({text for story in stories for text in story["premises-FOL"]})
        print(slowest("folio with slips", slips(texts, options.slips, 2024)))


if __name__ == "__main__":
    main()
