"""Ontologies of models' own against the given ones: what is lost where a model must name its symbols itself.

A model's answers over its own ontology are paired with its translations over the given one: item by item, or story by
story where a story has one ontology. Of a story the shares of its sentences that are right are compared, and only if
all of them were asked about both ways.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import polars as pl

from nlfol.statistics.clusters import clustered_mean
from nlfol.statistics.contrasts import adjust
from nlfol.statistics.differences import Difference, difference
from nlfol.statistics.summary import COMPARED, Origin
from nlfol.tasks.ontology_extraction import OntologyExtraction

SENTENCES = "sentences"
"""The share of an answer's sentences that are right by one map."""

RIGHT = OntologyExtraction.metrics[0]
SHARES = OntologyExtraction.other_metrics

Scored = tuple[Origin, pl.DataFrame]
"""A scores file."""


@dataclass(frozen=True, slots=True)
class Own:
    """Answers over an ontology of their own.

    Attributes:
        scores: of one job.
        scope: what has one ontology: ``sentence`` or ``story``.
        sentences: of each item, how many.
    """

    scores: Scored
    scope: str
    sentences: Mapping[str, int]


def ontologies(own: Sequence[Own], given: Iterable[Scored]) -> list[dict[str, Any]]:
    """The rows of ``analysis_schemas.ONTOLOGIES``: of each job one for each task that gives the ontology, or one.

    The p-values of all rows are one family and are adjusted together (``differences.holm``).
    """
    translated: dict[tuple[str, str], list[Scored]] = {}
    for other in given:
        translated.setdefault((other[0].dataset, other[0].model), []).append(other)
    rows: list[dict[str, Any]] = []
    for one in own:
        source, scores = one.scores
        if not scores.is_empty():
            rows += _rows(one, source, translated.get((source.dataset, source.model), []))
    compared = [row for row in rows if row["p"] is not None]
    adjust(compared)
    return rows


def _rows(own: Own, source: Origin, translated: Sequence[Scored]) -> Iterator[dict[str, Any]]:
    by_metric = {metric: _means(own.scores[1], metric) for metric in (RIGHT, *SHARES)}
    right = by_metric[RIGHT]
    mean = clustered_mean(right["score"].to_list(), right["story"].to_list())
    about = {
        **{name: getattr(source, name) for name in ("dataset", "task", "task_kind", "protocol", "model", "kind")},
        "scope": own.scope,
        **{name: getattr(mean, name) for name in ("items", "stories")},
        "available": source.available,
        "right": mean.mean,
        "right_low": mean.low,
        "right_high": mean.high,
        **{metric: by_metric[metric]["score"].mean() for metric in SHARES},
    }
    nothing = dict.fromkeys(("given", "pairs", "pairs_stories", "score_given", "score_own", *_TESTED))
    compared = [] if source.kind not in COMPARED else [_compared(own, by_metric, other) for other in translated]
    known = [row for row in compared if row is not None]
    yield from ({**about, **row} for row in known or [nothing])


_TESTED = ("difference", "error", "low", "high", "p", "adjusted", "detectable")


def _compared(own: Own, by_metric: Mapping[str, pl.DataFrame], given: Scored) -> dict[str, Any] | None:
    """The same items over the given ontology; empty if nobody was asked them."""
    source, scores = given
    translated = _means(scores, RIGHT)
    if own.scope == "story":
        whole = pl.DataFrame({"item": [*own.sentences], "count": [*own.sentences.values()]}, _WHOLE)
        translated = (
            translated.group_by("story", maintain_order=True)
            .agg(pl.col("score").mean(), pl.len().alias("asked"))
            .rename({"story": "item"})
            .join(whole, on="item", maintain_order="left")
            .filter(pl.col("asked") == pl.col("count"))
        )
    common = by_metric[SENTENCES].join(
        translated.select("item", pl.col("score").alias("given")), on="item", maintain_order="left"
    )
    if common.is_empty():
        return None
    found = difference(*(common[name].to_list() for name in ("given", "score", "story")))
    return {
        "given": source.task,
        "pairs": found.items,
        "pairs_stories": found.stories,
        "score_given": common["given"].mean(),
        "score_own": common["score"].mean(),
        **_tested(found),
        "adjusted": None,
    }


_WHOLE = {"item": pl.String, "count": pl.UInt32}


def _tested(found: Difference) -> dict[str, float | None]:
    said = asdict(found)
    return {"difference": said["mean"], **{name: said[name] for name in ("error", "low", "high", "p", "detectable")}}


def _means(scores: pl.DataFrame, metric: str) -> pl.DataFrame:
    """``item``, ``story`` and ``score`` of a metric, averaged over seeds, in the order in which items were asked."""
    of_metric = scores.filter(pl.col("metric") == metric)
    return of_metric.group_by("item", maintain_order=True).agg(pl.col("story").first(), pl.col("score").mean())
