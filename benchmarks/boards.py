"""Counter-models on boards: how often there is one, against every board of up to three blocks on 3 × 3, and the time.

    python benchmarks/boards.py [--pairs 300]

Wrong translations of tarski's sentences are drawn with a fixed seed: each by one elementary edit of the gold formula or
by two, in equal parts. Beside them stand the sentences with a relation the other way round (``Larger(b, c)`` for
``Smaller(c, b)``), which logic alone calls wrong. The small boards are those of ``tests/board_relations.py``, whose
definitions are its own. Where they show a difference, ``on_boards`` must find one, with no more blocks; a board that it
finds is read back by these definitions, so that where they show none, it is a larger board that does.

Measured: of 300 wrong translations 299 have a board and one is right on every board, in 1.4 ms of CPU each on average;
all 96 sentences the other way round are proven to be right on every board, in 12 ms; no fault.
"""

import argparse
import csv
import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean
from time import process_time

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.board_relations import fewest_blocks, relations_of

from nlfol.logic import syntax as fol
from nlfol.logic.boards import OnBoards, board, on_boards
from nlfol.logic.decision.verdicts import Outcome
from nlfol.logic.equivalence import equivalence
from nlfol.logic.reading import parse
from nlfol.logic.rewriting import edits

SENTENCES = Path(__file__).parents[1] / "resources/datasets/tarski/sentences.csv"
CONVERSES = (("Larger", "Smaller"), ("LeftOf", "RightOf"), ("FrontOf", "BackOf"))
CONVERSE = dict([*CONVERSES, *(pair[::-1] for pair in CONVERSES)])

Pair = tuple[fol.Formula, fol.Formula]


def gold() -> list[fol.Formula]:
    """Tarski's gold formulas."""
    with SENTENCES.open(encoding="utf-8", newline="") as file:
        return [parse(row["formula"]) for row in csv.DictReader(file)]


def wrong(count: int) -> list[Pair]:
    """So many gold formulas with a wrong translation."""
    draw, formulas = random.Random("boards"), gold()
    found: list[Pair] = []
    while len(found) < count:
        formula = edited = draw.choice(formulas)
        for _ in range(1 + len(found) % 2):
            edited = draw.choice(list(edits(edited))).formula
        if equivalence(formula, edited).outcome is Outcome.NOT_EQUIVALENT:
            found.append((formula, edited))
    return found


def turned() -> Iterator[Pair]:
    """Each gold formula that has a relation with a converse, with it the other way round."""

    def step(node: fol.Formula, parts: tuple[fol.Formula, ...]) -> fol.Formula:
        if isinstance(node, fol.Atom) and node.predicate in CONVERSE:
            return fol.Atom(CONVERSE[node.predicate], node.arguments[::-1])
        return fol.with_children(node, parts)

    for formula in gold():
        other = fol.fold(formula, step)
        if other is not formula:
            yield formula, other


def faults(first: fol.Formula, second: fol.Formula, found: OnBoards) -> list[str]:
    """Contradictions of a finding on small boards."""
    smallest = fewest_blocks(first, second)
    if smallest is not None and not (found.counter_model and found.blocks <= smallest):
        return [f"a board of {smallest} blocks tells {first} from {second}"]
    if found.counter_model is None:
        return []
    blocks = board(found.counter_model)
    if blocks is None:
        return [f"no board: {found.counter_model.describe()}"]
    holding = relations_of(blocks)
    said = found.counter_model.predicates
    return [f"{name} is not as drawn: {found.counter_model.describe()}" for name in said if holding[name] != said[name]]


def main() -> None:
    """Print what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=300)
    for name, pairs in (("wrong", wrong(parser.parse_args().pairs)), ("turned", list(turned()))):
        found, seconds = [], []
        for pair in pairs:
            started = process_time()
            found.append(on_boards(*pair))
            seconds.append(process_time() - started)
        outcomes = Counter(each.verdict for each in found)
        against = [fault for pair, each in zip(pairs, found, strict=True) for fault in faults(*pair, each)]
        print(
            f"{name}: {len(pairs)} pairs, on boards {dict(outcomes)}; "
            f"ms of CPU: mean {1000 * fmean(seconds):.2f}, most {1000 * max(seconds):.1f}; "
            f"against small boards: {len(against)} faults"
        )
        print(*against, sep="\n")


if __name__ == "__main__":
    main()
