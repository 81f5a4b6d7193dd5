"""Drift and collision of symbols, consistency, and causes of wrong answers, over the programs of a model.

Figures are pooled, sums over sums, so that each concept counts the same; the dispersion is given as the mean over
problems, too. Seeds of an item are pooled like items, and their mean is taken where problems are averaged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from nlfol.statistics.aligned import Aligned, Entries, wording
from nlfol.statistics.clusters import jackknife, ratio
from nlfol.tasks.program_alignment import CAUSES, LEFT_OUT, NO_GOLD

Sums = tuple[float, float]
"""A sum, and what it is divided by."""

Row = Mapping[str, Any]
Figures = dict[str, float | None]


def drift(loaded: Iterable[Aligned], entries: Entries) -> list[dict[str, Any]]:
    """The rows of ``stability_schemas.DRIFT``, in the order of the files; files without answers make none."""
    return [_drift(one, entries) for one in loaded if one.rows]


def causes(loaded: Iterable[Aligned], entries: Entries) -> list[dict[str, Any]]:
    """The rows of ``stability_schemas.CAUSES``."""
    rows = []
    for one in loaded:
        counts = Counter(row["cause"] for row in one.rows)
        about = {**one.about, "original": entries[one.about["dataset"]].get("of")}
        rows += [
            {**about, "cause": cause, "answers": counts[cause], "share": counts[cause] / counts.total()}
            for cause in CAUSES
            if counts[cause]
        ]
    return rows


def _drift(one: Aligned, entries: Entries) -> dict[str, Any]:
    rows = one.rows
    languages = {row["language"] for row in rows} - {None}
    reasons = Counter(row["reason"] for row in rows)
    known = [row for row in rows if row["status"] == "aligned"]
    return {
        **one.about,
        **wording(one.about["dataset"], entries),
        "language": languages.pop() if len(languages) == 1 else None,
        "items": len({row["item"] for row in rows}),
        "stories": len({row["story"] for row in rows}),
        "seeds": len({row["seed"] for row in rows}),
        "answers": len(rows),
        "aligned": len(known),
        **{reason: reasons[reason] for reason in LEFT_OUT},
        **_share("right", rows, lambda row: (row["right"], 1)),
        **dispersion(known),
        **_excess("dispersion_of_all", known, _named("dispersion_of_all")),
        **_excess("collision", known, _named("collision")),
        **_f(known),
        **{
            part: value
            for name in ("by_structure", "by_name", "lines", "problems", "table_precision", "table_recall")
            for part, value in _share(name, known, _named(name)).items()
        },
        **_share("unaligned", known, _unaligned),
        **{f"dispersion_{end}": _quotient(map(_named(end), known)) for end in ("least", "greatest")},
        **_by_problem("dispersion_by_problem", known, _named("dispersion")),
        **_share("problems_of_answers", [row for row in rows if row["reason"] != NO_GOLD], _consistent),
    }


def dispersion(rows: Sequence[Row], name: str = "dispersion") -> Figures:
    """The pooled dispersion of aligned programs as published, with its interval.

    Args:
        rows: of PROGRAMS, with status ``aligned``.
        name: what it is called.
    """
    return _excess(name, rows, _named("dispersion"))


def _named(name: str) -> Callable[[Row], Sums]:
    def sums(row: Row) -> Sums:
        return (0, 0) if row[name] is None else (row[name]["sum"], row[name]["of"])

    return sums


def _unaligned(row: Row) -> Sums:
    (structure, of), (name, _) = _named("by_structure")(row), _named("by_name")(row)
    return of - structure - name, of


def _consistent(row: Row) -> Sums:
    return _named("problems")(row)[0], 1


def _quotient(parts: Iterable[Sums]) -> float | None:
    sums = list(parts)
    whole = sum(of for _, of in sums)
    return sum(part for part, _ in sums) / whole if whole else None


def _by_item(rows: Sequence[Row], sums: Callable[[Row], Sequence[float]]) -> tuple[npt.NDArray[np.float64], list[str]]:
    """Sums over the seeds of each item, and the items' stories."""
    found: dict[str, npt.NDArray[np.float64]] = {}
    stories: dict[str, str] = {}
    for row in rows:
        own = np.asarray(sums(row), dtype=np.float64)
        found[row["item"]] = found[row["item"]] + own if row["item"] in found else own
        stories[row["item"]] = row["story"]
    return np.array(list(found.values())), list(stories.values())


def _figure(name: str, value: float | None, low: float | None = None, high: float | None = None) -> Figures:
    return {name: value, f"{name}_low": low, f"{name}_high": high}


def _share(name: str, rows: Sequence[Row], sums: Callable[[Row], Sums]) -> Figures:
    """A share in [0, 1], with the interval of ``clusters.ratio``."""
    if _quotient(map(sums, rows)) is None:
        return _figure(name, None)
    values, stories = _by_item(rows, sums)
    found = ratio(values[:, 0].tolist(), values[:, 1].tolist(), stories)
    return _figure(name, found.mean, found.low, found.high)


def _excess(name: str, rows: Sequence[Row], sums: Callable[[Row], Sums]) -> Figures:
    """A quotient that may be above 1, with the jackknife's interval."""
    return _jackknifed(name, rows, sums, lambda by_story: by_story[:, 0] / by_story[:, 1])


def _by_problem(name: str, rows: Sequence[Row], sums: Callable[[Row], Sums]) -> Figures:
    """The mean over problems of a quotient, which is averaged over seeds before; problems without one do not count."""

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


def _f(rows: Sequence[Row]) -> Figures:
    """The harmonic mean of B³'s pooled precision and recall."""

    def sums(row: Row) -> Sequence[float]:
        return (*_named("precision")(row), _named("recall")(row)[0])

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
    """A statistic of pooled sums, of which the second is the whole."""
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
    """The dispersion of programs, of the items that others are about, too; null where either is missing.

    Args:
        name: what it is called.
        own: the programs.
        other: the others.
    """
    common = set() if other is None else {row["item"] for row in other.rows}
    rows = () if own is None else own.rows
    return dispersion([row for row in rows if row["item"] in common and row["status"] == "aligned"], name)
