"""Comparisons of models on the questions that both were asked, and of each with and without thinking.

Each task has one primary metric, its first; of a round trip that is of the first round. The p-values of all pairs of
models in it are one family for each dataset and task and are adjusted together (``contrasts.adjust``). Other metrics
say nearly the same again: their rows are exploratory and not adjusted. Where presentations are the classes of one
question, as of verification, the mean of an item's classes counts, whose mean is the balanced accuracy; who says yes
more often is better in one class and worse in the other, so that rows of a class are exploratory as well.

Two entries differ in thinking where one thinks, the other does not, and their models are the same otherwise: weights
with their revision and adapter, precision, chat template, and whether answers are held to the schema; behind an
interface its address, the model's name and the form of answers. Names decide nothing. Sampling and limits may differ,
since providers advise others for thinking; answers under one seed are compared. An interface's entry thinks where it
states a ``reasoning_effort`` other than ``none``, and does not where it states ``none``; one that states nothing is
neither. (The paper's table 6.)

Models are ranked (``statistics.ranks``) in the primary metric of each question: of those with an interval no wider than
``WIDEST`` the most that were shown the same items, whatever their kind. Each item counts as the mean over a model's
seeds.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations, product
from typing import cast

import numpy as np
import polars as pl

from nlfol.facts import AnswerForm
from nlfol.results.analyses.analysis import Analysis, Rows, grouped
from nlfol.results.statistics.agreement import NO_AGREEMENT, SHARES, Agreement
from nlfol.results.statistics.contrasts import adjust, contrast, is_main
from nlfol.results.statistics.flips import LEAST_FLIPPED
from nlfol.results.statistics.pairing import COMPARISONS, Pairs, pairs, wholes
from nlfol.results.statistics.ranks import WIDEST, ranks
from nlfol.results.statistics.second_looks import NOTHING_PLANNED, Planned, planned_notes
from nlfol.results.statistics.summary import AS_TEXTS, Origin, Series, clustered
from nlfol.results.tables import columns
from nlfol.results.tables.opening import Filter, Number, opens, plain
from nlfol.results.tables.table import TableForm
from nlfol.store.columns import Pairing, TaskColumns, Tested, row_schema


class _Difference(TaskColumns):
    metric: str
    presentation: str
    table: str  # that shows their scores: logical_translation, dialogue, embedding
    first: str
    second: str
    # Adjusted is null for an exploratory metric, too.
    items: int
    available: int
    stories: int
    difference: float | None


class DifferenceRow(_Difference, Tested, Pairing, Agreement):
    """One row a question (dataset, task, metric, presentation) and pair of models of one kind."""


DIFFERENCES = row_schema("differences", 5, DifferenceRow)


class _Thinking(TaskColumns):
    # The names of two entries, of which the first thinks; adjusted in ``DIFFERENCES``, where the pair is, too.
    metric: str
    presentation: str
    thinking: str
    plain: str
    reasoning: int | None  # tokens of the reasoning in an answer, of both; 0: they answer at once
    items: int
    available: int
    stories: int
    score: float | None
    score_plain: float | None
    difference: float | None
    # The difference with all unread answers right, and an end of its interval: those of the plain entry, of the other.
    at_least: float | None
    at_least_low: float | None
    at_most: float | None
    at_most_high: float | None


class ThinkingRow(_Thinking, Tested, Pairing):
    """One row a question (dataset, task, metric, presentation) and pair of entries that differ in thinking."""


THINKING = row_schema("thinking", 6, ThinkingRow)


class RankRow(TaskColumns):
    """One row a question and model that is ranked in it: the ranks between which it lies, of so many models."""

    metric: str
    presentation: str
    model: str
    models: int
    items: int
    stories: int
    first: int
    last: int
    possibly_best: bool


RANKS = row_schema("ranks", 1, RankRow)

_QUESTION = ("dataset", "task", "metric", "presentation")


def comparisons(series: Iterable[Series], planned: Planned = NOTHING_PLANNED) -> list[DifferenceRow]:
    """Return the rows of ``DIFFERENCES``, questions and models in the order of their first series."""
    listed = list(series)
    rows = [_compared(*both, made := pairs(*both, COMPARISONS["models"]), made.agreement) for both in _both(listed)]
    rows += [_compared(*both, pairs(*both, COMPARISONS["models"]), NO_AGREEMENT) for both in _both(wholes(listed))]
    by_question = ("presentation",) if planned.models else ()
    adjust(rows, "dataset", "task", *by_question, counts=is_main, planned=planned)
    return rows


def _both(series: Iterable[Series]) -> Iterator[tuple[Series, Series]]:
    """Yield all pairs of models of one kind in each question."""
    return chain.from_iterable(combinations(models, 2) for models in grouped(series, *_QUESTION, "kind"))


def _compared(first: Series, second: Series, made: Pairs, agreement: Agreement) -> DifferenceRow:
    contrasted = contrast(made, first.source.available)
    return {
        **first.about,
        "table": _table_of(first.source),
        "first": first.source.model,
        "second": second.source.model,
        "difference": contrasted.difference,
        **contrasted.columns,
        **agreement,
    }


def _table_of(source: Origin) -> str:
    """Return the table in which scores are shown."""
    if source.asked.form is AnswerForm.FORMULA:
        return "logical_translation"
    if source.asked.has_candidates:
        return "embedding" if source.kind == "embedding" else "dialogue"
    return "scores"


def thinking(series: Iterable[Series], compared: Iterable[DifferenceRow]) -> list[ThinkingRow]:
    """Return the rows of ``THINKING``: each entry that thinks with each that does not, question by question.

    These pairs are among the rows of ``comparisons``, so a pair has one p-value and is adjusted once, there.
    """
    known = {
        (row["dataset"], row["task"], row["metric"], row["presentation"], frozenset((row["first"], row["second"]))): row
        for row in compared
    }
    entries: dict[tuple[str | None, ...], dict[bool, list[Series]]] = {}
    listed = list(series)
    for one in (*listed, *wholes(listed)):
        source = one.source
        if source.thinking is not None and source.apart_from_thinking is not None:
            both = entries.setdefault((*one.question, source.apart_from_thinking), {True: [], False: []})
            both[source.thinking].append(one)
    rows: list[ThinkingRow] = []
    for both in entries.values():
        for first, second in product(both[True], both[False]):
            made, available = pairs(first, second, COMPARISONS["thinking"]), first.source.available
            arms = made, made.if_read("_second"), made.if_read("")
            figures, least, most = (contrast(answers, available) for answers in arms)
            among = known[*first.question, frozenset((first.source.model, second.source.model))]
            row: ThinkingRow = {
                **first.about,
                "thinking": first.source.model,
                "plain": second.source.model,
                "reasoning": first.source.reasoning,
                "score": figures.first,
                "score_plain": figures.second,
                "difference": figures.difference,
                "at_least": least.difference,
                "at_least_low": least.columns["low"],
                "at_most": most.difference,
                "at_most_high": most.columns["high"],
                **figures.columns,
            }
            row["adjusted"] = among["adjusted"]
            if row["detectable"] is not None:
                row["detectable"] = among["detectable"]
            rows.append(row)
    return rows


def ranked(series: Iterable[Series], planned: Planned = NOTHING_PLANNED) -> Iterator[RankRow]:
    """Yield the rows of ``RANKS``, questions in the order of their first series."""
    listed = list(series)
    for models in grouped((*listed, *wholes(listed)), *_QUESTION):
        if is_main(models[0].about):
            yield from _ranked(models, planned)


def _ranked(models: Sequence[Series], planned: Planned) -> Iterator[RankRow]:
    kinds = {one.source.kind for one in models}
    equal = COMPARISONS["kinds" if len(kinds) > 1 else "models"].equal
    shown = tuple(name for name in equal if name not in ("seed", "order"))
    means = pl.col("story").first(), pl.col("score").mean(), pl.col("key").unique().sum()
    asked = pl.concat(
        one.keyed(shown).group_by("item").agg(*means).with_columns(model=pl.lit(one.source.model)) for one in models
    ).with_columns(AS_TEXTS)
    asked = asked.filter(pl.col("key") == pl.col("key").mode().min().over("item"))
    of_items: dict[tuple[str, ...], list[pl.DataFrame]] = {}
    for own in asked.sort("item", maintain_order=True).partition_by("model", maintain_order=True):
        known = clustered(own)
        if known.low is not None and known.high is not None and known.high - known.low <= WIDEST:
            of_items.setdefault(tuple(own["item"]), []).append(own)
    if not of_items:
        return
    same = max(of_items.values(), key=lambda frames: (len(frames), frames[0].height))
    stories = same[0]["story"].to_list()
    scores = np.stack([own["score"].to_numpy() for own in same], axis=1)
    about = {**models[0].about, "models": len(same), "items": len(stories), "stories": len(set(stories))}
    within = ranks(scores, stories, planned, models[0].source.available)
    for own, rank in zip(same, within, strict=True):
        ends = {"first": rank.first, "last": rank.last, "possibly_best": rank.is_possibly_best}
        yield cast("RankRow", {**about, "model": own["model"][0], **ends})


def _of_thinking(number: Number) -> Filter:
    of_one = {"score": ("thinking",), "score_plain": ("plain",)}
    models = number.named(*of_one.get(number.column, ("thinking", "plain")))
    both = {"common": "model"} if len(models) > 1 else {}
    return opens(number, model=list(models.values()), **both)


def opens_shares(number: Number) -> Filter | None:
    """Choose the pairs of answers that a share is of."""
    chosen = plain(number)
    return None if chosen is None else {**chosen, **({"pair": number.column} if number.column in SHARES[:4] else {})}


_INTERVAL = (
    f"Interval and p: by flips of stories. Of stories that count as fewer than {LEAST_FLIPPED} it is Newcombe's, "
    "of the intervals of both means and the correlation of their stories."
)
_DETECTABLE = (
    "Detectable: the smallest true difference that is told from 0 with probability 0.8, at the level of 0.05 by the "
    "comparisons that are adjusted together; above 1, none."
)
_FAMILY = (
    f"{columns.TEST} Adjusted: by Holm over all comparisons in a task's first metric on a dataset; – other metrics, "
    "and the classes of verification, are exploratory and not adjusted. Verification without presentation: both "
    "classes of each item, so the balanced accuracy."
)


_ONE_MODEL = (
    "One model: the same weights in the same precision, or the same name at the same address. "
    f"{COMPARISONS['thinking'].note}"
)
_REASONING = (
    "Reasoning: tokens that both have for reasoning in their answers, beside thoughts; with 0, who does not think "
    "answers at once."
)
_BOUNDS = (
    "At least, at most: the difference if all unread answers of the entry that does not think, or of the other, were "
    "right. Limits of tokens may differ, and who is cut off has not shown what it can."
)
_BOLD = "Bold: adjusted p below 0.05."

ANALYSIS = Analysis(
    rows=(
        Rows(DIFFERENCES, lambda given: comparisons(given.series(), given.planned)),
        Rows(THINKING, lambda given: thinking(given.series(), given.made["differences"])),
        Rows(RANKS, lambda given: ranked(given.series(), given.planned)),
    ),
    tables=(
        TableForm(
            "differences",
            "Differences between models",
            "Mean of the first model less that of the second on their common items, with the interval at 95 % "
            "(clusters: stories).",
            (
                *columns.texts(*_QUESTION, "first", "second"),
                columns.sample(),
                columns.count("stories"),
                *columns.contrast(),
                *columns.pairing(),
            ),
            (
                _INTERVAL,
                columns.PAIRING,
                COMPARISONS["models"].note,
                _FAMILY,
                planned_notes,
                _BOLD,
                _DETECTABLE,
                columns.SAMPLE,
            ),
            ("differences", "planned"),
            lambda rows, *_: rows.to_dicts(),
            nothing="No two models of one kind answered the same items: nothing to compare.",
        ),
        TableForm(
            "thinking",
            "With and without thinking",
            "Entries of one model that differ in thinking: mean scores on their common items, and their difference "
            "with the interval at 95 % (clusters: stories).",
            (
                *columns.texts(*_QUESTION, "thinking"),
                columns.text("plain", "Not thinking"),
                columns.count("reasoning"),
                columns.sample(),
                columns.share("score", "With"),
                columns.share("score_plain", "Without"),
                *columns.contrast(header="With less without"),
                columns.share("at_least"),
                columns.share("at_most"),
                *columns.pairing("with", "without"),
            ),
            (
                _ONE_MODEL,
                _REASONING,
                _BOUNDS,
                columns.PAIRING,
                _INTERVAL,
                f"{columns.TEST} Adjusted and detectable: as in the table of differences, where each pair stands, too.",
                _BOLD,
                _DETECTABLE,
                columns.SAMPLE,
            ),
            ("thinking",),
            opens=_of_thinking,
            nothing="No model has one entry that thinks and one that does not: nothing to compare.",
        ),
        TableForm(
            "agreement",
            "Agreement of models",
            "How often both, one or neither of two models is right.",
            (*columns.texts(*_QUESTION, "first", "second"), columns.sample(), *columns.AGREEMENT),
            (columns.AGREEMENT_NOTE, columns.SAMPLE),
            ("differences",),
            lambda rows: rows.filter(pl.col("both").is_not_null()).to_dicts(),
            opens=opens_shares,
            nothing="No two models of one kind answered the same items: nothing to compare.",
        ),
    ),
)
