"""What became of a dataset's sentences: the funnel, and every row that was refused on the way.

The funnel starts with what the source holds and takes away one reason at a time, stage by stage; after the ontology it
branches, for every task draws its candidate sets from the same usable triples::

    read -> less each reason at ingestion -> less each at the ontology -> usable
         -> less each reason at the candidates of a task -> usable      (once a task)

Problems have no ontology: they are usable after ingestion.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from nlfol.datasets.reason import Fate, Reason, Step, take_away
from nlfol.problems.problem import Reason as ProblemReason
from nlfol.store import files, schemas
from nlfol.store.origins import metadata_at
from nlfol.store.problem_schemas import PROBLEMS
from nlfol.store.training_schemas import EXAMPLES

_OF_SENTENCES = tuple(reason.value for reason in Reason)

REASONS: Mapping[str, tuple[str, ...]] = {
    "ingestion": (*_OF_SENTENCES, *(reason.value for reason in ProblemReason if reason not in _OF_SENTENCES)),
    "ontology": _OF_SENTENCES,
    "candidates": (
        "open",
        "valid",
        "unsatisfiable",
        "undecided",
        "same_english",
        "no_equivalent",
        "too_few_perturbations",
        "story_too_long",
    ),
}
"""The order in which a stage's reasons are taken away; any other reason comes after these, alphabetically."""


class RefusalError(ValueError):
    """Stage files that contradict one another: the message names the file and the item."""


def fates(path: Path, schema: pa.Schema) -> list[Fate]:
    """The fate of every row of a stage's file, in the file's order.

    Raises:
        RefusalError: if a status is neither "usable" nor "refused", a refusal gives no reason, or an item occurs twice.
        StoreError: if the file is missing or of another schema.
    """
    found: dict[str, Fate] = {}
    table = files.read(path, schema)
    kept = ("item", "story", "status", "reason", "detail")
    for row in table.select([name for name in kept if name in table.column_names]).to_pylist():
        item, reason = row["item"], row["reason"]
        if item in found:
            raise RefusalError(f"{path}: item {item!r} occurs twice; run the stage again")
        if (row["status"], reason is None) not in {("usable", True), ("refused", False)}:
            raise RefusalError(
                f"{path}: item {item!r}: status {row['status']!r} with reason {reason!r}; delete it and run again"
            )
        # A problem that is no item yet is a story of its own.
        found[item] = Fate(item, row.get("story", item), reason, row["detail"])
    return list(found.values())


def refusals(dataset: str, sentences: Path, triples: Path, candidates: Mapping[str, Path]) -> list[dict[str, Any]]:
    """The rows of ``schemas.REFUSALS`` for one dataset.

    Args:
        dataset: its name.
        sentences: its file of sentences.
        triples: its file of triples, which repeats those refused at ingestion.
        candidates: its ITEMS files by task, in the order in which the tasks are shown.

    Raises:
        RefusalError: if a file does not hold exactly the rows that the file before it hands on.
        StoreError: if a file is missing or of another schema.
    """
    ingested = fates(sentences, schemas.SENTENCES)
    attached = fates(triples, schemas.TRIPLES)
    _same(triples, {fate.item for fate in attached}, {fate.item for fate in ingested})
    marked = files.read(triples, schemas.TRIPLES).select(["item", "correction", "regained"]).to_pylist()
    funnel = _Funnel(
        dataset,
        frozenset(row["item"] for row in marked if row["correction"] is not None),
        frozenset(row["item"] for row in marked if row["regained"] is not None),
        [],
    )
    funnel.end("ingestion", None, "read", ingested)
    left = funnel.stage("ingestion", None, ingested)
    going = {fate.item for fate in left}
    for fate in attached:
        if fate.item not in going and fate.reason is None:
            raise RefusalError(f"{triples}: item {fate.item!r} is usable here but refused in {sentences}; run again")
    usable = funnel.stage("ontology", None, [fate for fate in attached if fate.item in going])
    funnel.end("ontology", None, "usable", usable)
    return funnel.tasks(usable, candidates)


def refusals_of_problems(dataset: str, problems: Path, candidates: Mapping[str, Path]) -> list[dict[str, Any]]:
    """The same for one dataset of problems.

    Args:
        dataset: its name.
        problems: its file of problems.
        candidates: its ITEMS files by task, in the order in which the tasks are shown.

    Raises:
        RefusalError: if a file of items does not hold exactly the usable problems.
        StoreError: if a file is missing or of another schema.
    """
    ingested = fates(problems, PROBLEMS)
    funnel = _Funnel(dataset, frozenset(), frozenset(), [])
    funnel.end("ingestion", None, "read", ingested)
    usable = funnel.stage("ingestion", None, ingested)
    funnel.end("ingestion", None, "usable", usable)
    return funnel.tasks(usable, candidates)


