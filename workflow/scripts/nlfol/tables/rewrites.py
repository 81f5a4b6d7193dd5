"""Tables of problems in other words: what was proposed and chosen, and how similar the words are."""

from __future__ import annotations

import polars as pl

from nlfol.tables.table import Column, Kind, Score, Table

_WHO = (Column("dataset", "Dataset", Kind.TEXT), Column("protocol", "Protocol", Kind.TEXT))
_COUNTS = {
    "proposed": "Proposed",
    "unusable": "Unusable",
    "fallback": "Fallback",
    "kept": "Similar enough",
    "chosen": "Chosen",
    "meaning_kept": "Meaning kept",
    "meaning_changed": "Changed",
    "meaning_unread": "Unread",
}
_PROPOSED = (
    "Proposed: by lexica and a model, protocol paper alone; fallback: of these, words asked of the model as the "
    "lexica have none; answer: an answer of the model without any rewrite."
)
_MEANING = (
    "Meaning: of the statement, read with all forms of the lexicon that is shipped; unread: not read by it, or in "
    "several ways, so nothing is known."
)


def rewrites(rows: pl.DataFrame) -> Table:
    """Of each level and type, what was proposed, passed the filter, was chosen, and still means the same."""
    return Table(
        "rewrites",
        "Rewrites",
        "What was proposed, similar enough and chosen to say problems in other words, and what became of the meaning.",
        (
            *_WHO,
            Column("level", "Level", Kind.TEXT),
            Column("type", "Type", Kind.TEXT),
            *(Column(name, title, Kind.COUNT) for name, title in _COUNTS.items()),
        ),
        tuple(rows.select("dataset", "protocol", "level", "type", *_COUNTS).iter_rows()),
        (
            _PROPOSED,
            _MEANING,
        ),
        long=True,
    )


def similarity(rows: pl.DataFrame) -> Table:
    """How similar statements and words are to what they stand for."""
    return Table(
        "similarity",
        "Similarity of rewrites",
        "How similar rewritten statements, and the words alone, are to what they stand for, by embedding models.",
        (
            *_WHO,
            Column("model", "Model", Kind.TEXT),
            Column("unit", "Unit", Kind.TEXT),
            Column("problems", "Problems", Kind.COUNT),
            Column("pairs", "Pairs", Kind.COUNT),
            Column("similarity", "Cosine", Kind.SCORE),
            Column("reached", "≥ .90", Kind.SHARE),
        ),
        tuple(
            (
                *(row[name] for name in ("dataset", "protocol", "model", "unit", "problems", "pairs")),
                None if row["mean"] is None else Score(row["mean"], None, row["low"], row["high"]),
                row["reached"],
            )
            for row in rows.iter_rows(named=True)
        ),
        ("Cosine: mean over pairs; intervals are at 95 % over problems.", "≥ .90: share of pairs that reach it."),
    )
