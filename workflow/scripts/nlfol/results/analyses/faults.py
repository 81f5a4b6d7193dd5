"""Faults of translations, and how far other scores go with equivalence (the paper's table 5).

The point-biserial correlation is Pearson's between a score and being right, 0 or 1. It is taken at each seed over the
translations that could be read, since for others there is no score but 0; the paper does the same.
"""

from collections import Counter
from collections.abc import Iterator
from statistics import fmean
from typing import TypedDict

import polars as pl

from nlfol.facts import BLEU, EQUIVALENCE, LE, AnswerForm
from nlfol.results.analyses.analysis import Analysis, Rows
from nlfol.results.statistics.summary import Chunked, deviation
from nlfol.results.tables import columns
from nlfol.results.tables.opening import Filter, Number, counted, opens
from nlfol.results.tables.table import Kind, Row, Score, TableForm
from nlfol.store.columns import row_schema


class _Score(TypedDict):
    dataset: str
    task: str
    model: str
    metric: str


class _Correlated(TypedDict):
    answers: int  # items × seeds
    read: int  # those that could be read, the base of the correlation
    # Mean over seeds, the least and greatest, and the sample standard deviation; null where nothing varies.
    correlation: float | None
    low: float | None
    high: float | None
    deviation: float | None


class CorrelationRow(_Score, _Correlated):
    """One row a translation task, dialogue model and score compared with equivalence."""


CORRELATIONS = row_schema("correlations", 1, CorrelationRow)


class FaultRow(TypedDict):
    """One row a translation task, dialogue model, group and case."""

    # The count is of items × seeds, and the share of the group.
    dataset: str
    task: str
    model: str
    group: str
    case: str
    count: int
    share: float


FAULTS = row_schema("faults", 1, FaultRow)

METRICS = {BLEU: "BLEU", LE: "LE"}
"""The scores that are compared with equivalence."""

ANSWERS, INVALID, RELATION, FAULT, DISTANCE = "answers", "invalid", "relation", "fault", "distance"
EDIT, RULE = "edit", "rule"
"""The groups of counts: all that was asked, formulas that are invalid, and five views of those not equivalent."""

GROUPS = {
    ANSWERS: "all answers",
    INVALID: "invalid formulas",
    RELATION: "formulas not equivalent to the gold one: how they stand to it",
    FAULT: "formulas not equivalent to the gold one: the one change that would mend them",
    DISTANCE: "formulas not equivalent to the gold one: how many typed edits away they are",
    EDIT: "formulas off by one: the edit from the gold one",
    RULE: "formulas not equivalent to the gold one: a rule by which they may say the sentence, or how they stand to it",
}

NO_SINGLE_CHANGE = "no_single_change"
"""A translation that no one change makes equivalent."""

NO_RULE = "no_rule"
"""A translation that no rule explains."""

RULES = ("either", "definition", "under_a_sort", "in_context", "not_explained")
"""Cases of the group of rules that are no relations."""

_DIFFERS = pl.col("verdict") == "not_equivalent"

_EDIT = (
    pl.when(pl.col("edits").str.contains(r"^(?:quantifier|connective) \("))
    .then("edits")
    .otherwise(pl.col("edits").str.extract(r"^(\w+)"))
    .alias("edits")
)
"""Edits without the symbols of the formula: the kind, of quantifiers and connectives with both signs."""


def correlations(loaded: Chunked) -> Iterator[CorrelationRow]:
    """Yield the rows of ``CORRELATIONS``: one a translation task, dialogue model and score."""
    is_read = pl.col("formula").is_not_null().alias("is_read")
    names = pl.col("item", "metric").cast(pl.Categorical)
    for source, chunks in loaded:
        if source.asked.form is AnswerForm.FORMULA and source.kind == "chat":
            scores = pl.concat(chunk.select(names, "seed", "score", is_read) for chunk in chunks)
            right = scores.filter(pl.col("metric") == EQUIVALENCE).select("item", "seed", right="score")
            for metric in METRICS if scores.height else ():
                answers = scores.filter(pl.col("metric") == metric).join(right, on=["item", "seed"])
                about: _Score = {
                    "dataset": source.dataset,
                    "task": source.task,
                    "model": source.model,
                    "metric": metric,
                }
                yield {**about, **_correlated(answers)}


