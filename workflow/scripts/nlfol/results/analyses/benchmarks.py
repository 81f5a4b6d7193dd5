"""Benchmarks against one another (∀uto∃∨∧L, section 5): correlations over common models, and predictive power.

With ``x[i]`` and ``y[i]`` the scores of model ``i`` in two benchmarks, over ordered pairs of different models::

    P(x | y) = P(x[i] >= x[j] | y[i] >= y[j])

that is, how often ``x`` puts two models in an order that ``y`` has, ties counting as either order. Its interval is that
of the jackknife over models (Efron and Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 11), with
Student's quantile.
"""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, TypedDict, cast

import numpy as np
import numpy.typing as npt
import polars as pl

from nlfol.facts import ZERO_SHOT
from nlfol.mappings import AnyRow, JsonDict
from nlfol.results.analyses.analysis import Analysis, Given, Rows
from nlfol.results.analyses.benchmark_pairs import (
    HERE,
    OURS,
    Benchmark,
    chosen_pairs,
    labelled,
    measured_benchmarks,
    published_benchmarks,
)
from nlfol.results.analyses.benchmark_sizes import over_sizes
from nlfol.results.analyses.figure import Figure
from nlfol.results.statistics.clusters import CONFIDENCE, ROUNDING, student_quantile
from nlfol.results.statistics.published_ways import ways
from nlfol.results.tables import columns
from nlfol.results.tables.opening import nothing
from nlfol.results.tables.table import Kind, TableForm
from nlfol.store.columns import row_schema

OVER = MODELS, OPERATORS = "models", "operators"
"""Points of a correlation: models, or numbers of operators (``benchmark_sizes``)."""

LEAST_POINTS = 3
"""Benchmarks with fewer models, or numbers of operators, in common have no row."""

LEAST_FOR_INTERVAL = 8
"""Points from which there is an interval: of four it would hold the truth in .53 to .83 of samples."""

MOST_DRAWN, MOST_CHOSEN = 60, 8
"""Pairs that figures hold, and benchmarks that the reader of predictive powers chooses from."""

LEAST_P = 0.001
"""Figures do not tell smaller p-values apart."""

_PARTS = ("source", "dataset", "task", "metric", "presentation")
_SHOWN = (*_PARTS[1:], "source")


class _Both(TypedDict):
    first_source: str
    first_dataset: str
    first_task: str
    first_metric: str
    first_presentation: str
    second_source: str
    second_dataset: str
    second_task: str
    second_metric: str
    second_presentation: str
    over: str  # what the points are, see ``OVER``
    points: list[str]  # names of models, or numbers of operators, that both have
    first_scores: list[float]
    second_scores: list[float]


class _Correlation(TypedDict):
    # Pearson's correlation, null (as p and tau) if one of the two is constant; Fisher's interval at 95 %, null for
    # fewer than four points; Kendall's tau-b.
    rho: float | None
    rho_low: float | None
    rho_high: float | None
    p: float | None
    tau: float | None


class BenchmarkRow(_Both, _Correlation):
    """One row a pair of benchmarks with at least three points in common."""

    # P(first orders two points so | second does), and the other way round; intervals at 95 % by the jackknife, null
    # for fewer than eight points.
    power_first: float
    power_second: float
    power_first_low: float | None
    power_first_high: float | None
    power_second_low: float | None
    power_second_high: float | None


BENCHMARKS = row_schema("benchmarks", 2, BenchmarkRow)


def benchmarks(compared: Iterable[tuple[Benchmark, Benchmark]], over: str = MODELS) -> list[BenchmarkRow]:
    """Return the rows of ``BENCHMARKS`` for pairs of benchmarks with enough points in common."""
    return [row for first, second in compared if (row := _row(first, second, over)) is not None]


