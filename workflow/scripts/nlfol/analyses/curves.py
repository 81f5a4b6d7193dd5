"""Scores over the measures of generated items, and over the items up to a size.

Items of one value, or of one range of values, go together. Scores up to a size are those that ∀uto∃∨∧L compares with
other benchmarks (appendix K.4).
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import polars as pl

from nlfol.analyses.analysis import Analysis, Rows
from nlfol.analyses.figure import Figure
from nlfol.statistics.binning import LIMITS, MOST_BINS, Bin, bins
from nlfol.statistics.summary import OF_TASK, Series, mean_of
from nlfol.store.columns import TASK, counts, numbers, schema, texts
from nlfol.store.schemas import CATEGORY, MEASURE_NAMES
from nlfol.tables import columns
from nlfol.tables.opening import nothing
from nlfol.tables.table import Kind, Row, TableForm

SENSITIVE = ("all", "true", "false")
"""All items; those of which every edit that was tried is detected; those of which one is not."""

_OF_SERIES = [*TASK, *texts("metric", "presentation", "model", "kind")]
_MEAN = [
    *counts("items", "stories", "seeds"),
    *numbers("mean"),
    *numbers("deviation", "low", "high", null=True),  # over seeds (null for one), and over stories (null for one)
]

CURVES = schema(
    "curves",
    1,
    *_OF_SERIES,
    *texts("measure", "bin"),  # a column of MEASURES, category included; the value, or "least–greatest"
    *numbers("start", "end"),
    *texts("sensitive"),  # which items, see ``SENSITIVE``
    *_MEAN,
)
"""One row a generated dataset, task, metric, presentation, model, measure, bin with items, and choice of items."""

BOUNDED = schema("bounded", 1, *_OF_SERIES, *texts("measure"), *numbers("most"), *_MEAN)
"""One row a generated dataset, task, metric, presentation, model and limit of size: the score of items up to it."""


def curves(series: Iterable[Series], measures: Mapping[str, pl.DataFrame]) -> list[dict[str, Any]]:
    """Return the rows of ``CURVES``, in the order of the series; datasets without categories have none."""
    binned = {dataset: _binned(frame) for dataset, frame in measures.items() if frame[CATEGORY].count()}
    return [row for one in series for row in _of_series(one, binned.get(one.source.dataset, {}))]


def _binned(measures: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """Return the bin of each item by each measure of several values, and whether every edit of it is detected."""
    detected = pl.when(pl.col("edits") > 0).then(pl.col("edits") == pl.col("detected")).alias("sensitive")
    found = {}
    for name in (CATEGORY, *MEASURE_NAMES):
        frame = measures.select("item", detected, pl.col(name).alias("value")).drop_nulls("value").sort("value")
        if frame["value"].n_unique() > 1:
            made = bins(frame["value"].to_list(), None if name == CATEGORY else MOST_BINS)
            start = pl.Series("start", [each.start for each in made], dtype=pl.Float64).set_sorted()
            columns = pl.DataFrame(made, schema=Bin._fields, orient="row").with_columns(start)
            found[name] = frame.join_asof(columns, left_on="value", right_on="start", coalesce=False)
    return found


def _of_series(series: Series, binned: Mapping[str, pl.DataFrame]) -> Iterator[dict[str, Any]]:
    for measure, frame in binned.items():
        for sensitive in SENSITIVE:
            chosen = frame if sensitive == "all" else frame.filter(pl.col("sensitive") == (sensitive == "true"))
            answers = series.answers.join(chosen.select("item", *Bin._fields), on="item")
            answers = answers.sort("start", "item", maintain_order=True)
            for place, of_bin in answers.group_by(Bin._fields, maintain_order=True):
                yield {
                    **_named(series),
                    "measure": measure,
                    **dict(zip(Bin._fields, place, strict=True)),
                    "sensitive": sensitive,
                    "stories": of_bin["story"].n_unique(),
                    **mean_of(of_bin),
                }


def _named(series: Series) -> dict[str, Any]:
    return {**series.named(*OF_TASK, "model", "kind", "metric", "presentation"), "seeds": series.seeds}


def bounded(series: Iterable[Series], measures: Mapping[str, pl.DataFrame]) -> list[dict[str, Any]]:
    """Return the rows of ``BOUNDED``, in the order of the series."""
    generated = {dataset: frame for dataset, frame in measures.items() if frame[CATEGORY].count()}
    rows = []
    for one in series:
        frame = generated.get(one.source.dataset)
        for measure, most in LIMITS if frame is not None else ():
            assert frame is not None
            small = frame.filter(pl.col(measure) <= most).select("item")
            answers = one.answers.join(small, on="item", how="semi")
            if not answers.is_empty():
                stories = answers["story"].n_unique()
                rows.append({**_named(one), "measure": measure, "most": most, "stories": stories, **mean_of(answers)})
    return rows


_BIN = ("dataset", "task", "metric", "presentation", "model", "bin")


def _by_category(rows: pl.DataFrame) -> Iterator[Row]:
    """Yield scores by category, with those over the sensitive items beside them."""
    found = rows.filter(pl.col("measure") == "category").to_dicts()
    detected = {tuple(row[name] for name in _BIN): row for row in found if row["sensitive"] == "true"}
    for row in found:
        if row["sensitive"] == "all":
            yield {**row, "detected": detected.get(tuple(row[name] for name in _BIN))}


TABLE = TableForm(
    "curves",
    "Scores by category",
    "Mean score of each model over the generated items of a category: the value that their generation was stratified "
    "by, such as a number of operators.",
    (
        *columns.texts("dataset", "task", "metric"),
        columns.column("presentation", None, Kind.TEXT),
        columns.text("model"),
        columns.text("category", of="bin"),
        columns.count("items"),
        columns.score(),
        columns.column("sensitive_items", None, Kind.COUNT, lambda row: row["detected"] and row["detected"]["items"]),
        columns.column(
            "sensitive", "Score on these", Kind.SCORE, lambda row: row["detected"] and columns.score_of(row["detected"])
        ),
    ),
    (
        "Score: mean over items and seeds ± deviation over seeds, with the interval at 95 % over stories.",
        "Sensitive items: those of which every single edit that was tried is proven to change the meaning.",
        "Over any other measure of the items, the scores are in the report and in curves.arrow.",
    ),
    ("curves",),
    _by_category,
    opens=nothing,  # the explorer cannot choose items by category
    long=True,
)

_MEASURES = (
    *("category", "operators", "depth", "conjunctions", "disjunctions", "negations"),
    *("quantifiers", "states", "edges", "density"),
)
"""Those of the published figures (∀uto∃∨∧L, arXiv 2410.08437, figures 5 and 11 to 15), quantifiers beside them."""

_DETECTED = {"all": "all items", "true": "every edit detected"}


def curves_figure(rows: pl.DataFrame) -> Figure | None:
    """Draw scores over a measure, a panel a model and dataset; the reader chooses measure and metric."""
    import altair as alt

    from nlfol.analyses.charts import POINT, choice, figure, share, tips

    drawn = [_mark(row) for row in rows.to_dicts() if row["measure"] in _MEASURES and row["sensitive"] in _DETECTED]
    base = alt.Chart(width=200, height=140).encode(
        x=alt.X("value:Q", title="Value of the measure"),
        color=alt.Color("shown:N", title="Shown as", sort=None),
        detail="chosen:N",
        tooltip=tips("model", "shown", "chosen", "bin", "items"),
    )
    dashes = alt.StrokeDash(
        "chosen:N", title="Items", sort=list(_DETECTED.values()), legend=alt.Legend(symbolType="stroke")
    )
    chosen = [choice(drawn, "measure"), choice(drawn, "metric")]
    axis = share("mean", "Mean score", alt.Y)
    layers = alt.layer(
        base.mark_area(opacity=0.15).encode(y=share("low", "Mean score", alt.Y), y2="high:Q"),
        base.mark_line().encode(y=axis, strokeDash=dashes),
        base.mark_point(**POINT | {"size": 25}).encode(y=axis),
    ).add_params(*chosen)
    for parameter, name in zip(chosen, ("measure", "metric"), strict=True):
        layers = layers.transform_filter(alt.datum[name] == parameter)
    order = {name: list(dict.fromkeys(row[name] for row in drawn)) for name in ("model", "panel")}
    data: Any = {"values": drawn}
    panels = (
        layers.facet(
            row=alt.Row("model:N", title=None, sort=order["model"]),
            column=alt.Column("panel:N", title=None, sort=order["panel"]),
            data=data,
        )
        .resolve_scale(x="independent")
        .resolve_axis(y="independent")
    )
    return figure(
        drawn,
        "curves",
        "Scores over the size of generated items",
        "Mean score of each model over the items of each value, or range of values, of a measure, with the interval at "
        "95 % over stories. Choose measure and metric below. Category: the measure that generation was stratified by. "
        "Dashed: only the items of which every edit that was tried is proven to change the meaning.",
        panels,
    )


def _mark(row: dict[str, Any]) -> dict[str, Any]:
    from nlfol.analyses.charts import opened

    chance = row["kind"] == "chance"
    # Of all measures the explorer knows but two.
    found = row["measure"] in ("operators", "quantifiers") and row["start"] == row["end"] and row["sensitive"] == "all"
    return {
        "panel": f"{row['dataset']} · {row['task']}",
        "shown": row["presentation"] or "no candidates",
        "chosen": _DETECTED[row["sensitive"]],
        "value": (row["start"] + row["end"]) / 2,
        **{name: row[name] for name in ("model", "metric", "measure", "bin", "items", "mean")},
        # Chance is known exactly for the items.
        **{name: None if chance else row[name] for name in ("low", "high")},
        "opens": opened(row, **{row["measure"]: row["bin"]}) if found else None,
    }


ANALYSIS = Analysis(
    rows=(
        Rows(CURVES, lambda given: curves(given.series(), given.measures())),
        Rows(BOUNDED, lambda given: bounded(given.series(), given.measures())),
    ),
    tables=(TABLE,),
    figures=((("curves",), curves_figure),),
)
