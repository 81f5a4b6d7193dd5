"""Published accuracies beside what a sound solver makes of the same answers.

Others released what models wrote, and published how often it gave the right answer. Their figure is that of a whole
chain: a solver that does not execute every program, and often something else in place of those that it does not. Ours
is the share of all programs that run and give the label, without a fallback.
"""

from collections.abc import Iterable, Mapping
from typing import Any, TypedDict

import polars as pl

from nlfol.results.analyses.analysis import Analysis, Rows
from nlfol.results.analyses.figure import Figure
from nlfol.results.tables import columns
from nlfol.results.tables.table import TableForm
from nlfol.store.columns import row_schema


class ReleasedRow(TypedDict):
    """One row a dataset, task of programs and model whose answers others released."""

    dataset: str
    task: str
    model: str
    provider: str
    date: str
    prompt: str
    examples: int  # in the prompt
    decoding: str
    items: int
    published: float | None  # accuracy; null where none was published
    right: float | None  # share of all programs that run and give the label
    right_low: float | None
    right_high: float | None
    difference: float | None  # ours less the published one
    published_executable: float | None  # share that the authors' solver executed
    executable: float | None  # and ours
    executable_low: float | None
    executable_high: float | None
    fallback: str | None  # what stands in the published accuracy for programs that were not executed
    where: str | None  # the paper, and the table in it


RELEASED = row_schema("released", 1, ReleasedRow)

_MODEL = ("provider", "date", "prompt", "examples", "decoding")
_OURS = ("right", "right_low", "right_high", "executable", "executable_low", "executable_high")


def released(solvers: Iterable[Mapping[str, Any]], models: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows of ``RELEASED``, of rows of ``SOLVERS`` and of ``released`` in the entries of models."""
    rows = []
    for solver in solvers:
        about = models.get(solver["model"])
        if about is not None:
            figure = about["published"].get(solver["dataset"], {})
            accuracy = figure.get("accuracy")
            is_known = accuracy is not None and solver["right"] is not None
            rows.append(
                {
                    **{name: solver[name] for name in ("dataset", "task", "model", "items", *_OURS)},
                    **{name: about[name] for name in _MODEL},
                    "published": accuracy,
                    "difference": solver["right"] - accuracy if is_known else None,
                    "published_executable": figure.get("executable"),
                    **{name: figure.get(name) for name in ("fallback", "where")},
                }
            )
    return rows


def released_figure(rows: pl.DataFrame) -> Figure | None:
    """Draw the published accuracy and ours with its interval, a row a model, the line between them the difference."""
    import altair as alt

    from nlfol.results.analyses import charts

    shown = [
        {"panel": row["dataset"], "by": row["model"], "of": of, "mean": row[key], "low": row[low], "high": row[high]}
        for row in rows.filter(pl.col("difference").is_not_null()).to_dicts()
        for of, key, low, high in (
            ("published", "published", "published", "published"),
            ("sound solver", "right", "right_low", "right_high"),
        )
    ]
    base = charts.chart(height=alt.Step(18)).encode(alt.Y("by:N", title=None, sort=None))
    colours = [charts.COLOURS[1], charts.COLOURS[0]]
    title = "Share of the problems right"
    accuracy = charts.share("mean", title)
    layers: Any = alt.layer(
        base.mark_line(color=charts.GREY).encode(accuracy, detail="by:N"),
        base.mark_rule(strokeWidth=2, color=colours[1]).encode(charts.share("low", title), alt.X2("high:Q")),
        base.mark_point(filled=True, opacity=1).encode(
            accuracy,
            alt.Color("of:N", title=None, sort=None, scale=alt.Scale(range=colours)),
            alt.Shape("of:N", title=None, sort=None),
            # The published one is behind, and shows where both are the same.
            alt.Size("of:N", title=None, sort=None, scale=alt.Scale(range=[140, 40])),
            tooltip=charts.tips("by", "of"),
        ),
    )
    caption = (
        "Accuracy as its authors published it, and the share of the same answers that a sound solver executes and "
        "finds right, with its interval at 95 %."
    )
    return charts.figure(
        shown, "released", "Published beside sound", caption, charts.panels(layers, shown), about="released"
    )


ANALYSIS = Analysis(
    rows=(Rows(RELEASED, lambda given: released(given.frame("solvers").to_dicts(), given.setting("released_models"))),),
    tables=(
        TableForm(
            "released",
            "Published beside sound",
            "Accuracies that others published of answers that they released, and the share of these answers that a "
            "sound solver executes and finds right.",
            (
                *columns.texts("dataset", "task", "model", "date", "provider", "prompt"),
                columns.count("examples"),
                columns.text("decoding"),
                columns.count("items"),
                columns.share("published"),
                columns.interval("right", "Right, sound"),
                columns.share("difference", "Sound less published"),
                columns.share("published_executable", "Their solver ran"),
                columns.interval("executable", "Runs"),
                columns.text("fallback", "In place of the others"),
                columns.text("where", "Published in"),
            ),
            (
                "Right: a program that gives no answer is wrong, with no fallback.",
                "In place of the others: what the published accuracy holds for programs that their solver did not run.",
                "It can lift the published figure above the sound one; a chain that loses programs lowers it.",
                columns.PROBLEMS_NOTE,
            ),
            ("released",),
            nothing="No program was released by others.",
        ),
    ),
    figures=((("released",), released_figure),),
)