def _row(first: Benchmark, second: Benchmark, over: str) -> BenchmarkRow | None:
    points = [point for point in first.scores if point in second.scores]
    if len(points) < LEAST_POINTS:
        return None
    x, y = ([benchmark.scores[point] for point in points] for benchmark in (first, second))
    power_first, power_first_low, power_first_high = predictive_power(x, y)
    power_second, power_second_low, power_second_high = predictive_power(y, x)
    return {
        "first_source": first.source,
        "first_dataset": first.dataset,
        "first_task": first.task,
        "first_metric": first.metric,
        "first_presentation": first.presentation,
        "second_source": second.source,
        "second_dataset": second.dataset,
        "second_task": second.task,
        "second_metric": second.metric,
        "second_presentation": second.presentation,
        "over": over,
        "points": points,
        "first_scores": x,
        "second_scores": y,
        **_correlation(x, y),
        "power_first": power_first,
        "power_first_low": power_first_low,
        "power_first_high": power_first_high,
        "power_second": power_second,
        "power_second_low": power_second_low,
        "power_second_high": power_second_high,
    }


def _correlation(x: Sequence[float], y: Sequence[float]) -> _Correlation:
    if len(set(x)) == 1 or len(set(y)) == 1:
        return cast("_Correlation", dict.fromkeys(_Correlation.__annotations__))
    from scipy.stats import kendalltau, pearsonr

    pearson = pearsonr(x, y)
    # Fisher's transform has the variance 1 / (n - 3).
    has_ends = len(x) > LEAST_POINTS
    low, high = map(float, pearson.confidence_interval(CONFIDENCE)) if has_ends else (None, None)
    rho = float(pearson.statistic)
    return {
        "rho": rho,
        "rho_low": low,
        "rho_high": high,
        # Rounding must not decide how small that of a perfect correlation is.
        "p": float(pearson.pvalue) if 1 - abs(rho) > ROUNDING else 0.0,
        "tau": float(kendalltau(x, y).statistic),
    }


def predictive_power(x: Sequence[float], y: Sequence[float]) -> tuple[float, float | None, float | None]:
    """Return P(x | y), the share of ordered pairs in which ``x`` is no less, of those in which ``y`` is no less.

    With it come the ends of its interval, in [0, 1]; None for fewer models than ``LEAST_FOR_INTERVAL``.
    """
    given, both = _no_less(y), _no_less(x) & _no_less(y)
    power = float(both.sum() / given.sum())
    if len(x) < LEAST_FOR_INTERVAL:
        return power, None, None
    without = _without_each(both) / _without_each(given)
    models = len(without)
    error = np.sqrt((models - 1) / models * np.square(without - without.mean()).sum())
    half = student_quantile(models) * float(error)
    return power, max(0.0, power - half), min(1.0, power + half)


def _no_less(scores: Sequence[float]) -> npt.NDArray[np.bool_]:
    """Return, for each ordered pair of different models, whether the first has no less."""
    values = np.asarray(scores)
    no_less: npt.NDArray[np.bool_] = values[:, None] >= values[None, :]
    np.fill_diagonal(no_less, val=False)
    return no_less


