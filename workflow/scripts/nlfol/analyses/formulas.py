"""Formulas of the datasets: complexity, diversity, sizes and corrections."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from nlfol.analyses.analysis import Analysis, Given, Rows
from nlfol.statistics.complexity import complexity
from nlfol.statistics.corrections import corrections
from nlfol.statistics.counts import counts
from nlfol.statistics.diversity import diversity
from nlfol.store.analysis_schemas import COMPLEXITY, CORRECTIONS, COUNTS, DIVERSITY
from nlfol.tables import candidates, generated, gold
from nlfol.tables.forms import DrawnForm


def _each(given: Given, name: str, rows: Callable[[str, Path], Iterable[dict[str, Any]]]) -> list[dict[str, Any]]:
    """Return rows of each dataset's file of a name."""
    return [row for dataset, path in given.by_dataset(name).items() for row in rows(dataset, path)]


def _diversities(given: Given) -> list[dict[str, Any]]:
    measures = given.by_dataset("measures")
    return [diversity(dataset, path, measures[dataset]) for dataset, path in given.by_dataset("triples").items()]


ANALYSIS = Analysis(
    rows=(
        Rows(COMPLEXITY, lambda given: _each(given, "measures", lambda dataset, path: [complexity(dataset, path)])),
        Rows(DIVERSITY, _diversities),
        Rows(COUNTS, lambda given: _each(given, "measures", counts)),
        Rows(CORRECTIONS, lambda given: _each(given, "triples", corrections)),
    ),
    tables=(
        DrawnForm("complexity", ("complexity",), candidates.complexity),
        DrawnForm("diversity", ("diversity", "figures"), generated.diversity),
        DrawnForm("counts", ("counts",), generated.counts),
        DrawnForm("corrections", ("corrections",), gold.corrections),
    ),
)
