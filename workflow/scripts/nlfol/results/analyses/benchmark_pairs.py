"""Benchmarks as columns of scores by model, and which of them are compared."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import chain, combinations, product
from types import MappingProxyType
from typing import NamedTuple

import polars as pl

from nlfol.facts import F1, FACTS, FEW_SHOT, ZERO_SHOT, AnswerForm
from nlfol.mappings import AnyRow
from nlfol.results.statistics.binning import bounded_name
from nlfol.results.statistics.published_error import published_quantity
from nlfol.results.statistics.published_ways import Figure, Ways, differences
from nlfol.results.statistics.summary import COMPARED

HERE = "here"
"""The source of what was measured, not published."""

OURS = "; here: "
"""Before what differs here, in the source of a published benchmark."""


class Quantity(NamedTuple):
    """A quantity by its published name, whatever its entries here are called."""

    dataset: str
    kind: str
    metric: str
    presentation: str


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A column of scores by model.

    Its source is ``here``, or the file of published figures and its table; its task an entry of the configuration, or
    the published kind; its metric has its limit of size, if any, such as ``truth_operators_6``. One that leads stands
    for its task where no published table names another.
    """

    source: str
    dataset: str
    task: str
    metric: str
    presentation: str
    scores: Mapping[str, float] = field(compare=False)
    quantity: Quantity = field(default=Quantity("", "", "", ""), compare=False)
    leads: bool = field(default=True, compare=False)
    unlimited: str = field(default="", compare=False)
    """The metric without its limit of size."""
    figures: Mapping[str, Figure] = field(default_factory=dict, compare=False)
    """Published figures by model, which say how it was asked."""

    @property
    def is_trip(self) -> bool:
        """Return whether these are round trips."""
        task = FACTS.get(self.quantity.kind)
        return task is not None and task.form is AnswerForm.CHAIN


def measured_benchmarks(
    cells: pl.DataFrame,
    bounded: pl.DataFrame,
    verified: Iterable[AnyRow] = (),
    names: Mapping[str, str] = MappingProxyType({}),
) -> list[Benchmark]:
    """Return an experiment's columns of rated metrics, and of those that are published under another task's name.

    They are over all items (CELLS) and over those up to a size (BOUNDED); of verification there is F1 (``verified``,
    rows of VERIFICATIONS), too. ``names`` are the published names of datasets.
    """
    by_key: dict[tuple[str, str, str, str, str, str], dict[str, float]] = {}
    rows = [row for row in cells.to_dicts() if row["mean"] is not None]
    without_examples = {(row["dataset"], row["task"]) for row in rows if row["presentation"] == ZERO_SHOT}
    f1 = ({**row, "metric": F1, "presentation": "", "mean": row[F1]} for row in verified if row["case"] is None)
    for row in [*rows, *bounded.to_dicts(), *(row for row in f1 if row[F1] is not None)]:
        kind = row["task_kind"]
        counts = FACTS[kind].rates(row["metric"]) or row["metric"] == F1
        if row["kind"] in COMPARED and (counts or published_quantity(kind, row["metric"], "")[0] != kind):
            key = row["dataset"], row["task"], bounded_name(row), row["presentation"], kind, row["metric"]
            by_key.setdefault(key, {})[row["model"]] = row["mean"]
    made = []
    for (dataset, task, metric, presentation, kind, unlimited), scores in by_key.items():
        quantity = Quantity(names.get(dataset, dataset), *published_quantity(kind, metric, presentation))
        first = F1 if FACTS[kind].form is AnswerForm.VERDICT else FACTS[kind].metrics[0]
        leads = metric == first and (presentation != FEW_SHOT or (dataset, task) not in without_examples)
        made.append(Benchmark(HERE, dataset, task, metric, presentation, scores, quantity, leads, unlimited))
    return made


def published_benchmarks(figures: pl.DataFrame) -> list[Benchmark]:
    """Return the published scores of single models, of which more is better, as columns; ratings are left out."""
    by_key: dict[tuple[str, str, str, str, str], dict[str, float]] = {}
    asked: dict[tuple[str, str, str, str, str], dict[str, Figure]] = {}
    scores = figures.filter(
        pl.col("task") != "diversification", pl.col("metric") != "dispersion", pl.col("dataset").is_not_null()
    )
    scores = scores.filter(pl.col("model").is_not_null(), pl.col("second").is_null())
    for row in scores.filter(~pl.col("metric").str.starts_with("count_")).to_dicts():
        key = f"{row['paper']} {row['table']}", row["dataset"], row["task"], row["metric"], row["presentation"] or ""
        by_key.setdefault(key, {})[row["model"]] = row["mean"]
        asked.setdefault(key, {})[row["model"]] = row
    return [Benchmark(*key, means, Quantity(*key[1:]), figures=asked[key]) for key, means in by_key.items()]


