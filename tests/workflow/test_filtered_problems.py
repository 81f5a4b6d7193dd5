"""Problems in other words that are too unlike their originals: refused by the cosine of an embedding model."""

from pathlib import Path
from typing import Any

import pytest
from tests.workflow.checkout import CHANCE, MINILM, Checkout, interface

from nlfol.store import files
from nlfol.store.problem_schemas import PROBLEMS, WORDINGS
from nlfol_extras.explaining.texts import explained

CONFIGURATION: dict[str, Any] = {
    "seed": 7,
    "datasets": {
        "rules": {"reader": "family", "family": "rules", "count": 6, "depth": [1, 2]},
        "varied": {"reader": "diversified", "of": "rules", "similarity": {"model": "minilm", "least": 0.99}},
    },
    "tasks": {"question_answering": {}},
    "models": {"minilm": MINILM, "chance": CHANCE},
}
OF_FILTER = ("diversify_problems_to_filter", "compare_wordings", "filter_problems")


def test_changed_filter_bound_reuses_comparisons(checkout: Checkout, monkeypatch: pytest.MonkeyPatch) -> None:
    checkout.configure(CONFIGURATION)
    estimated = checkout.run("--dry-run", "results/estimate.md")
    assert not {*OF_FILTER} & estimated.jobs.keys()
    run = checkout.run("results/tables")
    assert {rule: run.jobs.get(rule) for rule in (*OF_FILTER, "diversify_problems")} == {
        **dict.fromkeys(OF_FILTER, 1),
        "diversify_problems": None,
    }

    def refused() -> list[dict[str, Any]]:
        rows = files.rows(checkout.folder / "results/datasets/varied/problems.arrow", PROBLEMS)
        assert len(rows) == 6
        return [row for row in rows if row["reason"] == "not_similar"]

    path = checkout.folder / "results/rewrites/varied/wordings/minilm.arrow"
    cosines = {row["item"]: row["similarity"] for row in files.rows(path, WORDINGS) if row["unit"] == "problem"}
    assert {row["item"] for row in refused()} == {name for name, cosine in cosines.items() if cosine < 0.99} != set()
    for row in refused():
        assert f"by minilm is {cosines[row['item']]:.4f}, below 0.99" in row["detail"]
    listed = checkout.read("results/tables/refused_rows.csv")
    assert listed.count("not_similar") == len(refused())
    monkeypatch.chdir(checkout.folder)
    shown = ["dataset=varied", "unit=problem", "source=here"]
    found, text = explained(Path("results/tables/similarity.csv"), shown, "similarity_mean", Path("journal"), None)
    assert not found["broken"], text
    assert {"results/rewrites/varied/reworded.arrow", "results/rewrites/varied/wordings/minilm.arrow"} <= {
        *text.split()
    }

    between = sorted(cosines.values())[2]
    entry = {**CONFIGURATION["datasets"]["varied"], "similarity": {"model": "minilm", "least": between}}
    checkout.configure({**CONFIGURATION, "datasets": {**CONFIGURATION["datasets"], "varied": entry}})
    again = checkout.run("results/datasets/varied/problems.arrow")
    assert again.jobs["filter_problems"] == 1
    assert not {*OF_FILTER[:2], "ingest_problems"} & again.jobs.keys()
    assert len(refused()) == 2


def test_paper_rewritten_problems_are_filtered(checkout: Checkout) -> None:
    asked = {"rewriter": "gpt", "assembler": "gpt", "filter": {"model": "minilm"}}
    entry = {**CONFIGURATION["datasets"]["varied"], "protocol": "paper", **asked}
    models = {**CONFIGURATION["models"], "gpt": interface("http://127.0.0.1:9")}
    datasets = {**CONFIGURATION["datasets"], "varied": entry}
    checkout.configure({**CONFIGURATION, "datasets": datasets, "models": models})
    jobs = checkout.run("--dry-run", "results/tables").jobs
    rules = ("assemble_problems", "assemble_problems_to_filter", "compare_wordings", "filter_problems")
    assert [jobs.get(rule) for rule in rules] == [None, 1, 1, 1]
