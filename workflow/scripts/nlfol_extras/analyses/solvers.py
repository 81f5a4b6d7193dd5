"""Programs for solvers: how many are executable, how many are right, and what a fallback would make of the others.

A better translator executes more programs and may lower the share that is right among those executed, so both are shown
(as in Logic-LM: Pan et al., Findings of EMNLP 2023). With a random guess in place of what is not
executable, the score of an answer is its exact expectation, right + (1 - executable) / options; with the same model's
answer without a solver it is that answer's score, of the same item and seed.
"""

from collections.abc import Iterable, Mapping
from statistics import fmean
from typing import TypedDict, cast

import polars as pl

from nlfol.facts import EXECUTABLE, FAILURES, RIGHT
from nlfol.results.analyses.analysis import Analysis, Rows
from nlfol.results.analyses.answers import Items, items_of
from nlfol.results.statistics.clusters import ratio
from nlfol.results.statistics.summary import OUTCOMES, Mean, Origin, deviation, mean_of
from nlfol.results.tables import columns
from nlfol.results.tables.opening import Filter, Number, counted, plain
from nlfol.results.tables.table import TableForm
from nlfol.store.columns import TaskColumns, row_schema

FAULTS = (*FAILURES, "no_answer")
"""Reasons why a readable program gives no answer."""

LOST = tuple(outcome for outcome in OUTCOMES if outcome not in ("answered", "unparsable"))
"""Outcomes of requests without an answer."""

_COUNTS = ("executed", "unparsable", *FAULTS, "lost")
_SPREAD = ("deviation", "low", "high")
_KEY = ["item", "seed"]


class _Solver(TaskColumns):
    model: str
    kind: str
    items: int
    seeds: int


class _Right(TypedDict):
    right: float | None
    right_deviation: float | None
    right_low: float | None
    right_high: float | None


class _Executable(TypedDict):
    executable: float | None
    executable_deviation: float | None
    executable_low: float | None
    executable_high: float | None


class _RightExecuted(TypedDict):
    right_executed: float | None  # of the executable ones; null if there are none
    right_executed_deviation: float | None
    right_executed_low: float | None
    right_executed_high: float | None


class _Guessed(TypedDict):
    guessed: float | None  # expectation with a random option in place of what is not executable
    guessed_deviation: float | None
    guessed_low: float | None
    guessed_high: float | None


class _Answering(TypedDict):
    # The task whose answer of the same model stands in place of what is not executable; null without one.
    answering: str | None


class _Fallback(TypedDict):
    fallback: float | None
    fallback_deviation: float | None
    fallback_low: float | None
    fallback_high: float | None


class _Counts(TypedDict):
    # answers by what became of them; null for chance
    executed: int | None
    unparsable: int | None
    undefined_symbol: int | None
    arity: int | None
    open: int | None
    contradictory: int | None
    ambiguous: int | None
    budget: int | None
    no_answer: int | None
    lost: int | None


class SolverRow(_Solver, _Right, _Executable, _RightExecuted, _Guessed, _Answering, _Fallback, _Counts):
    """One row a dataset, task of programs and model; deviations are over seeds, null for one."""


SOLVERS = row_schema("solvers", 1, SolverRow)


class _Spread(TypedDict):
    mean: float
    deviation: float | None
    low: float | None
    high: float | None


Loaded = Iterable[tuple[Origin, pl.DataFrame]]
"""Gone through twice."""


def solvers(loaded: Loaded, items: Items) -> list[SolverRow]:
    """Return the rows of ``SOLVERS``."""
    answering = _answering(loaded, items)
    return [
        _row(source, scores, items, answering.get((source.dataset, source.model)))
        for source, scores in loaded
        if EXECUTABLE in source.asked.metrics and not scores.is_empty() and (source.dataset, source.task) in items
    ]


def _answering(loaded: Loaded, items: Items) -> Mapping[tuple[str, str], tuple[str, pl.DataFrame]]:
    """Return the answers without a solver of each dataset and model: of the first task and presentation."""
    answering: dict[tuple[str, str], tuple[str, pl.DataFrame]] = {}
    for source, scores in loaded:
        if source.asked.metrics == (RIGHT,) and (source.dataset, source.task) in items and not scores.is_empty():
            first = scores.filter(pl.col("presentation") == scores["presentation"][0])
            answers = first.select(*_KEY, pl.col("score").alias("fallback"))
            answering.setdefault((source.dataset, source.model), (source.task, answers))
    return answering


