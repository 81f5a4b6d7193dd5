"""Tables of what data say of claims, and of how far scores are above chance."""

from __future__ import annotations

from typing import Any

import polars as pl

from nlfol.tables.comparisons import SAMPLE, TEST, sample
from nlfol.tables.table import Column, Kind, P, Score, Table

WORDS = {
    "formula_dialogue": "Dialogue models rank formulas better than their English.",
    "formula_embedding": "Embedding models do better with English than with formulas.",
    "negation_dialogue": "Dialogue models put equivalents first more often than negations last.",
    "negation_embedding": "Embedding models put negations last more often than equivalents first.",
    "most_similar": "A model solves most similar more often than ranking.",
    "dialogue": "Dialogue models do better than embedding models.",
    "protocol": "Sets by the published procedure are easier than certified ones.",
    "thinking": "A model does better with thinking than without.",
    "chance": "A model does better than chance.",
}
"""Each of ``statistics.claims.CLAIMS`` in words: the first side scores higher."""

ASKED = "“k of n”: only k of the n items that the dataset offers were asked."

_SHARED = ("task", "presentation", "model")


def claims(rows: pl.DataFrame) -> Table:
    """What the data say of each claim, comparison by comparison."""
    return Table(
        "claims",
        "Claims and what the data say",
        "Claims, each tested on the same items of both sides: mean of the first side less that of the second, with the "
        "interval at 95 % (clusters: stories).",
        (
            Column("dataset", "Dataset", Kind.TEXT),
            Column("claim", "Claim", Kind.TEXT),
            *(Column(name, "Shown as" if name == "presentation" else name.capitalize(), Kind.TEXT) for name in _SHARED),
            Column("first", "First", Kind.TEXT),
            Column("second", "Second", Kind.TEXT),
            Column("items", "Items", Kind.SAMPLE),
            Column("difference", "Difference", Kind.SCORE),
            Column("p", "p", Kind.SHARE),
            Column("adjusted", "Adjusted p", Kind.SHARE),
            Column("data", "The data say", Kind.TEXT),
        ),
        tuple(
            (
                row["dataset"],
                WORDS[row["claim"]],
                *(row[name] or None for name in _SHARED),
                row["first"],
                row["second"],
                sample(row),
                Score(row["difference"], None, row["low"], row["high"], row["data"] != "open"),
                P(row["p"]),
                P(row["adjusted"]),
                row["data"],
            )
            for row in rows.to_dicts()
        ),
        (
            "Holds, contradicted: adjusted p below 0.05, and the first side is higher, or lower. Open: neither.",
            "Of tasks the first metric counts, if no other is named: accuracy of most similar, equivalence of ranking.",
            "Several models: the mean of their scores on each item that all were asked.",
            f"{TEST} Adjusted: by Holm over the rows of the claim.",
            "Thinking is adjusted as in the table of differences, where these pairs stand, too.",
            "Claims with one side alone in the experiment make no row.",
            SAMPLE,
        ),
        long=True,
    )


def above_chance(cells: pl.DataFrame) -> Table:
    """Scores adjusted for what a random answer to the same items scores."""
    names = ("dataset", "task", "protocol", "metric", "presentation", "model")
    return Table(
        "above_chance",
        "Scores above chance",
        "Scores adjusted for chance, that is, for the sizes of candidate sets: 0 is a random answerer, 1 everything "
        "right.",
        (
            *(Column(name, "Shown as" if name == "presentation" else name.capitalize(), Kind.TEXT) for name in names),
            Column("items", "Items", Kind.SAMPLE),
            Column("score", "Score", Kind.SCORE),
            Column("chance", "Chance", Kind.SHARE),
            Column("above", "Above chance", Kind.SCORE),
        ),
        tuple(_adjusted(row, names) for row in cells.filter(pl.col("above").is_not_null()).to_dicts()),
        (
            "Above chance: (score - chance) / (1 - chance), with the chance of the items asked.",
            "Intervals at 95 % (clusters: stories), to which the p against chance in the table of claims belongs.",
            "Tasks where a random answer is never right, or of which the experiment has no chance, are left out.",
            ASKED,
        ),
    )


def _adjusted(row: dict[str, Any], names: tuple[str, ...]) -> tuple[Any, ...]:
    score = Score(row["mean"], row["deviation"], row["low"], row["high"])
    above = Score(row["above"], None, row["above_low"], row["above_high"])
    return (*(row[name] or None for name in names), sample(row), score, row["chance"], above)
