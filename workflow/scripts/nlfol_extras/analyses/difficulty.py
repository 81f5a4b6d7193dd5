"""Scores by how difficult items are.

By how complex the gold formulas are: items of equally many operators, or quantifiers, go together. And by how other
models do: what is difficult for a model must not be told from its own answers, so its items go together by the mean
score of the other models that were asked the same.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import fsum
from typing import TypedDict

import polars as pl

from nlfol.results.analyses.analysis import Analysis, Given, Rows, grouped
from nlfol.results.analyses.figure import Figure
from nlfol.results.analyses.findings import trend
from nlfol.results.statistics.clusters import clustered_mean
from nlfol.results.statistics.summary import QuestionColumns, Series
from nlfol.results.tables import columns
from nlfol.results.tables.opening import Filter, Number, opens
from nlfol.results.tables.table import Kind, Row, Score, TableForm
from nlfol.store.columns import row_schema


class _Asked(QuestionColumns):  # of the task's first metric
    model: str | None  # null where items are counted by all of them


class _Group(TypedDict):
    group: str  # models, others, operators, quantifiers
    case: str
    items: int
    mean: float  # of the model; of group models, of all of them
    low: float | None
    high: float | None


class DifficultyRow(_Asked, _Group):
    """One row a dataset, task, presentation, model, group and case."""

    named: list[str]  # of group models, the items that all or none of them solve


DIFFICULTY = row_schema("difficulty", 1, DifficultyRow)

MOST = {"operators": 5, "quantifiers": 3}
"""Numbers from which on items go together."""


def difficulty(series: Series, counts: Mapping[str, Mapping[str, int]]) -> Iterator[_Group]:
    """Yield a model's mean over items of each number ("0", ..., "5+"); ``counts`` by measure of ``MOST`` and item."""
    for measure, most in MOST.items():
        if measure not in counts:
            continue
        # Items that are whole stories have no number.
        of_item = pl.col("item").replace_strict(counts[measure], default=None, return_dtype=pl.Int64)
        numbered = series.items.with_columns(number=of_item.clip(upper_bound=most)).drop_nulls("number")
        for (group,), items in numbered.sort("number").group_by("number", maintain_order=True):
            number = f"{group}+" if group == most else str(group)
            yield _mean_row(measure, number, items["score"].to_list(), items["story"].to_list())


MODELS, OTHERS = "models", "others"
"""The groups of items by how many models solve them, and by the mean score of the other models."""

NONE, SOME, EVERY = "none", "some", "every"
"""Models that solve an item, that is, whose every answer to it is right; none where no answer of any is."""

SCORES = ("0", "to 0.5", "below 1", "1")
"""Cases of the mean scores of the others: 0, above 0 up to a half, above it, 1."""


def difficulties(
    series: Iterable[Series], counts: Mapping[str, Mapping[str, Mapping[str, int]]]
) -> Iterator[DifficultyRow]:
    """Yield the rows of ``DIFFICULTY``, question by question; of each task its first metric counts."""
    chosen = (one for one in series if one.metric == one.source.asked.metrics[0] and not one.is_empty)
    for models in grouped(chosen, "dataset", "task", "metric", "presentation"):
        if len(models) > 1:
            yield from _by_models(models)
        for index, one in enumerate(models):
            others = models[:index] + models[index + 1 :]
            for row in (*_by_others(one, others), *difficulty(one, counts.get(one.source.dataset, {}))):
                yield {**one.about, "model": one.source.model, **row, "named": []}


def _means(models: Sequence[Series]) -> pl.DataFrame:
    """Return ``item``, ``story`` and the ``scores`` of each model, over the items that all were asked."""
    means = models[0].items.select("item", "story", pl.concat_list("score").alias("scores"))
    for one in models[1:]:
        asked = one.items.select("item", pl.col("score").alias("next"))
        joined = means.join(asked, on="item", maintain_order="left")
        means = joined.select("item", "story", pl.concat_list("scores", "next").alias("scores"))
    return means


def _by_models(models: Sequence[Series]) -> Iterator[DifficultyRow]:
    cases: dict[str, list[tuple[str, str, list[float]]]] = {NONE: [], SOME: [], EVERY: []}
    for item, story, scores in _means(models).rows():
        case = NONE if not any(scores) else EVERY if all(score == 1 for score in scores) else SOME
        cases[case].append((item, story, scores))
    for case, items in cases.items():
        if items:
            means = [fsum(scores) / len(scores) for _, _, scores in items]
            row = _mean_row(MODELS, case, means, [story for _, story, _ in items])
            named = [item for item, _, _ in items] if case != SOME else []
            yield {**models[0].about, "model": None, **row, "named": named}


def _by_others(one: Series, others: Sequence[Series]) -> Iterator[_Group]:
    if not others:
        return
    groups: dict[str, tuple[list[float], list[str]]] = {name: ([], []) for name in SCORES}
    for _, story, (own, *rest) in _means([one, *others]).rows():
        mean = fsum(rest) / len(rest)
        index = 3 if all(score == 1 for score in rest) else 2 if mean > 0.5 else 1 if mean else 0
        groups[SCORES[index]][0].append(own)
        groups[SCORES[index]][1].append(story)
    for case, (scores, stories) in groups.items():
        if scores:
            yield _mean_row(OTHERS, case, scores, stories)


