"""Tables of what the models scored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import polars as pl

from nlfol.statistics.summary import COMPARED, LIBERTIES, OUTCOMES, VERDICTS
from nlfol.tables.table import Cell, Column, Kind, Sample, Score, Table
from nlfol.tasks.registry import TASKS
from nlfol.tasks.task import AnswerForm

LOST = OUTCOMES[1:]
"""The outcomes other than an answer."""

CHOICES = {kind: task.metrics for kind, task in TASKS.items() if task.has_candidates()}
"""The tasks that show candidates, with their metrics, in the order of the columns."""

TRANSLATION = next(kind for kind, task in TASKS.items() if task.form is AnswerForm.FORMULA)
"""The task of the table ``logical_translation``."""

EQUIVALENCE = TASKS[TRANSLATION].metrics[0]
"""Its metric."""

_CHANCE = (
    "Chance is the exact expected score of an answerer that draws uniformly among all answers of the required form, on "
    "the items that models were asked. The table of scores above chance adjusts for it."
)
_NO_CHANCE = "Chance is below 10 to the power of -80, shown as 0: a text drawn uniformly is no formula."
_READER = (
    "A model of kind reader is no language model: it parses the English of the candidates, and is handed the gold "
    "formula as the meaning of the sentence. It is the ceiling: the share of items that the texts of their candidates "
    "settle, with one answer."
)
_SURFACE = (
    "A model of kind surface sees no words: a decision tree, learnt from the other stories, chooses by the length, "
    "brackets and lists of the candidates. What it scores above chance takes no understanding."
)
_MARKS = ("surface", "chance")
"""The kinds of models that stand below those of a table."""
_DENOMINATOR = (
    "Every mean is over the items asked: unparsable, truncated, empty, blank, refused and failed answers count as "
    "wrong, and so does an answer that could not be judged (internal error)."
)
_LOST_SHORT = " / ".join(outcome[0] for outcome in LOST)
_LOST_NOTE = (
    f"{_LOST_SHORT}: answers (items × seeds) that were unparsable, truncated, empty, blank, refused, failed, or met an "
    "internal error when they were judged."
)
_VERDICTS = (
    "The counts from “equivalent” on are of answers (items × seeds): what the verdict on an answered one was, and why "
    "the others have none. Unknown: not decided within the budget; invalid: not a formula over the ontology. Both "
    "count as wrong. Repaired, ambiguous: answers that were read with a repair, or could be read otherwise; the files "
    "of scores hold each with what it was read as."
)
_TIED = (
    "Tied, for most similar / ranking: equivalence / negation / both: items in which a candidate that is to stand "
    "first or last is as similar as one that is not; where that decides, the score is the expected one of breaking "
    "ties uniformly."
)
_INTERVAL = (
    "the interval at 95 % over items, whose stories are its clusters (Wilson's, with effective items and Student's t)."
)
_SPREAD = f"Mean ± sample standard deviation over seeds, with no deviation where there is one seed, and {_INTERVAL}"
_BEST = (
    "Bold: significantly better than every other model that was asked the same (see the table of differences); the "
    "reader, surface, written answers and chance are not compared."
)
_SAMPLE = (
    "“k of n”: only k of the n items that the dataset offers were asked. Such a row describes a sample of the items, "
    "while its deviation is the spread over seeds on that sample alone."
)
_SEEDS = "Seeds “a / b”: a for most similar, b for ranking."
_NONE = "A row with no items: the dataset offers none for the task, or none was asked."

Cells = list[dict[str, Any]]
Best = Set[tuple[str, str, str, str, str]]
"""The scores that are significantly the best of their column, as ``comparisons.significantly_best`` names them."""


@dataclass(frozen=True, slots=True)
class _Block:
    """The cells of one dataset, model and presentation, at most one entry of each kind of task, by kind and metric."""

    dataset: str
    model: str
    presentation: str
    kind: str
    cells: dict[tuple[str, str], dict[str, Any]]

    def of(self, task_kind: str) -> dict[str, Any] | None:
        """Any cell of the kind of task: they agree on items, seeds and outcomes."""
        return next((cell for (kind, _), cell in self.cells.items() if kind == task_kind), None)

    def entry(self, task_kind: str) -> str | None:
        """The name of the task's entry."""
        cell = self.of(task_kind)
        return None if cell is None else str(cell["task"])

    @property
    def protocol(self) -> str | None:
        """The protocol that all the tasks share."""
        protocol: str | None = next(iter(self.cells.values()))["protocol"]
        return protocol

    @property
    def chance(self) -> bool:
        return self.kind == "chance"


