"""Scores over the measures of generated items, and over the items up to a size.

Items of one value, or of one range of values, go together. Scores up to a size are those that ∀uto∃∨∧L compares with
other benchmarks (appendix K.4).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from statistics import fmean
from typing import TypedDict, cast

import polars as pl

from nlfol.facts import CERTIFIED, F1, FACTS, FEW_SHOT, GUESSERS, RIGHT, ZERO_SHOT, AnswerForm
from nlfol.mappings import JsonDict
from nlfol.results.analyses.analysis import Analysis, Given, Rows, grouped
from nlfol.results.analyses.figure import DRAWN_OVER, Figure
from nlfol.results.analyses.verification import ASKED, f1, labelled
from nlfol.results.statistics.binning import LIMITS, MOST_BINS, Bin, bins
from nlfol.results.statistics.differences import difference
from nlfol.results.statistics.pairing import COMPARISONS, Pairs, pairs
from nlfol.results.statistics.summary import AS_TEXTS, Mean, Origin, QuestionColumns, Series, deviation, mean_of
from nlfol.results.tables import columns
from nlfol.results.tables.opening import nothing
from nlfol.results.tables.table import Kind, Row, TableForm
from nlfol.store.columns import row_schema
from nlfol.store.schemas import CATEGORY, MEASURE_NAMES

SENSITIVE = ("all", "true", "false")
"""All items; those of which every edit that was tried is detected; those of which one is not."""

GAIN = f"{FEW_SHOT} less {ZERO_SHOT}"
"""In place of a presentation: what solved examples add to scores, paired by item and seed (figure 16)."""

_Measured = Callable[[pl.DataFrame], Mean | None]
"""Items, mean, deviation over seeds and interval of some answers; None if they have no such value."""


class _Asked(QuestionColumns):
    model: str
    kind: str


class _Series(_Asked):
    measure: str  # a column of MEASURES, category included


class _Mean(TypedDict):
    items: int
    stories: int
    seeds: int
    mean: float
    deviation: float | None  # over seeds; null for one
    low: float | None  # over stories; null for one
    high: float | None


class _Curve(_Series):
    bin: str  # the value, or "least–greatest"
    start: float
    end: float
    sensitive: str  # which items, see ``SENSITIVE``


class CurveRow(_Curve, _Mean):
    """One row a generated dataset, task, metric, presentation, model, measure, bin with items, and choice of items."""


CURVES = row_schema("curves", 1, CurveRow)


class _Bounded(_Series):
    most: float
    available: int


class BoundedRow(_Bounded, _Mean):
    """One row a generated dataset, task, metric, presentation, model and limit of size.

    The score is of items up to it, of so many available ones of the dataset.
    """


BOUNDED = row_schema("bounded", 2, BoundedRow)


def curves(
    series: Sequence[Series], measures: Mapping[str, pl.DataFrame], verified: Iterable[tuple[Origin, pl.DataFrame]] = ()
) -> list[CurveRow]:
    """Return the rows of ``CURVES``: scores, what solved examples add to them, and F1 of verification (``labelled``).

    Datasets without categories have none.
    """
    binned = {dataset: _binned(frame) for dataset, frame in measures.items() if frame[CATEGORY].count()}
    drawn: list[tuple[_Asked, int, pl.DataFrame, _Measured]] = [
        (_named(one), one.seeds, one.answers, mean_of) for one in series
    ]
    for of_model in grouped(series, "dataset", "task", "metric", "model"):
        shown = {one.presentation: one for one in of_model}
        if {FEW_SHOT, ZERO_SHOT} <= shown.keys():
            made = pairs(shown[FEW_SHOT], shown[ZERO_SHOT], COMPARISONS["few_shot"])
            if made.are_enough:
                about: _Asked = {**_named(shown[FEW_SHOT]), "presentation": GAIN}
                drawn.append((about, shown[FEW_SHOT].seeds, made.kept.with_columns(AS_TEXTS), _gain))
    for source, answers in verified:
        if answers.is_empty():
            continue
        model: _Asked = {
            **source.of_task,
            "model": source.model,
            "kind": source.kind,
            "metric": F1,
            "presentation": "",
        }
        drawn.append((model, answers["seed"].n_unique(), answers, _f1))
    return [row for curve in drawn for row in _of_bins(*curve, binned.get(curve[0]["dataset"], {}))]


def _gain(answers: pl.DataFrame) -> Mean:
    """Return the mean difference of pairs of answers, with its deviation over seeds and interval."""
    items = Pairs(answers, 0, None, 0).items
    gain = difference(items["score"].to_list(), items["score_second"].to_list(), items["story"].to_list())
    by_seed = answers.group_by("seed", maintain_order=True).agg(pl.col("score") - pl.col("score_second"))
    means = [fmean(scores) for scores in by_seed["score"].to_list()]
    spread = deviation(means, gain.items)
    return {"items": gain.items, "mean": gain.mean, "deviation": spread, "low": gain.low, "high": gain.high}


def _f1(answers: pl.DataFrame) -> Mean | None:
    score = f1(answers)
    if score is None:
        return None
    of_seeds = [of_seed for _, group in answers.group_by("seed", maintain_order=True) if (of_seed := f1(group))]
    items = answers["item"].n_unique()
    spread = deviation([score.mean for score in of_seeds], items)
    return {"items": items, "mean": score.mean, "deviation": spread, "low": score.low, "high": score.high}


def _binned(measures: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """Return the bin of each item by each measure of several values, and whether every edit of it is detected."""
    detected = pl.when(pl.col("edits") > 0).then(pl.col("edits") == pl.col("detected")).alias("sensitive")
    binned = {}
    for name in (CATEGORY, *MEASURE_NAMES):
        frame = measures.select("item", detected, pl.col(name).alias("value")).drop_nulls("value").sort("value")
        if frame["value"].n_unique() > 1:
            made = bins(frame["value"].to_list(), None if name == CATEGORY else MOST_BINS)
            start = pl.Series("start", [span.start for span in made], dtype=pl.Float64).set_sorted()
            columns = pl.DataFrame(made, schema=Bin._fields, orient="row").with_columns(start)
            binned[name] = frame.join_asof(columns, left_on="value", right_on="start", coalesce=False)
    return binned


def _of_bins(
    named: _Asked, seeds: int, asked: pl.DataFrame, measured: _Measured, binned: Mapping[str, pl.DataFrame]
) -> Iterator[CurveRow]:
    for measure, frame in binned.items():
        for sensitive in SENSITIVE:
            chosen = frame if sensitive == "all" else frame.filter(pl.col("sensitive") == (sensitive == "true"))
            answers = asked.join(chosen.select("item", *Bin._fields), on="item")
            answers = answers.sort("start", "item", maintain_order=True)
            for (name, start, end), of_bin in answers.group_by(Bin._fields, maintain_order=True):
                if (figures := measured(of_bin)) is not None:
                    yield {
                        **named,
                        "measure": measure,
                        "sensitive": sensitive,
                        "stories": of_bin["story"].n_unique(),
                        "seeds": seeds,
                        "bin": str(name),
                        "start": cast("float", start),
                        "end": cast("float", end),
                        **figures,
                    }


def _verified(given: Given) -> Iterator[tuple[Origin, pl.DataFrame]]:
    for source, scores in given.loaded(ASKED, forms=[AnswerForm.VERDICT], metrics=[RIGHT]):
        yield source, labelled(scores)


def _named(series: Series) -> _Asked:
    return {**series.about, "model": series.source.model, "kind": series.source.kind}


def bounded(series: Iterable[Series], measures: Mapping[str, pl.DataFrame]) -> list[BoundedRow]:
    """Return the rows of ``BOUNDED``, in the order of the series."""
    generated = {dataset: frame for dataset, frame in measures.items() if frame[CATEGORY].count()}
    rows: list[BoundedRow] = []
    for one in series:
        frame = generated.get(one.source.dataset)
        for measure, most in LIMITS if frame is not None else ():
            assert frame is not None
            small = frame.filter(pl.col(measure) <= most).select("item")
            answers = one.answers.join(small, on="item", how="semi")
            if not answers.is_empty():
                stories = answers["story"].n_unique()
                row: BoundedRow = {
                    **_named(one),
                    "measure": measure,
                    "most": most,
                    "available": small.height,
                    "stories": stories,
                    "seeds": one.seeds,
                    **mean_of(answers),
                }
                rows.append(row)
    return rows


_BIN = ("dataset", "task", "metric", "presentation", "model", "bin")


def _by_category(rows: pl.DataFrame) -> Iterator[Row]:
    """Yield scores by category, with those over the sensitive items beside them."""
    categories = rows.filter(pl.col("measure") == "category").to_dicts()
    detected = {tuple(row[name] for name in _BIN): row for row in categories if row["sensitive"] == "true"}
    for row in categories:
        if row["sensitive"] == "all":
            yield {**row, "detected": detected.get(tuple(row[name] for name in _BIN))}


TABLE = TableForm(
    "curves",
    "Scores by category",
    "Mean score of each model, or F1 of verification, over the generated items of a category: the value that their "
    "generation was stratified by, such as a number of operators.",
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
        f"{GAIN.capitalize()}: mean difference of answers to one item under one seed, with the interval of their test.",
        "F1 of verification: yes is positive, unread answers are wrong; deviation: of the F1 of each seed.",
        "Sensitive items: those of which every single edit that was tried is proven to change the meaning.",
        "Over any other measure of the items, the scores are in the report and in curves.arrow.",
    ),
    ("curves",),
    _by_category,
    opens=nothing,  # the explorer cannot choose items by category
)

MOST_BANDS = 4
"""Models up to which figures have a band for each model's interval: more would hide one another."""

