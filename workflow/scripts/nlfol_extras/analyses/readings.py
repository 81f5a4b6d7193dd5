"""Answers read strictly and tolerantly: how many are right, and how many need each liberty.

Formulas for sentences and programs for problems have both readings; scores hold what each comes to. Strictly, nothing
around the answer is dropped, formulas are in nlfol's notation, and programs are read as Logic-LM's solvers read them.
"""

from collections.abc import Iterable, Iterator
from typing import Any, TypedDict, cast

import polars as pl

from nlfol.facts import GUESSERS, AnswerForm, Strictly
from nlfol.results.analyses.analysis import Analysis, Rows
from nlfol.results.analyses.figure import Figure
from nlfol.results.statistics.summary import FIRST, Origin
from nlfol.results.tables import columns
from nlfol.results.tables.opening import nothing
from nlfol.results.tables.table import TableForm
from nlfol.store.columns import TaskColumns, row_schema

ALL = "all"
"""The liberty of the row of all answers, whatever they need."""

FORMS = (AnswerForm.FORMULA, AnswerForm.PROGRAM)
"""Forms of answers with a strict and a tolerant reader."""


class _Model(TaskColumns):
    model: str


class _Counted(TypedDict):
    liberty: str
    answers: int
    strictly_read: int
    strictly_right: int
    read: int
    right: int


class ReadingsRow(_Model, _Counted):
    """One row a dataset, task, model and liberty: the answers that need it, and those of them that are read or right.

    The first row of each model is of all answers.
    """


READINGS = row_schema("readings", 1, ReadingsRow)


def readings(loaded: Iterable[tuple[Origin, pl.DataFrame]]) -> Iterator[ReadingsRow]:
    """Yield the rows of ``READINGS`` for scores of formulas and programs, in their order."""
    strictly, is_read = pl.col("strictly"), pl.col("outcome") == "answered"
    counts = (
        pl.len().alias("answers"),
        strictly.is_in([Strictly.RIGHT, Strictly.WRONG]).sum().alias("strictly_read"),
        (strictly == Strictly.RIGHT).sum().alias("strictly_right"),
        is_read.sum().alias("read"),
        (pl.col("score") == 1).sum().alias("right"),
    )
    for source, scores in loaded:
        if source.asked.form not in FORMS or source.kind in GUESSERS:
            continue
        answers = scores.filter(pl.col("metric") == source.asked.metrics[0])
        if not answers.filter(is_read, strictly.is_null()).is_empty():
            continue  # has one reader, as regular expressions have
        needed = pl.concat_list(pl.lit([ALL]), "liberties", "forgiven").list.unique().alias("liberty")
        counted = answers.with_columns(needed).explode("liberty").group_by("liberty").agg(*counts)
        for row in counted.sort(pl.col("liberty") != ALL, -pl.col("answers").cast(pl.Int64), "liberty").to_dicts():
            yield {**source.of_task, "model": source.model, **cast("_Counted", row)}


def readings_figure(rows: pl.DataFrame) -> Figure | None:
    """Draw the shares of answers that are right strictly and tolerantly, a row a model, what is forgiven between."""
    import altair as alt

    from nlfol.results.analyses import charts

    shown = [
        {
            "panel": f"{row['dataset']} · {row['task']}",
            "by": row["model"],
            "read": reading,
            "answers": row["answers"],
            "share": row[right] / row["answers"],
        }
        for row in rows.filter(pl.col("liberty") == ALL, pl.col("answers") > 0).to_dicts()
        for reading, right in (("strictly", "strictly_right"), ("tolerantly", "right"))
    ]
    base = charts.chart(height=alt.Step(18)).encode(
        alt.Y("by:N", title=None, sort=None), charts.share("share", "Share of the answers right")
    )
    layers: Any = alt.layer(
        base.mark_line(color=charts.GREY).encode(detail="by:N"),
        base.mark_point(filled=True, opacity=1).encode(
            alt.Color("read:O", title=None, sort=None, scale=alt.Scale(range=charts.COLOURS[1::-1])),
            # The strict one is behind, and shows where both are the same.
            alt.Size("read:O", title=None, sort=None, scale=alt.Scale(range=[140, 40])),
            tooltip=charts.tips("by", "read", answers="answers", share="right"),
        ),
    )
    caption = "Answers that are right if no liberty is taken with them, and as scores have them."
    title = "Answers read strictly and tolerantly"
    return charts.figure(shown, "readings", title, caption, charts.panels(layers, shown))


_STRICTLY = (
    "Strictly: in the agreed form and nothing else; formulas in nlfol's notation, programs as Logic-LM's solvers read "
    "them."
)
_LIBERTY = (
    "Liberty: what was forgiven, in the answer, its formula or its program, and of formulas the dialect and the kinds "
    "of ambiguities; an answer may need several."
)
_PROGRAMS = (
    "A program that is read may give no answer. One with several queries has to give each the same answer; strictly "
    "the first counts."
)

TABLE = TableForm(
    "readings",
    "Answers read strictly and tolerantly",
    "Formulas and programs that are read, and that are right, if no liberty is taken with them and as scores have "
    "them: of all answers, and of those that need each liberty.",
    (
        *columns.texts("dataset", "task", "model", "liberty"),
        *columns.counts("answers", "strictly_read", "strictly_right", "read", "right"),
    ),
    (_STRICTLY, _LIBERTY, _PROGRAMS),
    ("readings",),
    opens=nothing,
    nothing="No model wrote formulas for sentences or programs for problems.",
)

_READ = "metric score outcome strictly liberties forgiven"

ANALYSIS = Analysis(
    rows=(Rows(READINGS, lambda given: readings(given.loaded(_READ, forms=FORMS, metrics=[FIRST]))),),
    tables=(TABLE,),
    figures=((("readings",), readings_figure),),
)
"""Answers read strictly and tolerantly, and the liberties that they need."""
