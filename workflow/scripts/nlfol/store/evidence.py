"""Scores with the evidence on their pairs of formulas: the columns of EVIDENCE, and the scores that are evidence."""

from collections.abc import Iterable
from pathlib import Path

import polars as pl

from nlfol.store import schemas
from nlfol.store.files import read_frames
from nlfol.store.origins import name_of

_NOT_EXPLAINED = pl.lit("not_explained")
"""The relation, distance, rule and fault of a wrong formula that the task's ``explain`` leaves out."""

_SCORES = {
    "bleu": pl.col("bleu"),
    "le": pl.col("le"),
    "on_boards": (pl.col("on_boards") == "equivalent").cast(pl.Float64),
}
"""Scores that are evidence, by metric."""


def files_of_evidence(paths: Iterable[Path]) -> dict[str, Path]:
    """Return EVIDENCE files by "dataset/task"."""
    return {name_of(path).partition("/")[2]: path for path in paths}


def with_evidence(scores: pl.DataFrame, evidence: Path | None) -> pl.DataFrame:
    """Return rows of SCORES with the columns of their evidence, of an EVIDENCE file, in their order."""
    return joined(scores, read_frames([evidence] if evidence else [], schemas.EVIDENCE))


def joined(scores: pl.DataFrame, evidence: pl.DataFrame) -> pl.DataFrame:
    """Return rows of SCORES with the columns of rows of EVIDENCE, in their order.

    A metric of which some answers are not explained is left out: its mean would be of the others alone.
    """
    explained = evidence.select(
        *("pair", "relation", "distance", "edits", "rule", "witness"),
        *("counter_model", "on_boards", "blocks", "bleu", "le"),
        change="fault",
        because="detail",
        explained=pl.lit(True),
    )
    rows = scores.join(explained, on="pair", how="left", maintain_order="left")
    is_open = pl.col("pair").is_not_null() & pl.col("explained").is_null()
    is_wrong = pl.col("pair").is_not_null() & (pl.col("verdict") == "not_equivalent")
    score = pl.col("score")
    for metric, value in _SCORES.items():
        score = pl.when(pl.col("score").is_null() & (pl.col("metric") == metric)).then(value).otherwise(score)
    read_as = pl.concat_str("detail", pl.col("because").fill_null("None"), separator="; ")
    left_out = rows.filter(is_open & pl.col("score").is_null())["metric"].unique().to_list()
    return (
        rows.filter(~pl.col("metric").is_in(left_out))
        .with_columns(
            score=score,
            relation=pl.when(is_open & is_wrong).then(_NOT_EXPLAINED).otherwise("relation"),
            distance=pl.when(is_open & is_wrong).then(_NOT_EXPLAINED).otherwise("distance"),
            rule=pl.when(is_open & is_wrong).then(_NOT_EXPLAINED).otherwise("rule"),
            fault=pl.coalesce("fault", "change", pl.when(is_open & is_wrong).then(_NOT_EXPLAINED)),
            detail=pl.when(is_wrong & ~is_open).then(pl.coalesce(read_as, "because")).otherwise("detail"),
        )
        .drop("change", "because", "explained", "bleu", "le")
    )
