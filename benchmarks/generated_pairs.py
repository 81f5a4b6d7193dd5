"""Verdicts on pairs of generated sentences against the plain call, pairs a second on one core, both in one run.

    python benchmarks/generated_pairs.py [--items 100] [--sets k_sat regular]

Items are spread over the published values of each set. Each makes three pairs of texts: it and itself (``identical``),
it after one law at one place (``law``), it after one edit (``edit``). Reading both texts is part of the work on both
sides; imports are not. Our side remembers texts that it has read, so the first text of ``law`` and ``edit`` is known to
it, as a gold formula is from its second answer on. The two take turns, and times are of the processor.

The plain call for formulas is that of ``equivalence.py``: z3py's ``Solver().check()`` of ``Not(a == b)``, with a
time-out of one second; for regular expressions it is automata-lib's comparison of automata (``regular.py``). ``wrong``
are verdicts that contradict the making of a pair, ``disagreements`` those that contradict the plain call.

First-order sets are 3 to 6 times as fast as the plain call, k-SAT 11 and propositional sets 13; the goal of 60 is
missed. The mean of first-order pairs is that of the few edits that Z3 decides, at 50 ms and more each, which the plain
call needs, too; the median pair takes 0.3 ms.

Prover9's figures were measured elsewhere and earlier: 120 pairs of each set (40 formulas, each with itself, with a
rewriting and with one node changed) of the released generator of ∀uto∃∨∧L, cut off after 10 seconds. They give an order
of magnitude, and no ratio in one run.
"""

import argparse
import multiprocessing
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from time import process_time
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks import equivalence, regular
from benchmarks.generating import SETS

from nlfol.data.grammars.generation import Generation, Recipe
from nlfol.logic.decision.verdicts import Outcome
from nlfol.logic.languages.language import LanguageName
from nlfol.logic.languages.registry import LANGUAGES
from nlfol.logic.reading.tokens import NO_LETTERS, Letters
from nlfol.logic.regular import Dialect
from nlfol.randomness import generator

PROVER9 = {"k_sat": 21.8, "propositional": 87.8, "first_order, names": 0.9, "first_order, english": 0.7}
"""Pairs a second."""

CHOSEN = {name: SETS[name] for name in (*PROVER9, "first_order_full", "regular")}
KINDS = ("identical", "law", "edit")
TURN = 15
"""Pairs that one side does before it is the other's turn."""


class Pair(NamedTuple):
    """Two texts.

    Attributes:
        kind: one of ``KINDS``.
        first: a text.
        second: another.
    """

    kind: str
    first: str
    second: str


class Measured(NamedTuple):
    """A pair and what both sides made of it.

    Attributes:
        kind: of the pair.
        ours: verdict.
        theirs: verdict of the plain call.
        seconds: ours.
        plain_seconds: of the plain call.
    """

    kind: str
    ours: Outcome
    theirs: Outcome
    seconds: float
    plain_seconds: float

    @property
    def is_wrong(self) -> bool:
        """Return whether our verdict contradicts how the pair was made; the effect of an edit is not known."""
        return self.kind != "edit" and self.ours is Outcome.NOT_EQUIVALENT

    @property
    def disagrees(self) -> bool:
        """Return whether both decided, differently."""
        return Outcome.UNKNOWN not in (self.ours, self.theirs) and self.ours is not self.theirs


