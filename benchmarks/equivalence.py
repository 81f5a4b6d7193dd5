"""Equivalence against the plain solver call: pairs a second on one core, both in one run.

    python benchmarks/equivalence.py [--folio FILE] [--naive 400] [--pairs 20000]

Workloads: every gold formula against all its single edits, all its one-law rewrites, and its negation in negation
normal form; of Tarski's World, and of FOLIO where its file is given. Each pair is given as two texts: reading is part
of the work on both sides.

The plain call is what one writes without this library's engine: both texts are read again, by the automaton that
remembers no text (``automaton``), because a memory of texts read is part of the engine; the trees are built with
z3py's constructors; and ``Solver().check()`` is asked for ``Not(a == b)``, with a time-out of one second. Imports are
paid for by neither side. The two take turns, so that what else the machine does slows down both.

``memory`` is the peak of resident memory of one process while it judges 100,000 distinct pairs: FOLIO's of above, and
variants by two and three edits, drawn with a fixed seed. It has all the texts from the start, and keeps no verdict.

Measured on FOLIO: 80 times the plain call for edits, 68 for rewrites, 70 for negations, 70 for all. Reading takes 20 of
an edit's 50 µs, 21 of a rewrite's 27, 35 of a negation's 45; what is left of an edit is comparing and tables.

Measured: the short pass of the strict reader (``formula_of``) reads 1.1 to 1.8 times as fast; without it the whole
takes 1.2 to 1.6 times as long.
"""

import argparse
import csv
import json
import multiprocessing
import random
import resource
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from pathlib import Path
from time import process_time
from typing import Any

from nlfol.logic.decision.verdicts import Verdict
from nlfol.logic.equivalence import equivalence
from nlfol.logic.errors import LogicError
from nlfol.logic.judging import without_collecting
from nlfol.logic.measuring import free_variables, predicates
from nlfol.logic.printing import to_unicode
from nlfol.logic.reading import parse
from nlfol.logic.reading.automaton import read_fully
from nlfol.logic.reading.strict import formula_of
from nlfol.logic.reading.tokens import NO_LETTERS, Letters
from nlfol.logic.rewriting import edits, negation_normal_form, rewrites
from nlfol.logic.syntax import Atom, Equality, Exists, ForAll, Formula, Function, Iff, Not, Term, fold

ROOT = Path(__file__).parents[1]
TURNS = 10
"""In which both sides do their pairs, one after the other."""
BLOCK = 20_000
"""Pairs after which memory is looked at."""
Pair = tuple[str, str]


def tarski() -> Iterable[str]:
    """The formulas of the shipped dataset."""
    path = ROOT / "resources" / "datasets" / "tarski" / "sentences.csv"
    with path.open(encoding="utf-8", newline="") as file:
        yield from (row["formula"] for row in csv.DictReader(file))


def folio(path: Path) -> Iterable[str]:
    """The formulas of FOLIO's premises."""
    for line in path.read_text(encoding="utf-8").splitlines():
        yield from json.loads(line)["premises-FOL"]


def closed(texts: Iterable[str]) -> list[Formula]:
    """The distinct closed formulas that the strict reader accepts."""
    found: dict[Formula, None] = {}
    for text in texts:
        try:
            formula = parse(text)
            predicates(formula)
        except LogicError:
            continue
        if not free_variables(formula):
            found[formula] = None
    return list(found)


def workloads(formulas: Sequence[Formula]) -> dict[str, list[Pair]]:
    """Pairs of texts by kind."""
    texts = {formula: to_unicode(formula) for formula in formulas}
    kinds = {
        "edits": [(texts[f], to_unicode(edit.formula)) for f in formulas for edit in edits(f)],
        "rewrites": [(texts[f], to_unicode(rewrite.formula)) for f in formulas for rewrite in rewrites(f)],
        "negations": [(to_unicode(Not(f)), to_unicode(negation_normal_form(Not(f)))) for f in formulas],
    }
    return {**kinds, "all": [pair for pairs in kinds.values() for pair in pairs]}


def in_z3py(formula: Formula, z3: Any) -> Any:
    """The formula through z3py's own constructors, in its global context."""
    sort = z3.DeclareSort("U")

    def of_term(term: Term) -> Any:
        if isinstance(term, Function):
            arguments = [of_term(argument) for argument in term.arguments]
            return z3.Function(term.name, *[sort] * (len(arguments) + 1))(*arguments)
        return z3.Const(term.name, sort)

    def step(node: Formula, parts: tuple[Any, ...]) -> Any:
        match node:
            case Atom(name, arguments):
                symbol = z3.Function(name, *[sort] * len(arguments), z3.BoolSort())
                return symbol(*map(of_term, arguments))
            case Equality(left, right):
                return of_term(left) == of_term(right)
            case ForAll(variable):
                return z3.ForAll(of_term(variable), parts[0])
            case Exists(variable):
                return z3.Exists(of_term(variable), parts[0])
            case Iff():
                return parts[0] == parts[1]
            case _:
                return getattr(z3, {"ExclusiveOr": "Xor"}.get(type(node).__name__, type(node).__name__))(*parts)

    return fold(formula, step)


