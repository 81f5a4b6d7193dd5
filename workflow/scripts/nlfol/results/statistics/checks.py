"""Checks of scores before they make cells."""

from collections.abc import Mapping
from pathlib import Path

import polars as pl

from nlfol.facts import VERDICTS, AnswerForm
from nlfol.store.schemas import Outcomes

_OUTCOMES = tuple(Outcomes.__annotations__)


class SummaryError(ValueError):
    """A scores file whose rows do not make a cell: the message names the file, the item and the seed."""


def check_values(path: Path, form: AnswerForm, kind: str, scores: pl.DataFrame) -> None:
    """Refuse a score outside [0, 1], or outcomes, verdicts and scores that do not go together."""
    column = pl.col
    # NaN compares as greater than every number, so it lies outside too.
    _refuse(path, scores.filter(~column("score").is_between(0, 1)), "score", "lies outside [0, 1]")
    _refuse(
        path, scores.filter(~column("outcome").is_in(_OUTCOMES)), "outcome", f"is not one of {', '.join(_OUTCOMES)}"
    )
    known = column("verdict").is_null() | column("verdict").is_in(VERDICTS)
    _refuse(path, scores.filter(~known), "verdict", f"is not one of {', '.join(VERDICTS)}")
    lost = (column("outcome") != "answered") & (column("score") != 0)
    _refuse(path, scores.filter(lost), "score", "belongs to no answer, which counts as wrong: 0")
    if form is AnswerForm.FORMULA and kind in ("chat", "written", "answers"):
        answered = column("outcome") == "answered"
        judged = column("verdict").is_not_null()
        _refuse(path, scores.filter(answered != judged), "verdict", "must be given for an answer and for nothing else")


def _refuse(path: Path, wrong: pl.DataFrame, name: str, fault: str) -> None:
    if not wrong.is_empty():
        row = wrong.row(0, named=True)
        place = _place(path, row["presentation"], row["metric"], row)
        raise SummaryError(f"{place}: {name} {row[name]!r} {fault}; judge again")


def check_complete(path: Path, presentation: str, asked: Mapping[str, pl.DataFrame]) -> int:
    """Return how many items were asked, each once at every seed by each metric.

    ``asked`` are ``item`` and ``seed`` of rows by metric. Refuse anything else: no denominator may differ from another.
    """
    items = pl.concat(rows.select("item").unique(maintain_order=True) for rows in asked.values())
    seeds = pl.concat(rows.select("seed").unique(maintain_order=True) for rows in asked.values())
    items, seeds = items.unique(maintain_order=True), seeds.unique(maintain_order=True)
    for metric, rows in asked.items():
        if rows.n_unique() < rows.height:
            row = rows.filter(rows.is_duplicated()).row(0, named=True)
            raise SummaryError(f"{_place(path, presentation, metric, row)}: occurs twice; judge again")
        if rows.height < items.height * seeds.height:
            expected = items.join(seeds, how="cross")
            absent = expected.join(rows, on=["item", "seed"], how="anti", nulls_equal=True, maintain_order="left")
            place = _place(path, presentation, metric, absent.row(0, named=True))
            raise SummaryError(f"{place}: missing, but asked at another seed or metric; judge again")
    return items.height


def _place(path: Path, presentation: str, metric: str, row: Mapping[str, object]) -> str:
    return f"{path}: item {row['item']!r}, seed {row['seed']}, metric {metric!r}, presentation {presentation!r}"
