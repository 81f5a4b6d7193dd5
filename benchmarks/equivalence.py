"""Equivalence against the plain solver call: pairs a second on one core, both in one run.

    python benchmarks/equivalence.py [--folio FILE] [--naive 400] [--pairs 20000]

Workloads: every gold formula against all its single edits, all its one-law rewrites, and its negation in negation
normal form; of Tarski's World, and of FOLIO where its file is given. Each pair is given as two texts: reading is part
of the work on both sides. The plain call is z3py's ``Solver().check()`` on ``Not(a == b)``, built
with z3py's constructors, with a time-out of one second.
"""

from __future__ import annotations

import argparse
import csv
import json
import multiprocessing
import random
import resource
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from time import process_time
from typing import Any

from nlfol.candidates.edits import edits
from nlfol.logic.errors import LogicError
from nlfol.logic.judging import judge_texts
from nlfol.logic.measuring import free_variables, predicates
from nlfol.logic.printing import to_unicode
from nlfol.logic.reading import parse
from nlfol.logic.rewriting import negation_normal_form, rewrites
from nlfol.logic.syntax import (
    Atom,
    Equality,
    Exists,
    ForAll,
    Formula,
    Function,
    Iff,
    Not,
    Term,
    fold,
)

ROOT = Path(__file__).parents[1]
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


def plain(pair: Pair) -> str:
    """z3py's answer to whether the two differ."""
    import z3

    solver = z3.Solver()
    solver.set("timeout", 1_000)
    first, second = (in_z3py(parse(text), z3) for text in pair)
    solver.add(z3.Not(first == second))
    return {"sat": "not_equivalent", "unsat": "equivalent"}.get(str(solver.check()), "unknown")


def measure(name: str, pairs: Sequence[Pair], naive: int, most: int) -> str:
    """One line: both rates, their ratio, and how the pairs were decided."""
    draw = random.Random(name)
    mine = draw.sample(pairs, min(most, len(pairs)))
    sample = mine[:naive]
    start = process_time()
    answers = [plain(pair) for pair in sample]
    slow = len(sample) / (process_time() - start)
    start = process_time()
    verdicts = judge_texts(mine)
    fast = len(mine) / (process_time() - start)
    contradicted = sum(
        "unknown" not in (answer, verdict.outcome) and answer != verdict.outcome
        for answer, verdict in zip(answers, verdicts, strict=False)
    )
    unknown = sum(verdict.outcome == "unknown" for verdict in verdicts)
    return (
        f"{name:>18}: {len(mine):6} pairs, {fast:8.0f}/s; "
        f"plain {slow:5.0f}/s on {len(sample)}; ratio {fast / slow:5.1f}; "
        f"unknown {unknown} (plain {answers.count('unknown')}), contradicted {contradicted}; "
        f"{dict(Counter(verdict.means for verdict in verdicts).most_common())}; peak {_peak():.0f} MB"
    )


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
        for kind, pairs in workloads(formulas).items():
            # A process of its own for each: nothing is remembered from the workload before.
            with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as process:
                print(process.submit(measure, f"{name} {kind}", pairs, options.naive, options.pairs).result())


if __name__ == "__main__":
    main()
