"""Refused rows at every stage, and the funnel of what is left.

The funnel starts with what the source holds and takes away one reason at a time, stage by stage; after the ontology it
branches, for every task draws its candidate sets from the same usable triples::

    read -> less each reason at ingestion -> less each at the ontology -> usable
         -> less each reason at the candidates of a task -> usable      (once a task)

Problems have no ontology: they are usable after ingestion.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import TypedDict, cast

import polars as pl
import pyarrow as pa

from nlfol.data.reason import Fate, Reason, Step, take_away
from nlfol.facts import UNASKED, sighted
from nlfol.problems.problem import Reason as ProblemReason
from nlfol.results.analyses.analysis import Analysis, Given, Rows
from nlfol.results.tables import columns
from nlfol.results.tables.table import Kind, Row, TableForm
from nlfol.store import files, schemas
from nlfol.store.columns import Int32, row_schema
from nlfol.store.origins import metadata_at
from nlfol.store.problem_schemas import PROBLEMS
from nlfol.store.training_schemas import ExampleRow


class RefusalRow(TypedDict):
    """The funnel: one row a step with what is left after it, each followed by one row an item that it refused."""

    dataset: str
    # ingestion, ontology, candidates; outside the funnel: presentations (items that are not asked about under one of
    # them), answers (rows of a file of answers), training (answers that are not learnt)
    stage: str
    task: str | None  # at stage candidates, which branches by task
    order: Int32  # place of the step in the dataset's funnel, from 0, over all stages and tasks
    step: str  # read (what the source holds), refused (less one reason), usable (what a stage hands on)
    reason: str | None  # of step refused
    # Of a step: stories and sentences left after it; of these, with a corrected gold formula, refused without, and with
    # further formulas that are accepted.
    stories: int | None
    sentences: int | None
    corrected: int | None
    regained: int | None
    accepted: int | None
    words: float | None  # of the refused sentence; of a step, their mean over the sentences left; null of problems
    # of a refused row; null in the rows of steps
    item: str | None
    story: str | None
    detail: str | None


REFUSALS = row_schema("refusals", 4, RefusalRow)

_EMPTY = cast("RefusalRow", dict.fromkeys(REFUSALS.names))
_MARKS = ("corrected", "regained", "accepted")
_OF_SENTENCES = tuple(reason.value for reason in Reason)

REASONS: Mapping[str, tuple[str, ...]] = {
    "ingestion": (*_OF_SENTENCES, *(reason.value for reason in ProblemReason if reason not in _OF_SENTENCES)),
    "ontology": _OF_SENTENCES,
    "candidates": (
        *(
            "open",
            "valid",
            "unsatisfiable",
            "undecided",
            "same_english",
            "no_equivalent",
            "too_few_perturbations",
            "no_forms",
            "joined",
            "too_large",
            "no_anagram",
            "one_anagram",
        ),
        "story_too_long",
    ),
}
"""The order in which a stage's reasons are taken away; any other reason comes after these, alphabetically."""


class RefusalError(ValueError):
    """Stage files that contradict one another: the message names the file and the item."""


def fates(path: Path, schema: pa.Schema) -> list[Fate]:
    """Return the fates of a stage's rows in order; raises ``RefusalError`` if a status or reason is unknown."""
    by_item: dict[str, Fate] = {}
    table = files.read(path, schema)
    kept = ("item", "story", "status", "reason", "detail")
    for row in table.select([name for name in kept if name in table.column_names]).to_pylist():
        item, reason = row["item"], row["reason"]
        if item in by_item:
            raise RefusalError(f"{path}: item {item!r} occurs twice; run the stage again")
        if (row["status"], reason is None) not in {("usable", True), ("refused", False)}:
            raise RefusalError(
                f"{path}: item {item!r}: status {row['status']!r} with reason {reason!r}; delete it and run again"
            )
        # A problem that is no item yet is a story of its own.
        by_item[item] = Fate(item, row.get("story", item), reason, row["detail"])
    return list(by_item.values())


