"""Benchmarks against one another (∀uto∃∨∧L, section 5): correlations over common models, and predictive power.

With ``x[i]`` and ``y[i]`` the scores of model ``i`` in two benchmarks, over ordered pairs of different models::

    P(x | y) = P(x[i] >= x[j] | y[i] >= y[j])

that is, how often ``x`` puts two models in an order that ``y`` has, ties counting as either order. Its interval is that
of the jackknife over models (Efron and Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 11), with
Student's quantile.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl
import pyarrow as pa

from nlfol.analyses.analysis import Analysis, Given, Rows
from nlfol.analyses.figure import Figure
from nlfol.statistics.binning import bounded_name
from nlfol.statistics.clusters import CONFIDENCE, student_quantile, with_ends
from nlfol.statistics.summary import COMPARED
from nlfol.store.columns import field as column_of
from nlfol.store.columns import numbers, schema, texts
from nlfol.tables import columns
from nlfol.tables.opening import nothing
from nlfol.tables.table import Kind, TableForm
from nlfol.tasks.registry import TASKS

HERE = "here"
"""The source of what was measured, not published."""

LEAST_MODELS = 3
"""Benchmarks with fewer models in common have no row."""

LEAST_FOR_INTERVAL = 8
"""Models from which there is an interval: of four it would hold the truth in .53 to .83 of samples."""

_PARTS = ("source", "dataset", "task", "metric", "presentation")
_SHOWN = ("dataset", "task", "metric", "presentation", "source")

BENCHMARKS = schema(
    "benchmarks",
    1,
    *texts(*(f"{name}_{part}" for name in ("first", "second") for part in _PARTS)),
    column_of("models", pa.list_(pa.string())),  # in both
    *(column_of(f"{name}_scores", pa.list_(pa.float64())) for name in ("first", "second")),
    # Pearson's correlation, null (as p and tau) if one of the two is constant; Fisher's interval at 95 %, null for
    # fewer than four models; Kendall's tau-b.
    *numbers("rho", "rho_low", "rho_high", "p", "tau", null=True),
    # P(first orders two models so | second does), and the other way round; intervals at 95 % by the jackknife, null
    # for fewer than eight models.
    *numbers(*(f"power_{name}" for name in ("first", "second"))),
    *numbers(*(f"power_{name}_{end}" for name in ("first", "second") for end in ("low", "high")), null=True),
)
"""One row a pair of benchmarks with at least three models in common."""


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A column of scores by model.

    Its source is ``here``, or the file of published figures and its table; its task an entry of the configuration, or
    the published kind; its metric has its limit of size, if any, such as ``truth_operators_6``.
    """

    source: str
    dataset: str
    task: str
    metric: str
    presentation: str
    scores: Mapping[str, float] = field(compare=False)


def measured_benchmarks(cells: pl.DataFrame, bounded: pl.DataFrame) -> list[Benchmark]:
    """Return an experiment's columns of rated metrics, over all items (CELLS) and over those up to a size (BOUNDED)."""
    found: dict[tuple[str, str, str, str], dict[str, float]] = {}
    for row in [*cells.to_dicts(), *bounded.to_dicts()]:
        rated = TASKS[row["task_kind"]].rates(row["metric"])
        if rated and row["kind"] in COMPARED and row["mean"] is not None:
            key = row["dataset"], row["task"], bounded_name(row), row["presentation"]
            found.setdefault(key, {})[row["model"]] = row["mean"]
    return [Benchmark(HERE, *key, scores) for key, scores in found.items()]


def published_benchmarks(figures: pl.DataFrame) -> list[Benchmark]:
    """Return the published scores of single models, of which more is better, as columns; ratings are left out."""
    found: dict[tuple[str, str, str, str, str], dict[str, float]] = {}
    scores = figures.filter(
        pl.col("task") != "diversification", pl.col("metric") != "dispersion", pl.col("dataset").is_not_null()
    )
    scores = scores.filter(pl.col("model").is_not_null(), pl.col("second").is_null())
    for row in scores.filter(~pl.col("metric").str.starts_with("count_")).to_dicts():
        key = f"{row['paper']} {row['table']}", row["dataset"], row["task"], row["metric"], row["presentation"] or ""
        found.setdefault(key, {})[row["model"]] = row["mean"]
    return [Benchmark(*key, scores) for key, scores in found.items()]


