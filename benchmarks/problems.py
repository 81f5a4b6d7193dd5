"""Reading published problems and deriving their labels; drawing problems, with a second engine's word on each.

    python benchmarks/problems.py [--data FOLDER] [--count 10000] [--processes 2]

``--data`` has Logic-LM's ``ProofWriter_dev.json``, ``ProntoQA_dev.json`` and ``LogicalDeduction_dev.json``; without it
published problems are left out. Reading is measured against ``json.loads`` of the same files, in the same run.

Measured: all 1,400 published labels follow. Of 10,000 problems drawn by the four families, clingo, permutations and
cvc5 contradicted no label.
"""

import argparse
import json
import sys
from collections import Counter
from multiprocessing import Pool
from pathlib import Path
from time import perf_counter, process_time

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "workflow/scripts"))

from tests.unit.problems.judges import label

from nlfol.data.entry import read_problems_entry
from nlfol.problems import Problem, read_lexicon
from nlfol.problems.dialects import concepts_of, dialect_of
from nlfol.problems.families import FAMILIES, generate

ROOT = Path(__file__).parents[1]
LEXICON = read_lexicon(ROOT / "resources/lexicon/problems.yaml")
READERS = {"ProofWriter": "proofwriter", "ProntoQA": "prontoqa", "LogicalDeduction": "logical_deduction"}
PART = 125
"""Problems that a process draws at a time."""


def read_all(folder: Path) -> None:
    """Print what each published set takes, and how many of its labels are derived."""
    total = 0.0
    for name, reader in READERS.items():
        path = folder / f"{name}_dev.json"
        content = path.read_bytes()
        start = process_time()
        json.loads(content)
        parsed = process_time() - start
        start = process_time()
        problems = read_problems_entry(json.dumps({"reader": reader, "path": str(path)})).read(1).problems
        seconds = process_time() - start
        total += seconds
        usable = sum(problem.is_usable for problem in problems)
        ratio = f"{seconds / parsed:.0f} times json.loads"
        print(f"{name}: {usable} of {len(problems)} labels derived, {seconds:.2f} s, {ratio}")
    print(f"together: {total:.2f} s")


def is_read_back(problem: Problem) -> bool:
    """Return whether reading its English gives each statement as it was written."""
    english = dialect_of(problem, LEXICON.of(concepts_of(problem, LEXICON)))
    said = (*problem.statements, *(problem.options if problem.family == "order" else ()))
    return all(each in [statement for _, statement in english.readings(each.text, ())] for each in said)


def drawn(part: tuple[str, int, int]) -> tuple[float, Counter[str], int, int]:
    """Seconds of drawing problems, their answers, and how many are not read back or have another label."""
    family, first, count = part
    start = perf_counter()
    problems = generate(family, seed=2026, count=count, first=first, lexicon=LEXICON)
    seconds = perf_counter() - start
    unread = sum(not is_read_back(problem) for problem in problems)
    disagreeing = sum(label(problem) != problem.answer for problem in problems)
    return seconds, Counter(problem.answer for problem in problems), unread, disagreeing


def draw_all(count: int, processes: int) -> None:
    """Print what each family takes, and what became of its problems."""
    each = count // len(FAMILIES)
    with Pool(processes) as pool:
        for family in FAMILIES:
            parts = [(family, first, min(PART, each - first)) for first in range(0, each, PART)]
            found = pool.map(drawn, parts, chunksize=1)
            seconds = sum(part[0] for part in found)
            answers = sum((part[1] for part in found), Counter[str]())
            unread, disagreeing = sum(part[2] for part in found), sum(part[3] for part in found)
            balance = ", ".join(f"{letter} {answers[letter]}" for letter in sorted(answers))
            print(f"{family}: {each} problems, {each / seconds:.0f} a second and core; {balance};", end=" ")
            print(f"{unread} not read back, {disagreeing} where the second engine disagrees", flush=True)


def main() -> None:
    """Print all figures."""
    parser = argparse.ArgumentParser(description="Reading, deriving and drawing problems.")
    parser.add_argument("--data", type=Path, help="folder of Logic-LM's files")
    parser.add_argument("--count", type=int, default=10_000, help="problems to draw, over all families")
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    if options.data:
        read_all(options.data)
    draw_all(options.count, options.processes)


if __name__ == "__main__":
    main()