def refusals_of_sentences(
    dataset: str, sentences: Path, triples: Path, candidates: Mapping[str, Path]
) -> list[RefusalRow]:
    """Return the rows of ``REFUSALS`` for one dataset.

    Its triples repeat the sentences refused at ingestion. ``candidates`` are its ITEMS files by task, in the order in
    which the tasks are shown. Raises ``RefusalError`` if a file holds other rows than the file before it hands on.
    """
    ingested = fates(sentences, schemas.SENTENCES)
    attached = fates(triples, schemas.TRIPLES)
    _same(triples, {fate.item for fate in attached}, {fate.item for fate in ingested})
    known = ["item", "text", "formula", "correction", "regained", "readings"]
    rows = files.read(triples, schemas.TRIPLES).select(known).to_pylist()
    marks = {
        "corrected": [
            row["item"] for row in rows if row["correction"] or row["readings"][:1] not in ([], [row["formula"]])
        ],
        "regained": [row["item"] for row in rows if row["regained"] is not None],
        "accepted": [row["item"] for row in rows if len(row["readings"]) > 1],
    }
    words = {row["item"]: len(row["text"].split()) for row in rows}
    funnel = _Funnel(dataset, {name: frozenset(items) for name, items in marks.items()}, words, [])
    funnel.end("ingestion", None, "read", ingested)
    left = funnel.stage("ingestion", None, ingested)
    going = {fate.item for fate in left}
    for fate in attached:
        if fate.item not in going and fate.reason is None:
            raise RefusalError(f"{triples}: item {fate.item!r} is usable here but refused in {sentences}; run again")
    usable = funnel.stage("ontology", None, [fate for fate in attached if fate.item in going])
    funnel.end("ontology", None, "usable", usable)
    return funnel.tasks(usable, candidates)


def refusals_of_problems(dataset: str, problems: Path, candidates: Mapping[str, Path]) -> list[RefusalRow]:
    """Return the rows of ``REFUSALS`` for one dataset of problems; see ``refusals_of_sentences``."""
    ingested = fates(problems, PROBLEMS)
    funnel = _Funnel(dataset, dict.fromkeys(_MARKS, frozenset()), {}, [])
    funnel.end("ingestion", None, "read", ingested)
    usable = funnel.stage("ingestion", None, ingested)
    funnel.end("ingestion", None, "usable", usable)
    return funnel.tasks(usable, candidates)


def unasked_presentations(items: Sequence[Path]) -> list[RefusalRow]:
    """Return rows of ``REFUSALS`` for items that are not asked about under each of their task's presentations."""
    about: RefusalRow = {**_EMPTY, "stage": "presentations", "order": -1, "step": "refused"}
    return [
        {
            **about,
            "dataset": metadata["dataset"],
            "task": metadata["task"],
            "item": row["item"],
            "story": row["story"],
            "reason": reason,
            "detail": f"{shown}: {why}",
        }
        for path in items
        for metadata in [metadata_at(path)]
        for row in files.read(path, schemas.ITEMS).select(["item", "story", "unasked"]).to_pylist()
        for shown in row["unasked"]
        for reason, why in [UNASKED[sighted(shown)]]
    ]


def unused_answers(responses: Sequence[Path]) -> list[RefusalRow]:
    """Return rows of ``REFUSALS`` for rows of files of answers that no job uses, each once."""
    rows: dict[tuple[str, ...], dict[str, str]] = {}
    for path in responses:
        about = metadata_at(path)
        for unused in json.loads(about["unused"]):
            row = unused | {"detail": f"{about['model']}: {unused['detail']}"}
            # What is of no job, every job says.
            rows.setdefault(tuple(row.values()), row)
    refused: RefusalRow = {**_EMPTY, "stage": "answers", "order": -1, "step": "refused"}
    return [cast("RefusalRow", {**refused, **row}) for row in rows.values()]