def pairs(ours: Sequence[Benchmark], theirs: Sequence[Benchmark], known: set[tuple[str, str]]) -> Iterator[Any]:
    """Yield each pair to compare: ours, ours and published, or published in one table about a ``known`` task."""
    for first, second in combinations(ours, 2):
        if (first.dataset, first.task) != (second.dataset, second.task):
            yield first, second
    for first in ours:
        for second in theirs:
            yield first, second
    for first, second in combinations(theirs, 2):
        if first.source == second.source and {(each.dataset, each.task) for each in (first, second)} & known:
            yield first, second


def benchmarks(compared: Iterable[tuple[Benchmark, Benchmark]]) -> list[dict[str, Any]]:
    """Return the rows of ``BENCHMARKS`` for pairs of benchmarks with enough models in common."""
    return [row for first, second in compared if (row := _row(first, second)) is not None]


def _row(first: Benchmark, second: Benchmark) -> dict[str, Any] | None:
    models = [model for model in first.scores if model in second.scores]
    if len(models) < LEAST_MODELS:
        return None
    x, y = ([each.scores[model] for model in models] for each in (first, second))
    found = {"models": models, "first_scores": x, "second_scores": y, **_correlation(x, y)}
    for name, each in (("first", first), ("second", second)):
        found |= {f"{name}_{part}": getattr(each, part) for part in _PARTS}
    for name, power in (("first", predictive_power(x, y)), ("second", predictive_power(y, x))):
        found |= with_ends(f"power_{name}", *power)
    return found