def plain(pair: Pair, letters: Letters = NO_LETTERS) -> str:
    """z3py's answer to whether the two differ; ``letters`` are the names that are propositional letters."""
    import z3

    solver = z3.Solver()
    solver.set("timeout", 1_000)
    first, second = (in_z3py(read_fully(text, letters).formula, z3) for text in pair)
    solver.add(z3.Not(first == second))
    return {"sat": "not_equivalent", "unsat": "equivalent"}.get(str(solver.check()), "unknown")


def judged(pairs: Sequence[Pair]) -> list[Verdict]:
    """The verdicts on texts of gold formulas and variants; texts of variants, which come once, are not remembered."""
    verdicts: list[Verdict] = []
    with without_collecting():
        # First a hundred are read, then they are judged: what is done in a row is done faster.
        for start in range(0, len(pairs), 100):
            texts = pairs[start : start + 100]
            formulas = [(parse(gold), formula_of(other) or read_fully(other).formula) for gold, other in texts]
            verdicts += [equivalence(*pair) for pair in formulas]
    return verdicts


def measure(name: str, pairs: Sequence[Pair], naive: int, most: int) -> str:
    """One line: both rates, their ratio, and how the pairs were decided."""
    import_module("z3")
    mine = random.Random(name).sample(pairs, min(most, len(pairs)))
    sample = mine[:naive]
    answers: list[str] = []
    verdicts: list[Verdict] = []
    slow = fast = 0.0
    for turn in range(TURNS):
        start = process_time()
        answers += [plain(pair) for pair in _part(sample, turn)]
        between = process_time()
        verdicts += judged(_part(mine, turn))
        slow += between - start
        fast += process_time() - between
    slow_rate, fast_rate = len(sample) / slow, len(mine) / fast
    contradicted = sum(
        "unknown" not in (answer, verdict.outcome) and answer != verdict.outcome
        for answer, verdict in zip(answers, verdicts, strict=False)
    )
    unknown = sum(verdict.outcome == "unknown" for verdict in verdicts)
    return (
        f"{name:>18}: {len(mine):6} pairs, {fast_rate:8.0f}/s; "
        f"plain {slow_rate:5.0f}/s on {len(sample)}; ratio {fast_rate / slow_rate:5.1f}; "
        f"unknown {unknown} (plain {answers.count('unknown')}), contradicted {contradicted}; "
        f"{dict(Counter(verdict.means for verdict in verdicts).most_common())}; peak {_peak():.0f} MB"
    )


def _part(pairs: Sequence[Pair], turn: int) -> Sequence[Pair]:
    """One turn of both."""
    return pairs[len(pairs) * turn // TURNS : len(pairs) * (turn + 1) // TURNS]


def with_further_edits(formulas: Sequence[Formula], known: Iterable[Pair], count: int) -> list[Pair]:
    """Return distinct pairs: the known ones, and formulas with variants by two edits, then three."""
    pairs = dict.fromkeys(known)
    variants = [(formula, edit.formula) for formula in formulas for edit in edits(formula)]
    while len(pairs) < count:
        random.Random("memory").shuffle(variants)
        further = []
        for formula, variant in variants:
            for edit in edits(variant):
                further.append((formula, edit.formula))
                pairs[to_unicode(formula), to_unicode(edit.formula)] = None
            if len(pairs) >= count:
                break
        variants = further
    return list(pairs)[:count]


def memory(pairs: Sequence[Pair]) -> str:
    """One line: the peak of resident memory before and after each block of pairs."""
    peaks = [f"{_peak():.0f} MB with the texts"]
    for start in range(0, len(pairs), BLOCK):
        judged(pairs[start : start + BLOCK])
        peaks.append(f"{_peak():.0f} after {min(start + BLOCK, len(pairs))}")
    return f"{'memory':>18}: {', '.join(peaks)}"


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Measure every workload."""
    parser = argparse.ArgumentParser(description="Equivalence against the plain solver call, as a ratio in one run.")
    parser.add_argument("--folio", type=Path, help="FOLIO v0.0's folio-train.jsonl")
    parser.add_argument("--naive", type=int, default=400, help="pairs for the plain call")
    parser.add_argument("--pairs", type=int, default=20_000, help="pairs of each workload at most")
    options = parser.parse_args()
    datasets = {"tarski": closed(tarski())}
    if options.folio:
        datasets["folio"] = closed(folio(options.folio))
    for name, formulas in datasets.items():
        kinds = workloads(formulas)
        for kind, pairs in kinds.items():
            print(_in_new_process(measure, f"{name} {kind}", pairs, options.naive, options.pairs))
    if options.folio:
        print(_in_new_process(memory, with_further_edits(datasets["folio"], kinds["all"], 5 * BLOCK)))


def _in_new_process(function: Callable[..., str], *arguments: object) -> str:
    """Call a function with all caches empty."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as process:
        return process.submit(function, *arguments).result()


if __name__ == "__main__":
    main()