def unlearnt_answers(examples: Sequence[Path]) -> list[RefusalRow]:
    """Return rows of ``REFUSALS`` for answers that trainings (EXAMPLES files) were to learn and do not."""
    empty: RefusalRow = {**_EMPTY, "stage": "training", "order": -1, "step": "refused"}
    return [
        {
            **empty,
            "dataset": row["dataset"],
            "task": row["task"],
            "item": row["item"],
            "reason": row["reason"],
            "detail": f"{metadata_at(path)['training']}: {row['model']}, step {row['step']}: {row['detail']}",
        }
        for path in examples
        for row in files.rows(path, ExampleRow)
        if row["status"] == "refused"
    ]


@dataclass(frozen=True, slots=True)
class _Funnel:
    dataset: str
    marks: Mapping[str, frozenset[str]]
    words: Mapping[str, int]
    rows: list[RefusalRow]

    def stage(self, stage: str, task: str | None, entering: Sequence[Fate]) -> Sequence[Fate]:
        """Take away a stage's reasons one by one and return what is left."""
        left, given = entering, {fate.reason for fate in entering if fate.reason is not None}
        reasons = [*filter(given.__contains__, REASONS[stage]), *sorted(given.difference(REASONS[stage]))]
        for step in take_away(entering, ((reason, {reason}) for reason in reasons)):
            self._append(stage, task, "refused", step.name, step)
            left = step.left
        return left

    def tasks(self, usable: Sequence[Fate], candidates: Mapping[str, Path]) -> list[RefusalRow]:
        """Append what each task takes away, and return all rows."""
        for task, path in candidates.items():
            drawn = fates(path, schemas.ITEMS)
            if metadata_at(path).get("items") == "stories":
                drawn = _by_sentence(drawn, usable)
            _same(path, {fate.item for fate in drawn}, {fate.item for fate in usable})
            self.end("candidates", task, "usable", self.stage("candidates", task, drawn))
        return self.rows

    def end(self, stage: str, task: str | None, name: str, left: Sequence[Fate]) -> None:
        """Append a step that takes nothing away, at the beginning or end of a stage."""
        self._append(stage, task, name, None, Step(name, left))

    def _append(self, stage: str, task: str | None, name: str, reason: str | None, step: Step) -> None:
        """Append a step with what is left after it, then the rows it refused."""
        order = sum(row["item"] is None for row in self.rows)
        at: RefusalRow = {
            **_EMPTY,
            "dataset": self.dataset,
            "stage": stage,
            "task": task,
            "order": order,
            "step": name,
            "reason": reason,
        }
        marked = {mark: sum(fate.item in items for fate in step.left) for mark, items in self.marks.items()}
        words = [self.words[fate.item] for fate in step.left if fate.item in self.words]
        mean = fmean(words) if words else None
        self.rows.append(cast("RefusalRow", {**at, **step.counts, **marked, "words": mean}))
        for fate in step.refused:
            of_item = {"item": fate.item, "story": fate.story, "detail": fate.detail}
            self.rows.append(cast("RefusalRow", {**at, **of_item, "words": self.words.get(fate.item)}))


def _by_sentence(stories: Sequence[Fate], sentences: Sequence[Fate]) -> list[Fate]:
    """Return the fates of sentences whose stories are items."""
    known = {fate.item: fate for fate in stories}
    return [
        Fate(fate.item, fate.story, known[fate.story].reason, known[fate.story].detail)
        for fate in sentences
        if fate.story in known
    ]


def _same(path: Path, given: set[str], needed: set[str]) -> None:
    if given != needed:
        item = min(given ^ needed)
        fault = "is not handed on by the stage before" if item in given else "is missing"
        raise RefusalError(f"{path}: item {item!r} {fault}; run the stage again")


def refusals(given: Given) -> list[RefusalRow]:
    """Return the rows of all stages, datasets in order; raises ``RefusalError`` if stage files do not go together."""
    by_task: dict[str, dict[str, Path]] = {dataset: {} for dataset in given.setting("datasets")}
    for path in given.files["item_files"]:
        about = metadata_at(path)
        if about["dataset"] not in by_task:
            raise RefusalError(
                f"{path}: candidates of dataset {about['dataset']!r}, which is not one of {', '.join(by_task)}"
            )
        by_task[about["dataset"]][about["task"]] = path
    sentences, triples, problems = map(given.by_dataset, ("sentences", "triples", "problems"))
    rows: list[RefusalRow] = []
    for dataset, tasks in by_task.items():
        if dataset in problems:
            rows += refusals_of_problems(dataset, problems[dataset], tasks)
        else:
            rows += refusals_of_sentences(dataset, sentences[dataset], triples[dataset], tasks)
    rows += unasked_presentations(given.files["item_files"])
    return rows + unused_answers(given.files["answers"]) + unlearnt_answers(given.files["examples"])


