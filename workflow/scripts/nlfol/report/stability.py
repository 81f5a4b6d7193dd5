"""The figures of problems in other words: scores and drift, over intensity, causes, and what becomes of answers.

They are figures 4 to 7 of "Are LLMs Stable Formal Logic Translators in Logical Reasoning Across Linguistically
Diversified Texts?".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import altair as alt
import polars as pl

from nlfol.analyses.charts import Figure, Rows, chart, figure, models, opened, panels, tips
from nlfol.statistics.transitions import CHANGES
from nlfol.tasks.program_alignment import CAUSES
from nlfol.tasks.question_answering import RIGHT

# Distinguishable without colour vision (Okabe and Ito), right answers and fixed ones in the green of ``figures``.
_OF_CAUSES = dict(
    zip(
        CAUSES,
        ("#009e73", "#d55e00", "#cc79a7", "#e69f00", "#0072b2", "#56b4e9", "#f0e442", "#8c564b", "#999999", "#000000"),
        strict=True,
    )
)
_OF_CHANGES = dict(
    zip(CHANGES, ("#009e73", "#56b4e9", "#e69f00", "#f0e442", "#d55e00", "#cc79a7"), strict=True),
)


def figures(cause_rows: pl.DataFrame, transition_rows: pl.DataFrame) -> list[Figure]:
    """All of them for which there is something to show.

    Args:
        cause_rows: of ``stability_schemas.CAUSES``.
        transition_rows: of ``stability_schemas.TRANSITIONS``.
    """
    drawn = (
        causes(cause_rows.to_dicts()),
        transitions(transition_rows.to_dicts()),
    )
    return [figure for figure in drawn if figure is not None]


def causes(rows: Rows) -> Figure | None:
    """Why answers are wrong, as stacked bars; None where there is no program.

    Args:
        rows: of ``stability_schemas.CAUSES``.
    """
    drawn = [
        {
            "panel": f"{row['dataset']} · {row['task']}",
            "model": row["model"],
            "case": row["cause"].replace("_", " "),
            "order": CAUSES.index(row["cause"]),
            "answers": row["answers"],
            "opens": opened({**row, "presentation": "", "metric": RIGHT}, cause=row["cause"]),
        }
        for row in rows
    ]
    return figure(
        drawn,
        "causes",
        "Causes of wrong answers",
        "Share of answers (items × seeds) to tasks of programs by what would make them right.",
        _bars(drawn, _OF_CAUSES, "Share of answers"),
    )


def transitions(rows: Rows) -> Figure | None:
    """What becomes of answers that are wrong before or after; None where there is none.

    Args:
        rows: of ``stability_schemas.TRANSITIONS``.
    """
    counts: dict[tuple[str, str, str], int] = {}
    for row in rows:
        if row["change"] is not None:
            key = _passage(row), row["model"], row["change"]
            counts[key] = counts.get(key, 0) + row["answers"]
    drawn = [
        {
            "panel": panel,
            "model": model,
            "case": change.replace("_", " "),
            "order": CHANGES.index(change),
            "answers": answers,
            "opens": None,
        }
        for (panel, model, change), answers in counts.items()
    ]
    return figure(
        drawn,
        "transitions",
        "What becomes of wrong answers",
        "Of answers that are wrong in one of two tasks, or wordings: whether they are fixed, remain or are new, and "
        "whether one symbol for each concept would make them right.",
        _bars(drawn, _OF_CHANGES, "Share of answers that are wrong before or after"),
    )


def _bars(rows: Rows, colours: Mapping[str, str], title: str) -> alt.TopLevelMixin:
    colours = {case.replace("_", " "): colour for case, colour in colours.items()}
    present = [case for case in colours if any(row["case"] == case for row in rows)]
    scale = alt.Scale(domain=present, range=[colours[case] for case in present])
    bars = (
        chart()
        .mark_bar(cursor="pointer")
        .encode(
            x=alt.X("answers:Q", stack="normalize", title=title, axis=alt.Axis(format="%")),
            y=models(),
            order="order:O",
            color=alt.Color("case:N", title=None, scale=scale, legend=alt.Legend(labelLimit=300)),
            tooltip=tips("model", "case", answers="answers"),
        )
    )
    return panels(bars, rows)


def _passage(row: Mapping[str, Any]) -> str:
    """From where to where: two tasks on a dataset, or two datasets in a task."""
    name, common = ("task", "dataset") if row["between"] == "tasks" else ("dataset", "task")
    return f"{row[f'second_{common}']}: {row[f'first_{name}']} → {row[f'second_{name}']}"
