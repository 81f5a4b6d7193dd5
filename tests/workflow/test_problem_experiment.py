"""Problems in a run of their own: drawn, answered without a solver and by programs, and tabulated."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.workflow.checkout import CHANCE, Checkout

from nlfol.store import files, schemas
from nlfol.store.problem_schemas import PROBLEMS, PROGRAMS
from nlfol_extras.explaining.texts import explained

CONFIGURATION: dict[str, Any] = {
    "seed": 7,
    "datasets": {
        "rules": {"reader": "family", "family": "rules", "count": 12, "depth": [1, 2]},
        "varied": {"reader": "diversified", "of": "rules"},
    },
    "tasks": {"question_answering": {}, "program": {"shots": 1, "strategy": "refine"}, "rating": {}},
    "models": {
        "reader": {"kind": "reader"},
        "constant": {"kind": "constant", "answer": "commonest"},
        "chance": CHANCE,
    },
}


def test_problem_experiment_is_planned(checkout: Checkout) -> None:
    run = checkout.run("--dry-run", config="config/problems.yaml")
    expected = {
        "ingest_problems": 8,
        "build_items": 8 * 5,
        # The reader does every task, the constant three.
        "answer_by_reference": 8 * 5 + 8 * 3,
        "ask_chat": None,
    }
    assert {rule: run.jobs.get(rule) for rule in expected} == expected


RULES = ("ingest_problems", "diversify_problems", "ingest_dataset", "attach_ontology")


def test_problem_reader_is_right_and_floors_are_exact(checkout: Checkout, monkeypatch: pytest.MonkeyPatch) -> None:
    checkout.configure(CONFIGURATION)
    run = checkout.run("results/tables")
    assert "No model was asked: scores.csv has references alone." in run.output
    assert {rule: run.jobs.get(rule) for rule in RULES} == {
        "ingest_problems": 1,
        "diversify_problems": 1,
        "ingest_dataset": None,
        "attach_ontology": None,
    }
    problems = files.rows(checkout.folder / "results/datasets/rules/problems.arrow", PROBLEMS)
    items = files.rows(checkout.folder / "results/items/rules/program.arrow", schemas.ITEMS)
    assert [row["item"] for row in items] == [row["item"] for row in problems]
    assert all(row["problem"] and len(row["exemplars"]) == 1 for row in items)
    varied = files.rows(checkout.folder / "results/datasets/varied/problems.arrow", PROBLEMS)
    assert [row["item"] for row in varied] == [row["item"] for row in problems]
    assert all(row["status"] == "usable" and row["rewrites"] for row in varied)
    rated = files.rows(checkout.folder / "results/items/varied/rating.arrow", schemas.ITEMS)
    shown = [row["text"] for row in files.rows(checkout.folder / "results/items/rules/program.arrow", schemas.ITEMS)]
    assert [row["text"].split("\n\n")[0] for row in rated] == [f"Original:\n{text}" for text in shown]
    ((dataset, rater, mean),) = ((row["dataset"], row["model"], row["rating_mean"]) for row in checkout.table("rating"))
    assert (dataset, rater, mean) == ("varied", "chance", 3)

    for dataset in ("rules", "varied"):
        scores = [row for row in checkout.table("scores") if row["dataset"] == dataset]
        means = {(row["task"], row["metric"], row["model"]): row["score_mean"] for row in scores}
        reader = {key[:2]: mean for key, mean in means.items() if key[2] == "reader"}
        assert reader == {("question_answering", "right"): 1, ("program", "right"): 1, ("program", "executable"): 1}
        for model in ("chance", "constant"):
            assert round(means["question_answering", "right", model], 9) == round(1 / 3, 9)

        (ceiling, floor) = (row for row in checkout.table("solvers") if row["dataset"] == dataset)
        assert (ceiling["model"], ceiling["executed"], ceiling["right_executed_mean"]) == ("reader", 12, 1)
        assert (floor["model"], floor["right_mean"], round(floor["guessed_mean"], 9)) == ("chance", 0, round(1 / 3, 9))
        answered = [row for row in checkout.table("question_answering") if row["dataset"] == dataset]
        labels = {(row["model"], row["label"]): row for row in answered}
        assert labels["reader", "unknown"]["f1_mean"] == 1
        assert labels["always true", "true"]["recall_mean"] == 1
    assert {row["depth"] for row in checkout.table("depths")} == {1, 2}
    of_depth = {
        (row["model"], row["depth"], row["label"]): row
        for row in checkout.table("question_answering_depths")
        if row["dataset"] == "varied"
    }
    assert sum(of_depth["reader", depth, "false"]["tp"] for depth in (1, 2)) == labels["reader", "false"]["tp"] == 4
    steps = [row["step"] for row in checkout.table("funnel") if row["dataset"] == "varied"]
    assert steps == ["as read", "usable", *["candidate sets"] * 3]
    in_other_words(checkout)
    manifest = json.loads(checkout.read("results/manifest.json"))["experiment"]["data"]
    assert {"problems/rules", "source/rules", "problems/varied", "source/varied"} <= manifest.keys()

    monkeypatch.chdir(checkout.folder)
    row = ["dataset=varied", "model=reader", "task=program"]
    found, text = explained(Path("results/tables/solvers.csv"), row, "right_mean", Path("journal"), None)
    assert not found["broken"], text
    assert "results/datasets/rules/problems.arrow" in text
    found, text = explained(Path("results/tables/consistency.csv"), row, "problems_mean", Path("journal"), None)
    assert not found["broken"], text
    assert "results/programs/varied/program/reader.arrow" in text


def in_other_words(checkout: Checkout) -> None:
    """The reader writes the gold program of either wording: no symbol drifts, and nothing is lost."""
    for dataset in ("rules", "varied"):
        programs = files.rows(checkout.folder / f"results/programs/{dataset}/program/reader.arrow", PROGRAMS)
        assert [(row["status"], row["cause"]) for row in programs] == [("aligned", "right")] * 12
    kept = {(row["task"], row["model"]): row for row in checkout.table("stability")}
    answering = [("question_answering", model) for model in ("constant", "reader")]
    assert sorted(kept) == [("program", "reader"), *answering]
    for row in kept.values():
        assert (row["dataset"], row["original"], row["items"], row["drop_mean"]) == ("varied", "rules", 12, 0)
    lost = kept["program", "reader"]
    assert (lost["right"], lost["dispersion_mean"], lost["adjusted"]) == (1, 0, None)
    for row in checkout.table("drift"):
        assert (row["model"], row["answers"], row["aligned"], row["dispersion_mean"]) == ("reader", 12, 12, 0)
    assert [row["problems_mean"] for row in checkout.table("consistency")] == [1, 1]
    assert [(row["cause"], row["answers"], row["of"]) for row in checkout.table("causes")] == [("right", 12, 12)] * 2
    (same,) = checkout.table("transitions")
    assert (same["first_dataset"], same["second_dataset"], same["right"]) == ("rules", "varied", 12)