_ENDS = {
    ("ingestion", "read"): "as read",
    ("ingestion", "usable"): "usable",
    ("ontology", "usable"): "usable",
    ("candidates", "usable"): "candidate sets",
}


def _steps(rows: pl.DataFrame) -> Sequence[Row]:
    """Return the steps of the funnel with the number of rows that each refused."""
    steps = rows.filter(pl.col("item").is_null())
    lost = rows.filter(pl.col("item").is_not_null()).group_by("dataset", "order").len("refused")
    return steps.join(lost, on=["dataset", "order"], how="left", maintain_order="left").to_dicts()


def _step(row: Row) -> str:
    if row["stage"] == "candidates" and not row["sentences"] and row["reason"] is None:
        return _NONE_LEFT
    return str(row["reason"] or _ENDS[row["stage"], row["step"]])


def _by_reason(rows: pl.DataFrame) -> Sequence[Row]:
    return (
        rows.filter(pl.col("item").is_not_null())
        .group_by("dataset", "stage", "task", "reason", maintain_order=True)
        .agg(
            sentences=pl.len().cast(pl.Int64),
            stories=pl.col("story").drop_nulls().n_unique().cast(pl.Int64),
            words=pl.col("words").mean(),
        )
        .to_dicts()
    )


_ANSWERS = (
    "Stage presentations: items that are asked without examples alone. Answers: rows of a file of answers that are "
    "about nothing asked. Training: answers that none learns."
)
_NONE_LEFT = "none left, so nothing is asked"

FUNNEL = TableForm(
    "funnel",
    "From the source to the candidate sets",
    "Sentences refused for each reason, and the stories and sentences left after it.",
    (
        *columns.texts("dataset", "stage", "task"),
        columns.column("step", None, Kind.TEXT, _step),
        *columns.counts("refused", "stories", "sentences", *_MARKS),
        columns.quantity("words"),
    ),
    (
        "A sentence is refused once, for the first reason found. Each task starts from the usable sentences.",
        "Stories: those with a sentence left.",
        "Corrected: sentences left whose gold formula a patch corrects, with gold: accepted beside the published one.",
        "Regained: sentences left that are usable by corrections, and would be refused as published.",
        "Accepted: sentences left of which further formulas are accepted.",
        "Words: of a sentence left, on average. Where a task leaves shorter ones, its scores are of easier sentences.",
    ),
    ("refusals",),
    _steps,
)

REFUSED = TableForm(
    "refused",
    "Refused sentences by reason",
    "Sentences that did not go on from a stage, and the stories they belong to.",
    (
        *columns.texts("dataset", "stage", "task", "reason"),
        *columns.counts("sentences", "stories"),
        columns.quantity("words"),
    ),
    ("Words: of a refused sentence, on average.", _ANSWERS),
    ("refusals",),
    _by_reason,
    nothing="Nothing was refused.",
)

REFUSED_ROWS = TableForm(
    "refused_rows",
    "Refused sentences",
    "Every sentence that did not go on from a stage, with the thing at fault.",
    (
        *columns.texts("dataset", "stage", "task"),
        *columns.texts("item", "reason"),
        columns.column("detail", None, Kind.PROSE),
    ),
    (_ANSWERS,),
    ("refusals",),
    lambda rows: rows.filter(pl.col("item").is_not_null()).to_dicts(),
    nothing="Nothing was refused.",
)

ANALYSIS = Analysis(rows=(Rows(REFUSALS, refusals),), tables=(FUNNEL, REFUSED, REFUSED_ROWS))