def logical_translation(cells: pl.DataFrame, best: Best = frozenset()) -> Table:
    """How many translations are equivalent to the gold formula, and what became of the others."""
    blocks = _blocks(cells, (TRANSLATION,), ("chat", "written"))
    columns = [
        Column("dataset", "Dataset", Kind.TEXT),
        Column("model", "Model", Kind.TEXT),
        Column("task", "Task", Kind.TEXT),
        Column("items", "Items", Kind.SAMPLE),
        Column("seeds", "Seeds", Kind.COUNT),
        Column("equivalence", "Equivalence", Kind.SCORE),
        *(Column(name, name.replace("_", " ").capitalize(), Kind.COUNT) for name in (*VERDICTS, *LOST, *LIBERTIES)),
    ]
    rows = []
    for block in blocks:
        cell = block.of(TRANSLATION) or {}
        asked = {} if block.chance else cell
        counts = [asked.get(name) for name in (*VERDICTS, *LOST, *LIBERTIES)]
        score = _score(block.cells.get((TRANSLATION, EQUIVALENCE)), best)
        task = block.entry(TRANSLATION)
        rows.append((block.dataset, block.model, task, _sample(cell), asked.get("seeds"), score, *counts))
    return Table(
        "logical_translation",
        "Logical translation",
        "Share of sentences whose translation is logically equivalent to the gold formula.",
        tuple(columns),
        tuple(rows),
        (
            _SPREAD,
            _DENOMINATOR,
            _VERDICTS,
            *_notes(blocks),
        ),
    )


def dialogue(cells: pl.DataFrame, best: Best = frozenset()) -> Table:
    """How well dialogue models find the closest formula and order candidates."""
    blocks = _blocks(cells, CHOICES, ("chat", "written", "reader"))
    columns = [*_front(), Column("seeds", "Seeds", Kind.TEXT), *_choice_columns()]
    rows = [
        (block.dataset, block.protocol, block.model, block.presentation or None, _seeds(block), *_choices(block, best))
        for block in blocks
    ]
    return Table(
        "dialogue",
        "Dialogue models: most similar and ranking",
        "Share of items solved, by how the candidates are shown.",
        tuple(columns),
        tuple(rows),
        (_SPREAD, _DENOMINATOR, _LOST_NOTE, *_notes(blocks)),
    )


def embedding(cells: pl.DataFrame, best: Best = frozenset()) -> Table:
    """The same for embedding models, which answer by similarity and may tie."""
    blocks = _blocks(cells, CHOICES, ("embedding",))
    metrics = [(task, metric) for task, names in CHOICES.items() for metric in names]
    parts = tuple(f"{task}_{metric}" for task, metric in metrics)
    columns = [*_front(), *_choice_columns(), Column("tied", "Tied", Kind.TALLY, parts)]
    rows = []
    for block in blocks:
        tied = None if block.kind in _MARKS else tuple(block.cells.get(key, {}).get("tied") for key in metrics)
        shown = block.presentation or None
        rows.append((block.dataset, block.protocol, block.model, shown, *_choices(block, best), tied))
    return Table(
        "embedding",
        "Embedding models: most similar and ranking",
        "Share of items solved by the similarity of vectors, by what the candidates are embedded as.",
        tuple(columns),
        tuple(rows),
        (
            f"Mean and {_INTERVAL}",
            _DENOMINATOR,
            _LOST_NOTE,
            _TIED,
            *_notes(blocks),
        ),
    )


def every_score(cells: pl.DataFrame, best: Best = frozenset()) -> Table:
    """Every score of every task and metric, one a row: those of tasks without a table of their own stand here alone."""
    names = ("dataset", "task", "protocol", "metric", "presentation", "model")
    columns = [
        *(Column(name, "Shown as" if name == "presentation" else name.capitalize(), Kind.TEXT) for name in names),
        Column("items", "Items", Kind.SAMPLE),
        Column("seeds", "Seeds", Kind.COUNT),
        Column("score", "Score", Kind.SCORE),
        *(Column(name, name.replace("_", " ").capitalize(), Kind.COUNT) for name in OUTCOMES),
    ]
    rows: list[tuple[Cell, ...]] = []
    for cell in cells.to_dicts():
        asked = {} if cell["kind"] == "chance" else cell
        counts = [asked.get(name) for name in OUTCOMES]
        named = [cell[name] or None for name in names]
        rows.append((*named, _sample(cell), asked.get("seeds"), _score(cell, best), *counts))
    return Table(
        "scores",
        "Every score",
        "The mean of each task, metric and model, and what became of its answers.",
        tuple(columns),
        tuple(rows),
        (_SPREAD, _DENOMINATOR),
    )


def _front() -> list[Column]:
    return [
        Column("dataset", "Dataset", Kind.TEXT),
        Column("protocol", "Protocol", Kind.TEXT),
        Column("model", "Model", Kind.TEXT),
        Column("presentation", "Shown as", Kind.TEXT),
    ]


