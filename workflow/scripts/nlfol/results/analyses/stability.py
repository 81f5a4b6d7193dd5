"""Problems and the same problems in other words: the score on originals less that on the others, by item."""

from collections.abc import Iterable, Iterator
from typing import Any

import polars as pl

from nlfol.facts import RIGHT
from nlfol.mappings import AnyRow, JsonDict
from nlfol.results.analyses.analysis import Analysis, Rows
from nlfol.results.analyses.drift import COVERED, DISPERSION
from nlfol.results.analyses.figure import Figure
from nlfol.results.statistics.aligned import Aligned, Entries, Wording, dispersions, worded, wording
from nlfol.results.statistics.contrasts import adjust, of_models, paired
from nlfol.results.statistics.pairing import COMPARISONS
from nlfol.results.statistics.summary import Series
from nlfol.results.tables import columns
from nlfol.results.tables.opening import Filter, Number, opens
from nlfol.results.tables.table import Kind, Row, TableForm
from nlfol.store.columns import Interval, Pairing, TaskColumns, Tested, row_schema, with_ends


class _Stability(TaskColumns, Wording):
    presentation: str
    strategy: str | None  # of a task of programs
    model: str
    kind: str
    # Items and stories of the originals; adjusted over all rows of models, null of references.
    items: int
    available: int
    stories: int
    right_original: float | None
    right: float | None
    drop: float | None


class StabilityRow(_Stability, Tested, Pairing):
    """One row a dataset in other words, task, presentation and model, both wordings by item."""

    # pooled, over the items of which both programs are aligned
    dispersion_original: Interval
    dispersion: Interval
    aligned: int | None  # these items; null without a solver, as the dispersions


STABILITY = row_schema("stability", 3, StabilityRow)


def stability(series: Iterable[Series], loaded: Iterable[Aligned], entries: Entries) -> list[StabilityRow]:
    """Return the rows of ``STABILITY``, in the order of the series.

    The p-values of all models are one family and are adjusted together; references are marks, and chance knows no
    words.
    """
    programs = {(job.about["dataset"], job.about["task"], job.about["model"]): job for job in loaded}
    asked = {
        (one.source.dataset, one.source.task, one.source.model, one.presentation): one
        for one in series
        if one.metric == RIGHT and one.source.kind != "chance"
    }
    rows: list[StabilityRow] = []
    for (dataset, task, model, presentation), one in asked.items():
        original = asked.get((entries[dataset].get("of", ""), task, model, presentation))
        if original is not None:
            figures = paired(original, one, "wording")
            before, after = (programs.get((name, task, model)) for name in (original.source.dataset, dataset))
            dispersion_original, dispersion, aligned = dispersions(before, after)
            row: StabilityRow = {
                **one.source.of_task,
                "model": model,
                "kind": one.source.kind,
                "presentation": presentation,
                **wording(dataset, entries),
                "strategy": None if after is None else after.about["strategy"],
                "right_original": figures.first,
                "right": figures.second,
                "drop": figures.difference,
                **figures.columns,
                "dispersion_original": dispersion_original,
                "dispersion": dispersion,
                "aligned": aligned,
            }
            rows.append(with_ends(StabilityRow, row))
    adjust(rows, counts=of_models)
    return rows


def _of_one_wording(number: Number) -> Filter | None:
    """Choose the answers in the wording that a column is of; differences are of both."""
    if not number.column.startswith(("right", "dispersion")):
        return None
    original = {"dataset": number.row["original"]} if number.column.endswith("_original") else {}
    return opens(number, metric=RIGHT, **original)


STABILITY_TABLE = TableForm(
    "stability",
    "Problems in other words",
    "Share of right answers, and dispersion of symbols, on problems and on the same problems in other words.",
    (
        *columns.texts("dataset", "original"),
        columns.quantity("intensity"),
        columns.column("wording", None, Kind.PROSE, worded),
        *columns.texts("task", "model", "presentation"),
        columns.sample(),
        columns.share("right_original", "Right, original"),
        columns.share("right", "Right, other words"),
        *columns.contrast("drop", "Drop"),
        *columns.pairing("original", "other words"),
        columns.interval("dispersion_original", "Dispersion, original"),
        columns.interval("dispersion", "Dispersion, other words"),
        columns.count("aligned", "Items, dispersion"),
    ),
    (
        "Items: asked in both wordings. Drop: the original less the other words, item by item.",
        columns.PAIRING,
        COMPARISONS["wording"].note,
        columns.TEST,
        "Adjusted: by Holm over all models of this table.",
        columns.DETECTABLE,
        DISPERSION,
        "Items, dispersion: those whose programs are aligned in both wordings, of which both dispersions are.",
        f"Dispersions: {COVERED}",
        columns.PROBLEMS_NOTE,
    ),
    ("stability",),
    opens=_of_one_wording,
    nothing="No model answered problems in both wordings: nothing to compare.",
)

