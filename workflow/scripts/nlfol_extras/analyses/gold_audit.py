"""Gold formulas in doubt: items on which all dialogue models agree with one another and not with the gold formula.

Of the answers to an item (models × seeds of one dataset and task) those that could be read count, and the item is in
doubt where

* none of them is equivalent to the gold formula, and each is proven not to be: an answer that is invalid, or that no
  means decides, agrees with nothing and clears the item;
* they are equivalent to one another. Each is proven equivalent to the first, so that any two are;
* they come from at least two models; where the experiment has one dialogue model, from all of its seeds, which are at
  least two.

Answers that never came or could not be read are wrong, too, but mean nothing; they are counted beside. Models can share
a mistake, so agreement is a reason to look at a gold formula, and none to correct it.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TypedDict

import polars as pl

from nlfol.facts import EQUIVALENCE, AnswerForm
from nlfol.logic.equivalence import Outcome, equivalence
from nlfol.logic.reading.strict import parse
from nlfol.mappings import AnyRow
from nlfol.results.analyses.analysis import Analysis, Rows
from nlfol.results.statistics.summary import Origin
from nlfol.results.tables import columns
from nlfol.results.tables.table import Kind, TableForm
from nlfol.store import files, schemas
from nlfol.store.canonical import sha256
from nlfol.store.columns import row_schema


class GoldAuditRow(TypedDict):
    """One row an item whose gold formula may be wrong."""

    dataset: str
    task: str
    item: str
    text: str
    gold: str
    formula: str  # the shortest of the models'
    relation: str  # of it to the gold formula
    detail: str | None  # counter-model in words
    models: list[str]  # that agree on its meaning
    answers: int  # items × seeds that agree
    unread: int  # that never came or could not be read
    patch: str  # a proposed entry of a patch file, as JSON


GOLD_AUDIT = row_schema("gold_audit", 1, GoldAuditRow)

_Answer = AnyRow
"""A row of SCORES with its model."""


def gold_audit(loaded: Iterable[tuple[Origin, pl.DataFrame]], sentences: Mapping[str, Path]) -> list[GoldAuditRow]:
    """Return the rows of ``GOLD_AUDIT`` on dialogue models' translations, in the order of the files and items."""
    groups: defaultdict[tuple[str, str], list[tuple[Origin, pl.DataFrame]]] = defaultdict(list)
    for source, scores in loaded:
        if source.asked.form is AnswerForm.FORMULA and source.kind == "chat":
            groups[source.dataset, source.task].append((source, scores))
    rows = []
    for (dataset, task), group in groups.items():
        gold = {row["item"]: row for row in files.rows(sentences[dataset], schemas.SentenceRow)}
        for item, answers in _by_item(group).items():
            agreed = _agreed(answers, models=len(group))
            if agreed:
                rows.append(_row(dataset, task, gold[item], answers, agreed))
    return rows


def proposals(rows: Iterable[GoldAuditRow]) -> str:
    """Return the proposed entries of a patch file as JSON Lines, one for each dataset and item."""
    patches: dict[tuple[str, str], str] = {}
    for row in rows:
        patches.setdefault((row["dataset"], row["item"]), row["patch"])
    return "".join(f"{patch}\n" for patch in patches.values())


def _by_item(group: Iterable[tuple[Origin, pl.DataFrame]]) -> dict[str, list[_Answer]]:
    answers: defaultdict[str, list[_Answer]] = defaultdict(list)
    columns = ["item", "seed", "outcome", "verdict", "relation", "detail", "formula"]
    for source, scores in group:
        for row in scores.filter(pl.col("metric") == EQUIVALENCE).select(columns).to_dicts():
            answers[row["item"]].append({**row, "model": source.model})
    return dict(answers)


def _agreed(answers: list[_Answer], *, models: int) -> list[_Answer]:
    """Return the answers that could be read, where they put the gold formula in doubt; else none."""
    read = [answer for answer in answers if answer["outcome"] == "answered"]
    if any(answer["verdict"] != Outcome.NOT_EQUIVALENT for answer in read):
        return []
    agreeing = len({answer["model"] for answer in read})
    enough = agreeing >= 2 or (models == 1 and len(read) == len(answers) >= 2)
    return read if enough and _equivalent([answer["formula"] for answer in read]) else []


def _equivalent(texts: list[str]) -> bool:
    first, *others = (parse(text) for text in dict.fromkeys(texts))
    return all(equivalence(first, other).outcome is Outcome.EQUIVALENT for other in others)


def _row(
    dataset: str, task: str, sentence: schemas.SentenceRow, answers: list[_Answer], agreed: list[_Answer]
) -> GoldAuditRow:
    shortest = min(agreed, key=lambda answer: (len(answer["formula"]), answer["formula"]))
    models = list(dict.fromkeys(answer["model"] for answer in agreed))
    votes = f"{len(agreed)} answers of {len(models)} models ({', '.join(models)}) to task {task} of dataset {dataset}"
    # The form of ``data.patches.Patch``, which reads it; importing that would make these rows depend on all readers.
    patch = {
        "index": sentence["index"],
        "text_sha256": sha256(sentence["text"]),
        "formula_sha256": sha256(sentence["source_formula"]),
        "formula": shortest["formula"],
        "story": sentence["story"],
        "kinds": [],
        "reason": f"Translations agree on a formula that is {shortest['relation']} to the gold one.",
        "evidence": f"{votes} are equivalent. {shortest['detail'] or ''}".rstrip(),
        "reviewed": False,
    }
    return {
        "dataset": dataset,
        "task": task,
        "item": sentence["item"],
        "text": sentence["text"],
        "gold": sentence["formula"] or "",
        "formula": shortest["formula"],
        "relation": shortest["relation"],
        "detail": shortest["detail"],
        "models": models,
        "answers": len(agreed),
        "unread": len(answers) - len(agreed),
        "patch": json.dumps(patch, ensure_ascii=False, separators=(",", ":")),
    }


TABLE = TableForm(
    "gold_audit",
    "Gold formulas in doubt",
    "Items that no dialogue model translates as the gold formula has it, while all that could be read agree.",
    (
        *columns.texts("dataset", "task", "item"),
        columns.column("text", "Sentence", Kind.PROSE),
        columns.column("gold", None, Kind.PROSE),
        columns.column("formula", "Models", Kind.PROSE),
        columns.text("relation"),
        columns.column("detail", "Difference", Kind.PROSE),
        columns.column("models", "Agreeing", Kind.COUNT, lambda row: len(row["models"])),
        *map(columns.count, ("answers", "unread")),
    ),
    (
        "Models: the shortest of their formulas, all equivalent by proof. Relation: of it to the gold formula.",
        "Difference: a structure in which the two differ.",
        "Agreeing: models. Answers: items × seeds that agree. Unread: those that never came or could not be read.",
        "Agreement is a reason to look, and none to correct: models can share a mistake.",
        "gold_audit.jsonl holds an entry of a patch file for each item, not yet reviewed.",
    ),
    ("gold_audit",),
    nothing="No gold formula is in doubt.",
)

_READ = "item seed metric outcome verdict relation detail formula"

ANALYSIS = Analysis(
    rows=(
        Rows(
            GOLD_AUDIT,
            lambda given: gold_audit(
                given.loaded(_READ, "translation_scores", metrics=[EQUIVALENCE]), given.by_dataset("sentences")
            ),
        ),
    ),
    tables=(TABLE,),
    texts={"gold_audit.jsonl": lambda given: proposals(given.made["gold_audit"])},
)
