"""Ratings of problems in other words, by rater: means from 1 to 5, beside the published ones of people and models.

An unreadable answer says nothing of the problem: it is counted beside the means and not in them. The ratings of an item
are averaged over seeds first; the stories of the originals are clusters.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypedDict, cast

import polars as pl

from nlfol.facts import PROBLEM_RATING, RATING, AnswerForm, rated
from nlfol.results.analyses.analysis import Analysis, Given, Rows
from nlfol.results.statistics.published_error import published_name
from nlfol.results.statistics.published_ways import Nearest, left_out, nearest, ways
from nlfol.results.statistics.summary import OUTCOMES, Origin, clustered
from nlfol.results.tables import columns
from nlfol.results.tables.opening import Filter, Number, opens
from nlfol.results.tables.table import Row, TableForm
from nlfol.store.columns import Ends, Interval, TaskColumns, row_schema, with_ends
from nlfol.store.origins import metadata_at

_NAMES = PROBLEM_RATING.other_metrics
"""The mean, and the four criteria."""


class _Answers(TaskColumns):
    model: str
    kind: str
    reader: str | None  # of the original's entry
    items: int
    answers: int
    unread: int  # of the answers, in no mean


class _Ratings(TypedDict):
    # from 1 to 5; null if nothing could be read
    rating: Interval
    semantic_equivalence: Interval
    reasoning_preserved: Interval
    answer_invariance: Interval
    clarity: Interval


class RatingRow(_Answers, _Ratings):
    """One row a dataset, task of ratings and model."""


RATINGS = row_schema("ratings", 1, RatingRow)


def original_readers(paths: Iterable[Path]) -> dict[tuple[str, str], str]:
    """Return the reader of the originals by dataset and task of ITEMS files of problems in other words."""
    metadata = map(metadata_at, paths)
    return {
        (about["dataset"], about["task"]): about["original_reader"] for about in metadata if "original_reader" in about
    }


def ratings(
    loaded: Iterable[tuple[Origin, pl.DataFrame]], readers: Mapping[tuple[str, str], str]
) -> Iterator[RatingRow]:
    """Yield the rows of ``RATINGS``, in the order of the files; tasks of other kinds have none."""
    for source, scores in loaded:
        if source.asked.form is not AnswerForm.RATING or scores.is_empty():
            continue
        answers = scores.filter(pl.col("metric") == RATING)
        read = scores.filter(pl.col("outcome") == "answered")
        count = answers.filter(pl.col("outcome") == "answered").height
        row: RatingRow = {
            **source.of_task,
            "model": source.model,
            "kind": source.kind,
            "reader": readers.get((source.dataset, source.task)),
            "items": answers["item"].n_unique(),
            "answers": answers.height,
            "unread": answers.height - count,
            **cast("_Ratings", {name: _mean(read, name) for name in _NAMES}),
        }
        yield with_ends(RatingRow, row)


def _mean(read: pl.DataFrame, name: str) -> Ends:
    """Return a mean with its interval, from 1 to 5."""
    items = (
        read.filter(pl.col("metric") == name).group_by("item").agg(pl.col("story").first(), pl.col("score").mean())
    ).sort("item")
    if items.is_empty():
        return Ends()
    return Ends(*(None if value is None else rated(value) for value in clustered(items).ends))


def _with_published(rows: pl.DataFrame, *published: pl.DataFrame) -> Iterator[Row]:
    """Yield the rows of each dataset, and then the published ratings of the problems that it has in other words."""
    none = dict.fromkeys(("items", "answers", "unread", *RATINGS.names[-3 * len(_NAMES) :]))
    judged = list(_judged(rows, *published))
    for (dataset,), group in rows.group_by("dataset", maintain_order=True):
        for row in group.to_dicts():
            of_chance = {"answers": None, "unread": None} if row["kind"] == "chance" else {}
            yield {**row, "source": "here", **of_chance}
        for of_dataset, (figure, task, differs) in judged:
            if of_dataset == dataset and not differs:
                about = {"dataset": dataset, "task": task, "model": figure["model"], "source": "published"}
                yield {**none, **about, RATING: figure["mean"]}


def _judged(
    rows: pl.DataFrame, figures: pl.DataFrame, cells: pl.DataFrame, asked: pl.DataFrame, rewrites: pl.DataFrame
) -> Iterator[tuple[object, Nearest[Row]]]:
    """Yield the published ratings of the problems here, each with the dataset below which it may stand."""
    procedures = dict(rewrites.select("dataset", "protocol").rows())
    for (dataset,), group in rows.group_by("dataset", maintain_order=True):
        of_raters = cells.filter(pl.col("task").is_in(group["task"].implode()), dataset=dataset)
        known = {job: {**way, "protocol": procedures.get(dataset)} for job, way in ways(asked, of_raters).items()}
        theirs = figures.filter(dataset=published_name(group["reader"][0] or ""), metric=RATING).to_dicts()
        yield from ((dataset, one) for one in nearest(theirs, known))


def _without(_: object, *frames: pl.DataFrame) -> Iterator[str]:
    yield from left_out(one.differs for _, one in _judged(*frames))


def _answers(number: Number) -> Filter | None:
    """Choose the answers of a rater that was asked here."""
    if number.row["source"] != "here":
        return None
    of_metric = {"metric": number.column} if number.column in _NAMES else {}
    unread = {"outcome": tuple(outcome for outcome in OUTCOMES if outcome != "answered")}
    return opens(number, **of_metric, **(unread if number.column == "unread" else {}))


TABLE = TableForm(
    "rating",
    "Ratings of problems in other words",
    "How well problems keep their meaning in other words, as rated from 1 (not at all) to 5 (fully).",
    (
        *columns.texts("dataset", "task"),
        columns.text("model", "Rater"),
        columns.text("source"),
        *map(columns.count, ("items", "answers", "unread")),
        *map(columns.interval, _NAMES),
    ),
    (
        "Rating: the mean of the four criteria to its right. In “scores” a rating r is (r - 1) / 4.",
        "Means are over answers that could be read; Unread counts the others.",
        "Intervals are at 95 % over items; problems with the same original statements are one story, a cluster.",
        "Chance rates at random: 3 is its expectation.",
        "Published: SoLT's table 1, over all four criteria; its texts and instructions are not these.",
        _without,
    ),
    ("ratings", "figures", "cells", "ways", "rewrites"),
    _with_published,
    opens=_answers,
)


def _ratings(given: Given) -> Iterator[RatingRow]:
    loaded = given.loaded("item story metric score outcome", forms=[AnswerForm.RATING])
    return ratings(loaded, original_readers(given.files["problem_items"]))


ANALYSIS = Analysis(
    rows=(Rows(RATINGS, _ratings),),
    tables=(TABLE,),
)
