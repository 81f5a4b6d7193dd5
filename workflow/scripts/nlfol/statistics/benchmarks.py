"""How far one benchmark tells of another: over the models that both have scores of (∀uto∃∨∧L, section 5).

Beside Pearson's correlation, with Fisher's interval, and Kendall's tau-b stands the *predictive power*: with ``x[i]``
and ``y[i]`` the scores of model ``i`` in two benchmarks, over ordered pairs of different models::

    P(x | y) = P(x[i] >= x[j] | y[i] >= y[j])

that is, how often ``x`` puts two models in an order that ``y`` has, ties counting as either order. Its interval is that
of the jackknife over models (Efron and Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 11), with
Student's quantile.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from nlfol.statistics.clusters import CONFIDENCE, student_quantile
from nlfol.statistics.summary import COMPARED
from nlfol.tasks.registry import TASKS

HERE = "here"
"""The source of what was measured, not published."""

LEAST_MODELS = 3
"""Benchmarks with fewer models in common make no row."""


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A column of scores.

    Attributes:
        source: ``here``, or the file of published figures and its table.
        dataset: what models were asked about.
        task: entry of the configuration, or the published kind of task.
        metric: with a limit of size where there is one, such as ``truth_operators_6``.
        presentation: "" where there is none.
        scores: of each model.
    """

    source: str
    dataset: str
    task: str
    metric: str
    presentation: str
    scores: Mapping[str, float] = field(compare=False)


@dataclass(frozen=True, slots=True)
class Power:
    """A predictive power with its interval, in [0, 1]."""

    power: float
    low: float
    high: float


def measured_benchmarks(cells: pl.DataFrame, bounded: pl.DataFrame) -> list[Benchmark]:
    """The columns of an experiment: metrics that say whether answers are right, of all items and of those up to a size.

    Args:
        cells: rows of ``schemas.CELLS``.
        bounded: rows of ``round_trip_schemas.BOUNDED``.
    """
    found: dict[tuple[str, str, str, str], dict[str, float]] = {}
    for row in [*cells.to_dicts(), *bounded.to_dicts()]:
        rated = TASKS[row["task_kind"]].rates(row["metric"])
        if rated and row["kind"] in COMPARED and row["mean"] is not None:
            key = row["dataset"], row["task"], bounded_name(row), row["presentation"]
            found.setdefault(key, {})[row["model"]] = row["mean"]
    return [Benchmark(HERE, *key, scores) for key, scores in found.items()]


def bounded_name(row: Mapping[str, Any]) -> str:
    """The metric of a row of CELLS, or of one of BOUNDED with its limit, as of published figures: ``truth_depth_7``."""
    metric: str = row["metric"]
    if "most" not in row:
        return metric
    return f"{metric}_{row['measure'].removesuffix('_published')}_{row['most']:g}"


def published_benchmarks(figures: pl.DataFrame) -> list[Benchmark]:
    """The published columns of scores: neither counts nor what is said of datasets or of pairs of models.

    Nor what tokens cost, how problems in other words are rated, or drift, of which less is better.
    """
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
    """Which benchmarks are held against which, each pair once.

    Ours of different datasets or tasks, ours with published ones, and those of one published table with one another.

    Args:
        ours: measured ones.
        theirs: published ones.
        known: datasets and kinds of tasks that the experiment has; a published pair needs one of them.
    """
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
    """The rows of ``round_trip_schemas.BENCHMARKS`` for pairs of benchmarks with enough models in common."""
    return [row for first, second in compared if (row := _row(first, second)) is not None]


def _row(first: Benchmark, second: Benchmark) -> dict[str, Any] | None:
    models = [model for model in first.scores if model in second.scores]
    if len(models) < LEAST_MODELS:
        return None
    x, y = ([each.scores[model] for model in models] for each in (first, second))
    found = {"models": models, "first_scores": x, "second_scores": y, **_correlation(x, y)}
    for name, each in (("first", first), ("second", second)):
        found |= {
            f"{name}_{part}": getattr(each, part) for part in ("source", "dataset", "task", "metric", "presentation")
        }
    for name, power in (("first", predictive_power(x, y)), ("second", predictive_power(y, x))):
        found |= {f"power_{name}": power.power, f"power_{name}_low": power.low, f"power_{name}_high": power.high}
    return found


def _correlation(x: Sequence[float], y: Sequence[float]) -> dict[str, float | None]:
    if len(set(x)) == 1 or len(set(y)) == 1:
        return dict.fromkeys(("rho", "rho_low", "rho_high", "p", "tau"))
    from scipy.stats import kendalltau, pearsonr

    pearson = pearsonr(x, y)
    # Fisher's transform has the variance 1 / (n - 3).
    interval = pearson.confidence_interval(CONFIDENCE) if len(x) > LEAST_MODELS else None
    return {
        "rho": float(pearson.statistic),
        "p": float(pearson.pvalue),
        "rho_low": None if interval is None else float(interval.low),
        "rho_high": None if interval is None else float(interval.high),
        "tau": float(kendalltau(x, y).statistic),
    }


def predictive_power(x: Sequence[float], y: Sequence[float]) -> Power:
    """P(x | y): the share of ordered pairs of models in which ``x`` is no less, of those in which ``y`` is no less.

    Args:
        x: scores of at least ``LEAST_MODELS`` models.
        y: other scores of the same.
    """
    given, both = _no_less(y), _no_less(x) & _no_less(y)
    power = float(both.sum() / given.sum())
    without = _without_each(both) / _without_each(given)
    models = len(without)
    error = np.sqrt((models - 1) / models * np.square(without - without.mean()).sum())
    half = student_quantile(models) * float(error)
    return Power(power, max(0.0, power - half), min(1.0, power + half))


def _no_less(scores: Sequence[float]) -> npt.NDArray[np.bool_]:
    """Of each ordered pair of different models, whether the first has no less."""
    values = np.asarray(scores)
    found: npt.NDArray[np.bool_] = values[:, None] >= values[None, :]
    np.fill_diagonal(found, val=False)
    return found


def _without_each(pairs_of: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    """How many pairs are left without each model in turn."""
    left: npt.NDArray[np.float64] = (pairs_of.sum() - pairs_of.sum(axis=0) - pairs_of.sum(axis=1)).astype(np.float64)
    return left
