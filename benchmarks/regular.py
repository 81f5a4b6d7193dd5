"""Equivalence of regular expressions against automata-lib, pairs of texts a second on one core, both in one run.

    python benchmarks/regular.py [--pairs 6000]

Half of the pairs are of AutoEval's grammar (S → (S)K | SΣK | ΣK, K → * | ε), half have every operator; each is 1 to 40
deep. A third of each half are drawn apart, in a third the second is the first after three laws of Kleene algebra, in a
third after one edit. Both sides read both texts; the two take turns. Times are of the processor. ``word`` is our time
with the word that tells two apart read, and so confirmed.

The 99th percentile of the full grammar misses its goal of 1 ms: 1.2 to 1.7 ms. These are equivalent pairs of 80 to 130
signs. Half of their time goes to the union of some hundred pairs of sets of positions (Hopcroft and Karp), of which
none can be left out where both languages are equal; a third goes to reading.
"""

import argparse
import random
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from time import process_time
from typing import NamedTuple

from automata.fa.nfa import NFA

from nlfol.logic.regular import Dialect, Expression, Outcome, edits, equivalence, parse, rewrites, to_text
from nlfol.logic.regular.syntax import EPSILON, LETTER_OF, Option, Plus, Star, concatenation, union

SYMBOLS = "01"
DEPTHS = 40
BLOCK = 50
"""Pairs that one side does before it is the other's turn."""


class Pair(NamedTuple):
    """Two texts.

    Attributes:
        dialect: of both.
        kind: ``apart``, ``laws`` or ``edit``.
        first: a text.
        second: another.
    """

    dialect: Dialect
    kind: str
    first: str
    second: str


def published(draw: random.Random, depth: int) -> str:
    """A text that AutoEval's grammar derives in so many steps of S, with all its parentheses."""
    text = draw.choice(SYMBOLS) + draw.choice(("", "*"))
    for _ in range(depth - 1):
        inner = f"({text})" if draw.random() < 0.5 else text + draw.choice(SYMBOLS)
        text = inner + draw.choice(("", "*"))
    return text


def full(draw: random.Random, depth: int) -> Expression:
    """An expression of every operator, in so many steps from a leaf outwards; what is added is at most 2 deep."""
    found: Expression = EPSILON if draw.random() < 0.1 else LETTER_OF[draw.choice(SYMBOLS)]
    for step in range(depth):
        kind = draw.randrange(7)
        if kind < 3:
            found = (Star, Plus, Option)[kind](found)
        else:
            parts = [found, full(draw, draw.randrange(min(step, 2) + 1))]
            draw.shuffle(parts)
            found = concatenation(parts) if kind < 6 else union(parts)
    return found


def pair(number: int) -> Pair:
    """The pair of a number: its depth, dialect and kind go through all values."""
    draw = random.Random(f"pair {number}")
    dialect = (Dialect.PUBLISHED, Dialect.FULL)[number % 2]
    kind = ("apart", "laws", "edit")[number // 2 % 3]
    depth = 1 + number // 6 % DEPTHS

    def text() -> str:
        return published(draw, depth) if dialect is Dialect.PUBLISHED else to_text(full(draw, depth))

    first = text()
    if kind == "apart":
        return Pair(dialect, kind, first, text())
    changed = parse(first, dialect)
    if kind == "edit":
        changed = draw.choice([*edits(changed, SYMBOLS, dialect)]).expression
    else:
        for _ in range(3):
            found = list(islice(rewrites(changed, dialect), 400))
            changed = draw.choice(found).expression if found else changed
    return Pair(dialect, kind, first, to_text(changed))


def ours(tested: Pair, *, word: bool = False) -> bool:
    """Our answer to whether the two are equivalent."""
    verdict = equivalence(parse(tested.first, tested.dialect), parse(tested.second, tested.dialect))
    if verdict.outcome is Outcome.UNKNOWN:
        raise AssertionError(f"{verdict} of {tested}")
    if word:
        assert (verdict.word is None) == (verdict.outcome is Outcome.EQUIVALENT)
    return verdict.outcome is Outcome.EQUIVALENT


def theirs(tested: Pair) -> bool:
    """automata-lib's answer; it writes ε as ``()``."""
    first, second = (
        NFA.from_regex(text.replace("ε", "()"), input_symbols=set(SYMBOLS)) for text in (tested.first, tested.second)
    )
    return bool(first == second)


def measure(name: str, pairs: Sequence[Pair]) -> str:
    """Lines: our times, both rates, and how often the two disagree."""
    slow = 0.0
    times: dict[bool, list[float]] = {False: [], True: []}
    answers: Counter[str] = Counter()
    disagreements = 0
    for start in range(0, len(pairs), BLOCK):
        block = pairs[start : start + BLOCK]
        begin = process_time()
        expected = [theirs(tested) for tested in block]
        slow += process_time() - begin
        for word in (False, True):
            for tested, right in zip(block, expected, strict=True):
                begin = process_time()
                answer = ours(tested, word=word)
                times[word].append(process_time() - begin)
                if not word:
                    disagreements += answer != right
                    answers["equivalent" if answer else "not equivalent"] += 1
    mine = sum(times[False])
    return (
        f"{name}: {len(pairs)} pairs ({answers['equivalent']} equivalent); {_quantiles(times[False])}; "
        f"with word {_quantiles(times[True])}; {len(pairs) / mine:.0f}/s, automata-lib {len(pairs) / slow:.0f}/s, "
        f"ratio {slow / mine:.1f}; disagreements {disagreements}"
    )


def _quantiles(seconds: list[float]) -> str:
    ordered = sorted(seconds)
    median, high = (ordered[int(len(ordered) * share)] * 1_000 for share in (0.5, 0.99))
    return f"median {median:.3f} ms, 99th percentile {high:.3f} ms"


def main() -> None:
    """Measure both dialects."""
    parser = argparse.ArgumentParser(description="Equivalence of regular expressions against automata-lib.")
    parser.add_argument("--pairs", type=int, default=6_000, help="pairs of both dialects together")
    pairs = [pair(number) for number in range(parser.parse_args().pairs)]
    for dialect in Dialect:
        print(measure(dialect.value, [each for each in pairs if each.dialect is dialect]))


if __name__ == "__main__":
    main()
