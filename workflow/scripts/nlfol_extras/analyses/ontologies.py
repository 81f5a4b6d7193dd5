"""Ontologies of models' own against the given ones: what is lost where a model must name its symbols itself.

A model's answers over its own ontology are paired with its translations over the given one: item by item, or story by
story where a story has one ontology. Of a story the shares of its sentences that are right are compared, and only if
all of them were asked about both ways.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypedDict, cast

import polars as pl

from nlfol.facts import EQUIVALENCE, OWN_ONTOLOGY, SENTENCES, SENTENCES_ALONE, SENTENCES_LEAST, SENTENCES_MOST
from nlfol.facts import EQUIVALENCE as BY_ANY_MAP
from nlfol.results.analyses.analysis import Analysis, Given, Rows
from nlfol.results.statistics.contrasts import adjust, contrast
from nlfol.results.statistics.pairing import COMPARISONS, pairs, shared
from nlfol.results.statistics.summary import COMPARED, Origin, Series, answers_of, clustered
from nlfol.results.tables import columns
from nlfol.results.tables.opening import Filter, Number
from nlfol.results.tables.table import TableForm
from nlfol.store import files
from nlfol.store.columns import KnownInterval, Pairing, TaskColumns, Tested, row_schema, with_ends
from nlfol.store.schemas import ITEMS

(RIGHT,), SHARES = OWN_ONTOLOGY.metrics, OWN_ONTOLOGY.other_metrics
_NO_PAIRS: Pairing = {"pairs": 0, "refused": 0, "refusal": None, "unread": 0, "unread_second": 0}


class _Own(TaskColumns):
    scope: str  # what has one ontology: sentence or story
    model: str
    kind: str
    items: int  # sentences, or stories
    available: int
    stories: int
    right: KnownInterval  # share of items with one anchored map that makes all formulas equivalent


class _Shares(TypedDict):
    equivalence: float  # share of those with any such map
    sentences: float  # mean share of sentences that the map makes so which fits the most
    sentences_alone: float  # that a map of their own does
    # Ends of the share of right ones: anchored by definitions, and these with the unanchored.
    sentences_least: float
    sentences_most: float
    # of gold concepts, and of declared symbols, aligned one to one
    recall: float
    precision: float
    # Of gold concepts that are a conjunction of two symbols, share one, or are not aligned but named by one.
    refined: float
    merged: float
    by_name: float


class _About(_Own, _Shares):
    pass


class _Common(TypedDict):
    # The task over the given ontology, and what both were asked. Without one, this and all that follows is null.
    given: str | None
    common: int | None  # items, or whole stories, that make pairs
    common_stories: int | None


class _Given(_Common, Pairing):  # no pairs without such a task
    score_given: float | None  # mean over them of the share of right sentences
    score_own: float | None
    difference: float | None  # given less own, as in DIFFERENCES


class _Compared(_Given, Tested):
    pass


class OntologiesRow(_About, _Compared):
    """One row a job without an ontology, and a task of the same model and dataset with the dataset's."""


_NOTHING = cast("_Compared", {**dict.fromkeys(_Compared.__annotations__), **_NO_PAIRS})


ONTOLOGIES = row_schema("ontologies", 5, OntologiesRow)

Scored = tuple[Origin, pl.DataFrame]
"""A scores file."""


@dataclass(frozen=True, slots=True)
class Own:
    """Answers of a model over its own ontology, one each sentence or story (``scope``), with the sentences of items."""

    scores: Scored
    scope: str
    sentences: Mapping[str, int]


def ontologies(own: Sequence[Own], given: Iterable[Scored]) -> list[OntologiesRow]:
    """Return the rows of ``ONTOLOGIES``: a job and task that gives the ontology, with p-values of one family."""
    translated: dict[tuple[str, str], list[Scored]] = {}
    for other in given:
        translated.setdefault((other[0].dataset, other[0].model), []).append(other)
    rows: list[OntologiesRow] = []
    for extraction in own:
        source, scores = extraction.scores
        if not scores.is_empty():
            rows += _rows(extraction, source, translated.get((source.dataset, source.model), []))
    adjust(rows)
    return rows


def _rows(own: Own, source: Origin, translated: Sequence[Scored]) -> Iterator[OntologiesRow]:
    by_metric = {metric: _means(own.scores[1], metric) for metric in (RIGHT, *SHARES)}
    right = by_metric[RIGHT]
    mean = clustered(right)
    about: _About = {
        **source.of_task,
        "model": source.model,
        "kind": source.kind,
        "available": source.available,
        "scope": own.scope,
        "items": mean.items,
        "stories": mean.stories,
        "right": mean.ends,
        **cast("_Shares", {metric: by_metric[metric]["score"].mean() for metric in SHARES}),
    }
    compared = [] if source.kind not in COMPARED else [_compared(own, other) for other in translated]
    known = [row for row in compared if row is not None]
    for row in known or [_NOTHING]:
        made: OntologiesRow = {**about, **row}
        yield with_ends(OntologiesRow, made)


def _compared(own: Own, given: Scored) -> _Compared | None:
    """Compare the same items over the given ontology; None if nobody was asked them."""
    source, scores = given
    named = _series(own.scores, SENTENCES)
    translated = _series((source, scores), EQUIVALENCE)
    comparison = "ontologies"
    if own.scope == "story":
        comparison = "ontologies_of_stories"
        translated = replace(translated, answers=_by_story(translated.answers, own.sentences))
    made = pairs(translated, named, COMPARISONS[comparison])
    if not made.kept.height + made.refused:
        return None
    figures = contrast(made, source.available)
    columns = figures.columns
    return {
        "given": source.task,
        "common": columns["items"],
        "common_stories": columns["stories"],
        **made.counts,
        "score_given": figures.first,
        "score_own": figures.second,
        "difference": figures.difference,
        **cast("Tested", {name: value for name, value in columns.items() if name in Tested.__annotations__}),
    }


