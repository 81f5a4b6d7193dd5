"""Tables that compare: models with one another, tasks with one another, and seeds."""

from __future__ import annotations

from typing import Any

import polars as pl

from nlfol.tables.table import Cell, Column, Kind, P, Sample, Score, Table

_QUESTION = ("dataset", "task", "metric", "presentation")
TEST = "p: two-sided, of equal means; below 0.05 exactly where the interval does not hold 0."
_FAMILY = (
    f"{TEST} Adjusted: by Holm over all comparisons of the table that the models stand in (logical translation, "
    "dialogue, embedding)."
)
_DETECTABLE = (
    "Detectable: the smallest true difference that such an interval tells from 0 with probability 0.8; above 1, none."
)
_INTERVAL = "Interval: Newcombe's, of the intervals of both means and the correlation of their stories."
SAMPLE = "“k of n”: only k of the n items that the dataset offers were asked of both."
_ONE_MODEL = (
    "One model: the same weights in the same precision, or the same name at the same address. Sampling and limits may "
    "differ."
)
_BOLD = "Bold: adjusted p below 0.05."
_SHARES = "Answers to the same items under the same seeds: shares of them. Kappa is Cohen's, agreement beyond chance."


def task_agreement(rows: pl.DataFrame) -> Table:
    """Of most similar and ranking (equivalence), how often a model solves both, one or neither for an item."""
    names = ("dataset", "protocol", "model", "presentation", "most_similar", "ranking")
    return Table(
        "task_agreement",
        "Most similar against ranking",
        "How often a model solves both, one or neither of most similar (first) and ranking: equivalence (second).",
        (
            *(Column(name, _header(name), Kind.TEXT) for name in names),
            Column("items", "Items", Kind.SAMPLE),
            *_shares(),
        ),
        tuple((*(row[name] for name in names), sample(row), *_values(row)) for row in rows.to_dicts()),
        (_SHARES, "Items that both tasks asked; those refused by one are left out."),
    )


def repetitions(rows: pl.DataFrame) -> Table:
    """What the seeds of a model say together."""
    return Table(
        "repetitions",
        "Repetition over seeds",
        "Right under at least one of k seeds (pass@k) and under all of k (pass^k), for k the number of seeds.",
        (
            *_question(),
            Column("model", "Model", Kind.TEXT),
            Column("items", "Items", Kind.SAMPLE),
            Column("seeds", "Seeds (k)", Kind.COUNT),
            Column("pass_1", "pass@1", Kind.SHARE),
            Column("pass_at_k", "pass@k", Kind.SHARE),
            Column("pass_hat_k", "pass^k", Kind.SHARE),
            Column("consistent", "Consistent", Kind.SHARE),
        ),
        tuple(
            (
                *_asked(row),
                row["model"],
                sample(row),
                row["seeds"],
                *(row["any_right"][0], row["any_right"][-1], row["all_right"][-1], row["consistent"]),
            )
            for row in rows.to_dicts()
        ),
        ("Consistent: share of items right under all seeds or wrong under all.",),
    )


def sample(row: dict[str, Any]) -> Sample:
    """The items of a comparison."""
    return Sample(row["items"], row["available"])


def tested(row: dict[str, Any]) -> list[Cell]:
    """A difference, its p-values and what it detects."""
    found = Score(row["difference"], None, row["low"], row["high"], row["adjusted"] < 0.05)
    return [found, P(row["p"]), P(row["adjusted"]), row["detectable"]]


def _question() -> list[Column]:
    return [Column(name, _header(name), Kind.TEXT) for name in _QUESTION]


def _asked(row: dict[str, Any]) -> list[str | None]:
    return [row[name] or None for name in _QUESTION]


def _shares() -> list[Column]:
    return [
        Column("both", "Both", Kind.SHARE),
        Column("first_only", "First only", Kind.SHARE),
        Column("second_only", "Second only", Kind.SHARE),
        Column("neither", "Neither", Kind.SHARE),
        Column("kappa", "Kappa", Kind.SHARE),
    ]


def _values(row: dict[str, Any]) -> list[float | None]:
    return [row[column.name] for column in _shares()]


def _header(name: str) -> str:
    return "Shown as" if name == "presentation" else name.replace("_", " ").capitalize()
