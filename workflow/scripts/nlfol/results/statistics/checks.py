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
        raise SummaryError(f"{_place(path, row)}: {name} {row[name]!r} {fault}; judge again")


def check_complete(path: Path, presentation: str, asked: pl.DataFrame) -> None:
    """Refuse anything but exactly one row for each item, seed and metric: no denominator may differ from another."""
    key = ["item", "seed", "metric"]
    shown = {"presentation": presentation}
    twice = asked.filter(pl.struct(key).is_duplicated())
    if not twice.is_empty():
        raise SummaryError(f"{_place(path, twice.row(0, named=True))}: occurs twice; judge again")
    expected = asked.select("item").unique(maintain_order=True)
    for name in ("seed", "metric"):
        expected = expected.join(asked.select(name).unique(maintain_order=True), how="cross")
    absent = expected.join(asked, on=key, how="anti", nulls_equal=True, maintain_order="left")
    if not absent.is_empty():
        row = absent.row(0, named=True) | shown
        raise SummaryError(f"{_place(path, row)}: missing, but asked at another seed or metric; judge again")


def _place(path: Path, row: Mapping[str, object]) -> str:
    where = f"{path}: item {row['item']!r}, seed {row['seed']}, metric {row['metric']!r}"
    return f"{where}, presentation {row['presentation']!r}"
