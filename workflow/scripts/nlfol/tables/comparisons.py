"""Tables that compare: models with one another, tasks with one another, and seeds."""

from __future__ import annotations

from typing import Any

import polars as pl

from nlfol.tables.table import Column, Kind, Score, Table

_QUESTION = ("dataset", "task", "metric", "presentation")
_TEST = "p: sign-flip test by story, exact and two-sided; of fewer than 6 stories it is never below 0.05."
_FAMILY = (
    f"{_TEST} Adjusted: by Holm over all comparisons of the table that the models stand in (logical translation, "
    "dialogue, embedding)."
)
_DETECTABLE = (
    "Detectable: the smallest true difference that such an interval tells from 0 with probability 0.8; above 1, none."
)
_INTERVAL = "Interval: Student's t; where nearly all items differ alike Bonett and Price's, with effective items."
_ONE_MODEL = (
    "One model: the same weights in the same precision, or the same name at the same address. Sampling and limits may "
    "differ."
)
_BOLD = "Bold: adjusted p below 0.05."
_SHARES = "Answers to the same items under the same seeds: shares of them. Kappa is Cohen's, agreement beyond chance."


def differences(rows: pl.DataFrame) -> Table:
    """Every two models on the items that both were asked."""
    return Table(
        "differences",
        "Differences between models",
        "Mean of the first model less that of the second on their common items, with the interval at 95 % (clusters: "
        "stories).",
        (
            *_question(),
            Column("first", "First", Kind.TEXT),
            Column("second", "Second", Kind.TEXT),
            Column("items", "Items", Kind.COUNT),
            Column("stories", "Stories", Kind.COUNT),
            Column("difference", "Difference", Kind.SCORE),
            Column("p", "p", Kind.SHARE),
            Column("adjusted", "Adjusted p", Kind.SHARE),
            Column("detectable", "Detectable", Kind.SHARE),
        ),
        tuple(
            (
                *_asked(row),
                *(row[name] for name in ("first", "second", "items", "stories")),
                _difference(row),
                *(row[name] for name in ("p", "adjusted", "detectable")),
            )
            for row in rows.to_dicts()
        ),
        (_INTERVAL, _FAMILY, _BOLD, _DETECTABLE),
    )


def thinking(rows: pl.DataFrame) -> Table:
    """A model with and without thinking before it answers, side by side."""
    return Table(
        "thinking",
        "With and without thinking",
        "Entries of one model that differ in thinking: mean scores on their common items, and their difference with "
        "the interval at 95 % (clusters: stories).",
        (
            *_question(),
            Column("thinking", "Thinking", Kind.TEXT),
            Column("plain", "Not thinking", Kind.TEXT),
            Column("items", "Items", Kind.COUNT),
            Column("score", "With", Kind.SHARE),
            Column("score_plain", "Without", Kind.SHARE),
            Column("difference", "With less without", Kind.SCORE),
            Column("p", "p", Kind.SHARE),
            Column("adjusted", "Adjusted p", Kind.SHARE),
            Column("detectable", "Detectable", Kind.SHARE),
        ),
        tuple(
            (
                *_asked(row),
                *(row[name] for name in ("thinking", "plain", "items", "score", "score_plain")),
                _difference(row),
                *(row[name] for name in ("p", "adjusted", "detectable")),
            )
            for row in rows.to_dicts()
        ),
        (
            _ONE_MODEL,
            _INTERVAL,
            f"{_TEST} Adjusted: by Holm over all rows of this table.",
            _BOLD,
            _DETECTABLE,
        ),
    )


def agreement(rows: pl.DataFrame) -> Table:
    """Of two models, how often both, one or neither is right."""
    return Table(
        "agreement",
        "Agreement of models",
        "How often both, one or neither of two models is right.",
        (*_question(), Column("first", "First", Kind.TEXT), Column("second", "Second", Kind.TEXT), *_shares()),
        tuple(
            (*_asked(row), row["first"], row["second"], *_values(row))
            for row in rows.filter(pl.col("both").is_not_null()).to_dicts()
        ),
        (_SHARES,),
    )


def task_agreement(rows: pl.DataFrame) -> Table:
    """Of most similar and ranking (equivalence), how often a model solves both, one or neither for an item."""
    names = ("dataset", "protocol", "model", "presentation", "most_similar", "ranking")
    return Table(
        "task_agreement",
        "Most similar against ranking",
        "How often a model solves both, one or neither of most similar (first) and ranking: equivalence (second).",
        (
            *(Column(name, _header(name), Kind.TEXT) for name in names),
            Column("items", "Items", Kind.COUNT),
            *_shares(),
        ),
        tuple((*(row[name] for name in names), row["items"], *_values(row)) for row in rows.to_dicts()),
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
            Column("items", "Items", Kind.COUNT),
            Column("seeds", "Seeds (k)", Kind.COUNT),
            Column("pass_1", "pass@1", Kind.SHARE),
            Column("pass_at_k", "pass@k", Kind.SHARE),
            Column("pass_hat_k", "pass^k", Kind.SHARE),
            Column("consistent", "Consistent", Kind.SHARE),
        ),
        tuple(
            (
                *_asked(row),
                *(row[name] for name in ("model", "items", "seeds")),
                *(row["any_right"][0], row["any_right"][-1], row["all_right"][-1], row["consistent"]),
            )
            for row in rows.to_dicts()
        ),
        ("Consistent: share of items right under all seeds or wrong under all.",),
    )


def _difference(row: dict[str, Any]) -> Score:
    return Score(row["difference"], None, row["low"], row["high"], row["adjusted"] < 0.05)


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