def _without_each(pairs_of: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    """Return the number of pairs left without each model in turn."""
    left: npt.NDArray[np.float64] = (pairs_of.sum() - pairs_of.sum(axis=0) - pairs_of.sum(axis=1)).astype(np.float64)
    return left


def _of_experiment(given: Given) -> list[BenchmarkRow]:
    verified = given.frame("verifications").to_dicts()
    ours = measured_benchmarks(given.frame("cells"), given.frame("bounded"), verified, given.setting("names"))
    theirs = published_benchmarks(given.frame("figures"))
    pairs = list(
        chosen_pairs(ours, theirs, {(benchmark.quantity.dataset, benchmark.quantity.kind) for benchmark in ours})
    )
    asked = ways(given.frame("ways"), given.frame("cells"))
    rows = benchmarks(labelled(pairs, theirs, asked)) + benchmarks(
        over_sizes(pairs, given.loaded("item presentation metric score"), given.measures()),
        OPERATORS,
    )
    # Published scores stand beside those of this experiment, not alone.
    return rows if any(HERE in (row["first_source"], row["second_source"]) for row in rows) else []


TABLE = TableForm(
    "benchmarks",
    "Benchmarks against one another",
    "Over the models, or numbers of operators, that both have scores of: Pearson's correlation, Kendall's tau, and the "
    "predictive power, the share of ordered pairs of these that one benchmark orders as the other does.",
    (
        *(columns.text(name, of=f"first_{name}") for name in _SHOWN),
        *(
            columns.text(f"second_{name}", f"Second: {'shown as' if name == 'presentation' else name}")
            for name in _SHOWN
        ),
        columns.text("over"),
        columns.column("points", None, Kind.COUNT, lambda row: len(row["points"])),
        columns.interval("rho", "Correlation"),
        columns.p(),
        columns.share("tau", "Kendall's tau"),
        columns.interval("power_first", "P(first given second)"),
        columns.interval("power_second", "P(second given first)"),
    ),
    (
        "Source: here, or the file in resources/published and its table. At least three points in common.",
        "Over operators: each number of them is a point, if each common model has five such items; their means' mean.",
        "Correlation: interval at 95 % by Fisher's transform, p two-sided; – where all scores are equal.",
        "P: of the ordered pairs of which the given one scores the first no less, the share of which both do.",
        "Its interval at 95 %: jackknife over points, from eight on; models of one family are no independent draws.",
        "p is not adjusted: each row asks another question.",
    ),
    ("benchmarks",),
    opens=nothing,  # the explorer does not show what several answers come to
    nothing="No scores here have three models, or sizes, in common with others, here or published.",
)


_FIGURES = {
    MODELS: ("benchmarks", "Benchmarks against one another", "Score of each model in two benchmarks"),
    OPERATORS: (
        "sizes",
        "Benchmarks against one another, by number of operators",
        "Mean score of all models at each number of operators in two sets of formulas",  # (figure 17)
    ),
}


def scatter(rows: pl.DataFrame, over: str = MODELS) -> Figure | None:
    """Draw the scores in two benchmarks that the reader chooses, at first published ones."""
    import altair as alt

    from nlfol.results.analyses.charts import WIDTH, choice, figure, first, of_model, once, tips

    name, title, caption = _FIGURES[over]
    groups = ([row] for row in _published_first(rows, over))
    shown, remark = first(groups, MOST_DRAWN, "pairs", "benchmarks")
    drawn = [
        {
            **{name: _name(row, name) for name in ("first", "second")},
            "pair": f"{_name(row, 'first')} – {_name(row, 'second')}",
            "said": _in_words(row) + _differing(row["second_source"]),
            over.removesuffix("s"): point if over == MODELS else int(point),
            "x": x,
            "y": y,
        }
        for row in shown
        for point, x, y in zip(row["points"], row["first_scores"], row["second_scores"], strict=True)
    ]
    chosen = choice(drawn, "pair", title="Benchmarks")
    data: Any = {"values": drawn}
    height = 200
    marked: tuple[Any, ...] = (alt.Color("operator:Q", title="Operators"),)
    if over == MODELS:
        marked = (of_model(), alt.Shape("model:N"))
    points = (
        alt.Chart()
        .mark_point(filled=True, size=60, opacity=0.9)
        .encode(
            *marked,
            x=alt.X("x:Q", title=None, scale=alt.Scale(zero=False), axis=alt.Axis(tickCount=5, labelOverlap=True)),
            y=alt.Y("y:Q", title=None, scale=alt.Scale(zero=False)),
            tooltip=tips(over.removesuffix("s"), x="first", y="second"),
        )
    )

    words = once("said", 0, -4, align="left", baseline="bottom")
    titles = once("first", 0, height + 32, align="left"), once("second", -42, height / 2, angle=270)
    layers = alt.layer(points, words, *titles, data=data, width=WIDTH, height=height)
    return figure(
        drawn,
        name,
        title,
        f"{caption}, with Pearson's correlation, its interval at 95 % and p. Choose both below.{remark}",
        layers.add_params(chosen).transform_filter(alt.datum["pair"] == chosen),
    )


def powers(rows: pl.DataFrame) -> Figure | None:
    """Draw the predictive powers between a benchmark that the reader chooses and all others (section 5)."""
    import altair as alt

    from nlfol.results.analyses.charts import INK, POINT, SHAPES, chart, choice, figure, first, share, tips

    published, marks = _published_first(rows, MODELS), dict[str, list[JsonDict]]()
    # Those come first that stand beside published scores.
    for one, other in (("first", "second"), ("second", "first")):
        for row in published:
            name = _name(row, one)
            labels = {
                "benchmark": name,
                "other": _name(row, other) + _differing(row["second_source"]),
                "models": len(row["points"]),
            }
            for asked, of in (("other given chosen", other), ("chosen given other", one)):
                power = {end or "power": row[f"power_{of}{end and f'_{end}'}"] for end in ("", "low", "high")}
                marks.setdefault(name, []).append({**labels, "said": asked, **power})
    groups, remark = first(([{"marks": group}] for group in marks.values()), MOST_CHOSEN, "benchmarks", "benchmarks")
    drawn = [mark for group in groups for mark in group["marks"]]
    chosen = choice(drawn, "benchmark")
    data: Any = {"values": drawn}
    shapes = alt.Scale(range=SHAPES)
    base = chart(height=alt.Step(12, **{"for": "offset"}), data=data).encode(
        y=alt.Y("other:N", title=None, sort=None),
        yOffset=alt.YOffset("said:N", sort=None),
        color=alt.value(INK),
        tooltip=tips("other", "said", "models", power="power", low="from", high="to"),
    )
    rule = base.mark_rule(strokeWidth=2).encode(x=share("low", "Predictive power"), x2="high:Q")
    point = base.mark_point(**{**POINT, "cursor": "default"}).encode(
        x=share("power", "Predictive power"), shape=alt.Shape("said:N", title=None, sort=None, scale=shapes)
    )
    return figure(
        drawn,
        "powers",
        "Predictive power of benchmarks",
        "How often one benchmark orders two models as another does, with the jackknife's interval at 95 % over models. "
        f"Choose a benchmark below.{remark}",
        alt.layer(rule, point).add_params(chosen).transform_filter(alt.datum["benchmark"] == chosen),
    )


def _published_first(rows: pl.DataFrame, over: str) -> list[JsonDict]:
    return sorted(
        rows.filter(over=over).to_dicts(), key=lambda row: row["first_source"] == row["second_source"] == HERE
    )


def _name(row: AnyRow, which: str) -> str:
    *named, shown, source = (row[f"{which}_{part}"] for part in _SHOWN)
    parts = [*named, *([] if shown in ("", ZERO_SHOT) else [shown])]
    return " · ".join(parts) + ("" if source == HERE else f" ({source.partition(OURS)[0]})")


def _differing(source: str) -> str:
    """Return what differs in ours from the paper's, in words to append; nothing if both were asked alike."""
    return "".join(source.partition(OURS)[1:])


def _in_words(row: AnyRow) -> str:
    if row["rho"] is None:
        return "no correlation: all scores are equal"
    interval = "" if row["rho_low"] is None else f" [{row['rho_low']:.2f}, {row['rho_high']:.2f}]"
    p = f"= {row['p']:.3f}" if row["p"] >= LEAST_P else f"< {LEAST_P}"
    return f"ρ = {row['rho']:.2f}{interval}, p {p}"


ANALYSIS = Analysis(
    rows=(Rows(BENCHMARKS, _of_experiment),),
    tables=(TABLE,),
    figures=(*((("benchmarks",), partial(scatter, over=over)) for over in OVER), (("benchmarks",), powers)),
)
