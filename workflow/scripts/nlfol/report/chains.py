"""The chains of round trips: of each round its English, its formula, and how this stands to the formula before it."""

from collections.abc import Sequence

import polars as pl

from nlfol.tasks.round_trip import COPIED, TRUTH

TEXTS = ("english", "copies", "written", "formula", "outcome", "verdict", "detail")
"""Of a round: the English; what of the notation it holds; the formula as it was written, and as it was read; how the
round ended where it has no formula; the verdict on the formula beside the one before it, with the evidence in words."""


def chains(judged: pl.DataFrame, steps: pl.DataFrame, key: Sequence[str]) -> pl.DataFrame:
    """Return the rounds that each dialogue reached, in order, as a column ``chain`` beside the key.

    Each has the columns ``TEXTS``, and ``counter_model`` as JSON.

    Args:
        judged: rows of ``schemas.SCORES`` of round trips.
        steps: of each dialogue, the number of its ``steps``.
        key: the columns that tell dialogues apart.
    """
    metric = pl.col("metric").str.split("@").list.first()
    place = [*key, "round"]
    ended = pl.col("outcome") != "answered"
    english = judged.filter(metric == COPIED).select(
        *place,
        english="answer",
        copies=pl.when(pl.col("score") > 0).then("detail"),
        said=pl.when(ended).then("outcome"),
    )
    formulas = judged.filter(metric == TRUTH).select(
        *place,
        "formula",
        "verdict",
        "detail",
        "counter_model",
        written="answer",
        outcome=pl.when(ended).then("outcome"),
    )
    return (
        english.join(formulas, on=place, nulls_equal=True, maintain_order="left", validate="1:1")
        .join(steps, on=key, nulls_equal=True, maintain_order="left")
        # Two steps a round, of which the second may be missing.
        .filter(pl.col("round") <= (pl.col("steps") + 1) // 2)
        .with_columns(outcome=pl.coalesce("said", "outcome"))
        .sort("round", maintain_order=True)
        .group_by(key, maintain_order=True)
        .agg(pl.struct(*TEXTS, "counter_model").alias("chain"))
    )
