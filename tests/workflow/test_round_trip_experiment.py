"""Round trips and verification in a run of their own, by who is no language model: ceiling, floor, and the measure."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.workflow.checkout import CHANCE, Checkout

from nlfol.store import files, schemas

MODELS: dict[str, dict[str, Any]] = {
    "reader": {"kind": "reader"},
    "echo": {"kind": "echo"},
    "yes": {"kind": "constant", "answer": "yes"},
    "chance": CHANCE,
}


def test_references_score_on_tarski_what_they_must(checkout: Checkout) -> None:
    tarski = {"path": "resources/datasets/tarski/sentences.csv", "ontology": "resources/datasets/tarski/ontology.yaml"}
    checkout.configure(
        {
            "seed": 7,
            "datasets": {"tarski": {"reader": "table", **tarski}},
            "tasks": {"round_trip": {"rounds": 2, "presentations": ["few_shot"]}, "verification": {}},
            "models": MODELS,
        }
    )
    run = checkout.snakemake("results/tables")
    assert run.status == 0, run.output
    assert (run.jobs["answer_by_reference"], run.jobs["answer_by_chance"]) == (4, 2)
    means = {
        (row["model"], row["metric"], row["presentation"] or ""): row["score_mean"] for row in checkout.table("scores")
    }
    for number in ("", "@2"):
        shown = "few_shot"
        assert means["reader", f"truth{number}", shown] == means["reader", f"truth_uncopied{number}", shown] == 1
        assert means["reader", f"compliance{number}", shown] == 1
        assert means["reader", f"copied{number}", shown] == 0
        assert means["echo", f"truth{number}", shown] == means["echo", f"copied{number}", shown] == 1
        assert means["echo", f"truth_uncopied{number}", shown] == 0
        assert means["chance", f"truth{number}", shown] == 0
    assert 0 < means["reader", "bleu", "few_shot"] < 1
    for model, same, other in (("reader", 1, 1), ("yes", 1, 0), ("chance", 0.5, 0.5)):
        found = [means[model, "right", shown] for shown in ("equivalent", "perturbation")]
        assert found == [pytest.approx(same), pytest.approx(other)]
    assert ("yes", "truth", "few_shot") not in means
    rows = files.rows(checkout.folder / "results/scores/tarski/round_trip/reader.arrow", schemas.SCORES)
    assert {row["stop"] for row in rows} == {"completed"}
    items = files.rows(checkout.folder / "results/items/tarski/round_trip.arrow", schemas.ITEMS)
    assert all(len(row["exemplars"]) == 1 for row in items if row["status"] == "usable")
    report = checkout.snakemake("results/report/index.html")
    assert report.status == 0, report.output
    assert json.loads(checkout.read("results/manifest.json"))["experiment"]
