"""The figures of problems in other words: scores and drift, over intensity, causes, and what becomes of answers.

They are figures 4 to 7 of "Are LLMs Stable Formal Logic Translators in Logical Reasoning Across Linguistically
Diversified Texts?".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import altair as alt
import polars as pl

from nlfol.analyses.charts import POINT, Figure, Rows, chart, choice, figure, models, opened, panels, share, tips
from nlfol.statistics.stability import RIGHT
from nlfol.statistics.transitions import CHANGES
from nlfol.tasks.program_alignment import CAUSES

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

_MEASURES = {"right answers": ("right_original", "right"), "dispersion": ("dispersion_original", "dispersion")}


def figures(stability_rows: pl.DataFrame, cause_rows: pl.DataFrame, transition_rows: pl.DataFrame) -> list[Figure]:
    """All of them for which there is something to show.

    Args:
        stability_rows: of ``stability_schemas.STABILITY``.
        cause_rows: of ``stability_schemas.CAUSES``.
        transition_rows: of ``stability_schemas.TRANSITIONS``.
    """
    worded = stability_rows.to_dicts()
    drawn = (
        stability(worded),
        intensity(worded),
        causes(cause_rows.to_dicts()),
        transitions(transition_rows.to_dicts()),
    )
    return [figure for figure in drawn if figure is not None]


def stability(rows: Rows) -> Figure | None:
    """Scores and dispersion on originals and in other words; None where nothing is said in other words.

    Args:
        rows: of ``stability_schemas.STABILITY``.
    """
    drawn = [
        {
            "panel": f"{row['original']} in other words: {row['dataset']}",
            "model": _who(row),
            "measure": measure,
            "wording": said,
            "value": row[column],
            "items": row["items"],
            "opens": opened({**row, "dataset": dataset, "metric": RIGHT}),
        }
        for row in rows
        for measure, columns in _MEASURES.items()
        for said, dataset, column in zip(
            ("original", "other words"), (row["original"], row["dataset"]), columns, strict=True
        )
        if row[column] is not None
    ]
    if not drawn:
        return None
    chosen = choice(drawn, "measure")
    base = chart(height=alt.Step(18)).encode(
        y=models(), x=alt.X("value:Q", title="Share, or symbols too many for a concept")
    )
    line = base.mark_line(color="#999999").encode(detail="model:N")
    marks = base.mark_point(**POINT).encode(
        color=alt.Color("wording:N", title=None, sort=None),
        tooltip=tips("model", "wording", "items", value="value"),
    )
    layers: Any = alt.layer(line, marks).add_params(chosen).transform_filter(alt.datum.measure == chosen)
    return figure(
        drawn,
        "stability",
        "Problems and the same in other words",
        "Share of right answers to problems and to the same problems in other words, or the dispersion of symbols "
        "there. Choose below.",
        panels(layers, drawn),
        leads=True,
    )


def intensity(rows: Rows) -> Figure | None:
    """Scores over the share of statements that are rewritten; None where there are no two shares of one original.

    Args:
        rows: as for ``stability``; those with further settings are left out.
    """
    curves: dict[tuple[str, ...], dict[float, Mapping[str, Any]]] = {}
    for row in rows:
        if not row["types"] and row["at_most"] is None and not row["glossary"] and not row["decoys"]:
            key = tuple(row[name] for name in ("original", "task", "presentation", "model"))
            curves.setdefault(key, {})[row["intensity"]] = row
    drawn = [
        {
            "panel": f"{row['original']} · {row['task']}",
            "model": " · ".join(filter(None, (row["model"], row["presentation"]))),
            "intensity": place,
            "mean": row[column],
            "opens": opened({**row, "dataset": row[dataset], "metric": RIGHT}),
        }
        for found in curves.values()
        if len(found) > 1
        for place, row, dataset, column in [
            (0.0, next(iter(found.values())), "original", "right_original"),
            *((place, row, "dataset", "right") for place, row in sorted(found.items())),
        ]
    ]
    line = (
        chart()
        .mark_line(point=alt.OverlayMarkDef(filled=True, size=50, cursor="pointer"))
        .encode(
            x=alt.X("intensity:Q", title="Share of statements in other words", scale=alt.Scale(domain=[0, 1])),
            y=share("mean", "Share of right answers", alt.Y),
            color=alt.Color("model:N", title=None, sort=None),
            tooltip=tips("model", mean="right", intensity="intensity"),
        )
    )
    return figure(
        drawn,
        "intensity",
        "Right answers over intensity",
        "Share of right answers by the share of statements that are said in other words; 0 is the original.",
        panels(line, drawn, rank=False),
    )


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


def _who(row: Mapping[str, Any]) -> str:
    return " · ".join(filter(None, (row["model"], row["task"], row["presentation"])))


def _passage(row: Mapping[str, Any]) -> str:
    """From where to where: two tasks on a dataset, or two datasets in a task."""
    name, common = ("task", "dataset") if row["between"] == "tasks" else ("dataset", "task")
    return f"{row[f'second_{common}']}: {row[f'first_{name}']} → {row[f'second_{name}']}"
