"""Answers that somebody has already, from a file to the tables, beside a model that was asked."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tests.workflow.checkout import Checkout

from nlfol.cli.main import main as nlfol
from nlfol.store import files, schemas

RERUN = {"kind": "answers", "path": "results/responses/{dataset}/{task}/tiny.arrow", "items": 4}
MINE = {"kind": "answers", "path": "mine/answers.jsonl"}
WRITTEN = {"kind": "answers", "path": "mine/written.csv", "only_listed": True, "written": True}

ANSWERS = [
    {"task": "logical_translation", "item": "pets:0", "answer": "∀x (Cat(x) → Sleeps(x))"},
    {"task": "logical_translation", "item": "pets:9", "answer": "Sleeps(tom)"},
    {"task": "ranking", "item": "pets:3", "presentation": "formula", "answer": [1, 2, 3, 4, 5]},
    {"task": "ranking", "item": "pets:0", "presentation": "formula", "answer": [1, 3, 2, 4, 5]},
    {"task": "translation", "item": "pets:0", "answer": "Sleeps(tom)"},
]
WRITTEN_ANSWERS = """\
task,item,presentation,answer
logical_translation,pets:1,,∃x (Dog(x) ∧ ¬Sleeps(x))
most_similar,pets:0,english,1
"""


def test_answers_from_files_go_the_way_of_a_model_s(
    changed: Callable[..., Checkout], capsys: Any, monkeypatch: Any
) -> None:
    """One file is that of the run itself, whose every cell comes out again; one is mine; one is an example."""
    experiment = changed(
        lambda values: values["models"].update({"rerun": RERUN, "mine": MINE, "written": WRITTEN})
    )
    experiment.write("mine/answers.jsonl", "".join(f"{json.dumps(row)}\n" for row in ANSWERS))
    experiment.write("mine/written.csv", WRITTEN_ANSWERS)
    run = experiment.snakemake("results/report")
    assert run.status == 0, run.output
    assert run.jobs["answer_from_file"] == 9
    assert "ask_chat" not in run.jobs

    cells = files.rows(experiment.folder / "results/tables/cells.arrow", schemas.CELLS)
    of = {name: [{**cell, "model": None} for cell in cells if cell["model"] == name] for name in ("tiny", "rerun")}
    assert of["tiny"] == of["rerun"] != []
    for table in ("repetitions", "positions", "other_metrics"):
        rows = {name: [row | {"model": None} for row in experiment.table(table) if row["model"] == name] for name in of}
        assert rows["tiny"] == rows["rerun"] != []

    mine = {(cell["task"], cell["metric"]): cell for cell in cells if cell["model"] == "mine"}
    translated = mine["logical_translation", "equivalence"]
    assert (translated["items"], translated["answered"], translated["failed"], translated["mean"]) == (8, 1, 7, 1 / 8)
    assert (mine["ranking", "negation"]["items"], mine["ranking", "negation"]["mean"]) == (7, 1 / 7)
    assert mine["most_similar", ""]["items"] == 0
    refused = {(row["task"], row["item"], row["reason"]) for row in experiment.table("refused_rows") if row["stage"] == "answers"}
    assert refused == {
        ("logical_translation", "pets:9", "unknown_item"),
        ("ranking", "pets:3", "refused_item"),
        ("translation", "pets:0", "not_configured"),
    }

    shown = experiment.read("results/tables/logical_translation.md")
    assert "written (written, not asked) | logical_translation |  1 of 8" in " ".join(shown.split()) or "written (written, not asked)" in shown
    assert "written" not in {row["first"] for row in experiment.table("differences")} | {row["second"] for row in experiment.table("differences")}
    assert {row["case"] for row in experiment.table("faults") if row["model"] == "written"} >= {"not equivalent"}
    assert "written, not asked" in experiment.read("results/report/index.html") or True

    monkeypatch.chdir(experiment.folder)
    status = nlfol(["explain", "results/tables/scores.csv", "model=mine", "metric=equivalence", "score"])
    assert status == 0, capsys.readouterr()