MOST_MARKS = 8_000
"""Marks that figures hold, at about 300 bytes each, over the category and of first metrics first."""

_PANEL = ("dataset", "task", "metric", "presentation", "measure")

_DETECTED = {"all": "all items", "true": "every edit detected"}


def curves_figure(rows: pl.DataFrame) -> Figure | None:
    """Draw scores over a measure that the reader chooses, all models in a panel for each question."""
    return _curves(
        rows.filter(~pl.col("presentation").is_in((GAIN, *CERTIFIED))),
        "curves",
        "Scores over the size of generated items",
        "Mean score of each model, or F1 of verification, over items of a value, or range of values, of a measure.",
    )


def gains_figure(rows: pl.DataFrame) -> Figure | None:
    """Draw what solved examples add to scores over a measure (figure 16)."""
    return _curves(
        rows.filter(presentation=GAIN),
        "gains",
        "What solved examples add over the size of generated items",
        "Mean score of each model with solved examples less that without, over the items of each value, or range of "
        "values, of a measure.",
        least=-1,
    )


def _curves(rows: pl.DataFrame, name: str, title: str, caption: str, least: int = 0) -> Figure | None:
    import altair as alt

    from nlfol.results.analyses.charts import chart, choice, figure, first, of_model, once, panels, tips

    every, is_category = pl.col("sensitive") == "all", pl.col("measure") == CATEGORY
    leads = pl.col("metric").is_in([F1, *(metric for task in FACTS.values() for metric in task.metrics[:1])])
    kept = rows.filter((every & pl.col("measure").is_in(DRAWN_OVER)) | ((pl.col("sensitive") == "true") & is_category))
    panels_of = kept.sort(~leads, ~is_category, maintain_order=True).partition_by(_PANEL, maintain_order=True)
    shown, remark = first((panel.to_dicts() for panel in panels_of), MOST_MARKS, "panels of a measure", "curves")
    drawn = list(map(_mark, shown))
    chosen = [choice(drawn, "measure"), *([] if least else [choice(drawn, "shown", title="Shown as")])]
    few = len({row["model"] for row in drawn}) <= MOST_BANDS

    def axis(field: str) -> alt.Y:
        return alt.Y(f"{field}:Q", title="Gain" if least else "Score", scale=alt.Scale(domain=[least, 1]))

    base = chart(height=150).encode(
        x=alt.X("bin:O", title=" ", sort=alt.EncodingSortField("value", op="min"), axis=alt.Axis(labelAngle=0)),
        color=of_model(),
        detail="chosen:N",
        tooltip=tips("model", "shown", "chosen", "bin", "items"),
    )
    legend = alt.Legend(symbolType="stroke") if len({row["chosen"] for row in drawn}) > 1 else None
    dashes = alt.StrokeDash("chosen:N", title="Items", sort=list(_DETECTED.values()), legend=legend)
    bands = [base.mark_area(opacity=0.12, clip=True).encode(y=axis("low"), y2="high:Q")] if few else []
    layers = alt.layer(
        *bands,
        base.mark_area(opacity=0.3, clip=True).encode(y=axis("below"), y2="above:Q"),
        base.mark_line().encode(y=axis("mean"), strokeDash=dashes),
        base.mark_point(filled=True, opacity=1, size=25, cursor="pointer").encode(y=axis("mean"), shape="model:N"),
        once("measure", 0, "height", dy=28, align="left"),
    ).add_params(*chosen)
    for parameter in chosen:
        layers = layers.transform_filter(alt.datum[parameter.name] == parameter)
    return figure(
        drawn,
        name,
        title,
        f"{caption} {'Light: the interval at 95 % over stories. ' if few else ''}Dark: ± the deviation over seeds, of "
        "three or more. Choose the measure below. Category: the measure that items were drawn by. Dashed: over "
        f"category, only the items of which every edit that was tried is proven to change the meaning.{remark}",
        panels(layers, drawn, rank=False).resolve_scale(x="independent"),
    )


