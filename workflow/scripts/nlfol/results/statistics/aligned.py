"""Aligned programs, the wording of their datasets, and figures pooled over programs.

Pooled figures are sums over sums, so that each concept counts the same. Seeds of an item are pooled like items, and
their mean is taken where problems are averaged. Stories are clusters.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict, cast

import numpy as np
import numpy.typing as npt

from nlfol.facts import UNTOLD
from nlfol.mappings import AnyRow
from nlfol.results.statistics.clusters import UNTOLD_DESIGN, design_of_rate, rate, ratio, share_of_sums
from nlfol.store import files
from nlfol.store.columns import Ends, TaskColumns
from nlfol.store.problem_schemas import MEASURED, OF_TABLE, PROGRAMS

_READ = ("item", "story", "seed", "language", "right", "status", "reason", "cause", *MEASURED, *OF_TABLE)

LEAST_COVERAGE = 0.5
"""Share of the mentions that must be aligned for the symbols of a model to be compared with those of others."""

Entries = Mapping[str, AnyRow]
"""Entries of datasets by name: their values in the configuration."""

Sums = tuple[float, float]
"""A sum, and what it is divided by."""

Program = AnyRow
"""A row of PROGRAMS."""


class AlignedColumns(TaskColumns):
    """Columns that name a file of programs."""

    strategy: str
    model: str
    kind: str


class Wording(TypedDict):
    """Columns of a dataset's wording, see the entry of ``reader: diversified``."""

    reader: str  # of the original's entry
    original: str | None  # the dataset in other words; this and all that follows is null for originals
    procedure: str | None  # audited, or paper: the protocol of the dataset's entry
    intensity: float | None
    types: list[str] | None  # empty for all
    forms: int | None  # null: no bound, too
    at_most: int | None  # the same
    glossary: bool | None
    decoys: int | None


@dataclass(frozen=True, slots=True)
class Aligned:
    """Programs of one model in one task on one dataset: their file's metadata, and rows of PROGRAMS without texts."""

    about: AlignedColumns
    rows: tuple[Program, ...]
    examples: str
    """The words of examples: plain or varied."""
    plan: str = "{}"
    """The keys of its strategy that the entry has, as JSON."""

    @property
    def languages(self) -> frozenset[str]:
        """Return the languages of its programs: what is compared has the same."""
        return frozenset(row["language"] for row in self.rows if row["language"] is not None)


def load_programs(path: Path) -> Aligned:
    """Read a file of programs; raises `StoreError` if it is missing or of another schema."""
    table = files.read(path, PROGRAMS)
    metadata = files.metadata_of(table)
    about = cast("AlignedColumns", {name: metadata[name] for name in AlignedColumns.__annotations__})
    rows = tuple(table.select(_READ).to_pylist())
    return Aligned({**about, "protocol": about["protocol"] or None}, rows, metadata["examples"], metadata["plan"])


def wording(dataset: str, entries: Entries) -> Wording:
    """Return the columns of a dataset's wording."""
    entry = entries[dataset]
    original: str = entry.get("of", "")
    is_other = bool(original)
    return {
        "reader": entries[original]["reader"] if is_other else entry["reader"],
        "original": original or None,
        "procedure": entry["protocol"] if is_other else None,
        "intensity": entry["intensity"] if is_other else None,
        "types": entry["types"] if is_other else None,
        "forms": entry["forms"] if is_other else None,
        "at_most": entry["at_most"] if is_other else None,
        "glossary": entry["glossary"] if is_other else None,
        "decoys": entry["decoys"] if is_other else None,
    }


def worded(row: AnyRow) -> str | None:
    """Return in words what is set beside the intensity in the columns ``Wording``."""
    settings = [
        "as published" if row["procedure"] == "paper" else None,
        ", ".join(row["types"]).replace("_", " ") if row["types"] else None,
        None if row["forms"] is None else f"{row['forms']} forms a concept",
        None if row["at_most"] is None else f"at most {row['at_most']}",
        "glossary" if row["glossary"] else None,
        f"decoys {row['decoys']}" if row["decoys"] else None,
    ]
    return "; ".join(filter(None, settings)) or None


def named(name: str) -> Callable[[Program], Sums]:
    """Return a function of a program to the sums of a measure."""

    def sums(row: Program) -> Sums:
        return (0, 0) if row[name] is None else (row[name]["sum"], row[name]["of"])

    return sums


def quotient(parts: Iterable[Sums]) -> float | None:
    """Return the pooled quotient; None if it divides by zero."""
    sums = list(parts)
    total = sum(of for _, of in sums)
    return sum(part for part, _ in sums) / total if total else None


