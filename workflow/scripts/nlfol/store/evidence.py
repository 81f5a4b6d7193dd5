"""Scores with the evidence on their pairs of formulas: the columns of EVIDENCE, and the scores that are evidence."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import polars as pl

from nlfol.facts import BLIND, ON_BOARDS
from nlfol.store import schemas
from nlfol.store.files import read_frames
from nlfol.store.origins import name_of

_NOT_EXPLAINED = pl.lit("not_explained")
"""The relation, distance, rule and fault of a wrong formula that the task's ``explain`` leaves out."""

BRIEF = ("pair", "relation", "fault", "distance", "edits", "rule", "on_boards", "bleu", "le")
"""Columns of EVIDENCE that are counted; people read the others."""

_JOINED = (
    *("relation", "distance", "edits", "rule", "witness"),
    *("counter_model", "on_boards", "blocks", "bleu", "le"),
)

_SCORES = {
    "bleu": pl.col("bleu"),
    "le": pl.col("le"),
    "on_boards": (pl.col("on_boards") == "equivalent").cast(pl.Float64),
}
"""Scores that are evidence, by metric."""


def files_of_evidence(paths: Iterable[Path]) -> dict[str, Path]:
    """Return EVIDENCE files by "dataset/task"."""
    return {name_of(path).partition("/")[2]: path for path in paths}


def with_evidence(scores: pl.DataFrame, evidence: Path | None, columns: Sequence[str] = ()) -> pl.DataFrame:
    """Return rows of SCORES with the columns of their evidence, all or some, of an EVIDENCE file, in their order."""
    return joined(scores, read_frames([evidence] if evidence else [], schemas.EVIDENCE, columns))


def joined(scores: pl.DataFrame, evidence: pl.DataFrame) -> pl.DataFrame:
    """Return rows of SCORES with the columns of rows of EVIDENCE, in their order.

    A metric of which some answers are not explained is left out: its mean would be of the others alone.
    """
    names = ("pair", *(name for name in _JOINED if name in evidence.columns))
    because = pl.col("detail") if "detail" in evidence.columns else pl.lit(None, pl.String)
    explained = evidence.select(*names, change="fault", because=because, explained=pl.lit(True))
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


def served(scores: pl.DataFrame) -> pl.DataFrame:
    """Return scores in which requests without a reply count as served by the model that served most of the others."""
    name = pl.col("shown").struct.field("served")
    if "shown" not in scores.columns or not scores.select(name.is_null().any() & name.is_not_null().any()).item():
        return scores
    most = scores.select(name.drop_nulls().mode().sort().first()).item()
    return scores.with_columns(pl.col("shown").struct.with_fields(pl.field("served").fill_null(most)))


def comparable(scores: pl.DataFrame, *, controls: bool = False) -> pl.DataFrame:
    """Return scores with their evidence as ``results.statistics.summary.load`` does."""
    is_on_boards = pl.col("metric") == ON_BOARDS
    if scores.filter(is_on_boards)["item"].n_unique() < scores["item"].n_unique():
        scores = scores.filter(~is_on_boards)
    return scores if controls else scores.filter(~pl.col("presentation").str.starts_with(BLIND))
