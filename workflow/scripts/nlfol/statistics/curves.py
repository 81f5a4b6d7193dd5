"""Scores over what is measured of the items: items of one value, or of one range of values, go together.

The ranges depend on the dataset alone, not on the items that a model was asked, so that models can be compared. Curves
are drawn of generated datasets, which have items of every size.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from math import floor, log10
from statistics import fmean, stdev
from typing import Any, NamedTuple

import polars as pl

from nlfol.statistics.clusters import clustered_mean
from nlfol.statistics.series import Series
from nlfol.store.analysis_schemas import CATEGORY, MEASURE_NAMES

MOST_BINS = 12
"""Bins of any other measure."""

SENSITIVE = ("all", "true", "false")
"""All items; those of which every edit that was tried is detected; those of which one is not."""


class Bin(NamedTuple):
    """Values that go together.

    Attributes:
        bin: what a reader calls them.
        start: the least.
        end: the greatest; of values that are not whole, it belongs to the next bin.
    """

    bin: str
    start: float
    end: float


def curves(series: Iterable[Series], measures: Mapping[str, pl.DataFrame]) -> list[dict[str, Any]]:
    """The rows of ``analysis_schemas.CURVES``, in the order of the series.

    Args:
        series: of any models; those of datasets without categories make no rows.
        measures: of each dataset, the rows of ``analysis_schemas.MEASURES``.
    """
    binned = {dataset: _binned(frame) for dataset, frame in measures.items() if frame[CATEGORY].count()}
    return [row for one in series for row in _of_series(one, binned.get(one.source.dataset, {}))]


def bins(values: Iterable[float], most: int | None) -> list[Bin]:
    """Bins for values, each from its start on, in order.

    Args:
        values: at least one.
        most: bins; up to so many distinct values have a bin each, and so have all for None.
    """
    distinct = sorted(set(values))
    if most is None or len(distinct) <= most:
        return [Bin(f"{value:g}", value, value) for value in distinct]
    whole = all(value == int(value) for value in distinct)
    width = _width(distinct[0], distinct[-1], most, whole=whole)
    first, last = floor(distinct[0] / width), floor(distinct[-1] / width)
    # A product may be rounded to just above the least value.
    starts = [min(first * width, distinct[0]), *(number * width for number in range(first + 1, last + 2))]
    ends = [(start, end - whole) for start, end in pairwise(starts)]
    return [Bin(f"{start:g}" if start == end else f"{start:g}–{end:g}", start, end) for start, end in ends]


def _width(least: float, greatest: float, most: int, *, whole: bool) -> float:
    """The smallest of 1, 2, 5, 10, 20, ... (or their tenths, hundredths, ...) that makes no more bins."""
    power = floor(log10((greatest - least) / most))
    widths = (step * 10.0**exponent for exponent in range(power, power + 3) for step in (1, 2, 5))
    return next(
        width for width in widths if (not whole or width >= 1) and floor(greatest / width) - floor(least / width) < most
    )


def _binned(measures: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """For each measure that takes several values, the bin of each item that has one, and whether it is sensitive."""
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
                    **said_of(series),
                    "measure": measure,
                    **dict(zip(Bin._fields, place, strict=True)),
                    "sensitive": sensitive,
                    **summarised(of_bin),
                }


def said_of(series: Series) -> dict[str, Any]:
    """What a row says of its series."""
    source = series.source
    return {
        **{name: getattr(source, name) for name in ("dataset", "task", "task_kind", "protocol", "model", "kind")},
        "metric": series.metric,
        "presentation": series.presentation,
        "seeds": series.seeds,
    }


def summarised(answers: pl.DataFrame) -> dict[str, Any]:
    """The mean of some of a series' answers with its interval and deviation."""
    items = answers.group_by("item", maintain_order=True).agg(pl.col("story").first(), pl.col("score").mean())
    seeds = answers.group_by("seed").agg("score").sort("seed", nulls_last=True)["score"].to_list()
    means = [fmean(scores) for scores in seeds]
    found = clustered_mean(items["score"].to_list(), items["story"].to_list())
    return {
        **{name: getattr(found, name) for name in ("items", "stories", "mean", "low", "high")},
        "deviation": stdev(means) if len(means) > 1 else None,
    }