def _correlation(x: Sequence[float], y: Sequence[float]) -> dict[str, float | None]:
    if len(set(x)) == 1 or len(set(y)) == 1:
        return dict.fromkeys(("rho", "rho_low", "rho_high", "p", "tau"))
    from scipy.stats import kendalltau, pearsonr

    pearson = pearsonr(x, y)
    # Fisher's transform has the variance 1 / (n - 3).
    ends = map(float, pearson.confidence_interval(CONFIDENCE)) if len(x) > LEAST_MODELS else ()
    return {
        **with_ends("rho", float(pearson.statistic), *ends),
        "p": float(pearson.pvalue),
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
    found: npt.NDArray[np.bool_] = values[:, None] >= values[None, :]
    np.fill_diagonal(found, val=False)
    return found


def _without_each(pairs_of: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    """Return the number of pairs left without each model in turn."""
    left: npt.NDArray[np.float64] = (pairs_of.sum() - pairs_of.sum(axis=0) - pairs_of.sum(axis=1)).astype(np.float64)
    return left


def _of_experiment(given: Given) -> list[dict[str, Any]]:
    cells = given.frame("cells")
    ours = measured_benchmarks(cells, given.frame("bounded"))
    theirs = published_benchmarks(given.frame("figures"))
    return benchmarks(pairs(ours, theirs, set(cells.select("dataset", "task_kind").rows())))


TABLE = TableForm(
    "benchmarks",
    "Benchmarks against one another",
    "Over the models that both have scores of: Pearson's correlation, Kendall's tau, and the predictive power, the "
    "share of ordered pairs of models that one benchmark orders as the other does.",
    (
        *(columns.text(name, of=f"first_{name}") for name in _SHOWN),
        *(
            columns.text(f"second_{name}", f"Second: {'shown as' if name == 'presentation' else name}")
            for name in _SHOWN
        ),
        columns.column("models", None, Kind.COUNT, lambda row: len(row["models"])),
        columns.interval("rho", "Correlation"),
        columns.p(),
        columns.share("tau", "Kendall's tau"),
        columns.interval("power_first", "P(first given second)"),
        columns.interval("power_second", "P(second given first)"),
    ),
    (
        "Source: here, or the file in resources/published and its table. At least three models in common.",
        "Correlation: interval at 95 % by Fisher's transform, p two-sided; – where all scores are equal.",
        "P: of the ordered pairs of which the given one scores the first no less, the share of which both do.",
        "Its interval at 95 %: jackknife over models, from eight on; models of one family are no independent draws.",
        "p is not adjusted: each row asks another question.",
    ),
    ("benchmarks",),
    opens=nothing,  # the explorer does not show what several answers come to
    long=True,
    nothing="No two benchmarks, here and published, have three models in common.",
)


def scatter(rows: pl.DataFrame) -> Figure | None:
    """Draw the scores of each model in two benchmarks that the reader chooses."""
    import altair as alt

    from nlfol.analyses.charts import choice, figure, tips

    drawn = [
        {"pair": _pair(row), "model": model, "first": first, "second": second, "said": _in_words(row)}
        for row in rows.to_dicts()
        for model, first, second in zip(row["models"], row["first_scores"], row["second_scores"], strict=True)
    ]
    chosen = choice(drawn, "pair", title="Benchmarks")
    data: Any = {"values": drawn}
    base = alt.Chart(data, width=360, height=300).encode(
        x=alt.X("first:Q", title="Score in the first", scale=alt.Scale(zero=False)),
        y=alt.Y("second:Q", title="Score in the second", scale=alt.Scale(zero=False)),
        tooltip=tips("model", first="first", second="second"),
    )
    points = base.mark_point(filled=True, size=60)
    names = base.mark_text(align="left", dx=6, fontSize=9).encode(text="model:N")
    said = (
        alt.Chart(data)
        .mark_text(align="left", baseline="top")
        .encode(x=alt.value(4), y=alt.value(4), text=alt.Text("said:N", aggregate="min"))
    )
    layers = alt.layer(points, names, said).add_params(chosen).transform_filter(alt.datum["pair"] == chosen)
    return figure(
        drawn,
        "benchmarks",
        "Benchmarks against one another",
        "Score of each model in two benchmarks, with Pearson's correlation and interval at 95 %. Choose both below.",
        layers,
    )


def powers(rows: pl.DataFrame) -> Figure | None:
    """Draw the predictive powers between a benchmark that the reader chooses and all others."""
    import altair as alt

    from nlfol.analyses.charts import ROW, chart, choice, figure, tips
    from nlfol.analyses.charts import share as axis

    drawn = []
    for row in rows.to_dicts():
        first, second = _name(row, "first"), _name(row, "second")
        for one, other, of_one, of_other in ((first, second, "first", "second"), (second, first, "second", "first")):
            for said, power in (("other given chosen", of_other), ("chosen given other", of_one)):
                drawn.append(
                    {
                        "chosen": one,
                        "other": other,
                        "said": said,
                        "models": len(row["models"]),
                        "power": row[f"power_{power}"],
                        **{end: row[f"power_{power}_{end}"] for end in ("low", "high")},
                    }
                )
    chosen = choice(drawn, "chosen", name="benchmark", title="Benchmark")
    data: Any = {"values": drawn}
    base = (
        chart(height=ROW)
        .properties(data=data)
        .encode(
            y=alt.Y("other:N", title=None, sort=None, axis=alt.Axis(labelLimit=400)),
            yOffset=alt.YOffset("said:N", sort=None),
            tooltip=tips("other", "said", "models", power="power", low="from", high="to"),
        )
    )
    bars = base.mark_bar().encode(x=axis("power", "Predictive power"), color=alt.Color("said:N", title=None, sort=None))
    rule = base.mark_rule(strokeWidth=2).encode(x=axis("low", "Predictive power"), x2="high:Q")
    layers = alt.layer(bars, rule).add_params(chosen).transform_filter(alt.datum["chosen"] == chosen)
    return figure(
        drawn,
        "powers",
        "Predictive power of benchmarks",
        "How often one benchmark orders two models as another does, with the jackknife's interval at 95 % over models. "
        "Choose a benchmark below.",
        layers,
    )


def _pair(row: Mapping[str, Any]) -> str:
    return f"{_name(row, 'first')} – {_name(row, 'second')}"


def _name(row: Mapping[str, Any], which: str) -> str:
    named = (row[f"{which}_{part}"] for part in ("dataset", "task", "metric", "presentation"))
    return f"{' · '.join(filter(None, named))} ({row[f'{which}_source']})"


def _in_words(row: Mapping[str, Any]) -> str:
    if row["rho"] is None:
        return "no correlation: all scores are equal"
    interval = "" if row["rho_low"] is None else f" [{row['rho_low']:.3f}, {row['rho_high']:.3f}]"
    return f"correlation {row['rho']:.3f}{interval}"


ANALYSIS = Analysis(
    rows=(Rows(BENCHMARKS, _of_experiment),),
    tables=(TABLE,),
    figures=((("benchmarks",), scatter), (("benchmarks",), powers)),
)