def _choice_columns() -> list[Column]:
    columns = []
    for task, metrics in CHOICES.items():
        title = task.replace("_", " ").capitalize()
        columns.append(Column(f"{task}_task", f"{title}: task", Kind.TEXT))
        columns.append(Column(f"{task}_items", f"{title}: items", Kind.SAMPLE))
        columns += [Column(f"{task}_{metric}", f"{title}: {metric}", Kind.SCORE) for metric in metrics]
        columns.append(Column(task, f"{title}: {_LOST_SHORT}", Kind.TALLY, LOST))
    return columns


def _choices(block: _Block, best: Best) -> list[Cell]:
    found: list[Cell] = []
    for task, metrics in CHOICES.items():
        cell = block.of(task)
        found += [block.entry(task), _sample(cell or {})]
        found += [_score(block.cells.get((task, metric)), best) for metric in metrics]
        found.append(None if cell is None or block.chance else tuple(cell[name] for name in LOST))
    return found


def _blocks(cells: pl.DataFrame, task_kinds: Iterable[str], kinds: Sequence[str]) -> list[_Block]:
    """One block a row of the table.

    Datasets and variants stand as they first appear, models likewise within their kind, surface and chance last in
    each variant. A dataset that no model of the kinds was asked about has no block, not even that of chance.
    """
    chosen = pl.col("task_kind").is_in(list(task_kinds)) & pl.col("kind").is_in([*kinds, *_MARKS])
    rows: Cells = cells.filter(chosen).to_dicts()
    asked = {row["dataset"] for row in rows if row["kind"] in kinds}
    place = {name: number for number, name in enumerate(dict.fromkeys(row["dataset"] for row in rows))}
    seat = {name: number for number, name in enumerate(dict.fromkeys(row["model"] for row in rows))}
    variant = _variants(rows)

    def key(row: dict[str, Any]) -> tuple[int, int, int, int]:
        kind = [*kinds, *_MARKS].index(row["kind"])
        return place[row["dataset"]], variant[row["task"]], kind, seat[row["model"]]

    blocks = []
    for _, group in groupby(sorted((row for row in rows if row["dataset"] in asked), key=key), key=key):
        blocks += _presentations(list(group))
    return blocks


def _variants(rows: Cells) -> dict[str, int]:
    """Which entries share a row, by number: the first of each kind under a protocol, the second of each, and so on."""
    found: dict[tuple[str | None, int], int] = {}
    counts: Counter[tuple[str, str | None]] = Counter()
    variants: dict[str, int] = {}
    for row in rows:
        if row["task"] not in variants:
            kind = row["task_kind"], row["protocol"]
            variants[row["task"]] = found.setdefault((row["protocol"], counts[kind]), len(found))
            counts[kind] += 1
    return variants


def _presentations(cells: Cells) -> list[_Block]:
    """The blocks of one row's cells; a task without items has no presentation of its own and joins each."""
    first = cells[0]
    shown = dict.fromkeys(cell["presentation"] for cell in cells if cell["items"]) or {"": None}
    return [
        _Block(
            first["dataset"],
            first["model"],
            presentation,
            first["kind"],
            {(c["task_kind"], c["metric"]): c for c in cells if not c["items"] or c["presentation"] == presentation},
        )
        for presentation in shown
    ]


def _score(cell: dict[str, Any] | None, best: Best) -> Score | None:
    if cell is None or cell["mean"] is None:
        return None
    leads = tuple(cell[name] for name in ("dataset", "task", "metric", "presentation", "model")) in best
    if cell["kind"] == "chance":
        # Known exactly for these items: nothing was sampled.
        return Score(cell["mean"], cell["deviation"])
    return Score(cell["mean"], cell["deviation"], cell["low"], cell["high"], leads)


def _sample(cell: dict[str, Any]) -> Sample | None:
    return Sample(cell["items"], cell["available"]) if cell else None


def _seeds(block: _Block) -> str | None:
    counts = [cell["seeds"] for task in CHOICES if (cell := block.of(task)) and cell["items"]]
    if block.chance or not counts:
        return None
    return str(counts[0]) if len(set(counts)) == 1 else " / ".join(map(str, counts))


def _notes(blocks: Sequence[_Block]) -> list[str]:
    cells = [cell for block in blocks for cell in block.cells.values()]
    notes = {
        _CHANCE: any(block.chance and block.of(TRANSLATION) is None for block in blocks),
        _NO_CHANCE: any(block.chance and block.of(TRANSLATION) is not None for block in blocks),
        _READER: any(block.kind == "reader" for block in blocks),
        _SURFACE: any(block.kind == "surface" for block in blocks),
        _SAMPLE: any(0 < cell["items"] < cell["available"] for cell in cells),
        _SEEDS: any("/" in (_seeds(block) or "") for block in blocks),
        _NONE: any(not cell["items"] for cell in cells),
        _BEST: len({cell["model"] for cell in cells if cell["kind"] in COMPARED}) > 1,
    }
    return [note for note, applies in notes.items() if applies]