def unused_answers(responses: Sequence[Path]) -> list[dict[str, Any]]:
    """The rows of ``schemas.REFUSALS`` for rows of files of answers that no job uses, each once.

    Args:
        responses: the RESPONSES files that were made from such files.

    Raises:
        StoreError: if one is missing or no responses file.
    """
    found: dict[tuple[str, ...], dict[str, Any]] = {}
    for path in responses:
        about = metadata_at(path)
        for unused in json.loads(about["unused"]):
            row = unused | {"detail": f"{about['model']}: {unused['detail']}"}
            # What is of no job, every job says.
            found.setdefault(tuple(row.values()), row)
    empty = dict.fromkeys(schemas.REFUSALS.names)
    return [{**empty, "stage": "answers", "order": -1, "step": "refused", **row} for row in found.values()]


def unlearnt_answers(examples: Sequence[Path]) -> list[dict[str, Any]]:
    """The rows of ``schemas.REFUSALS`` for answers that trainings were to learn and do not.

    Args:
        examples: the EXAMPLES files.

    Raises:
        StoreError: if one is missing or of another schema.
    """
    empty = {**dict.fromkeys(schemas.REFUSALS.names), "stage": "training", "order": -1, "step": "refused"}
    found = []
    for path in examples:
        table = files.read(path, EXAMPLES)
        name = files.metadata_of(table)["training"]
        for row in table.to_pylist():
            if row["status"] == "refused":
                kept = {column: row[column] for column in ("dataset", "task", "item", "reason")}
                found.append(
                    {**empty, **kept, "detail": f"{name}: {row['model']}, step {row['step']}: {row['detail']}"}
                )
    return found


@dataclass(frozen=True, slots=True)
class _Funnel:
    dataset: str
    corrected: frozenset[str]
    regained: frozenset[str]
    rows: list[dict[str, Any]]

    def stage(self, stage: str, task: str | None, entering: Sequence[Fate]) -> Sequence[Fate]:
        """Take away a stage's reasons one by one and return what is left."""
        left = entering
        for step in take_away(entering, ((reason, {reason}) for reason in _in_order(stage, entering))):
            self._append(stage, task, "refused", step.name, step)
            left = step.left
        return left

    def tasks(self, usable: Sequence[Fate], candidates: Mapping[str, Path]) -> list[dict[str, Any]]:
        """Append what each task takes away, and return all rows."""
        for task, path in candidates.items():
            drawn = fates(path, schemas.ITEMS)
            if metadata_at(path).get("items") == "stories":
                drawn = _by_sentence(drawn, usable)
            _same(path, {fate.item for fate in drawn}, {fate.item for fate in usable})
            self.end("candidates", task, "usable", self.stage("candidates", task, drawn))
        return self.rows

    def end(self, stage: str, task: str | None, name: str, left: Sequence[Fate]) -> None:
        """Append a step that takes nothing away: what a stage begins or ends with."""
        self._append(stage, task, name, None, Step(name, left))

    def _append(self, stage: str, task: str | None, name: str, reason: str | None, step: Step) -> None:
        """Append a step with what is left after it, then the rows it refused."""
        at: dict[str, Any] = {
            "dataset": self.dataset,
            "stage": stage,
            "task": task,
            "order": sum(row["item"] is None for row in self.rows),
            "step": name,
            "reason": reason,
        }
        counts = {
            **step.counts,
            "corrected": sum(fate.item in self.corrected for fate in step.left),
            "regained": sum(fate.item in self.regained for fate in step.left),
        }
        self.rows.append({**at, **counts, "item": None, "story": None, "detail": None})
        for fate in step.refused:
            row = {"item": fate.item, "story": fate.story, "detail": fate.detail}
            self.rows.append({**at, **dict.fromkeys(counts), **row})


def _by_sentence(stories: Sequence[Fate], sentences: Sequence[Fate]) -> list[Fate]:
    """The fates of sentences whose stories are items."""
    known = {fate.item: fate for fate in stories}
    return [
        Fate(fate.item, fate.story, known[fate.story].reason, known[fate.story].detail)
        for fate in sentences
        if fate.story in known
    ]


def _in_order(stage: str, entering: Sequence[Fate]) -> Iterator[str]:
    found = {fate.reason for fate in entering if fate.reason is not None}
    declared = REASONS[stage]
    yield from (reason for reason in declared if reason in found)
    yield from sorted(found.difference(declared))


def _same(path: Path, found: set[str], needed: set[str]) -> None:
    if found != needed:
        item = min(found ^ needed)
        what = "is not handed on by the stage before" if item in found else "is missing"
        raise RefusalError(f"{path}: item {item!r} {what}; run the stage again")
