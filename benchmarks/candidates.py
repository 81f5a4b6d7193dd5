"""Certified candidate sets against the plain solver call: premises and pairs a second on one core, both in one run.

    python benchmarks/candidates.py [--folio FILE] [--naive 400]

For each task, the sets of all closed gold formulas of Tarski's World, and of FOLIO, without ⊕, where its file is given:
edits drawn, rendered, told apart and every relation certified, with the defaults of the configuration. Apart from that,
reading the formulas and making the rows of the file. The plain call decides one pair of the workload ``all`` of
``equivalence.py``; it is measured before and after.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from time import process_time
from typing import TypeVar

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.equivalence import closed, folio, plain, tarski, workloads

from nlfol.candidates import audited
from nlfol.candidates.randomness import generator
from nlfol.candidates.rows import candidate_rows
from nlfol.candidates.sets import Candidate, CandidateError
from nlfol.english.styles import render
from nlfol.logic.judging import without_collecting
from nlfol.logic.printing import to_unicode
from nlfol.logic.reading import parse
from nlfol.logic.syntax import ExclusiveOr, distinct_subformulas
from nlfol.ontology.derivation import derive
from nlfol.ontology.ontology import Ontology

T = TypeVar("T")

TASKS: dict[str, tuple[Callable[..., list[Candidate]], audited.Plan]] = {
    "most similar": (audited.most_similar_set, audited.Plan(8)),
    "ranking": (audited.ranking_set, audited.Plan(3)),
}


def plain_rate(texts: Sequence[str], naive: int) -> float:
    """Pairs a second of the plain call."""
    pairs = workloads([parse(text) for text in texts])["all"]
    sample = random.Random("pairs").sample(pairs, min(naive, len(pairs)))
    start = process_time()
    for pair in sample:
        plain(pair)
    return len(sample) / (process_time() - start)


def measure(task: str, texts: Sequence[str]) -> tuple[float, str]:
    """Premises a second, and what was made."""
    make, plan = TASKS[task]
    start = process_time()
    formulas = [parse(text) for text in texts]
    reading = process_time() - start
    ontologies = [derive([formula]) for formula in formulas]
    made: list[tuple[list[Candidate], Ontology]] = []
    refused: Counter[str] = Counter()
    start = process_time()
    with without_collecting():
        for text, formula, ontology in zip(texts, formulas, ontologies, strict=True):
            try:
                made.append((make(formula, ontology, plan, generator("benchmark", text, task)), ontology))
            except CandidateError as error:
                refused[error.reason] += 1
    making = process_time() - start
    start = process_time()
    for candidates, _ in made:
        candidate_rows(candidates)
    writing = process_time() - start
    start = process_time()
    for candidates, ontology in made:
        for candidate in candidates:
            render(candidate.formula, ontology, plan.style)
    english = process_time() - start
    certificates = [c for candidates, _ in made for member in candidates for c in member.certificates or ()]
    members = sum(len(candidates) for candidates, _ in made)
    return len(texts) / making, (
        f"{len(made)} sets of {members} members with {len(certificates)} certificates, "
        f"{sum(c.counter_model is not None for c in certificates)} of them structures; refused {dict(refused)}; "
        f"rendering is {english / making:.0%} of it; "
        f"apart: reading {len(texts) / reading:.0f}/s, rows {len(made) / writing:.0f}/s"
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
            rate, made = _alone(measure, task, texts)
            pairs = (before + _alone(plain_rate, texts, options.naive)) / 2
            ratio = f"{rate:6.0f} premises/s; plain {pairs:5.0f} pairs/s; ratio {rate / pairs:5.2f}"
            print(f"{name:>6} {task:>12}: {ratio}; {made}")


def _alone(work: Callable[..., T], *arguments: object) -> T:
    """In a process of its own: nothing is remembered from what was measured before."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as process:
        return process.submit(work, *arguments).result()


if __name__ == "__main__":
    main()