def _series(scored: Scored, metric: str) -> Series:
    source, scores = scored
    return Series(source, metric, "", answers_of(scores.filter(pl.col("metric") == metric)))


def _by_story(answers: pl.DataFrame, sentences: Mapping[str, int]) -> pl.DataFrame:
    """Return the mean over the sentences of each story and seed, of stories all of whose sentences were asked."""
    mean, unread = pl.col("score").mean(), pl.col("unread").any()
    counted = pl.DataFrame(
        {"story": [*sentences], "count": [*sentences.values()]}, {"story": pl.String, "count": pl.UInt32}
    )
    return (
        answers.group_by("story", "seed", maintain_order=True)
        .agg(mean, unread, shared("several"), pl.len().alias("asked"))
        .join(counted, on="story", maintain_order="left")
        .filter(pl.col("asked") == pl.col("count"))
        .select(pl.col("story").alias("item"), "story", "seed", "score", "unread", "shown")
    )


def _means(scores: pl.DataFrame, metric: str) -> pl.DataFrame:
    """Return ``item``, ``story`` and ``score`` of a metric, averaged over seeds, in the order of asking."""
    of_metric = scores.filter(pl.col("metric") == metric)
    return of_metric.group_by("item", maintain_order=True).agg(pl.col("story").first(), pl.col("score").mean())


_READ = "item story seed metric score outcome shown"


def _ontologies(given: Given) -> list[OntologiesRow]:
    sentences: dict[tuple[str, str], dict[str, int]] = {}
    for path in given.files["own_items"]:
        table = files.read(path, ITEMS)
        about = files.metadata_of(table)
        sentences[about["dataset"], about["task"]] = {
            row["item"]: max(1, len(row["candidates"])) for row in table.select(["item", "candidates"]).to_pylist()
        }
    own = [
        Own((source, scores), given.setting("scopes")[source.task], sentences[source.dataset, source.task])
        for source, scores in given.loaded(_READ, "own_scores")
    ]
    return ontologies(own, given.loaded(_READ, "given_scores", metrics=[EQUIVALENCE]))


def _opens(number: Number) -> Filter | None:
    """Choose answers; of the given ontology those to the other task, and none of what is paired."""
    chosen = number.named("dataset", "task", "model")
    if number.column == "score_given":
        return {**chosen, "task": number.row["given"], "metric": EQUIVALENCE}
    if number.column in ("items", "right"):
        return {**chosen, "metric": RIGHT}
    return {**chosen, "metric": number.column} if number.column in SHARES else None


_RIGHT = (
    "Right: by a map that keeps to names and glosses. A symbol named or glossed like one concept stands for no other, "
    "and has its arguments in order if it is named so. Any map: without that."
)
_SENTENCES = (
    "Sentences: share that one map makes equivalent; alone: that a map of their own does. They differ where a story "
    "has one ontology."
)
_BOUNDS = (
    "At least, at most: bounds of the share of right sentences. At least: of those that definitions of concepts prove, "
    "each told by words of names and glosses; “Drinks(x)” is “Drink(x, coffee)”. An invented name tells nothing, also "
    "if it is the only one left. At most: with those that other definitions prove, or the one map."
)
_CONCEPTS = (
    "Recall and precision: of gold concepts, and of declared symbols, the share aligned one to one. Of the other "
    "concepts: refined, a conjunction of two symbols; merged, with a symbol of another; by name, not aligned, but "
    "there is a symbol of that name."
)
_PAIRS = (
    "Items, both: items, or stories of which all sentences were asked both ways, that make pairs. Of these the shares "
    "of right sentences are compared."
)

TABLE = TableForm(
    "ontologies",
    "Own ontologies",
    "Translations over symbols that the model names itself: right if one anchored map makes them equivalent to "
    "gold, by proof; and the same model's translations over the given ontology less these, with the interval at "
    "95 % (clusters: stories).",
    (
        *columns.texts("dataset", "task", "scope", "model"),
        columns.sample(),
        columns.interval("right"),
        columns.share(BY_ANY_MAP, "Any map"),
        columns.share(SENTENCES),
        columns.share(SENTENCES_ALONE, "Alone"),
        columns.share(SENTENCES_LEAST, "At least"),
        columns.share(SENTENCES_MOST, "At most"),
        *map(columns.share, ("recall", "precision", "refined", "merged", "by_name")),
        columns.text("given"),
        columns.count("common", "Items, both"),
        columns.share("score_given", "Given score"),
        columns.share("score_own", "Own score"),
        *columns.contrast(header="Given less own"),
        *columns.pairing("given", "own"),
    ),
    (
        _RIGHT,
        _SENTENCES,
        _BOUNDS,
        _CONCEPTS,
        _PAIRS,
        columns.PAIRING,
        COMPARISONS["ontologies"].note,
        f"{columns.TEST} Adjusted: by Holm over all rows of this table.",
        columns.DETECTABLE,
    ),
    ("ontologies",),
    opens=_opens,
)

ANALYSIS = Analysis(rows=(Rows(ONTOLOGIES, _ontologies),), tables=(TABLE,))
