"""Gains by reading: scores of models less their scores on the same items where what the answer depends on is withheld.

Presentations that are parts of one question, as the two classes of verification are, count together: who answers yes
more often where both formulas are shown gains in one of them what is lost in the other. Of a task with several
presentations the mean of all is tested, so that no model counts more than once.

An unread answer without the sentence has the score of the model's guesser (``summary.guesser``), so that who guesses
with the sentence and says nothing without it gains nothing. With the sentence, an unread answer is wrong as elsewhere.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from statistics import fmean
from typing import TypedDict, cast

import polars as pl

from nlfol.facts import ALL, BLIND, UNREASONED, is_blind, sighted
from nlfol.mappings import AnyRow
from nlfol.results.analyses.analysis import Analysis, Given, Rows
from nlfol.results.statistics.contrasts import adjust, paired
from nlfol.results.statistics.differences import difference, holm
from nlfol.results.statistics.packed import Packed
from nlfol.results.statistics.pairing import COMPARISONS, together
from nlfol.results.statistics.second_looks import NOTHING_PLANNED, Planned, planned_notes
from nlfol.results.statistics.summary import COMPARED, OF_SERIES, Guessed, Series, guessed, guesser, series_in, stream
from nlfol.results.tables import columns
from nlfol.results.tables.opening import Filter, Number
from nlfol.results.tables.table import TableForm
from nlfol.store.columns import Pairing, TaskColumns, Tested, row_schema


class _Reading(TaskColumns):
    metric: str
    presentation: str
    model: str
    kind: str
    chance: float | None  # mean over the items
    # adjusted: null for an exploratory metric, too
    items: int
    available: int
    stories: int
    score: float | None
    score_blind: float | None
    difference: float | None
    order: float | None  # of the reference ``order``, which sees the sentence and does no logic
    above_order: float | None  # score less that, over the items of both, with its interval at 95 %
    above_order_low: float | None
    above_order_high: float | None
    above_order_p: float | None  # of equal means
    above_order_adjusted: float | None  # over the same rows as the gain by reading
    unlearnt: float | None  # score over the items that the reference ``learner`` has wrong
    unlearnt_items: int | None


class ReadingRow(_Reading, Tested, Pairing):
    """One row a question (dataset, task, metric, presentation) and model, those first that are most above ``order``.

    Without that reference, those that gain the most by reading.
    """


READING = row_schema("reading", 4, ReadingRow)


def reading(series: Iterable[Series], planned: Planned = NOTHING_PLANNED) -> list[ReadingRow]:
    """Return the rows of ``READING``; the p-values of a task's leading metric on a dataset are adjusted together.

    A family has a place for each model of a board.
    """
    every = list(series)
    chances = guessed(every)
    known = {(*one.question, one.source.model): one for one in _questions(_guessing(one, chances) for one in every)}
    chances = guessed(known.values())
    marks = {(*one.question, one.source.kind): one for one in known.values() if one.source.kind in UNREASONED}
    questions: dict[tuple[str, ...], list[ReadingRow]] = {}
    families: dict[tuple[str, str], list[ReadingRow]] = {}
    for (dataset, task, metric, presentation, model), one in known.items():
        blind = known.get((dataset, task, metric, f"{BLIND}{presentation}", model))
        if blind is None or one.source.kind not in COMPARED:
            continue
        chance = guesser(one, chances)
        # Over the items of the series; null if nobody computed it.
        guesses = None if chance is None else chance.items.join(one.items, on="item", how="semi")["score"].mean()
        gained = paired(one, blind, "reading")
        row: ReadingRow = {
            **one.about,
            "model": model,
            "kind": one.source.kind,
            "chance": cast("float | None", guesses),
            "score": gained.first,
            "score_blind": gained.second,
            "difference": gained.difference,
            **_above(one, marks.get((*one.question, "order"))),
            **_unlearnt(one, marks.get((*one.question, "learner"))),
            **gained.columns,
        }
        questions.setdefault(one.question, []).append(row)
        if one.metric == one.source.asked.metrics[0]:
            families.setdefault((dataset, task), []).append(row)
    for family in families.values():
        tested = [row for row in family if row["presentation"] == ALL] or family
        size = (planned.models or 0) * len({row["presentation"] for row in tested})
        adjust(tested, planned=planned, size=size)
        above = [row for row in tested if row["above_order_p"] is not None]
        values = [
            planned.adjusted(cast("float", row["above_order_p"]), row["items"], row["available"]) for row in above
        ]
        for row, adjusted in zip(above, holm(values, size), strict=True):
            row["above_order_adjusted"] = adjusted
    return [row for rows in questions.values() for row in sorted(rows, key=_gain)]


def _gain(row: ReadingRow) -> tuple[bool, float]:
    gain = row["difference"] if row["above_order"] is None else row["above_order"]
    return gain is None, -(gain or 0)


class _Above(TypedDict):
    order: float | None
    above_order: float | None
    above_order_low: float | None
    above_order_high: float | None
    above_order_p: float | None
    above_order_adjusted: float | None


class _Unlearnt(TypedDict):
    unlearnt: float | None
    unlearnt_items: int | None


def _above(one: Series, order: Series | None) -> _Above:
    common = None if order is None else _beside(one, order)
    if common is None or common.is_empty():
        return cast("_Above", dict.fromkeys(_Above.__annotations__))
    scores, marks = (common[name].to_list() for name in ("score", "mark"))
    above = difference(scores, marks, common["story"].to_list())
    return {
        "order": fmean(marks),
        "above_order": above.mean,
        "above_order_low": above.low,
        "above_order_high": above.high,
        "above_order_p": above.p,
        "above_order_adjusted": None,
    }


def _unlearnt(one: Series, learner: Series | None) -> _Unlearnt:
    if learner is None:
        return {"unlearnt": None, "unlearnt_items": None}
    missed = _beside(one, learner).filter(pl.col("mark") < 1)["score"]
    return {"unlearnt": cast("float | None", missed.mean()), "unlearnt_items": len(missed)}


def _beside(one: Series, mark: Series) -> pl.DataFrame:
    """Return the items of a series that a reference has answered, with its score as ``mark``."""
    return one.items.join(mark.items.select("item", mark="score"), on="item", maintain_order="left")


def _guessing(one: Series, chances: Guessed) -> Series:
    """Return a series in which unread answers without the sentence are guesses."""
    expected = guesser(one, chances, sighted(one.presentation)) if is_blind(one.presentation) else None
    if expected is None or not one.packed.frame("unread")["unread"].any():
        return one
    guesses = expected.items.select("item", pl.col("score").alias("guess"))
    # Guessers may have been asked fewer items.
    guess = pl.coalesce("guess", pl.lit(guesses["guess"].mean()), "score")
    score = pl.when("unread").then(guess).otherwise("score").alias("score")
    answers = Packed()
    for part in one.packed.frames():
        joined = part.join(guesses, on="item", how="left", maintain_order="left").with_columns(score)
        answers.add(joined.drop("guess"))
    return replace(one, answers=answers)


def _questions(series: Iterable[Series]) -> Iterator[Series]:
    """Yield series, and the presentations of a model in a task together; parts of one question only so."""
    parts: dict[tuple[str, ...], list[Series]] = {}
    for one in series:
        if not one.source.asked.weakest_counts:
            yield one
        key = (*one.question[:3], one.source.model, BLIND if is_blind(one.presentation) else "")
        parts.setdefault(key, []).append(one)
    for (*_, control), of_question in parts.items():
        if of_question[0].source.asked.weakest_counts:
            yield together(of_question, control)
        elif len(of_question) > 1:
            yield together(of_question, f"{control}{ALL}")


_UNOPENED = ("chance", "order", "above_order", "above_order_adjusted", "unlearnt", "unlearnt_items")


def _opens(number: Number) -> Filter | None:
    chosen = number.named("dataset", "task", "metric", "presentation", "model")
    if number.row["presentation"] == ALL or number.column in _UNOPENED:
        return None
    if number.column == "score_blind":
        return {**chosen, "presentation": f"{BLIND}{number.row['presentation']}"}
    return chosen


_BLIND = (
    "Blind: asked to guess, without the sentence; an embedding model compares candidates with their mean. Of "
    "verification the second formula is withheld, and both classes count together."
)
_SILENT = (
    "Blind, an unread answer counts as a guess, as chance has it on the item, so that nobody gains by silence. "
    "Chance: a random answer; of dialogue models the reasoner, where the experiment has it."
)
_ORDER = (
    "Order: the reference that compares the order of words and signs with that of the sentence, and does no logic; a "
    "score above it takes understanding. Unlearnt: score on the items that the reference learner has wrong."
)
_FAMILY = (
    "Adjusted: by Holm over all models in a task's leading metric on a dataset, of all presentations together where it "
    "has several; – other rows are exploratory and not adjusted."
)

_ASKED = ("dataset", "task", "presentation")

MOST_SILENT = 0.1
"""Share of blind answers above which tables and findings say how many are unread."""


def silence(row: AnyRow) -> str:
    """Return how many blind answers are unread, if that is more than ``MOST_SILENT``."""
    if row["unread_second"] <= MOST_SILENT * row["pairs"]:
        return ""
    return f"{row['unread_second']:,} of {row['pairs']:,} answers without the sentence are unread, and count as guesses"


def _remarks(shown: Sequence[AnyRow], *_: object) -> list[str]:
    silent = ((row, reason) for row in shown if (reason := silence(row)))
    lines = (
        f"{row['model']}, {' '.join(row[name] for name in _ASKED if row[name])}: {reason}." for row, reason in silent
    )
    order = [_ORDER] if any(row["order"] is not None for row in shown) else []
    return [*order, *dict.fromkeys(lines)]


def _of_controls(given: Given) -> list[ReadingRow]:
    loaded = (stream(path, controls=True, columns=OF_SERIES) for path in given.files["scores"])
    return reading((one for scores in loaded for one in series_in(*scores)), given.planned)


ANALYSIS = Analysis(
    rows=(Rows(READING, _of_controls),),
    tables=(
        TableForm(
            "reading",
            "What reading adds",
            "Mean score less the mean of the same model on the same items with the sentence withheld, with the "
            "interval at 95 % (clusters: stories). Models stand in the order of what they have above the reference "
            "order, or else of what they gain.",
            (
                *columns.texts("dataset", "task", "protocol", "metric", "presentation", "model"),
                columns.sample(),
                columns.share("chance"),
                columns.share("score", "Reading"),
                columns.share("order"),
                columns.interval("above_order", "Reading less order"),
                columns.p("above_order_adjusted", "Adjusted p"),
                columns.share("unlearnt"),
                columns.count("unlearnt_items"),
                columns.share("score_blind", "Blind"),
                *columns.contrast(header="Reading less blind"),
                *columns.pairing("reading", "blind"),
            ),
            (
                _BLIND,
                _SILENT,
                _remarks,
                columns.PAIRING,
                COMPARISONS["reading"].note,
                columns.TEST,
                _FAMILY,
                planned_notes,
                columns.DETECTABLE,
                columns.SAMPLE,
            ),
            ("reading", "planned"),
            lambda rows, *_: rows.to_dicts(),
            opens=_opens,
        ),
    ),
)
