"""Translations by published gold, by corrected gold, and by all formulas that are accepted of a sentence.

Two models both get an item wrong where no answer of either, under any seed, is equivalent to the published formula. Of
these items gold is at fault where some answer is equivalent to the corrected formula, or is accepted. A model that
answers at least 19 of 20 items as an earlier one does is a copy of it, and makes no pair.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from typing import TypedDict

import polars as pl

from nlfol.facts import ACCEPTED, CORRECTED, EQUIVALENCE, TRANSLATION
from nlfol.results.analyses.analysis import Analysis, Rows
from nlfol.results.analyses.choices import blocks, scored
from nlfol.results.analyses.scores import SPREAD
from nlfol.results.analyses.translations import references
from nlfol.results.statistics.published_ways import Nearest, left_out, nearest, ways
from nlfol.results.statistics.summary import KINDS, Origin, clustered
from nlfol.results.tables import columns
from nlfol.results.tables.table import Kind, Row, Score, TableForm
from nlfol.store.columns import Interval, row_schema, with_ends


class _Both(TypedDict):
    dataset: str
    task: str
    presentation: str
    model: str
    second: str | None  # null where there is one model alone


class _Shares(TypedDict):
    items: int  # that both were asked
    wrong_items: int  # that both get wrong
    wrong: Interval  # share of these
    # shares of the wrong ones that some answer gets right by other gold
    corrected: Interval
    accepted: Interval


class BothWrongRow(_Both, _Shares):
    """One row a pair of models, or the only model, whose translations are judged by readings."""


BOTH_WRONG = row_schema("both_wrong", 1, BothWrongRow)

_COPY = 0.95
"""Share of equal answers from which on a model counts as a copy."""


def both_wrong(loaded: Iterable[tuple[Origin, pl.DataFrame]]) -> Iterator[BothWrongRow]:
    """Yield the rows of ``BOTH_WRONG``, references with answers among the models, in the order of the files."""
    asked: defaultdict[tuple[str, str, str], list[tuple[str, pl.DataFrame]]] = defaultdict(list)
    for source, scores in loaded:
        if source.kind in ("chat", "answers") and ACCEPTED in scores["metric"]:
            for (shown,), answers in scores.group_by("presentation", maintain_order=True):
                models = asked[source.dataset, source.task, str(shown)]
                items = _by_item(answers)
                if not any(_is_copy(items, other) for _, other in models):
                    models.append((source.model, items))
    for (dataset, task, shown), models in asked.items():
        pairs = combinations(models, 2) if len(models) > 1 else [(models[0], models[0])]
        for (model, items), (second, others) in pairs:
            if (both := items.join(others, on="item", suffix="_second")).height:
                row: BothWrongRow = {
                    "dataset": dataset,
                    "task": task,
                    "presentation": shown,
                    "model": model,
                    "second": second if second != model else None,
                    **_shares(both),
                }
                yield with_ends(BothWrongRow, row)


def _by_item(answers: pl.DataFrame) -> pl.DataFrame:
    """Return for each item what was said, and the best score of any answer by each gold."""
    rows = answers.sort("item", "seed")
    formulas = pl.col("formula").fill_null("").filter(pl.col("metric") == EQUIVALENCE).alias("said")
    best = [pl.col("score").filter(pl.col("metric") == name).max().alias(name) for name in _GOLD]
    return rows.group_by("item", maintain_order=True).agg(pl.col("story").first(), formulas, *best)


def _is_copy(items: pl.DataFrame, others: pl.DataFrame) -> bool:
    same = items.join(others, on="item", suffix="_second").select((pl.col("said") == pl.col("said_second")).mean())
    return (same.item() or 0) >= _COPY


def _shares(both: pl.DataFrame) -> _Shares:
    right = both.select("story", *(pl.max_horizontal(name, f"{name}_second").alias(name) for name in _GOLD))
    wrong = right.filter(pl.col(EQUIVALENCE) == 0)
    corrected, accepted = (wrong.select("story", score=name) for name in (CORRECTED, ACCEPTED))
    return {
        "items": right.height,
        "wrong_items": wrong.height,
        "wrong": clustered(right.select("story", score=1 - pl.col(EQUIVALENCE))).ends,
        "corrected": clustered(corrected).ends if corrected.height else None,
        "accepted": clustered(accepted).ends if accepted.height else None,
    }


_GOLD = (EQUIVALENCE, CORRECTED, ACCEPTED)


def _judged(
    metric: str, cells: pl.DataFrame, names: pl.DataFrame, figures: pl.DataFrame, asked: pl.DataFrame
) -> Iterator[tuple[str, Nearest[Row]]]:
    """Yield what papers say of translations of the datasets here, each with the dataset below which it may stand."""
    known = dict(names.rows())
    of_metric = figures.filter(task=TRANSLATION.kind, metric=metric)
    with_readings = cells.filter(task_kind=TRANSLATION.kind, metric=ACCEPTED)
    for (dataset,), of_dataset in with_readings.group_by("dataset", maintain_order=True):
        theirs = of_metric.filter(dataset=known.get(str(dataset), dataset)).to_dicts()
        yield from ((str(dataset), one) for one in nearest(theirs, ways(asked, of_dataset)))


def _without(metric: str) -> Callable[..., Iterable[str]]:
    return lambda _, *frames: left_out(one.differs for _, one in _judged(metric, *frames[-4:]))


def _with_readings(cells: pl.DataFrame, *published: pl.DataFrame) -> Iterator[Row]:
    """Yield the rows of datasets whose readings are known, and below each what the models of papers reach on it."""
    rows = [row for row in blocks(cells, [TRANSLATION.kind], KINDS) if (TRANSLATION.kind, ACCEPTED) in row["cells"]]
    yield from (row for row in rows if row["kind"] != "chance")
    for dataset, (figure, _, differs) in _judged(EQUIVALENCE, cells, *published):
        if not differs:
            score = Score(figure["mean"], figure["deviation"])
            about = {"dataset": dataset, "items": figure["items"], "available": figure["items"], "kind": "published"}
            yield {**figure, **about, "model": f"{figure['model']} ({figure['paper']})", "said": score, "cells": {}}


TABLE = TableForm(
    "ceiling",
    "Published, corrected and accepted gold",
    "Shares of translations that are equivalent to the published gold formula, to the corrected one, and to any that "
    "is accepted of the sentence.",
    (
        *columns.texts("dataset", "model"),
        columns.column("items", None, Kind.SAMPLE, lambda row: columns.sample_of(row) if row["items"] else None),
        columns.column(
            "published", None, Kind.SCORE, lambda row: row.get("said") or scored(row, TRANSLATION.kind, EQUIVALENCE)
        ),
        columns.column(CORRECTED, None, Kind.SCORE, lambda row: scored(row, TRANSLATION.kind, CORRECTED)),
        columns.column(ACCEPTED, None, Kind.SCORE, lambda row: scored(row, TRANSLATION.kind, ACCEPTED)),
    ),
    (
        SPREAD,
        "Below: what models reach in a paper, by published gold.",
        _without(EQUIVALENCE),
        "FOLIO's second reading helped to correct it and to find accepted formulas: by these its score says little.",
        references,
    ),
    ("cells", "names", "figures", "ways"),
    _with_readings,
    nothing="No dataset has gold: accepted.",
)


def _beside_papers(rows: pl.DataFrame, *published: pl.DataFrame) -> Iterator[Row]:
    """Yield the rows of ``BOTH_WRONG``, and below them the shares that papers give of their pairs."""
    yield from rows.to_dicts()
    none = dict.fromkeys(BOTH_WRONG.names)
    for dataset, (figure, task, differs) in _judged("neither", *published):
        if not differs:
            about = {"dataset": dataset, "task": task, "presentation": "", "wrong": figure["mean"]}
            pair = {"model": f"{figure['model']} ({figure['paper']})", "second": figure["second"]}
            yield {**none, **about, **pair, "items": figure["items"]}


BOTH_WRONG_TABLE = TableForm(
    "both_wrong",
    "What two models both get wrong",
    "Shares of items that two models both get wrong by published gold, and of these that one of them gets right by "
    "corrected gold, or by any formula that is accepted.",
    (
        *columns.texts("dataset", "task", "presentation", "model", "second"),
        *columns.counts("items", "wrong_items"),
        *map(columns.interval, ("wrong", CORRECTED, ACCEPTED)),
    ),
    (
        "Items: that both were asked; wrong: no answer under any seed is right. Right: some answer of either is.",
        "Interval at 95 % (clusters: stories). References with answers count as models; one alone has a row.",
        f"A model that gives the answers of an earlier one to at least {_COPY:.0%} of the items is a copy, left out.",
        "Below: pairs of papers, whose answers are not published: how much of theirs is gold cannot be computed.",
        _without("neither"),
        "FOLIO's second reading helped to correct it and to find accepted formulas: its shares are upper bounds.",
    ),
    ("both_wrong", "cells", "names", "figures", "ways"),
    _beside_papers,
    nothing="No dataset has gold: accepted.",
)

_READ = "item story presentation seed metric score formula"

ANALYSIS = Analysis(
    rows=(Rows(BOTH_WRONG, lambda given: both_wrong(given.loaded(_READ, metrics=_GOLD))),),
    tables=(TABLE, BOTH_WRONG_TABLE),
)