TYPES_TABLE = TableForm(
    "types",
    "Kinds of rewriting",
    "How many fewer answers are right where problems are rewritten in one way alone.",
    (
        *columns.texts("dataset", "original"),
        columns.column("type", "Rewriting", Kind.TEXT, lambda row: row["types"][0]),
        columns.count("at_most", "Mentions at most"),
        *columns.texts("task", "model", "presentation"),
        columns.sample(),
        columns.difference("drop", "Drop"),
    ),
    ("Drop: as in the table of stability. Bold: its adjusted p there is below 0.05.", columns.PROBLEMS_NOTE),
    ("stability",),
    lambda rows: rows.filter(pl.col("types").list.len() == 1).to_dicts(),
    opens=_of_one_wording,
    nothing="No dataset is rewritten in one way alone (one of its `types`) and answered in both wordings.",
)

_MEASURES = {"right answers": ("right_original", "right"), "dispersion": ("dispersion_original", "dispersion")}


def _before_and_after(row: Row) -> Iterator[JsonDict]:
    from nlfol.results.analyses.charts import opened

    for measure, names in _MEASURES.items():
        for words, dataset, name in zip(("original", "other words"), ("original", "dataset"), names, strict=True):
            if row[name] is not None:
                yield {
                    "panel": f"{row['original']} in other words: {row['dataset']}",
                    "model": " · ".join(filter(None, (row["model"], row["task"], row["presentation"]))),
                    "measure": measure,
                    "wording": words,
                    "value": row[name],
                    "items": row["items"],
                    "opens": opened({**row, "dataset": row[dataset], "metric": RIGHT}),
                }


def stability_figure(rows: pl.DataFrame) -> Figure | None:
    """Draw scores and dispersion on originals and in other words."""
    import altair as alt

    from nlfol.results.analyses.charts import POINT, chart, choice, figure, models, of_model, once, panels, tips

    drawn = [mark for row in rows.to_dicts() for mark in _before_and_after(row)]
    chosen = choice(drawn, "measure")
    base = chart(height=alt.Step(18)).encode(y=models(), x=alt.X("value:Q", title=" "))
    line = base.mark_line(color="#999999").encode(detail="model:N")
    marks = base.mark_point(**POINT).encode(
        color=of_model(legend=False),
        shape=alt.Shape("wording:N", title=None, sort=None),
        tooltip=tips("model", "wording", "items", value="value"),
    )
    layers: Any = (
        alt.layer(line, marks, once("measure", 0, "height", dy=28, align="left"))
        .add_params(chosen)
        .transform_filter(alt.datum.measure == chosen)
    )
    return figure(
        drawn,
        "stability",
        "Problems and the same in other words",
        "Share of right answers to problems and to the same problems in other words, or the dispersion of symbols "
        "there. Choose below.",
        panels(layers, drawn),
    )


def intensity_figure(rows: pl.DataFrame) -> Figure | None:
    """Draw scores over the share of statements that are rewritten, where an original has two shares or more."""
    from nlfol.results.analyses.charts import lines, opened, share, tips

    curves: dict[tuple[str, ...], dict[float, AnyRow]] = {}
    for row in rows.to_dicts():
        bounds = row["forms"], row["at_most"]
        if not row["types"] and bounds == (None, None) and not row["glossary"] and not row["decoys"]:
            key = tuple(row[name] for name in ("original", "task", "presentation", "model"))
            curves.setdefault(key, {})[row["intensity"]] = row
    drawn = [
        {
            "panel": f"{row['original']} · {row['task']}",
            "model": " · ".join(filter(None, (row["model"], row["presentation"]))),
            "intensity": intensity,
            "mean": row[name],
            "opens": opened({**row, "dataset": row[dataset], "metric": RIGHT}),
        }
        for curve in curves.values()
        if len(curve) > 1
        for intensity, row, dataset, name in [
            (0.0, next(iter(curve.values())), "original", "right_original"),
            *((intensity, row, "dataset", "right") for intensity, row in sorted(curve.items())),
        ]
    ]
    return lines(
        drawn,
        "intensity",
        "Right answers over intensity",
        "Share of right answers by the share of statements that are said in other words; 0 is the original.",
        x=share("intensity", "Share of statements in other words"),
        y="Share of right answers",
        tooltip=tips("model", mean="right", intensity="intensity"),
    )


ANALYSIS = Analysis(
    rows=(
        Rows(
            STABILITY,
            lambda given: stability(given.series("problem_scores"), given.programs(), given.setting("wordings")),
        ),
    ),
    tables=(STABILITY_TABLE, TYPES_TABLE),
    figures=((("stability",), stability_figure), (("stability",), intensity_figure)),
)