def _by_item(
    rows: Sequence[Program], sums: Callable[[Program], Sequence[float]]
) -> tuple[npt.NDArray[np.float64], list[str]]:
    """Return sums over the seeds of each item, and the items' stories."""
    by_item: dict[str, npt.NDArray[np.float64]] = {}
    stories: dict[str, str] = {}
    for row in rows:
        own = np.asarray(sums(row), dtype=np.float64)
        by_item[row["item"]] = by_item[row["item"]] + own if row["item"] in by_item else own
        stories[row["item"]] = row["story"]
    return np.array(list(by_item.values())), list(stories.values())


def share(rows: Sequence[Program], sums: Callable[[Program], Sums]) -> Ends:
    """Return a share in [0, 1], with the interval of ``clusters.ratio``."""
    if quotient(map(sums, rows)) is None:
        return Ends()
    values, stories = _by_item(rows, sums)
    return ratio(values[:, 0].tolist(), values[:, 1].tolist(), stories).ends


def excess(rows: Sequence[Program], sums: Callable[[Program], Sums], untold: float = UNTOLD_DESIGN) -> Ends:
    """Return a quotient that may be above 1, with the interval of ``clusters.rate``; ``untold`` is of no events."""
    if quotient(map(sums, rows)) is None:
        return Ends()
    values, stories = _by_item(rows, sums)
    return rate(values[:, 0].tolist(), values[:, 1].tolist(), stories, untold).ends


def design(rows: Sequence[Program], sums: Callable[[Program], Sums]) -> float | None:
    """Return the design effect of a quotient that may be above 1; None where nothing tells it."""
    if not quotient(map(sums, rows)):
        return None
    values, stories = _by_item(rows, sums)
    return design_of_rate(values[:, 0].tolist(), values[:, 1].tolist(), stories)


def by_problem(rows: Sequence[Program], sums: Callable[[Program], Sums]) -> Ends:
    """Return the mean over problems of a quotient, averaged over seeds first; problems without one do not count."""

    def mean(row: Program) -> Sums:
        part, whole = sums(row)
        return (part / whole, 1) if whole else (0, 0)

    values, stories = _by_item(rows, mean) if rows else (np.zeros((0, 2)), [])
    known = values[:, 1] > 0
    if not known.any():
        return Ends()
    means = values[known, 0] / values[known, 1]
    of_known = [story for story, is_known in zip(stories, known, strict=True) if is_known]
    # Of problems, each an event at most if all of it goes together.
    return rate(means.tolist(), [1.0] * len(means), of_known, untold=1.0).ends


def b_cubed_f(rows: Sequence[Program]) -> Ends:
    """Return the harmonic mean of B³'s pooled precision and recall, with the interval of ``share_of_sums``."""

    def sums(row: Program) -> Sequence[float]:
        return (*named("precision")(row), named("recall")(row)[0])

    def harmonic(pooled: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        precision, whole, recall = pooled.T
        with np.errstate(invalid="ignore", divide="ignore"):
            f: npt.NDArray[np.float64] = 2 * precision * recall / (precision + recall) / whole
        return f

    counted = [row for row in rows if sums(row)[1]]
    figures = share_of_sums(*_by_item(counted, sums), harmonic) if counted else None
    return Ends() if figures is None else figures.ends


def coverage(rows: Sequence[Program]) -> Ends:
    """Return the share of the mentions of gold concepts that are aligned, on average over answers, with its interval.

    Of an answer without an aligned program none are. Answers that no gold program can be held to do not count.
    """
    return share([row for row in rows if row["reason"] not in UNTOLD], _covered)


def is_covered(rows: Sequence[Program]) -> bool:
    """Return whether enough mentions are aligned for their symbols to be compared with those of others."""
    covered = coverage(rows).mean
    return covered is not None and covered >= LEAST_COVERAGE


def _covered(row: Program) -> Sums:
    if row["status"] != "aligned":
        return 0, 1
    (structure, of), (name, _) = named("by_structure")(row), named("by_name")(row)
    return (structure + name) / of if of else 1, 1


def dispersions(before: Aligned | None, after: Aligned | None) -> tuple[Ends, Ends, int | None]:
    """Return the dispersions of two sets of programs over the items and seeds of which both are aligned.

    With them comes the number of these items; all is null if either set is missing. There are no dispersions unless
    ``is_covered`` of both.
    """
    if before is None or after is None:
        return Ends(), Ends(), None
    keys = [{(row["item"], row["seed"]) for row in side.rows if row["status"] == "aligned"} for side in (before, after)]
    both = keys[0] & keys[1]
    items = len({item for item, _ in both})
    if not (is_covered(before.rows) and is_covered(after.rows)):
        return Ends(), Ends(), items
    shared = ([row for row in side.rows if (row["item"], row["seed"]) in both] for side in (before, after))
    first, second = (excess(rows, named("dispersion")) for rows in shared)
    return first, second, items
