"""Bins of values, by the dataset alone so that models can be compared."""

from collections.abc import Iterable
from itertools import pairwise
from math import floor, log10
from typing import NamedTuple

from nlfol.mappings import AnyRow

MOST_BINS = 12
"""Bins of any measure but the one that generation was stratified by."""

LIMITS = (("operators_published", 6.0), ("operators_published", 30.0), ("depth", 7.0))
"""Measures with the greatest value of the items: as published for FOLIO, Multi-LogiEval and HumanEval."""


class Bin(NamedTuple):
    """A bin: its name, and its least and greatest value; of values that are not whole, ``end`` is the next bin's."""

    bin: str
    start: float
    end: float


def bins(values: Iterable[float], most: int | None) -> list[Bin]:
    """Return at most so many bins for values, each from its start on, in order; None gives each value a bin."""
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
    """Return the smallest of 1, 2, 5, 10, 20, ... (or their tenths, hundredths, ...) that makes no more bins."""
    power = floor(log10((greatest - least) / most))
    widths = (step * 10.0**exponent for exponent in range(power, power + 3) for step in (1, 2, 5))
    return next(
        width for width in widths if (not whole or width >= 1) and floor(greatest / width) - floor(least / width) < most
    )


def bounded_name(row: AnyRow) -> str:
    """Return the metric of a row of CELLS, or of BOUNDED with its limit, as published figures do: ``truth_depth_7``."""
    metric: str = row["metric"]
    if "most" not in row:
        return metric
    return f"{metric}_{row['measure'].removesuffix('_published')}_{row['most']:g}"
