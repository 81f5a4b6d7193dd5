"""Certified candidate sets against the plain solver call: premises and pairs a second on one core, both in one run.

    python benchmarks/candidates.py [--folio FILE] [--naive 400]

For each task, the sets of all closed gold formulas of Tarski's World, and of FOLIO, without ⊕, where its file is given,
with the defaults of the configuration. ``certified``: edits drawn, told apart, every structure confirmed and every
relation certified; ``in English``: the same with every member rendered, in either style; ``with rows``: in the style of
the protocol ``audited`` and as the rows of the file. The plain call decides one pair of the workload ``all`` of
``equivalence.py``; it is measured before and after, and each ratio is to it. Each figure comes of a new process;
reading the formulas, deriving their ontologies and importing modules are part of none.
"""

import argparse
import multiprocessing
import random
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from time import process_time
from typing import TypeVar

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.equivalence import closed, folio, plain, tarski, workloads

from nlfol.candidates import audited
from nlfol.candidates.sets import Candidate, CandidateError, candidate_rows
from nlfol.english.styles import Style
from nlfol.logic.judging import without_collecting
from nlfol.logic.printing import to_unicode
from nlfol.logic.reading import parse
from nlfol.logic.syntax import ExclusiveOr, distinct_subformulas
from nlfol.ontology.derivation import derive
from nlfol.randomness import generator

T = TypeVar("T")

TASKS: dict[str, tuple[Callable[..., list[Candidate]], audited.Plan]] = {
    "most similar": (audited.most_similar_set, audited.Plan(8)),
    "ranking": (audited.ranking_set, audited.Plan(3)),
}

STAGES: dict[str, tuple[Style | None, bool]] = {
    "certified": (None, False),
    "in English paper": (Style.PAPER, False),
    "in English unambiguous": (Style.UNAMBIGUOUS, False),
    "with rows": (Style.UNAMBIGUOUS, True),
}
"""The style of the English, and whether rows are made."""


def plain_rate(texts: Sequence[str], naive: int) -> float:
    """Pairs a second of the plain call."""
    import_module("z3")
    pairs = workloads([parse(text) for text in texts])["all"]
    sample = random.Random("pairs").sample(pairs, min(naive, len(pairs)))
    start = process_time()
    for pair in sample:
        plain(pair)
    return len(sample) / (process_time() - start)


def measure(task: str, texts: Sequence[str], style: Style | None, as_rows: bool) -> tuple[float, str]:
    """Premises a second, and what was made."""
    import_module("z3")
    make, plan = TASKS[task]
    plan = replace(plan, style=style)
    items = [(text, formula, derive([formula])) for text in texts for formula in [parse(text)]]
    made: list[list[Candidate]] = []
    refused: Counter[str] = Counter()
    start = process_time()
    with without_collecting():
        for text, formula, ontology in items:
            try:
                made.append(make(formula, ontology, plan, generator("benchmark", text, task)))
            except CandidateError as error:
                refused[error.reason] += 1
            else:
                if as_rows:
                    candidate_rows(made[-1])
    rate = len(texts) / (process_time() - start)
    certificates = [c for candidates in made for member in candidates for c in member.certificates or ()]
    return rate, (
        f"{len(made)} sets of {sum(map(len, made))} members with {len(certificates)} certificates, "
        f"{sum(c.counter_model is not None for c in certificates)} of them structures; refused {dict(refused)}"
    )


def main() -> None:
    """Measure both tasks."""
    parser = argparse.ArgumentParser(description="Certified candidate sets against the plain solver call, in one run.")
    parser.add_argument("--folio", type=Path, help="FOLIO v0.0's folio-train.jsonl")
    parser.add_argument("--naive", type=int, default=400, help="pairs for the plain call")
    options = parser.parse_args()
    datasets = {"tarski": closed(tarski())}
    if options.folio:
        every = closed(folio(options.folio))
        datasets["folio"] = [f for f in every if not any(isinstance(n, ExclusiveOr) for n in distinct_subformulas(f))]
    for name, formulas in datasets.items():
        texts = [to_unicode(formula) for formula in formulas]
        for task in TASKS:
            before = _alone(plain_rate, texts, options.naive)
            measured = {what: _alone(measure, task, texts, *how) for what, how in STAGES.items()}
            pairs = (before + _alone(plain_rate, texts, options.naive)) / 2
            rates = "; ".join(f"{what} {rate:.0f}/s, ratio {rate / pairs:.2f}" for what, (rate, _) in measured.items())
            print(f"{name:>6} {task:>12}: {rates}; plain {pairs:.0f} pairs/s; {measured['certified'][1]}")


def _alone(work: Callable[..., T], *arguments: object) -> T:
    """In a process of its own: nothing is remembered from what was measured before."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as process:
        return process.submit(work, *arguments).result()


if __name__ == "__main__":
    main()
