"""The published grid, ``config/paper.yaml``: planned without keys, GPU or network."""

import csv

import pytest
import yaml
from tests.workflow.checkout import ROOT, Checkout

from nlfol.config import read_configuration

GRID = {
    "ingest_dataset": 2,
    "attach_ontology": 2,
    "measure_items": 2,
    # 2 datasets, 5 entries of tasks, 4 of them with candidate sets.
    "build_items": 2 * 5,
    "audit_candidates": 2 * 4,
    "materialise_model": 6,
    "ask_api": 2 * 5 * 2,
    "ask_chat": 2 * 5 * 4,
    "ask_embedding": 2 * 4 * 2,
    "ask_embedding_api": 2 * 4 * 1,
    # By chance, and where there are candidates as who proves what they say.
    "answer_by_chance": 2 * 5 + 2 * 4,
    # The candidate nearest to all others, and second readings of FOLIO.
    "answer_by_reference": 2 * 4,
    "answer_from_file": 1,
    "judge_answers": 2 * 5 * 7 + 2 * 4 * 5 + 1,
    "explain_answers": 2,
}


pytestmark = pytest.mark.usefixtures("nothing_at_hand")


def test_paper_grid_is_planned_without_keys_or_gpu(checkout: Checkout) -> None:
    run = checkout.run("--dry-run", config="config/paper.yaml")
    assert {rule: run.jobs.get(rule) for rule in GRID} == GRID
    assert f"# {sum(run.jobs.values())} jobs;" in (ROOT / "docs/paper.md").read_text(encoding="utf-8")
    assert "Comparing by gemini-embedding-001 for ranking_audited on tarski" in run.messages
    assert "stanford" not in run.output


def test_private_corpus_replaces_tarski_when_configured(monkeypatch: pytest.MonkeyPatch) -> None:
    values = yaml.safe_load((ROOT / "config/paper.yaml").read_text(encoding="utf-8"))
    public = read_configuration(values)
    monkeypatch.setenv("NLFOL_STANFORD", "corpus")
    private = read_configuration(values)
    assert private.datasets["stanford"].source_files == ["corpus/sentences.csv"]
    assert private.datasets["stanford"].ontology_files == ["corpus/ontology.yaml"]
    assert "tarski" not in private.datasets
    replaced = [("stanford" if dataset == "tarski" else dataset, *job) for dataset, *job in public.jobs()]
    assert sorted(private.jobs()) == sorted(replaced)


def test_missing_private_corpus_error_names_file(checkout: Checkout) -> None:
    run = checkout.snakemake("--dry-run", config="config/paper.yaml", environment={"NLFOL_STANFORD": "nowhere"})
    assert run.status != 0
    assert "datasets.stanford: no file nowhere/sentences.csv; correct the path" in run.output


def test_paper_grid_covers_published_models() -> None:
    grid = yaml.safe_load((ROOT / "config/paper.yaml").read_text(encoding="utf-8"))
    with (ROOT / "resources/published/nl_fol_lt.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    published = {row[column] for row in rows for column in ("model", "second")} - {""}
    assert grid["models"].keys() - {"chance", "reasoner", "medoid", "second_reading"} == published
    assert {row["dataset"] for row in rows} == grid["datasets"].keys() - {"tarski"}
    chats = [entry for entry in grid["models"].values() if entry["kind"] == "chat"]
    assert all(entry["seeds"] == [3, 12, 26, 85, 107] for entry in chats)
