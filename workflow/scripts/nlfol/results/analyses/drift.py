"""Drift and collision of the symbols of programs, their consistency, and causes of wrong answers."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product

import polars as pl

from nlfol.facts import CAUSES as ALL_CAUSES
from nlfol.facts import GOLD_UNREAD, INTERNAL_ERROR, LEFT_OUT, LOST, NO_GOLD, RIGHT
from nlfol.results.analyses.analysis import Analysis, Rows
from nlfol.results.analyses.figure import Figure
from nlfol.results.statistics import aligned
from nlfol.results.statistics.aligned import (
    LEAST_COVERAGE,
    Aligned,
    Entries,
    Program,
    Sums,
    Wording,
    excess,
    named,
    share,
)
from nlfol.results.statistics.clusters import UNTOLD_DESIGN
from nlfol.results.statistics.contrasts import of_models
from nlfol.results.tables import columns
from nlfol.results.tables.opening import Filter, Number, opens
from nlfol.results.tables.table import Kind, Row, TableForm
from nlfol.store.columns import Ends, Interval, KnownInterval, TaskColumns, row_schema, with_ends

_RATES = ("dispersion", "dispersion_of_all", "collision")


class DriftRow(TaskColumns, Wording):
    """One row a dataset, task of programs and model."""

    strategy: str | None
    model: str
    kind: str
    language: str | None  # of all programs; null if they are in several, or in none
    items: int
    stories: int
    seeds: int
    answers: int
    aligned: int
    # Left out, by the reason.
    lost: int
    unparsable: int
    no_gold: int
    gold_unread: int
    internal_error: int
    right: Interval  # of all answers
    coverage: Interval  # share of mentions aligned
    dispersion: Interval
    dispersion_of_all: Interval
    collision: Interval
    f: Interval
    by_structure: Interval
    by_name: Interval
    unaligned: Interval
    lines: Interval
    one_map: Interval
    one_map_is_most: Interval
    problems: Interval
    table_precision: Interval
    table_recall: Interval
    # Of rates of no events, where their design effect is from: other models on the dataset, or 2; null without such.
    design: str | None
    dispersion_least: float | None  # no choice of maps goes below
    dispersion_by_problem: Interval  # its mean over problems
    problems_of_answers: Interval  # consistent programs of all answers but those without a gold program


DRIFT = row_schema("drift", 4, DriftRow)

Designs = Mapping[tuple[str, str], Sequence[float]]
"""Design effects of models with events, by dataset and rate."""


class CauseRow(TaskColumns):
    """One row a dataset, task of programs, model, and cause that some answer has; share: of all answers."""

    original: str | None
    strategy: str | None
    model: str
    kind: str
    cause: str
    answers: int
    of: int
    share: KnownInterval


CAUSES = row_schema("causes", 2, CauseRow)


def drift(loaded: Iterable[Aligned], entries: Entries) -> list[DriftRow]:
    """Return the rows of ``DRIFT``, in the order of the files; files without answers have none."""
    listed = [job for job in loaded if job.rows]
    designs: dict[tuple[str, str], list[float]] = {}
    for job, name in product(listed, _RATES):
        design = aligned.design(_aligned(job), named(name)) if of_models(job.about) else None
        if design is not None:
            designs.setdefault((job.about["dataset"], name), []).append(design)
    return [_drift(job, entries, designs) for job in listed]


def _aligned(job: Aligned) -> list[Program]:
    return [row for row in job.rows if row["status"] == "aligned"]


def causes(loaded: Iterable[Aligned], entries: Entries) -> list[CauseRow]:
    """Return the rows of ``CAUSES``."""
    rows: list[CauseRow] = []
    for job in loaded:
        counts = Counter(row["cause"] for row in job.rows)
        for cause in filter(counts.__getitem__, ALL_CAUSES):
            row: CauseRow = {
                **job.about,
                "original": entries[job.about["dataset"]].get("of"),
                "cause": cause,
                "answers": counts[cause],
                "of": counts.total(),
                "share": share(job.rows, _has(cause)),
            }
            rows.append(with_ends(CauseRow, row))
    return rows


def _has(cause: str) -> Callable[[Program], Sums]:
    return lambda row: (row["cause"] == cause, 1)


def _rates(job: Aligned, designs: Designs) -> tuple[dict[str, Ends], str | None]:
    """Return the rates, and where the design effect of those of no events is from."""
    rates: dict[str, Ends] = {}
    sources: dict[str, str] = {}
    for name in _RATES:
        others = designs.get((job.about["dataset"], name), ())
        untold = max(1.0, sum(others) / len(others)) if others else UNTOLD_DESIGN
        rates[name] = excess(_aligned(job), named(name), untold)
        if rates[name].mean == 0:
            sources[name.replace("_", " ")] = "other models" if others else f"{UNTOLD_DESIGN:g}"
    alike = {*sources.values()}
    listed = [f"{source} of {name}" for name, source in sources.items()]
    return rates, "; ".join(alike if len(alike) == 1 else listed) or None


def _drift(job: Aligned, entries: Entries, designs: Designs) -> DriftRow:
    rows = job.rows
    languages = {row["language"] for row in rows} - {None}
    reasons = Counter(row["reason"] for row in rows)
    known = _aligned(job)
    gold = [row for row in rows if row["reason"] != NO_GOLD]
    rates, design = _rates(job, designs)
    row: DriftRow = {
        **job.about,
        **aligned.wording(job.about["dataset"], entries),
        "language": languages.pop() if len(languages) == 1 else None,
        "items": len({row["item"] for row in rows}),
        "stories": len({row["story"] for row in rows}),
        "seeds": len({row["seed"] for row in rows}),
        "answers": len(rows),
        "aligned": len(known),
        "lost": reasons[LOST],
        "unparsable": reasons["unparsable"],
        "no_gold": reasons[NO_GOLD],
        "gold_unread": reasons[GOLD_UNREAD],
        "internal_error": reasons[INTERNAL_ERROR],
        "right": share(rows, lambda row: (row["right"], 1)),
        "coverage": aligned.coverage(rows),
        "dispersion": rates["dispersion"],
        "dispersion_of_all": rates["dispersion_of_all"],
        "collision": rates["collision"],
        "design": design,
        "f": aligned.b_cubed_f(known),
        "by_structure": share(known, named("by_structure")),
        "by_name": share(known, named("by_name")),
        "unaligned": share(known, _unaligned),
        "lines": share(known, named("lines")),
        "one_map": share(known, named("one_map")),
        "one_map_is_most": share(known, named("one_map_is_most")),
        "problems": share(known, named("problems")),
        "table_precision": share(known, named("table_precision")),
        "table_recall": share(known, named("table_recall")),
        "dispersion_least": aligned.quotient(map(named("least"), known)),
        "dispersion_by_problem": aligned.by_problem(known, named("dispersion")),
        "problems_of_answers": share(gold, lambda row: (named("problems")(row)[0], 1)),
    }
    return with_ends(DriftRow, row)


def _unaligned(row: Program) -> Sums:
    (structure, of), (name, _) = named("by_structure")(row), named("by_name")(row)
    return of - structure - name, of


def _answers(number: Number) -> Filter | None:
    """Choose the answers of a model, or those lost; the explorer does not know why others are not aligned."""
    if number.column in LEFT_OUT and number.column != LOST:
        return None
    return opens(number, metric=RIGHT, **({"cause": LOST} if number.column == LOST else {}))


_LEFT = (
    "Aligned: answers with a program whose symbols are aligned with the concepts of a gold program. The others are "
    "counted by their reason: lost (no answer), unparsable (no program), no gold (none in the program's language)."
)
DISPERSION = (
    "Dispersion, the symbol drift score: symbols of a concept less one, on average over concepts with two or more "
    "mentions, all problems together. Its interval and that of collision: of a Poisson count with the design effect of "
    "stories; of no events that of other models on the dataset, or 2."
)
_COVERAGE = (
    "Mentions aligned: share of the mentions of a problem's concepts, on average over answers; 0 of an answer without "
    f"an aligned program. Below {LEAST_COVERAGE:g} the dispersion is of what could be aligned, and in no comparison. "
    "Design: where the design effect of rates of no events is from."
)
COVERED = f"– where less than {LEAST_COVERAGE:g} of the mentions of either side are aligned."


def _remark(row: Row) -> str | None:
    """Return what to know before dispersions are compared."""
    is_low = row["coverage"] is not None and row["coverage"] < LEAST_COVERAGE
    remarks = [f"less than {LEAST_COVERAGE:g} aligned" if is_low else None, row["design"] and f"design {row['design']}"]
    return "; ".join(filter(None, remarks)) or None


DRIFT_TABLE = TableForm(
    "drift",
    "Drift and collision of symbols",
    "How often a program has several symbols for one concept (dispersion), or one for several (collision).",
    (
        *columns.texts("dataset", "task", "model"),
        *columns.counts("answers", "aligned", *LEFT_OUT),
        columns.interval("coverage", "Mentions aligned"),
        columns.interval("dispersion"),
        columns.column("remark", None, Kind.TEXT, _remark),
        columns.interval("dispersion_by_problem", "By problem"),
        columns.interval("dispersion_of_all", "Of all concepts"),
        columns.interval("collision"),
        columns.interval("f", "B³ F"),
        columns.interval("by_structure", "Aligned by structure"),
        columns.interval("by_name"),
        columns.interval("unaligned", "Not aligned"),
        columns.interval("table_precision", "Table, precision"),
        columns.interval("table_recall", "Table, recall"),
        columns.share("dispersion_least", "Least"),
    ),
    (
        _LEFT,
        _COVERAGE,
        DISPERSION,
        "By problem: its mean over problems. Least: no choice of maps that fit goes below.",
        "Where least is the dispersion, no choice has fewer symbols; others that are as good have as many.",
        "Collision: concepts of a symbol less one. B³ F: of the clusters of mentions by concept and by symbol.",
        "By structure, by name, not aligned: shares of the mentions of concepts.",
        "Table: pairs of expressions that the model's table of concepts joins, against those that mean one.",
        "Articles, forms of “be”, “to” and inflection tell no expressions apart.",
        columns.PROBLEMS_NOTE,
    ),
    ("drift",),
    opens=_answers,
)

CONSISTENCY = TableForm(
    "consistency",
    "Consistency of programs",
    "Share of lines, and of whole programs, that are equivalent to gold once symbols are mapped.",
    (
        *columns.texts("dataset", "task", "model"),
        *columns.counts("answers", "aligned"),
        columns.interval("lines"),
        columns.interval("one_map", "Lines, one map"),
        columns.share("one_map_is_most", "Best map known"),
        columns.interval("problems", "Programs"),
        columns.interval("problems_of_answers", "Of all answers"),
        columns.interval("right"),
    ),
    (
        "Lines: sentences and queries that some map of concepts makes equivalent, each by itself.",
        "Lines, one map: that the best map of the problem makes so, each concept with one symbol of its own.",
        "Best map known: in how many programs no map does more; elsewhere the best one that was found counts.",
        "Programs: one map, one to one, makes all lines of the problem so. All these are of the answers aligned.",
        "Of all answers: the same as “Programs”, where an answer without a program is not consistent.",
        columns.PROBLEMS_NOTE,
    ),
    ("drift",),
    opens=_answers,
)


CAUSES_TABLE = TableForm(
    "causes",
    "Causes of wrong answers",
    "Answers by what would make them right: one symbol for each concept, one concept for each symbol, or another "
    "query.",
    (
        *columns.texts("dataset", "task", "model"),
        columns.column("cause", None, Kind.TEXT, lambda row: row["cause"].replace("_", " ")),
        columns.count("answers"),
        columns.count("of"),
        columns.interval("share"),
    ),
    (
        "Drift: right once the symbols of a concept are merged; collision: once a symbol of several is split.",
        "Query: right with the gold query. Logic: none of these, so some line says something else.",
        "Unparsable and failed: the program has no answer. Lost: the request has none.",
        "Unexplained: wrong, without a gold program in the language to hold it to.",
        columns.PROBLEMS_NOTE,
    ),
    ("causes",),
    opens=lambda n: opens(n, metric=RIGHT, cause=n.row["cause"]) if n.column == "answers" else None,
)

# Distinguishable without colour vision (Okabe and Ito), right answers in the green of the other figures.
_COLOURS = dict(
    zip(
        ALL_CAUSES,
        ("#009e73", "#d55e00", "#cc79a7", "#e69f00", "#0072b2", "#56b4e9", "#f0e442", "#8c564b", "#999999", "#000000"),
        strict=True,
    )
)


def causes_figure(rows: pl.DataFrame) -> Figure | None:
    """Draw the causes of wrong answers as stacked bars (SoLT, figure 6)."""
    from nlfol.results.analyses.charts import figure, opened, stacked

    drawn = [
        {
            "panel": f"{row['dataset']} · {row['task']}",
            "model": row["model"],
            "case": row["cause"].replace("_", " "),
            "order": ALL_CAUSES.index(row["cause"]),
            "answers": row["answers"],
            "opens": opened({**row, "presentation": "", "metric": RIGHT}, cause=row["cause"]),
        }
        for row in rows.to_dicts()
    ]
    return figure(
        drawn,
        "causes",
        "Causes of wrong answers",
        "Share of answers (items × seeds) to tasks of programs by what would make them right.",
        stacked(drawn, _COLOURS, "Share of answers"),
    )


ANALYSIS = Analysis(
    rows=(
        Rows(DRIFT, lambda given: drift(given.programs(), given.setting("wordings"))),
        Rows(CAUSES, lambda given: causes(given.programs(), given.setting("wordings"))),
    ),
    tables=(DRIFT_TABLE, CONSISTENCY, CAUSES_TABLE),
    figures=((("causes",), causes_figure),),
)
