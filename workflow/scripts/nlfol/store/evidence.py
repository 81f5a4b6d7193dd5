"""Scores with the evidence on their pairs of formulas: the columns of EVIDENCE, and the scores that are evidence."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import polars as pl

from nlfol.facts import BLIND, ON_BOARDS
from nlfol.store import schemas
from nlfol.store.files import frames, read_frames
from nlfol.store.origins import name_of

_NOT_EXPLAINED = pl.lit("not_explained")
"""The relation, distance, rule and fault of a wrong formula that the task's ``explain`` leaves out."""

_USED = ("item", "presentation", "metric", "score", "verdict", "fault", "detail", "pair")
"""Columns of SCORES that say which rows count, and what their evidence adds."""

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


def explained(
    path: Path, evidence: Path | None, columns: Sequence[str] = (), *, controls: bool = False
) -> Iterator[pl.DataFrame]:
    """Yield rows of a SCORES file as ``served``, ``joined`` and ``comparable`` make them, a chunk at a time.

    Beside some ``columns`` there are those that are used here.
    """
    wanted = {name: None for name in (*BRIEF, *columns) if name in schemas.EVIDENCE.names} if columns else {}
    known = read_frames([evidence] if evidence else [], schemas.EVIDENCE, [*wanted])
    left_out, most = _left_out(path, known), _served_most(path) if not columns or "shown" in columns else None
    for chunk in frames(path, schemas.SCORES, (*columns, *_USED) if columns else ()):
        rows = joined(_filled(chunk, most) if most else chunk, known, left_out)
        yield rows if controls else without_controls(rows)


def _left_out(path: Path, evidence: pl.DataFrame) -> list[str]:
    """Return the metrics of a SCORES file that ``joined`` and ``comparable`` leave out."""
    lacking, items = set[str](), dict[str, set[str]]()
    for chunk in frames(path, schemas.SCORES, ("item", "metric", "score", "pair")):
        for (metric,), rows in chunk.group_by("metric"):
            items.setdefault(str(metric), set()).update(rows["item"].unique())
        is_open = chunk.filter(pl.col("pair").is_not_null() & pl.col("score").is_null())
        lacking.update(is_open.join(evidence, on="pair", how="anti")["metric"].unique())
    rated = set[str]().union(*(of_metric for metric, of_metric in items.items() if metric not in lacking))
    return [*lacking, *([ON_BOARDS] if len(items.get(ON_BOARDS, ())) < len(rated) else [])]


def _served_most(path: Path) -> str | None:
    """Return the name that stands for those that replies lack, see ``served``; None if none lacks one, or all do."""
    names = Counter[str | None]()
    for chunk in frames(path, schemas.SCORES, ("shown",)):
        of_chunk = chunk["shown"].struct.field("served").value_counts(name="count")
        names.update(dict(of_chunk.iter_rows()))
    told = sorted((-count, name) for name, count in names.items() if name is not None)
    return told[0][1] if told and None in names else None


def joined(scores: pl.DataFrame, evidence: pl.DataFrame, left_out: Sequence[str] | None = None) -> pl.DataFrame:
    """Return rows of SCORES with the columns of rows of EVIDENCE, in their order.

    A metric of which some answers are not explained is left out: its mean would be of the others alone. Where rows are
    a part of a file, ``left_out`` are its metrics that are.
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
    if left_out is None:
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
    return _filled(scores, scores.select(name.drop_nulls().mode().sort().first()).item())


def _filled(scores: pl.DataFrame, most: str) -> pl.DataFrame:
    return scores.with_columns(pl.col("shown").struct.with_fields(pl.field("served").fill_null(most)))


def comparable(scores: pl.DataFrame) -> pl.DataFrame:
    """Return scores with their evidence as ``results.statistics.summary.load`` does."""
    is_on_boards = pl.col("metric") == ON_BOARDS
    if scores.filter(is_on_boards)["item"].n_unique() < scores["item"].n_unique():
        scores = scores.filter(~is_on_boards)
    return without_controls(scores)


def without_controls(scores: pl.DataFrame) -> pl.DataFrame:
    """Return scores of answers to whole questions."""
    return scores.filter(~pl.col("presentation").str.starts_with(BLIND))
