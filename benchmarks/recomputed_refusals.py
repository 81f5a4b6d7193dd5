"""Tables of refusals with their rows, computed again for ``recomputed_tables``. Nothing of nlfol is imported."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import polars as pl
from benchmarks.recomputed_rows import ITEMS, Keys, rows
from benchmarks.recomputed_run import Cells, Run, Shown, table

UNASKED = {
    "few_shot": ("no_exemplar", "there is no solved example to be shown that is not an item itself"),
    "formula": ("no_program", "there is no gold program to be shown as formulas"),
}
"""Why an item is not asked about under a presentation."""


_REFUSED = ("dataset", "task", "item", "story", "reason", "detail")


def unused(run: Run) -> list[dict[str, Any]]:
    """Rows of files of answers that are about nothing asked, each once."""
    found = {}
    for file in run.stages("responses/*/*/*.arrow"):
        for row in json.loads(file.about.get("unused", "[]")):
            each = {name: row.get(name) for name in _REFUSED} | {"detail": f"{file.about['model']}: {row['detail']}"}
            found[tuple(each.values())] = each | {"stage": "answers"}
    return list(found.values())


def unlearnt(run: Run) -> list[dict[str, Any]]:
    """Answers that trainings were to learn and do not."""
    return [
        {name: row.get(name) for name in _REFUSED}
        | {"stage": "training", "detail": "{training}: {model}, step {step}: {detail}".format(**file.about, **row)}
        for file in run.stages("training/*/examples.arrow")
        for row in file.rows.filter(status="refused").drop(*(file.about.keys() & {*file.rows.columns})).to_dicts()
    ]


def unasked(run: Run) -> list[dict[str, Any]]:
    """Items that are not asked about under each presentation of their task."""
    return [
        {**{name: file.about[name] for name in ("dataset", "task")}, "item": item, "story": story, "reason": reason}
        | {"stage": "presentations", "detail": f"{shown}: {why}"}
        for file in run.stages(ITEMS)
        for item, story, presentations in file.rows.select("item", "story", "unasked").iter_rows()
        for shown in presentations or ()
        for reason, why in [UNASKED[shown]]
    ]


OUTSIDE = {"presentations": unasked, "answers": unused, "training": unlearnt}
"""Rows refused outside the funnel, by stage."""


def entering(run: Run, row: Shown) -> pl.DataFrame:
    """The rows that enter a stage of the funnel, with the reason why some are refused."""
    problems = run.of_dataset(row["dataset"], "problems").with_columns(story="item")
    first = problems if problems.height else run.of_dataset(row["dataset"], "sentences")
    if row["stage"] == "ingestion":
        return first
    passed = first.filter(status="usable")
    attached = run.of_dataset(row["dataset"], "triples").filter(pl.col("item").is_in(passed["item"].to_list()))
    if row["stage"] == "ontology":
        return attached
    items = run.stage("items", row, "dataset", "task")
    if items.about.get("items") != "stories":
        return items.rows
    of_story = items.rows.select("reason", "detail", story="item")
    return attached.filter(status="usable").drop("reason", "detail").join(of_story, on="story")


@table("funnel", "dataset stage task step")
def _funnel(run: Run, row: Shown) -> Cells:
    """The rows that a reason refuses, and those left after it and the reasons before it in the stage."""
    stage = entering(run, row)
    place = [row[name] for name in ("dataset", "stage", "task")]
    steps = [
        other["step"] for other in run.csv("funnel") if [other[name] for name in ("dataset", "stage", "task")] == place
    ]
    gone = steps[: steps.index(row["step"]) + 1]
    left = stage.filter(~pl.col("reason").fill_null("").is_in(gone))
    marked = run.of_dataset(row["dataset"], "triples").filter(pl.col("item").is_in(left["item"].to_list()))
    is_of_sentences = "correction" in marked.columns
    readings = [of or [] for of in marked["readings"].to_list()] if is_of_sentences else []
    known = zip(readings, marked["formula"], marked["correction"], strict=True) if is_of_sentences else ()
    return {
        "refused": (stage["reason"] == row["step"]).sum() or None,
        "stories": left["story"].n_unique(),
        "sentences": left.height,
        "corrected": sum(patched is not None or of[:1] not in ([], [formula]) for of, formula, patched in known),
        "regained": marked["regained"].count() if is_of_sentences else 0,
        "accepted": sum(len(of) > 1 for of in readings),
    }


@table("refused", "dataset stage task reason")
def _refused(run: Run, row: Shown) -> Cells:
    rows = _refused_at(run, row)
    return {"sentences": len(rows), "stories": len({each["story"] for each in rows} - {None})}


def _refused_at(run: Run, row: Shown) -> list[dict[str, Any]]:
    """Rows refused for a reason, by a stage or outside the funnel."""
    if row["stage"] not in OUTSIDE:
        return entering(run, row).filter(reason=row["reason"]).to_dicts()
    names = ("dataset", "task", "reason")
    return [each for each in OUTSIDE[row["stage"]](run) if all((each[name] or "") == row[name] for name in names)]


@table("refused_rows", "dataset stage task item reason detail")
def _refused_rows(*_: object) -> Cells:
    """Rows are all there is to it."""
    return {}


@rows("funnel")
def _rows_of_funnel(run: Run) -> Keys:
    for key, reasons, last in _stages(run):
        first = ("as read",) if key[1] == "ingestion" else ()
        yield from ((*key, step) for step in (*first, *reasons["reason"].unique(), *last))


@rows("refused")
def _rows_of_refused(run: Run) -> Keys:
    names = ("dataset", "stage", "task", "reason")
    return iter(dict.fromkeys(tuple(each[name] or "" for name in names) for each in _every_refused(run)))


@rows("refused_rows")
def _rows_of_refused_rows(run: Run) -> Keys:
    names = ("dataset", "stage", "task", "item", "reason", "detail")
    return (tuple(each[name] for name in names) for each in _every_refused(run))


def _every_refused(run: Run) -> Iterator[dict[str, Any]]:
    """Rows that a stage of the funnel refuses, and those of ``OUTSIDE``."""
    for (dataset, stage, task), refused, _ in _stages(run):
        place = {"dataset": dataset, "stage": stage, "task": task}
        yield from (each | place for each in refused.select("item", "reason", "detail").to_dicts())
    for found in OUTSIDE.values():
        yield from found(run)


def _stages(run: Run) -> Iterator[tuple[tuple[str, str, str], pl.DataFrame, tuple[str, ...]]]:
    """Stages of the funnel with the rows that each refuses, and what is said of those that are left, if anything."""
    keys: dict[tuple[str, str, str], tuple[str, ...]] = {}
    for file in run.stages("datasets/*/sentences.arrow"):
        keys[file.about["dataset"], "ingestion", ""] = ()
        keys[file.about["dataset"], "ontology", ""] = ("usable",)
    for file in run.stages("datasets/*/problems.arrow"):
        keys[file.about["dataset"], "ingestion", ""] = ("usable",)
    for file in run.stages(ITEMS):
        left = "candidate sets" if (file.rows["status"] == "usable").any() else "none left, so nothing is asked"
        keys[file.about["dataset"], "candidates", file.about["task"]] = (left,)
    for key, last in keys.items():
        place = dict(zip(("dataset", "stage", "task"), key, strict=True))
        yield key, entering(run, place).drop_nulls("reason"), last