def _correlated(answers: pl.DataFrame) -> _Correlated:
    read = answers.filter("is_read").drop_nulls("score")
    values = [_correlation(of_seed) for _, of_seed in read.group_by("seed", maintain_order=True)]
    known = [value for value in values if value is not None]
    return {
        "answers": answers.height,
        "read": read.height,
        "correlation": fmean(known) if known else None,
        "low": min(known, default=None),
        "high": max(known, default=None),
        "deviation": deviation(known, read["item"].n_unique()),
    }


def _correlation(answers: pl.DataFrame) -> float | None:
    """Return None where all are right, all wrong, or all score alike: then there is nothing to go together."""
    if answers["right"].n_unique() < 2 or answers["score"].n_unique() < 2:
        return None
    from scipy.stats import pointbiserialr

    return float(pointbiserialr(answers["right"].to_list(), answers["score"].to_list()).statistic)


def faults(loaded: Chunked) -> Iterator[FaultRow]:
    """Yield the rows of ``FAULTS``: within a group, each count with its share of the group."""
    for source, chunks in loaded:
        if source.asked.form is not AnswerForm.FORMULA or source.kind not in ("chat", "written"):
            continue
        counted = {group: Counter[str]() for group in GROUPS}
        follows_rules = False
        for chunk in chunks:
            answers = chunk.filter(pl.col("metric") == EQUIVALENCE)
            follows_rules |= bool(answers.filter(_DIFFERS)["rule"].count())
            for group, cases in _cases(answers):
                counted[group].update(dict(cases.value_counts(name="count", parallel=False).iter_rows()))
        if not follows_rules:  # it would only repeat the relations
            del counted[RULE]
        for group, counts in counted.items():
            for case, number in sorted(counts.items(), key=lambda row: (-row[1], row[0])):
                yield {
                    "dataset": source.dataset,
                    "task": source.task,
                    "model": source.model,
                    "group": group,
                    "case": case,
                    "count": number,
                    "share": number / counts.total(),
                }


def _cases(answers: pl.DataFrame) -> Iterator[tuple[str, pl.Series]]:
    """Yield the case of each answer that a group is of."""
    different = answers.filter(_DIFFERS)
    yield ANSWERS, answers.select(pl.coalesce("verdict", "outcome").alias("case"))["case"]
    yield INVALID, answers.filter(pl.col("verdict") == "invalid")["means"]
    yield RELATION, different["relation"].fill_null("unknown")
    yield FAULT, different["fault"].fill_null(NO_SINGLE_CHANGE)
    yield DISTANCE, different["distance"].drop_nulls()
    yield EDIT, different.filter(pl.col("distance") == "off_by_one").select(_EDIT)["edits"].drop_nulls()
    yield RULE, different.select(pl.coalesce("rule", "relation", pl.lit("unknown")).alias("case"))["case"]


def other_metrics(cells: pl.DataFrame, correlated: pl.DataFrame) -> Iterator[Row]:
    """Yield a row a translation task and model."""
    names = ("dataset", "task", "model", "metric")
    scored = {tuple(row[name] for name in names): row for row in cells.to_dicts()}
    rows = {tuple(row[name] for name in names): row for row in correlated.to_dicts()}
    for key in dict.fromkeys(row[:3] for row in rows):
        of_metric = {name: scored.get((*key, name)) for name in METRICS}
        first = next((cell for cell in of_metric.values() if cell), None)
        yield {
            **rows[*key, BLEU],
            "items": None if first is None else columns.sample_of(first),
            **{name: None if cell is None else columns.score_of(cell) for name, cell in of_metric.items()},
            **{f"correlation_{name}": _spread(rows[*key, name]) for name in METRICS},
        }


