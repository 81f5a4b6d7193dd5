"""Scores of tasks with candidate sets, of dialogue and embedding models, with the tasks of a row beside one another."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter

import polars as pl

from nlfol.facts import CHOICES, GUESSERS, UNREASONED
from nlfol.results.analyses.analysis import Analysis
from nlfol.results.analyses.scores import DENOMINATOR, INTERVAL, SPREAD
from nlfol.results.statistics.summary import COMPARED, OPENED, OUTCOMES, guessers_of
from nlfol.results.tables import columns
from nlfol.results.tables.opening import Filter, Number, counted
from nlfol.results.tables.table import Cell, Column, Kind, Row, Score, TableForm

LOST = OUTCOMES[1:]
"""The outcomes other than an answer."""

_MARKS = (*UNREASONED, *GUESSERS)
"""The kinds of models that stand below those of a table, of guessers those that these have to exceed."""
_CHANCE = (
    "Chance is the exact expected score of an answerer that draws uniformly among all answers of the required form, on "
    "the items that models were asked. The table of scores above chance adjusts for it."
)
_REASONER = (
    "The reasoner is the exact expected score of an answerer that proves all that follows from the candidates, draws "
    "among what is left, and does not know the sentence: what a dialogue model scores above it takes reading."
)
_READER = (
    "A model of kind reader is no language model: it parses the English of the candidates, and is handed the gold "
    "formula as the meaning of the sentence. It is the ceiling: the share of items that the texts of their candidates "
    "settle, with one answer."
)
_SURFACE = (
    "Models of kind surface and medoid do not see the sentence. The medoid takes the candidate nearest to all others, "
    "in edits of tokens; surface has learnt from other stories to choose by that, length, brackets and lists. What "
    "they score above chance takes no reading."
)
_WORDS = (
    "Models of kind words, order and learner see the sentence, parse nothing and do no logic. Words sums five counts "
    "of words and signs, order fourteen scores that the order of words decides; the learner has learnt from other "
    "stories what of these, of cue words and of operators tells. What a model scores above order takes understanding."
)
_LOST_SHORT = " / ".join(outcome[0] for outcome in LOST)
_LOST_NOTE = (
    f"{_LOST_SHORT}: answers (items × seeds) that were unparsable, truncated, empty, blank, refused, failed, or met an "
    "internal error when they were judged."
)
_OPENED_NOTE = "Opened: answers that were read out of another envelope than the agreed one."
_TIED = (
    "Tied, for most similar / ranking: both / equivalence / negation: items in which a candidate that is to stand "
    "first or last is as similar as one that is not; where that decides, the score is the expected one of breaking "
    "ties uniformly."
)
_BEST = (
    "Bold: significantly better than every other model that was asked the same (see the table of differences); the "
    "reader, surface, medoid, written answers and guessers are not compared."
)
_SAMPLE = (
    "“k of n”: k of the n items that the dataset has were asked; the others were refused (table refused_rows), or the "
    "experiment asks a sample. Such a row describes these k items, and its deviation is the spread over seeds on them."
)
_SEEDS = "Seeds “a / b”: a for most similar, b for ranking."
_NONE = "A row with no items: the dataset offers none for the task, or none was asked."


def blocks(
    cells: pl.DataFrame, task_kinds: Iterable[str], kinds: Sequence[str], best: columns.Best = frozenset()
) -> Iterator[Row]:
    """Yield a row a dataset, variant, model and presentation: its first cell, and all by kind and metric in ``cells``.

    Datasets and variants stand as they first appear, models likewise within their kind, surface and guessers last in
    each variant. A dataset that no model of the kinds was asked about has no row, not even those of guessers.
    """
    guessers = {guesser for kind in kinds for guesser in guessers_of(kind)}
    order = [*kinds, *(mark for mark in _MARKS if mark in guessers or mark not in GUESSERS)]
    chosen = pl.col("task_kind").is_in(list(task_kinds)) & pl.col("kind").is_in(order)
    rows = columns.marked(cells.filter(chosen), best)
    asked = {row["dataset"] for row in rows if row["kind"] in kinds}
    rank = {name: number for number, name in enumerate(dict.fromkeys(row["dataset"] for row in rows))}
    seat = {name: number for number, name in enumerate(dict.fromkeys(row["model"] for row in rows))}
    variant = _variants(rows)

    def key(row: Row) -> tuple[int, int, int, int]:
        return rank[row["dataset"]], variant[row["task"]], order.index(row["kind"]), seat[row["model"]]

    for _, group in groupby(sorted((row for row in rows if row["dataset"] in asked), key=key), key=key):
        of_model = list(group)
        # A task without items has no presentation of its own and joins each.
        for shown in dict.fromkeys(cell["presentation"] for cell in of_model if cell["items"]) or ("",):
            of_block = [cell for cell in of_model if not cell["items"] or cell["presentation"] == shown]
            by_column = {(cell["task_kind"], cell["metric"]): cell for cell in of_block}
            yield {**next(iter(by_column.values())), "presentation": shown, "cells": by_column}


def _variants(rows: Iterable[Row]) -> dict[str, int]:
    """Number entries so that they share a row: the first of each kind under a protocol, the second, and so on."""
    numbers: dict[tuple[str | None, int], int] = {}
    counts: Counter[tuple[str, str | None]] = Counter()
    variants: dict[str, int] = {}
    for row in rows:
        if row["task"] not in variants:
            kind = row["task_kind"], row["protocol"]
            variants[row["task"]] = numbers.setdefault((row["protocol"], counts[kind]), len(numbers))
            counts[kind] += 1
    return variants


def _of(block: Row, task: str) -> Row | None:
    """Return any cell of the kind of task: they agree on items, seeds and outcomes."""
    return next((cell for (kind, _), cell in block["cells"].items() if kind == task), None)


def scored(block: Row, task: str, metric: str) -> Score | None:
    """Return the score of a metric."""
    cell = block["cells"].get((task, metric))
    return None if cell is None else columns.score_of(cell)


def _seeds(block: Row) -> str | None:
    counts = [cell["seeds"] for task in CHOICES if (cell := _of(block, task)) and cell["items"]]
    if block["kind"] in GUESSERS or not counts:
        return None
    return str(counts[0]) if len(set(counts)) == 1 else " / ".join(map(str, counts))


def remarks(shown: Sequence[Row], *_: object) -> list[str]:
    """Return the notes that apply to some of the blocks."""
    cells = [cell for block in shown for cell in block["cells"].values()]
    kinds = {block["kind"] for block in shown}
    notes = {
        _CHANCE: any(block["kind"] == "chance" and any(_of(block, task) for task in CHOICES) for block in shown),
        _REASONER: "reasoner" in kinds,
        _READER: "reader" in kinds,
        _SURFACE: not kinds.isdisjoint(("surface", "medoid")),
        _WORDS: not kinds.isdisjoint(("words", "order", "learner")),
        _SAMPLE: any(0 < cell["items"] < cell["available"] for cell in cells),
        _SEEDS: any("/" in (_seeds(block) or "") for block in shown),
        _NONE: any(not cell["items"] for cell in cells),
        _BEST: len({cell["model"] for cell in cells if cell["kind"] in COMPARED}) > 1,
    }
    return [note for note, applies in notes.items() if applies]


def _columns(task: str, metrics: Sequence[str]) -> Iterator[Column]:
    """Yield the columns of a kind of task."""
    title = task.replace("_", " ").capitalize()

    def of(block: Row, cell: Callable[[Row], Cell]) -> Cell:
        of_task = _of(block, task)
        return None if of_task is None else cell(of_task)

    def lost(block: Row) -> Cell:
        return None if block["kind"] in GUESSERS else of(block, lambda cell: tuple(cell[name] for name in LOST))

    yield columns.column(f"{task}_task", f"{title}: task", Kind.TEXT, lambda block: of(block, itemgetter("task")))
    yield columns.column(f"{task}_items", f"{title}: items", Kind.SAMPLE, lambda block: of(block, columns.sample_of))
    for metric in metrics:
        of_metric = partial(scored, task=task, metric=metric)
        yield columns.column(f"{task}_{metric}", f"{title}: {metric}", Kind.SCORE, of_metric)
    yield columns.tally(task, f"{title}: {_LOST_SHORT}", LOST, lost)


def _opened(task: str) -> Column:
    """Return the column of the answers that were read out of another envelope."""

    def count(block: Row) -> Cell:
        of_task = None if block["kind"] in GUESSERS else _of(block, task)
        return None if of_task is None else int(of_task[OPENED])

    return columns.column(f"{task}_{OPENED}", f"{task.replace('_', ' ').capitalize()}: opened", Kind.COUNT, count)


_COMMON = tuple(column for task, metrics in CHOICES.items() for column in _columns(task, metrics))
_METRICS = [(task, metric) for task, names in CHOICES.items() for metric in names]

_PAPER = (
    *("dataset", "protocol", "model", "presentation", "most_similar_items"),
    *(f"{task}_{metric}" for task, metric in _METRICS),
)


def _tied(block: Row) -> Cell:
    return None if block["kind"] in _MARKS else tuple(block["cells"].get(key, {}).get("tied") for key in _METRICS)


def _opens(number: Number) -> Filter | None:
    """Choose the answers to a task: a column is ``TASK_KIND``, ``TASK_KIND_METRIC`` or ``tied`` with such parts."""
    named = number.part if number.column == "tied" else number.column
    kind = next((kind for kind in CHOICES if named.startswith(kind)), None)
    task = None if kind is None else number.row[f"{kind}_task"]
    if kind is None or task is None:
        return None
    metric = named.removeprefix(kind).removeprefix("_")
    chosen = number.named("dataset", "model", "presentation")
    chosen |= {"task": task, "metric": metric if metric in CHOICES[kind] else CHOICES[kind][0]}
    if metric == OPENED:
        return chosen | counted(OPENED)
    return chosen | ({"tied": "yes"} if number.column == "tied" else counted(number.part))


DIALOGUE = TableForm(
    "dialogue",
    "Dialogue models: most similar and ranking",
    "Share of items solved, by how the candidates are shown.",
    (
        *columns.texts("dataset", "protocol", "model", "presentation"),
        columns.column("seeds", None, Kind.TEXT, _seeds),
        *_COMMON,
        *map(_opened, CHOICES),
    ),
    (SPREAD, DENOMINATOR, _LOST_NOTE, _OPENED_NOTE, remarks),
    ("cells", "best"),
    lambda cells, best=frozenset(): blocks(cells, CHOICES, ("chat", "written", "reader"), best),
    _opens,
    paper=_PAPER,
)

EMBEDDING = TableForm(
    "embedding",
    "Embedding models: most similar and ranking",
    "Share of items solved by the similarity of vectors, by what the candidates are embedded as.",
    (
        *columns.texts("dataset", "protocol", "model", "presentation"),
        *_COMMON,
        columns.tally("tied", "Tied", tuple(f"{task}_{metric}" for task, metric in _METRICS), _tied),
    ),
    (f"Mean and {INTERVAL}", DENOMINATOR, _LOST_NOTE, _TIED, remarks),
    ("cells", "best"),
    lambda cells, best=frozenset(): blocks(cells, CHOICES, ("embedding",), best),
    _opens,
    paper=_PAPER,
)

ANALYSIS = Analysis(tables=(DIALOGUE, EMBEDDING))