def chosen_pairs(
    ours: Sequence[Benchmark], theirs: Sequence[Benchmark], known: Set[tuple[str, str]]
) -> Iterator[tuple[Benchmark, Benchmark]]:
    """Yield the pairs that answer a question: ours, ours and published, or published about a known task.

    * Ours go together across kinds of tasks, each by its first metric over all items; but round trips beside what a
      published table sets beside round trips are of the metric, size and presentation that are named there.
    * Ours and published are the same quantity, or beside each other in a published table: then any dataset of ours
      can stand for the one of its round trips.
    * Published ones stand in one table, and are of different kinds of tasks.
    * A published one that stands beside round trips nowhere, such as BBH, goes with those of its paper, and with ours
      by their first metric.
    """
    tables: dict[Quantity, dict[str, Quantity]] = {}
    for first, second in _of_one_table(theirs):
        for trip, other in ((first, second), (second, first)):
            if trip.is_trip and not other.is_trip:
                tables.setdefault(_without_metric(other), {})[trip.source] = trip.quantity

    def are_beside(trip: Benchmark, other: Benchmark) -> bool:
        named = tables.get(_without_metric(other), {}) if trip.is_trip else {}
        if trip.source != HERE:
            return trip.source in named
        of_tables = named.values() if other.source == HERE else [named[other.source]] if other.source in named else []
        return any(quantity[2:] == trip.quantity[2:] for quantity in of_tables)

    for first, second in combinations(ours, 2):
        if first.quantity.kind != second.quantity.kind:
            trip, other = (first, second) if first.is_trip else (second, first)
            is_named = trip.is_trip and _without_metric(other) in tables
            if are_beside(trip, other) if is_named else first.leads and second.leads:
                yield first, second
    for first, second in product(ours, theirs):
        if first.quantity == second.quantity or are_beside(first, second) or are_beside(second, first):
            yield first, second
    yield from _of_one_table(theirs, known)
    papers = {_paper(trip) for trip in theirs if trip.is_trip}
    alone = [
        benchmark
        for benchmark in theirs
        if not benchmark.is_trip and _without_metric(benchmark) not in tables and _paper(benchmark) in papers
    ]
    trips = [benchmark for benchmark in ours if benchmark.is_trip and benchmark.leads]
    trips += [benchmark for benchmark in theirs if benchmark.is_trip and (benchmark.dataset, benchmark.task) in known]
    yield from ((one, other) for one, other in product(trips, alone) if _paper(one) in (HERE, _paper(other)))


def labelled(
    compared: Iterable[tuple[Benchmark, Benchmark]], theirs: Sequence[Benchmark], asked: Ways
) -> Iterator[tuple[Benchmark, Benchmark]]:
    """Yield the pairs; the source of a published one says what differs in ours from what its paper has in our place."""
    for first, second in compared:
        differs: dict[str, None] = {}
        if first.source == HERE != second.source:
            of_paper = [one for one in theirs if _paper(one) == _paper(second)]
            named = [one for one in of_paper if _asked_as(one) == _asked_as(first)]
            for one in sorted(named, key=lambda one: one.source != second.source)[:1]:
                known = [model for model in first.scores if model in second.scores and model in one.figures]
                each = (differences(one.figures[model], [asked[first.task, model]]) for model in known)
                differs = dict.fromkeys(chain.from_iterable(each))
        yield first, replace(second, source=f"{second.source}{OURS}{'; '.join(differs)}") if differs else second


def _asked_as(benchmark: Benchmark) -> tuple[str, str]:
    return benchmark.quantity.kind, benchmark.quantity.presentation


def _paper(benchmark: Benchmark) -> str:
    return benchmark.source.split(" ")[0]


def _without_metric(benchmark: Benchmark) -> Quantity:
    return benchmark.quantity._replace(metric="")


def _of_one_table(
    theirs: Sequence[Benchmark], known: Set[tuple[str, str]] | None = None
) -> Iterator[tuple[Benchmark, Benchmark]]:
    """Yield pairs of different kinds of tasks in one table, one of them ``known``."""
    for pair in combinations(theirs, 2):
        (first, second), about = pair, {(benchmark.dataset, benchmark.task) for benchmark in pair}
        if first.source == second.source and first.task != second.task and (known is None or about & known):
            yield first, second
