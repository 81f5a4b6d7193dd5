"""Rows that ``benchmarks/recomputed_tables.py`` expects of tables, of files written by hand."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from benchmarks.recomputed_refusals import UNASKED
from benchmarks.recomputed_rows import ROWS
from benchmarks.recomputed_run import Run

PLACE = {"dataset": "toy", "task": "most_similar", "task_kind": "most_similar", "protocol": "audited"}
SCORE = ("presentation", "item", "story", "score", "detail", "counter_model", "word")


def write(path: Path, about: Mapping[str, str], names: Sequence[str], *rows: Sequence[Any]) -> None:
    """Write an Arrow file of texts and its metadata."""
    path.parent.mkdir(parents=True, exist_ok=True)
    schema = pa.schema([(name, pa.string()) for name in names], dict(about.items()))
    table = pa.Table.from_pylist([dict(zip(names, row, strict=True)) for row in rows], schema)
    with pa.ipc.new_file(str(path), schema) as sink:
        sink.write_table(table)


def rows(results: Path, table: str) -> list[tuple[str, ...]]:
    """Return the rows that a table is to have."""
    return sorted(tuple(value or "" for value in row) for row in ROWS[table](Run(results)))


def test_answers_that_no_job_uses_or_no_training_learns_are_refused(tmp_path: Path) -> None:
    unused = [
        {"dataset": None, "task": None, "item": "z", "story": None, "reason": "no_task", "detail": "There is none."}
    ]
    about = {"dataset": "toy", "task": "t", "model": "by_hand", "unused": json.dumps(unused)}
    for task in ("t", "u"):
        write(tmp_path / f"responses/toy/{task}/by_hand.arrow", about, ["item"])
    names = ("dataset", "task", "model", "item", "step", "status", "reason", "detail")
    learnt = ("toy", "t", "m", "a", "0", "usable", None, None)
    refused = ("toy", "t", "m", "b", "0", "refused", "wrong", "It is wrong.")
    write(tmp_path / "training/tuned/examples.arrow", {"training": "tuned"}, names, learnt, refused, refused)
    detail = "tuned: m, step 0: It is wrong."
    assert rows(tmp_path, "refused") == [("", "answers", "", "no_task"), ("toy", "training", "t", "wrong")]
    assert rows(tmp_path, "refused_rows") == [
        ("", "answers", "", "z", "no_task", "by_hand: There is none."),
        *[("toy", "training", "t", "b", "wrong", detail)] * 2,
    ]


def test_a_task_without_items_says_so_and_presentations_that_are_not_asked_are_listed(tmp_path: Path) -> None:
    names = ("item", "story", "status", "reason", "detail", "unasked")
    for task, *item in (("none", "refused", "open", "x", None), ("some", "usable", None, None, ["few_shot"])):
        path = tmp_path / f"items/toy/{task}.arrow"
        path.parent.mkdir(parents=True, exist_ok=True)
        schema = pa.schema([*((name, pa.string()) for name in names[:-1]), ("unasked", pa.list_(pa.string()))])
        schema = schema.with_metadata({"dataset": "toy", "task": task, "task_kind": "round_trip"})
        with pa.ipc.new_file(str(path), schema) as sink:
            sink.write_table(pa.Table.from_pylist([dict(zip(names, ("a:0", "a", *item), strict=True))], schema))
    for name in ("sentences", "triples"):
        write(
            tmp_path / f"datasets/toy/{name}.arrow", {"dataset": "toy"}, names[:-1], ("a:0", "a", "usable", None, None)
        )
    none = ("toy", "candidates", "none", "none left, so nothing is asked")
    assert rows(tmp_path, "funnel")[:3] == [none, (*none[:3], "open"), ("toy", "candidates", "some", "candidate sets")]
    reason, detail = UNASKED["few_shot"]
    assert rows(tmp_path, "refused_rows") == [
        ("toy", "candidates", "none", "a:0", "open", "x"),
        ("toy", "presentations", "some", "a:0", reason, f"few_shot: {detail}"),
    ]


def test_sentences_of_refused_stories_are_refused(tmp_path: Path) -> None:
    names = ("item", "story", "status", "reason", "detail")
    sentences = [(f"{story}:{place}", story, "usable", None, None) for story in "ab" for place in (0, 1)]
    for name in ("sentences", "triples"):
        write(tmp_path / f"datasets/toy/{name}.arrow", {"dataset": "toy"}, names, *sentences)
    items = [("a", "usable", None, None), ("b", "refused", "story_too_long", "It is long.")]
    about = {"dataset": "toy", "task": "own", "task_kind": "ontology_extraction", "items": "stories"}
    path, of_items = tmp_path / "items/toy/own.arrow", ("item", "status", "reason", "detail", "story", "unasked")
    write(path, about, of_items, *((*item, item[0], None) for item in items))
    refused = [("toy", "candidates", "own", item, "story_too_long", "It is long.") for item in ("b:0", "b:1")]
    assert rows(tmp_path, "refused_rows") == refused
    assert ("toy", "candidates", "own", "story_too_long") in rows(tmp_path, "funnel")
    assert ("toy", "candidates", "own", "candidate sets") in rows(tmp_path, "funnel")


@pytest.mark.parametrize("kind", ["chat", "embedding"])
def test_a_task_without_items_joins_each_presentation_of_a_model(tmp_path: Path, kind: str) -> None:
    for task, shown in {"most_similar": ("english", "formula"), "ranking": ()}.items():
        about = PLACE | {"task": task, "task_kind": task, "model": "m", "kind": kind, "available": "1"}
        asked = [(presentation, "a", "a", None, None, None, None) for presentation in shown]
        write(tmp_path / f"scores/toy/{task}/m.arrow", about, SCORE, *asked)
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables/scores.csv").write_text("dataset,task,model\ntoy,most_similar,m\ntoy,ranking,m\n", "utf-8")
    (table, other) = ("dialogue", "embedding") if kind == "chat" else ("embedding", "dialogue")
    assert rows(tmp_path, table) == [
        ("toy", "audited", "m", shown, "most_similar", "ranking") for shown in ("english", "formula")
    ]
    assert rows(tmp_path, other) == []
