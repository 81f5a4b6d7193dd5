"""Benchmarks against one another."""

from __future__ import annotations

from typing import Any

from nlfol.analyses.analysis import Analysis, Given, Rows
from nlfol.statistics.benchmarks import benchmarks, measured_benchmarks, pairs, published_benchmarks
from nlfol.store.frames import read_figures
from nlfol.store.round_trip_schemas import BENCHMARKS
from nlfol.tables import benchmarks as tables
from nlfol.tables.forms import DrawnForm


def _benchmarks(given: Given) -> list[dict[str, Any]]:
    cells = given.frame("cells")
    ours = measured_benchmarks(cells, given.frame("bounded"))
    theirs = [each for path in given.files["figures"] for each in published_benchmarks(read_figures(path))]
    return benchmarks(pairs(ours, theirs, set(cells.select("dataset", "task_kind").rows())))


ANALYSIS = Analysis(
    rows=(Rows(BENCHMARKS, _benchmarks),),
    tables=(DrawnForm("benchmarks", ("benchmarks",), tables.benchmarks),),
)