def pairs(recipe: Recipe, items: int) -> list[Pair]:
    """The pairs of so many items, spread over the recipe's values; an item to which no law applies has no such pair."""
    values = [recipe.values[at * len(recipe.values) // items] for at in range(items)]
    language = LANGUAGES[recipe.read()[0].language]
    most = max(map(values.count, values))
    generation = Generation(replace(recipe, values=tuple(dict.fromkeys(values)), count=most), 1)
    found: list[Pair] = []
    for item in generation.items():
        if item.refusal is not None or item.number > values.count(item.value):
            continue
        found.append(Pair("identical", item.text, item.text))
        for kind, changes in (("law", language.rewrites), ("edit", language.edits)):
            if changed := [*changes(item.sentence, item.ontology)]:
                chosen = generator(1, kind, item.text).choice(changed)
                found.append(Pair(kind, item.text, language.write(chosen.sentence)))
    return found


def plain(language: LanguageName) -> Callable[[Pair], Outcome]:
    """The plain call for a language."""
    if language == "regular":

        def by_automata(pair: Pair) -> Outcome:
            same = regular.theirs(regular.Pair(Dialect.PUBLISHED, *pair))
            return Outcome.EQUIVALENT if same else Outcome.NOT_EQUIVALENT

        return by_automata
    letters = Letters(every=True) if language == "propositional" else NO_LETTERS
    return lambda pair: Outcome(equivalence.plain((pair.first, pair.second), letters))


def measure(tested: Sequence[Pair], name: LanguageName) -> list[Measured]:
    """Verdicts of both sides on each pair."""
    import_module("automata.fa.nfa" if name == "regular" else "z3")
    language, theirs = LANGUAGES[name], plain(name)

    def ours(pair: Pair) -> Outcome:
        return language.compare(language.parse(pair.first), language.parse(pair.second)).outcome

    found = []
    for start in range(0, len(tested), TURN):
        turn = tested[start : start + TURN]
        both = zip(turn, _timed(ours, turn), [*_timed(theirs, turn)], strict=True)
        found += [Measured(pair.kind, *mine[:1], *other[:1], mine[1], other[1]) for pair, mine, other in both]
    return found


def _timed(side: Callable[[Pair], Outcome], turn: Sequence[Pair]) -> Iterator[tuple[Outcome, float]]:
    for pair in turn:
        begin = process_time()
        outcome = side(pair)
        yield outcome, process_time() - begin


def report(name: str, measured: Sequence[Measured]) -> str:
    """Lines: both rates and times of all pairs, then of each kind."""
    mine, theirs = sum(each.seconds for each in measured), sum(each.plain_seconds for each in measured)
    rate, other = len(measured) / mine, len(measured) / theirs
    unknown, plain_unknown = (
        sum(getattr(each, side) is Outcome.UNKNOWN for each in measured) for side in ("ours", "theirs")
    )
    lines = [
        f"{name}: {len(measured)} pairs, {rate:.0f}/s; plain {other:.0f}/s, ratio {rate / other:.1f}; "
        + (f"Prover9 elsewhere {PROVER9[name]}/s; " if name in PROVER9 else "")
        + f"unknown {unknown} (plain {plain_unknown}), wrong {sum(each.is_wrong for each in measured)}, "
        f"disagreements {sum(each.disagrees for each in measured)}"
    ]
    for kind in ("all", *KINDS):
        of_kind = [each for each in measured if kind in ("all", each.kind)]
        if of_kind:
            equivalent = sum(each.ours is Outcome.EQUIVALENT for each in of_kind)
            times = _quantiles([each.seconds for each in of_kind])
            plain_times = _quantiles([each.plain_seconds for each in of_kind])
            lines.append(
                f"  {kind:9} {len(of_kind):4}, {equivalent:4} equivalent; "
                f"ms at p50 and p99: {times}; plain {plain_times}"
            )
    return "\n".join(lines)


def _quantiles(seconds: list[float]) -> str:
    ordered = sorted(seconds)
    return ", ".join(f"{ordered[int(len(ordered) * share)] * 1_000:.3f}" for share in (0.5, 0.99))


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure the sets."""
    parser = argparse.ArgumentParser(description="Verdicts on pairs of generated sentences against the plain call.")
    parser.add_argument("--items", type=int, default=100, help="items of each set")
    parser.add_argument(
        "--sets", nargs="+", choices=CHOSEN, default=list(CHOSEN), metavar="SET", help=f"some of {', '.join(CHOSEN)}"
    )
    options = parser.parse_args(arguments)
    for name in options.sets:
        tested = pairs(CHOSEN[name], options.items)
        language = CHOSEN[name].read()[0].language
        # Where nothing of the sentences is remembered from making them.
        with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as process:
            print(report(name, process.submit(measure, tested, language).result()), flush=True)


if __name__ == "__main__":
    main()
