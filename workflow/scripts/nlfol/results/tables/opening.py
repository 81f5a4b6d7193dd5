"""Filters of the report's explorer that a table's numbers open, by the keys of ``report/assets/filters.js``."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from nlfol.facts import AMBIGUOUS, VERDICTS
from nlfol.mappings import AnyRow, JsonDict
from nlfol.results.statistics.summary import OPENED, OUTCOMES, REPAIRED

Filter = JsonDict
"""Values of the explorer's filters, by key."""

QUESTION = ("dataset", "task", "item", "metric", "presentation", "model")


@dataclass(frozen=True, slots=True)
class Number:
    """A number of a table: its row, the name of its column and, in a tally, of its part."""

    row: AnyRow
    column: str
    part: str

    def named(self, *columns: str) -> Filter:
        """Return the values that the row has in some columns."""
        return {name: self.row[name] for name in columns if self.row.get(name) is not None}


Opener = Callable[[Number], Filter | None]
"""From a number to the items behind it; None where it is of nothing that the explorer can choose."""


def address(chosen: Filter, page: str = "items") -> str:
    """Return the address of what a filter leaves, within the report's page."""
    return f"#{page}?{urlencode({key: value for key, value in chosen.items() if value not in (None, '')}, doseq=True)}"


def plain(number: Number) -> Filter | None:
    """Choose what the row names: its dataset, task, metric, presentation and model, or two models."""
    chosen = number.named(*QUESTION)
    if "first" in number.row and "second" in number.row:
        chosen |= {"model": [number.row["first"], number.row["second"]], "common": "model"}
    return chosen if "dataset" in chosen else None


def opens(number: Number, **more: Any) -> Filter:
    """Choose what the row names, and more."""
    return {**(plain(number) or {}), **more}


def nothing(_: Number) -> None:
    """Open nothing."""


def but(*columns: str) -> Opener:
    """Choose what the row names, but for columns that the explorer cannot choose."""
    return lambda number: None if number.column in columns else plain(number)


def counted(name: str) -> Filter:
    """Choose the answers that a count is of."""
    if name in VERDICTS:
        return {"verdict": name}
    if name in OUTCOMES:
        return {"outcome": name}
    return {"read": name} if name in (REPAIRED, AMBIGUOUS, OPENED) else {}


def of_complexity(number: Number) -> Filter | None:
    """Choose the items with as many operators or quantifiers as a share counts."""
    measure, _, count = number.column.rpartition("_")
    chosen = number.named("dataset")
    if number.column == "atomic":
        return chosen | {"operators": "0", "quantifiers": "0"}
    if measure in ("operators", "quantifiers"):
        at_least = measure == "operators" or count == "3"
        return chosen | {measure: f"{count}+" if at_least else count}
    return chosen