def _spread(row: Row) -> Score | None:
    return None if row["correlation"] is None else Score(row["correlation"], row["deviation"])


def _of_others(number: Number) -> Filter:
    """Choose translations; correlations, and the count, are of those that could be read."""
    if number.column in METRICS:
        return opens(number, metric=number.column)
    if number.column == "items":
        return opens(number, metric=BLEU)
    return opens(number, metric=LE if number.column == f"correlation_{LE}" else BLEU, read="read")


def _of_faults(number: Number) -> Filter | None:
    if number.row["group"] == GROUPS[EDIT]:
        return None
    case = str(number.row["case"]).replace(" ", "_")
    of_group: dict[str, Filter] = {
        GROUPS[ANSWERS]: counted(case),
        GROUPS[INVALID]: {"verdict": "invalid", "means": case},
        GROUPS[RELATION]: {"verdict": "not_equivalent", "relation": case},
        GROUPS[FAULT]: {"verdict": "not_equivalent", "fault": case},
        GROUPS[DISTANCE]: {"verdict": "not_equivalent", "distance": case},
        GROUPS[RULE]: {
            "verdict": "not_equivalent",
            **({"rule": case} if case in RULES else {"relation": case, "rule": NO_RULE}),
        },
    }
    return opens(number, metric=EQUIVALENCE, **of_group[str(number.row["group"])])


OTHER_METRICS = TableForm(
    "other_metrics",
    "Logical translation by BLEU and LE",
    "Two scores in use that measure something else, and their point-biserial correlation with equivalence.",
    (
        *columns.texts("dataset", "task", "model"),
        columns.column("items", None, Kind.SAMPLE),
        *(columns.column(name, title, Kind.SCORE) for name, title in METRICS.items()),
        *(
            columns.column(f"correlation_{name}", f"Correlation of {title}", Kind.SCORE)
            for name, title in METRICS.items()
        ),
        columns.count("read"),
    ),
    (
        "Scores: mean ± sample standard deviation over seeds and interval at 95 %; what cannot be read scores 0.",
        "Correlation: mean ± sample standard deviation over seeds, of what could be read; – where nothing varies.",
        "BLEU: tokens of the canonical notation, unsmoothed. LE: as MALLS defines it; 1 does not mean equivalent.",
        "BLEU and LE give bound variables standard names first.",
    ),
    ("cells", "correlations"),
    other_metrics,
    _of_others,
)

FAULTS_TABLE = TableForm(
    "faults",
    "What went wrong in translations",
    "Answers (items × seeds) by outcome, relation to the gold formula, the change that mends them, distance and rule.",
    (
        *columns.texts("dataset", "task", "model"),
        columns.column("group", "Of", Kind.TEXT, lambda row: GROUPS[row["group"]]),
        columns.column("case", None, Kind.TEXT, lambda row: row["case"].replace("_", " ")),
        columns.count("count", "Answers"),
        columns.share("share"),
    ),
    (
        "Share: of the answers that the group is of.",
        "Distance: the fewest typed edits from the gold formula, up to two; trivial is a tautology or contradiction.",
        "Off by one: the kind of edit; “∀ to ∃”: gold has ∀, the answer ∃.",
        "Rule: proven, and licensed by words of the sentence; no score counts it.",
    ),
    ("faults",),
    opens=_of_faults,
)

_FORMULAS = [AnswerForm.FORMULA]
_SCORED = "item seed metric score formula"
_JUDGED = "metric outcome verdict means fault relation distance edits rule"

ANALYSIS = Analysis(
    rows=(
        Rows(
            CORRELATIONS,
            lambda given: correlations(
                given.loaded(_SCORED, forms=_FORMULAS, metrics=[EQUIVALENCE, *METRICS]).in_chunks()
            ),
        ),
        Rows(FAULTS, lambda given: faults(given.loaded(_JUDGED, forms=_FORMULAS, metrics=[EQUIVALENCE]).in_chunks())),
    ),
    tables=(OTHER_METRICS, FAULTS_TABLE),
)