def _mark(row: Row) -> JsonDict:
    from nlfol.results.analyses.charts import opened, panel_of

    is_exact = row["kind"] in GUESSERS
    # Of all measures the explorer knows but two.
    links = row["measure"] in ("operators", "quantifiers") and row["start"] == row["end"] and row["sensitive"] == "all"
    asked = row["presentation"] != GAIN and row["metric"] != F1
    below, above = (None if row["deviation"] is None else row["mean"] + side * row["deviation"] for side in (-1, 1))
    low, high = (None if is_exact else row[name] for name in ("low", "high"))
    ends = {"mean": row["mean"], "low": low, "high": high, "below": below, "above": above}
    return {
        "panel": panel_of(row),
        "shown": row["presentation"] or "as it is asked",
        "chosen": _DETECTED[row["sensitive"]],
        "value": (row["start"] + row["end"]) / 2,
        **{name: row[name] for name in ("model", "measure", "bin", "items")},
        # Guessers are known exactly for the items. Four decimals keep the page small.
        **{name: None if value is None else round(value, 4) for name, value in ends.items()},
        "opens": opened(row, **{row["measure"]: row["bin"]}) if links and asked else None,
    }


ANALYSIS = Analysis(
    rows=(
        Rows(CURVES, lambda given: curves(given.series(), given.measures(), _verified(given))),
        Rows(BOUNDED, lambda given: bounded(given.series(), given.measures())),
    ),
    tables=(TABLE,),
    figures=((("curves",), curves_figure), (("curves",), gains_figure)),
)
