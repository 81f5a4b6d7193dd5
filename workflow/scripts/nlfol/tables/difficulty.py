"""Tables of what makes scores vary: items, their difficulty, order and sampling."""

from __future__ import annotations

from typing import Any

import polars as pl

from nlfol.statistics.difficulty import EVERY, MODELS, NONE, OTHERS, SOME
from nlfol.tables.claims import ASKED
from nlfol.tables.comparisons import sample
from nlfol.tables.table import Column, Kind, Score, Table

_QUESTION = ("dataset", "task", "metric", "presentation", "model")
_NAMED = 8
"""Items that a row names at most."""

_GROUPS = {MODELS: "models that solve it", OTHERS: "score of the other models"}
_CASES = {NONE: "none", SOME: "some", EVERY: "all"}


def variances(rows: pl.DataFrame) -> Table:
    """Which part of the variance of answers comes from where."""
    parts = {"item": "Items", "within": "Order and sampling", "order": "Order", "sampling": "Sampling"}
    return Table(
        "variances",
        "Where the variance of answers comes from",
        "Variance of single answers, and the shares of it between items and within items, over seeds.",
        (
            *_columns(),
            Column("items", "Items asked", Kind.SAMPLE),
            Column("seeds", "Seeds", Kind.COUNT),
            Column("variance", "Variance", Kind.SHARE),
            *(Column(f"{name}_share", header, Kind.SHARE) for name, header in parts.items()),
            Column("repeated", "Items repeated", Kind.COUNT),
        ),
        tuple(
            (
                *(row[name] or None for name in _QUESTION),
                sample(row),
                row["seeds"],
                row["variance"],
                *(row[name] for name in parts),
                row["repeated"],
            )
            for row in rows.to_dicts()
        ),
        (
            "Components of nested random effects by Koch (1967); what is estimated below 0 is 0. Tasks: first metric.",
            "Order: the position of the gold formula. Sampling includes the order of the other candidates.",
            "The two are told apart by the items repeated, which are shown several times at one position.",
            "Order –: they cannot be told apart; or no item is shown in two orders, and its effect is in “Items”.",
            ASKED,
        ),
    )


def difficulty(rows: pl.DataFrame) -> Table:
    """Scores by the difficulty of items, and the items that all models solve, or none."""
    return Table(
        "difficulty",
        "Scores by the difficulty of items",
        "Items by how many models solve them, by how other models do, and by operators and quantifiers of the gold "
        "formula.",
        (
            *_columns(),
            Column("group", "By", Kind.TEXT),
            Column("case", "Which", Kind.TEXT),
            Column("items", "Items", Kind.COUNT),
            Column("score", "Score", Kind.SCORE),
            Column("named", "Named", Kind.PROSE),
        ),
        tuple(
            (
                *(row[name] or None for name in _QUESTION),
                _GROUPS.get(row["group"], row["group"]),
                _CASES.get(row["case"], row["case"]) if row["group"] == MODELS else row["case"],
                row["items"],
                Score(row["mean"], None, row["low"], row["high"]),
                _named(row["named"]),
            )
            for row in rows.to_dicts()
        ),
        (
            "Model –: all models that were asked, and their mean score.",
            "All solve an item if every answer is right, none if no answer is.",
            "Score of the other models: their mean on the item, this model left out.",
            f"Named: the items, at most {_NAMED}; difficulty.arrow has all. Tasks: first metric.",
        ),
        long=True,
    )


def _columns() -> list[Column]:
    return [Column(name, "Shown as" if name == "presentation" else name.capitalize(), Kind.TEXT) for name in _QUESTION]


def _named(items: list[Any]) -> str | None:
    more = len(items) - _NAMED
    return ", ".join([*items[:_NAMED], *([f"and {more} more"] if more > 0 else [])]) or None
