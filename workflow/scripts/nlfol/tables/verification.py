"""Tables of models as verifiers, who say whether two formulas mean the same."""

from __future__ import annotations

from typing import Any

import polars as pl

from nlfol.statistics.verifications import ALL
from nlfol.tables.table import Column, Kind, Score, Table

_RATES = {
    "f1": "F1",
    "precision": "Precision",
    "recall": "Recall",
    "balanced_accuracy": "Balanced accuracy",
    "mcc": "MCC",
}
_MATRIX = ("true_positives", "false_positives", "true_negatives", "false_negatives")
_UNREAD = "Unread: answers that never came or could not be read; they count as the wrong answer."
_NAMES = ("dataset", "task", "model")


def verification(rows: pl.DataFrame) -> Table:
    """How well each verifier tells equivalent pairs from others."""
    return Table(
        "verification",
        "Verification",
        "Whether two formulas, or expressions, mean the same; positive is “yes”.",
        (
            *(Column(name, name.capitalize(), Kind.TEXT) for name in _NAMES),
            Column("items", "Items", Kind.COUNT),
            Column("pairs", "Pairs", Kind.COUNT),
            Column("unread", "Unread", Kind.COUNT),
            *(Column(name, title, Kind.SCORE) for name, title in _RATES.items()),
            *(Column(name, name.replace("_", " ").capitalize(), Kind.SHARE) for name in _MATRIX),
        ),
        tuple(
            (
                *(row[name] for name in (*_NAMES, "items", "pairs", "unread")),
                *(_rate(row, name) for name in _RATES),
                *(row[name] for name in _MATRIX),
            )
            for row in rows.filter(pl.col("group") == ALL).to_dicts()
        ),
        (
            "Pairs, and the counts from “true positives” on: pairs × seeds. Intervals at 95 % over stories.",
            f"{_UNREAD} So the counts add up to the pairs.",
            "Of certified pairs as many are equivalent as not: always “yes” has an F1 of 2/3, chance one of 1/2.",
            "Pairs of a model's round trips come as they are. Of chance the expected counts are shown.",
            "MCC: Matthews' correlation; – where all answers are alike.",
        ),
    )


def verification_strata(rows: pl.DataFrame) -> Table:
    """How well each verifier tells pairs of one size, or those that one law, or one kind of edit, made."""
    return Table(
        "verification_strata",
        "Verification by size, law and edit",
        "Share of right answers about pairs of one size, and by what made the second of the first: a law, which keeps "
        "the meaning, or a law and a single edit, which changes it.",
        (
            *(Column(name, name.capitalize(), Kind.TEXT) for name in _NAMES),
            Column("group", "By", Kind.TEXT),
            Column("case", "Which", Kind.TEXT),
            Column("items", "Items", Kind.COUNT),
            Column("pairs", "Pairs", Kind.COUNT),
            Column("unread", "Unread", Kind.COUNT),
            Column("right", "Right", Kind.SCORE),
            Column("f1", "F1", Kind.SCORE),
        ),
        tuple(
            (
                *(row[name] for name in (*_NAMES, "group")),
                row["case"].replace("_", " "),
                *(row[name] for name in ("items", "pairs", "unread")),
                _rate(row, "right"),
                _rate(row, "f1"),
            )
            for row in rows.filter(pl.col("group") != ALL).to_dicts()
        ),
        (
            "Size: the value of the measure that generated items are drawn by. F1: where there are both classes.",
            "Intervals at 95 % over stories.",
            _UNREAD,
        ),
        long=True,
    )


def _rate(row: dict[str, Any], name: str) -> Score | None:
    if row[name] is None:
        return None
    # Chance is known exactly for the pairs.
    low, high = (None, None) if row["kind"] == "chance" else (row[f"{name}_low"], row[f"{name}_high"])
    return Score(row[name], None, low, high)
