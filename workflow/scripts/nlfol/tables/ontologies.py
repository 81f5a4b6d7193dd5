"""The table of models' own ontologies beside the given ones."""

from __future__ import annotations

from typing import Any

import polars as pl

from nlfol.tables.comparisons import TEST, tested
from nlfol.tables.table import Cell, Column, Kind, Sample, Score, Table

_WHO = ("dataset", "task", "scope", "model")
_SHARES = {
    "sentences": "Sentences",
    "sentences_alone": "Alone",
    "recall": "Recall",
    "precision": "Precision",
    "refined": "Refined",
    "merged": "Merged",
    "by_name": "By name",
}

_SENTENCES = (
    "Sentences: share that one map makes equivalent; alone: that a map of their own does. They differ where a story "
    "has one ontology."
)
_CONCEPTS = (
    "Recall and precision: of gold concepts, and of declared symbols, the share aligned one to one. Of the other "
    "concepts: refined, a conjunction of two symbols; merged, with a symbol of another; by name, not aligned, but "
    "there is a symbol of that name."
)
_PAIRS = (
    "Pairs: items, or stories of which all sentences were asked both ways. Of these the shares of right sentences are "
    "compared."
)


def ontologies(rows: pl.DataFrame) -> Table:
    """Answers over models' own ontologies: how many are right, what became of the concepts, and what the given gain."""
    return Table(
        "ontologies",
        "Own ontologies",
        "Translations over symbols that the model names itself: right if one map of symbols makes them equivalent to "
        "gold, by proof; and the same model's translations over the given ontology less these, with the interval at "
        "95 % (clusters: stories).",
        (
            *(Column(name, name.capitalize(), Kind.TEXT) for name in _WHO),
            Column("items", "Items", Kind.SAMPLE),
            Column("right", "Right", Kind.SCORE),
            *(Column(name, title, Kind.SHARE) for name, title in _SHARES.items()),
            Column("given", "Given", Kind.TEXT),
            Column("pairs", "Pairs", Kind.COUNT),
            Column("score_given", "Given score", Kind.SHARE),
            Column("score_own", "Own score", Kind.SHARE),
            Column("difference", "Given less own", Kind.SCORE),
            Column("p", "p", Kind.SHARE),
            Column("adjusted", "Adjusted p", Kind.SHARE),
            Column("detectable", "Detectable", Kind.SHARE),
        ),
        tuple(
            (
                *(row[name] for name in _WHO),
                Sample(row["items"], row["available"]),
                _right(row),
                *(row[name] for name in _SHARES),
                *(row[name] for name in ("given", "pairs", "score_given", "score_own")),
                *_difference(row),
            )
            for row in rows.to_dicts()
        ),
        (
            _SENTENCES,
            _CONCEPTS,
            _PAIRS,
            f"{TEST} Adjusted: by Holm over all rows of this table.",
            "Bold: adjusted p below 0.05. Detectable: as in the table of differences.",
        ),
    )


def _right(row: dict[str, Any]) -> Score:
    """Chance is exact and has no interval."""
    if row["kind"] == "chance":
        return Score(row["right"])
    return Score(row["right"], None, row["right_low"], row["right_high"])


def _difference(row: dict[str, Any]) -> list[Cell]:
    return [None] * 4 if row["p"] is None else tested(row)
