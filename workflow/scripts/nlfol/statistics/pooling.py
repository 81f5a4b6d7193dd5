"""Figures pooled over aligned programs: sums over sums, so that each concept counts the same.

Seeds of an item are pooled like items, and their mean is taken where problems are averaged. Stories are clusters.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from nlfol.statistics.aligned import Aligned
from nlfol.statistics.clusters import jackknife, ratio

Sums = tuple[float, float]
"""A sum, and what it is divided by."""

Row = Mapping[str, Any]
"""A row of PROGRAMS."""

Figures = dict[str, float | None]
"""A figure with its interval, ``{name}_low`` to ``{name}_high``."""


def dispersion(rows: Sequence[Row], name: str = "dispersion") -> Figures:
    """Return the pooled dispersion of aligned programs as published, with its interval."""
    return excess(name, rows, named("dispersion"))


def named(name: str) -> Callable[[Row], Sums]:
    """Return a function of a row to the sums of a measure."""

    def sums(row: Row) -> Sums:
        return (0, 0) if row[name] is None else (row[name]["sum"], row[name]["of"])

    return sums


def quotient(parts: Iterable[Sums]) -> float | None:
    """Return the pooled quotient; None if it divides by zero."""
    sums = list(parts)
    whole = sum(of for _, of in sums)
    return sum(part for part, _ in sums) / whole if whole else None


def _by_item(rows: Sequence[Row], sums: Callable[[Row], Sequence[float]]) -> tuple[npt.NDArray[np.float64], list[str]]:
    """Return sums over the seeds of each item, and the items' stories."""
    found: dict[str, npt.NDArray[np.float64]] = {}
    stories: dict[str, str] = {}
    for row in rows:
        own = np.asarray(sums(row), dtype=np.float64)
        found[row["item"]] = found[row["item"]] + own if row["item"] in found else own
        stories[row["item"]] = row["story"]
    return np.array(list(found.values())), list(stories.values())


def _figure(name: str, value: float | None, low: float | None = None, high: float | None = None) -> Figures:
    return {name: value, f"{name}_low": low, f"{name}_high": high}


def share(name: str, rows: Sequence[Row], sums: Callable[[Row], Sums]) -> Figures:
    """Return a share in [0, 1], with the interval of ``clusters.ratio``."""
    if quotient(map(sums, rows)) is None:
        return _figure(name, None)
    values, stories = _by_item(rows, sums)
    found = ratio(values[:, 0].tolist(), values[:, 1].tolist(), stories)
    return _figure(name, found.mean, found.low, found.high)


def excess(name: str, rows: Sequence[Row], sums: Callable[[Row], Sums]) -> Figures:
    """Return a quotient that may be above 1, with the jackknife's interval."""
    return _jackknifed(name, rows, sums, lambda by_story: by_story[:, 0] / by_story[:, 1])


def by_problem(name: str, rows: Sequence[Row], sums: Callable[[Row], Sums]) -> Figures:
    """Return the mean over problems of a quotient, averaged over seeds first; problems without one do not count."""

    def mean(row: Row) -> Sums:
        part, whole = sums(row)
        return (part / whole, 1) if whole else (0, 0)

    values, stories = _by_item(rows, mean) if rows else (np.zeros((0, 2)), [])
    known = values[:, 1] > 0
    if not known.any():
        return _figure(name, None)
    means = values[known, 0] / values[known, 1]
    by_item = np.column_stack([means, np.ones_like(means)])
    of_known = [story for story, is_known in zip(stories, known, strict=True) if is_known]
    return _spread(name, *jackknife(by_item, of_known, lambda by_story: by_story[:, 0] / by_story[:, 1]))


def b_cubed_f(rows: Sequence[Row]) -> Figures:
    """Return the harmonic mean of B³'s pooled precision and recall."""

    def sums(row: Row) -> Sequence[float]:
        return (*named("precision")(row), named("recall")(row)[0])

    def harmonic(by_story: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        precision, whole, recall = by_story.T
        found: npt.NDArray[np.float64] = 2 * precision * recall / (precision + recall) / whole
        return found

    return _jackknifed("f", rows, sums, harmonic)


def _jackknifed(
    name: str,
    rows: Sequence[Row],
    sums: Callable[[Row], Sequence[float]],
    statistic: Callable[[npt.NDArray[np.float64]], npt.NDArray[np.float64]],
) -> Figures:
    """Return a statistic of pooled sums, of which the second is the whole."""
    counted = [row for row in rows if sums(row)[1]]
    if not counted:
        return _figure(name, None)
    with np.errstate(invalid="ignore", divide="ignore"):
        return _spread(name, *jackknife(*_by_item(counted, sums), statistic))


def _spread(name: str, value: float | None, half: float | None) -> Figures:
    if value is None or half is None:
        return _figure(name, value)
    return _figure(name, value, max(0.0, value - half), value + half)


def common_dispersion(name: str, own: Aligned | None, other: Aligned | None) -> dict[str, float | None]:
    """Return the dispersion of programs over the items that the others are about, too; null if either is missing."""
    common = set() if other is None else {row["item"] for row in other.rows}
    rows = () if own is None else own.rows
    return dispersion([row for row in rows if row["item"] in common and row["status"] == "aligned"], name)