def _mean_row(group: str, case: str, scores: Sequence[float], stories: Sequence[str]) -> _Group:
    figures = clustered_mean(scores, stories)
    return {
        "group": group,
        "case": case,
        "items": figures.items,
        "mean": figures.mean,
        "low": figures.low,
        "high": figures.high,
    }


def _counts(given: Given) -> dict[str, dict[str, dict[str, int]]]:
    """Return the operators and quantifiers of each dataset's items, where its language has them."""
    counts = {}
    for dataset, measures in given.measures().items():
        counted = {name: measures.select("item", pl.col(name).cast(pl.Int64)).drop_nulls() for name in MOST}
        counts[dataset] = {name: dict(frame.rows()) for name, frame in counted.items() if not frame.is_empty()}
    return counts


_GROUPS = {MODELS: "models that solve it", OTHERS: "score of the other models"}
_CASES = {NONE: "none", SOME: "some", EVERY: "all"}
_NAMED = 8
"""Items that a row names at most."""


def _case(row: Row) -> str:
    case: str = row["case"]
    return _CASES.get(case, case) if row["group"] == MODELS else case


def _score(row: Row) -> Score | None:
    """Return the score; of items that none or all solve it says nothing, as they were chosen by it."""
    return None if row["group"] == MODELS and row["case"] != SOME else columns.score_of(row)


def _named(row: Row) -> str | None:
    items = row["named"]
    more = len(items) - _NAMED
    return ", ".join([*items[:_NAMED], *([f"and {more} more"] if more > 0 else [])]) or None


def _opens(number: Number) -> Filter | None:
    """Choose items by operators and quantifiers; the explorer does not know what other models score."""
    group = str(number.row["group"])
    return opens(number, **{group: number.row["case"]}) if group in MOST else None


TABLE = TableForm(
    "difficulty",
    "Scores by the difficulty of items",
    "Items by how many models solve them, by how other models do, and by operators and quantifiers of the gold "
    "formula.",
    (
        *columns.texts("dataset", "task", "metric", "presentation", "model"),
        columns.column("group", "By", Kind.TEXT, lambda row: _GROUPS.get(row["group"], row["group"])),
        columns.column("case", "Which", Kind.TEXT, _case),
        columns.count("items"),
        columns.column("score", None, Kind.SCORE, _score),
        columns.column("named", None, Kind.PROSE, _named),
    ),
    (
        "Model –: all models that were asked, and their mean score.",
        "All solve an item if every answer is right, none if no answer is. Such items have no score: it chose them.",
        "Score of the other models: their mean on the item, this model left out.",
        f"Named: the items, at most {_NAMED}; difficulty.arrow has all. Tasks: first metric.",
    ),
    ("difficulty",),
    opens=_opens,
)


def _unsolved(difficulty: pl.DataFrame) -> Sequence[Row]:
    """Return a row for each item that no model solves, with how many there are of how many that all were asked."""
    by_models = difficulty.filter(group=MODELS).with_columns(
        asked=pl.col("items").sum().over("dataset", "task", "task_kind", "protocol", "metric", "presentation")
    )
    return by_models.filter(case=NONE).explode("named").rename({"items": "unsolved", "named": "item"}).to_dicts()


UNSOLVED = TableForm(
    "unsolved",
    "Items that no model solves",
    "Items to which every answer of every model is wrong, under all seeds.",
    (
        *columns.texts("dataset", "task", "metric", "presentation"),
        *columns.counts("asked", "unsolved"),
        columns.text("item"),
    ),
    (
        "Asked: items that all models were asked; unsolved: how many no model solves. References do not count.",
        "Tasks: first metric. With one model alone there is no row.",
    ),
    ("difficulty",),
    _unsolved,
    opens=lambda number: number.named("dataset", "task", "metric", "presentation", "item"),
)


def size_figure(rows: pl.DataFrame, measure: str) -> Figure | None:
    """Draw the mean scores of models over a measure of the gold formula."""
    import altair as alt

    from nlfol.results.analyses.charts import POINT, chart, figure, of_model, opened, panel_of, panels, share, tips

    drawn = [
        {
            "panel": " · ".join(filter(None, (panel_of(row), row["presentation"]))),
            **{name: row[name] for name in ("model", "case", "items", "mean", "low", "high")},
            "opens": opened(row, **{measure: row["case"]}),
        }
        for row in rows.filter(group=measure).to_dicts()
    ]
    base = chart().encode(
        x=alt.X("case:O", title=f"Number of {measure}", axis=alt.Axis(labelAngle=0)),
        xOffset=alt.XOffset("model:N", sort=None),
        color=of_model(),
        tooltip=tips("model", "case", "items"),
    )
    rule = base.mark_rule(strokeWidth=2, opacity=0.6).encode(y=share("low", "Mean score", alt.Y), y2="high:Q")
    return figure(
        drawn,
        measure,
        trend(drawn, "case", measure, f"Scores by number of {measure}"),
        f"Mean score over the items whose gold formula has so many {measure}, with the interval at 95 % over stories.",
        panels(rule + base.mark_point(**POINT).encode(y=share("mean", "Mean score", alt.Y)), drawn, rank=False),
    )


ANALYSIS = Analysis(
    rows=(Rows(DIFFICULTY, lambda given: difficulties(given.series(), _counts(given))),),
    tables=(TABLE, UNSOLVED),
    figures=tuple((("difficulty",), partial(size_figure, measure=measure)) for measure in MOST),
)
