"""Answers that somebody has already, from files to the tables, beside a model that was asked."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.workflow.checkout import Checkout, configuration

from nlfol.store import files, schemas
from nlfol_extras.explaining.explanation import explain
from nlfol_extras.explaining.selection import select

RERUN = {"kind": "answers", "path": "results/responses/{dataset}/{task}/tiny.arrow", "items": 4}
MINE = {"kind": "answers", "path": "mine/answers.jsonl"}
WRITTEN = {"kind": "answers", "path": "mine/written.csv", "only_listed": True, "written": True}

ANSWERS: list[dict[str, Any]] = [
    {"task": "logical_translation", "item": "pets:0", "answer": "∀x (Cat(x) → Sleeps(x))"},
    {"task": "logical_translation", "item": "pets:9", "answer": "Sleeps(tom)"},
    {"task": "ranking", "item": "pets:3", "presentation": "formula", "answer": [1, 2, 3, 4, 5]},
    {"task": "ranking", "item": "pets:0", "presentation": "formula", "answer": [1, 2, 3, 4, 5]},
    {"task": "translation", "item": "pets:0", "answer": "Sleeps(tom)"},
]
WRITTEN_ANSWERS = """\
task,item,presentation,answer
logical_translation,pets:1,,∃x (Dog(x) ∧ ¬Sleeps(x))
most_similar,pets:0,english,1
"""


def without_model(rows: list[dict[str, Any]], model: str) -> list[dict[str, Any]]:
    return [row | {"model": None} for row in rows if row["model"] == model]


def test_answers_from_files_are_processed_like_model_answers(
    changed: Callable[..., Checkout], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One file is the run's own, whose every figure comes out again; one is somebody's; one has written examples."""
    run_again = changed(lambda values: values["models"].update({"rerun": RERUN, "mine": MINE, "by_hand": WRITTEN}))
    run_again.write("mine/answers.jsonl", "".join(f"{json.dumps(row)}\n" for row in ANSWERS))
    run_again.write("mine/written.csv", WRITTEN_ANSWERS)
    run = run_again.run("results/tables", "results/report")
    assert run.jobs["answer_from_file"] == 9
    assert "ask_chat" not in run.jobs
    check(run_again, monkeypatch)


def check(experiment: Checkout, monkeypatch: pytest.MonkeyPatch) -> None:
    cells = files.rows(experiment.folder / "results/tables/cells.arrow", schemas.CELLS)
    assert without_model(cells, "rerun") == without_model(cells, "tiny") != []
    for table in ("logical_translation", "dialogue", "scores", "repetitions", "positions", "other_metrics", "faults"):
        rows = experiment.table(table)
        assert without_model(rows, "rerun") == without_model(rows, "tiny") != [], table

    mine = {(cell["task"], cell["metric"]): cell for cell in cells if cell["model"] == "mine"}
    translated = mine["logical_translation", "equivalence"]
    assert (translated["items"], translated["answered"], translated["failed"], translated["mean"]) == (8, 1, 7, 1 / 8)
    assert (mine["ranking", "negation"]["items"], mine["ranking", "negation"]["mean"]) == (7, 1 / 7)
    assert mine["most_similar", ""]["items"] == 0
    refused = [row for row in experiment.table("refused_rows") if row["stage"] == "answers"]
    assert {(row["task"], row["item"], row["reason"]) for row in refused} == {
        ("logical_translation", "pets:9", "unknown_item"),
        ("ranking", "pets:3", "refused_item"),
        ("translation", "pets:0", "not_configured"),
    }

    for table in ("logical_translation", "dialogue", "scores", "faults"):
        shown = experiment.read(f"results/tables/{table}.md")
        assert "by_hand (written, not asked)" in shown
        assert "mine (" not in shown
    compared = {row[place] for row in experiment.table("differences") for place in ("first", "second")}
    assert "by_hand" not in compared >= {"tiny", "rerun", "mine"}

    monkeypatch.chdir(experiment.folder)
    for model in ("mine", "rerun", "by_hand"):
        cell = select(
            Path("results/tables/scores.csv"),
            [f"model={model}", "task=logical_translation", "metric=equivalence"],
            "score",
        )
        assert explain(cell, Path("journal")).broken == []


def test_missing_answers_file_is_reported_before_run(checkout: Checkout) -> None:
    checkout.configure(configuration(mine=MINE))
    run = checkout.dry_run()
    assert run.status != 0
    assert "models.mine: no file mine/answers.jsonl; correct the path, or put the file there" in run.output
    checkout.write("mine/answers.jsonl", "")
    run = checkout.dry_run()
    assert run.status != 0
    assert "models.mine: mine/answers.jsonl is empty; put answers there" in run.output
