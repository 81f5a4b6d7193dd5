"""Copies of the notation in English: how many are missed, how many are found where there are none, and how fast.

    python benchmarks/copies.py [--count 9000]

The English is that of random formulas and expressions (``tests/property/notation_in_english.py``); copies are pasted
into it at random places, as they are, in ASCII and in LaTeX. The time is set beside that of reading the same English.

Measured: in the English of 9,000 formulas and expressions nothing was taken for a copy, and no pasted copy was missed.
"""

import argparse
import sys
from pathlib import Path
from random import Random
from time import process_time

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.property.notation_in_english import is_notation, pasted, said

from nlfol.logic.languages.registry import LANGUAGES
from nlfol.tasks.copies import copies


def main() -> None:
    """Print the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=9_000)
    count = parser.parse_args().count
    draw = Random("benchmark")
    cases = list(said(count, "benchmark"))
    start = process_time()
    found = sum(bool(copies(one.english, one.ontology, one.language)) for one in cases)
    searching = process_time() - start
    start = process_time()
    for one in cases:
        LANGUAGES[one.language].read_english(one.english, one.ontology)
    reading = process_time() - start
    print(f"found in certified English: {found} of {count}; {searching / reading:.2f} of the time of reading it")
    notation = [one for one in cases if is_notation(one.sentence)]
    missed = sum(not copies(pasted(one, draw), one.ontology, one.language) for one in notation)
    print(f"missed where pasted: {missed} of {len(notation)}")


if __name__ == "__main__":
    main()
