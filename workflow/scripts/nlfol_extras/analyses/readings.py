"""Programs as models write them: how many are right read strictly and tolerantly, and which liberties they need.

A program is executed again, with the options of its question, strictly and as its score has it. The strict reading is
that of ``nlfol solve --strict``. Sections that are missing or mixed are no liberty: the task puts programs together.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from nlfol.facts import EXECUTABLE, RIGHT
from nlfol.problems.problem import Problem
from nlfol.problems.programs import LANGUAGES, Execution, Policy, RepairKind, execute
from nlfol.results.analyses.analysis import Analysis, Rows
from nlfol.results.statistics.summary import OF_TASK, Origin
from nlfol.results.tables import columns
from nlfol.results.tables.opening import nothing
from nlfol.results.tables.table import TableForm
from nlfol.store.columns import TASK, counts, schema, texts
from nlfol.store.files import read_frame
from nlfol.store.origins import metadata_at
from nlfol.store.schemas import ITEMS

ALL = "all"
"""The row of all programs, whatever their liberties."""

READINGS = schema(
    "readings", 1, *TASK, *texts("model", "language", "liberty"), *counts("programs", "strict", "tolerant")
)
"""One row a dataset, task, model, language and liberty: programs with it, and those of them that are right."""

_OURS = frozenset((RepairKind.SECTION, RepairKind.MISPLACED))

Problems = Mapping[tuple[str, str], Mapping[str, Problem]]


def problems_of(paths: Iterable[Path]) -> Problems:
    """Return the problems of ITEMS files by dataset and task, then by item."""
    found = {}
    for path in paths:
        about, items = metadata_at(path), read_frame(path, ITEMS).select("item", "problem").drop_nulls()
        problems = {item: Problem.from_row(json.loads(problem)) for item, problem in items.iter_rows()}
        found[about["dataset"], about["task"]] = problems
    return found


def readings(scored: Iterable[tuple[Origin, pl.DataFrame]], problems: Problems) -> Iterator[dict[str, Any]]:
    """Yield the rows of ``READINGS`` for scores of programs, in their order, all before each liberty."""
    for source, scores in scored:
        known = problems.get((source.dataset, source.task))
        if EXECUTABLE not in source.asked.metrics or known is None:
            continue
        found: defaultdict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
        written = scores.filter(pl.col("metric") == RIGHT, pl.col("dialect").is_in(list(LANGUAGES)))
        for item, language, text in written.select("item", "dialect", "formula").drop_nulls().iter_rows():
            problem = known[item]
            strict, tolerant = (
                execute(language, text, problem.lettered, Policy(strict=strict, explains=False))
                for strict in (True, False)
            )
            liberties = {repair.kind.value for repair in tolerant.repairs if repair.kind not in _OURS}
            for liberty in (ALL, *sorted(liberties)):
                found[language].update((liberty, name) for name in _counted(strict, tolerant, problem.answer))
        for language, counted in found.items():
            for liberty in dict.fromkeys(liberty for liberty, _ in sorted(counted, key=lambda each: each[0] != ALL)):
                numbers = {name: counted[liberty, name] for name in ("programs", "strict", "tolerant")}
                yield {**source.named(*OF_TASK, "model"), "language": language, "liberty": liberty, **numbers}


def _counted(strict: Execution, tolerant: Execution, answer: str) -> list[str]:
    right = [name for name, found in (("strict", strict), ("tolerant", tolerant)) if found.answer == answer]
    return ["programs", *right]


TABLE = TableForm(
    "readings",
    "Programs read strictly and tolerantly",
    "Programs, and how many of them are right read strictly and tolerantly: of all, and of those with each liberty.",
    (*columns.texts(*OF_TASK, "model", "language", "liberty"), *columns.counts("programs", "strict", "tolerant")),
    (
        "Strict: read as Logic-LM's solvers read. Tolerant: as scores have it.",
        "Liberty: what was forgiven, as `nlfol solve` names it; a program may need several.",
    ),
    ("readings",),
    opens=nothing,
)

ANALYSIS = Analysis(
    rows=(Rows(READINGS, lambda given: readings(given.loaded(), problems_of(given.files["problem_items"]))),),
    tables=(TABLE,),
)