def _row(source: Origin, scores: pl.DataFrame, items: Items, answering: tuple[str, pl.DataFrame] | None) -> SolverRow:
    asked = items[source.dataset, source.task]
    wide = _side_by_side(scores)
    options = pl.col("item").replace_strict(
        {item: len(facts.labels) for item, facts in asked.items()}, return_dtype=pl.Float64
    )
    missed = 1 - pl.col(EXECUTABLE)
    wide = wide.with_columns((pl.col(RIGHT) + missed / options).alias("guessed"))
    row: SolverRow = {
        **source.of_task,
        "model": source.model,
        "kind": source.kind,
        "items": wide["item"].n_unique(),
        "seeds": wide["seed"].n_unique(),
        **cast("_Right", _named(RIGHT, mean_of(wide, RIGHT))),
        **cast("_Executable", _named(EXECUTABLE, mean_of(wide, EXECUTABLE))),
        **cast("_RightExecuted", _named("right_executed", _right_among_executable(wide))),
        **cast("_Guessed", _named("guessed", mean_of(wide, "guessed"))),
        "answering": None,
        **cast("_Fallback", _named("fallback", None)),
        **_counts(source, scores.filter(pl.col("metric") == EXECUTABLE)),
    }
    if answering is not None:
        task, answers = answering
        both = wide.join(answers, on=_KEY, how="inner", nulls_equal=True, maintain_order="left")
        if both.height == wide.height:
            both = both.with_columns((pl.col(RIGHT) + missed * pl.col("fallback")).alias("fallback"))
            return {**row, "answering": task, **cast("_Fallback", _named("fallback", mean_of(both, "fallback")))}
    return row


def _side_by_side(scores: pl.DataFrame) -> pl.DataFrame:
    """Return one row an answer, with the scores of both metrics."""
    right, executable = (
        scores.filter(pl.col("metric") == metric).select(*_KEY, "story", pl.col("score").alias(metric))
        for metric in (RIGHT, EXECUTABLE)
    )
    return right.join(executable.drop("story"), on=_KEY, nulls_equal=True, maintain_order="left")


def _right_among_executable(wide: pl.DataFrame) -> _Spread | None:
    """Return the share right of executable, with an interval over all seeds; None if nothing is executable."""
    by_seed = wide.group_by("seed", maintain_order=True).agg(pl.col(RIGHT).sum(), pl.col(EXECUTABLE).sum())
    shares = [right / executed for _, right, executed in by_seed.iter_rows() if executed]
    if not shares:
        return None
    by_item = wide.group_by("item", maintain_order=True).agg(
        pl.col("story").first(), pl.col(RIGHT).mean(), pl.col(EXECUTABLE).mean()
    )
    share = ratio(by_item[RIGHT].to_list(), by_item[EXECUTABLE].to_list(), by_item["story"].to_list())
    return {"mean": fmean(shares), "deviation": deviation(shares, share.items), "low": share.low, "high": share.high}


def _named(name: str, figures: Mean | _Spread | None) -> dict[str, float | None]:
    values: Mapping[str, float | None] = {} if figures is None else cast("Mapping[str, float | None]", figures)
    return {name: values.get("mean"), **{f"{name}_{part}": values.get(part) for part in _SPREAD}}


def _counts(source: Origin, answers: pl.DataFrame) -> _Counts:
    """Count answers by their end; null for chance, whose answers are an expectation."""
    if source.kind == "chance":
        return cast("_Counts", dict.fromkeys(_COUNTS))
    counts = {
        "executed": int((answers["score"] == 1).sum()),
        "unparsable": int((answers["outcome"] == "unparsable").sum()),
        **{fault: int((answers["fault"] == fault).sum()) for fault in FAULTS},
        "lost": int(answers["outcome"].is_in(LOST).sum()),
    }
    return cast("_Counts", counts)


def _answers(number: Number) -> Filter | None:
    """Choose the answers to the task or, for a count, those that ended so."""
    chosen = {**(plain(number) or {}), "metric": "executable"}
    if number.column in ("right", "executed"):
        return {**chosen, **({"right": "right"} if number.column == "executed" else {"metric": "right"})}
    if number.column == "lost":
        return {**chosen, "outcome": list(LOST)}
    return {**chosen, "fault": number.column} if number.column in FAULTS else {**chosen, **counted(number.column)}


TABLE = TableForm(
    "solvers",
    "Programs for solvers",
    "How often models' programs are executable, and how often the answer is right: of all, of those executed, and with "
    "a fallback for the others.",
    (
        *columns.texts("dataset", "task", "model"),
        columns.count("items"),
        columns.asked("seeds"),
        *map(columns.interval, ("right", "executable")),
        columns.interval("right_executed", "Right of executable"),
        columns.interval("guessed", "With a guess"),
        columns.interval("fallback", "With an answer"),
        columns.text("answering", "Answer of"),
        *columns.counts(*_COUNTS),
    ),
    (
        "Right: a program that gives no answer is wrong. Executable: exactly one option follows.",
        "With a guess: expectation with a random option in place of each program that is not executable.",
        "With an answer: the same model's answer without a solver in its place, from the task in “Answer of”.",
        "Undefined symbol to no answer: programs that were read and give none. Lost: requests without an answer.",
        f"Mean ± sample standard deviation over seeds. {columns.PROBLEMS_NOTE}",
    ),
    ("solvers",),
    opens=_answers,
)

_READ = "item story presentation seed metric score outcome fault"

ANALYSIS = Analysis(
    rows=(Rows(SOLVERS, lambda given: solvers(given.loaded(_READ), items_of(given.files["problem_items"]))),),
    tables=(TABLE,),
)
