"""``config/solt.yaml`` and ``config/stability.yaml``: planned without keys, GPU, network or files of the user's."""

import csv
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.workflow.checkout import ROOT, Checkout

from nlfol.config import Configuration, read_configuration
from nlfol.data.entries.diversified import DiversifiedEntry
from nlfol.results.statistics.published_error import DIVERSIFIED, ORIGINAL, published_dataset

OURS = ("proofs_short", "proofs_long")

pytestmark = pytest.mark.usefixtures("nothing_at_hand")


def grid(name: str) -> dict[str, Any]:
    return dict(yaml.safe_load((ROOT / f"config/{name}.yaml").read_text(encoding="utf-8")))


def jobs_of(configuration: Configuration) -> Counter[str]:
    return Counter(model for _, _, model in configuration.jobs())


def test_solt_experiment_is_planned_without_user_files(checkout: Checkout) -> None:
    run = checkout.run("--dry-run", config="config/solt.yaml")
    # Five sets in two wordings: nine tasks on each, five more on ProofWriter as formulas, and ratings of one wording.
    built = 10 * 9 + 2 * 5 + 5
    expected = {
        "ingest_problems": 5,
        "diversify_problems": 5,
        "build_items": built,
        # Two paid models and two served ones; ratings by one of each.
        "ask_api": 4 * built - 2 * 5,
        "ask_chat": built - 5 - 10,  # stepwise translation outgrows its context
        "answer_by_reference": built - 5 + 10,
        "answer_by_chance": built,
    }
    assert {rule: run.jobs.get(rule) for rule in expected} == expected
    assert not [message for message in run.messages if "folio" in message or "proverqa" in message]


def test_configured_folio_and_proverqa_replace_own_datasets(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NLFOL_FOLIO", "NLFOL_PROVERQA", "WORDNET", "PPDB"):
        monkeypatch.setenv(name, "mine")
    datasets = read_configuration(grid("solt")).datasets
    assert [name for name in datasets if name.startswith(OURS)] == []
    assert {"folio", "proverqa", "folio_diversified", "proverqa_diversified"} < datasets.keys()
    assert datasets["proverqa"].source_files == ["mine/dev/medium.json"]


def test_solt_figures_have_every_kind_and_share(monkeypatch: pytest.MonkeyPatch) -> None:
    values, solt = grid("solt_figures"), grid("solt")
    assert read_configuration(values).datasets.keys().isdisjoint({"folio_synonym", "proverqa_voice"})
    for name in ("NLFOL_FOLIO", "NLFOL_PROVERQA"):
        monkeypatch.setenv(name, "mine")
    read = read_configuration(values)
    kinds = Counter(
        entry.of for entry in read.datasets.values() if isinstance(entry, DiversifiedEntry) and len(entry.types) == 1
    )
    assert kinds == {"folio": 4, "proverqa": 4, "prontoqa": 4, "logical_deduction": 3, "proofwriter": 5}
    shares = {name: entry["intensity"] for name, entry in values["datasets"].items() if "intensity" in entry}
    assert shares == {f"proofwriter_{share}": share / 100 for share in (25, 50, 75, 100)}
    asked = {(dataset, task) for dataset, task, _ in read.jobs("chat")}
    tasks = {"direct", "concept_table", "direct_formulas", "concept_table_formulas"}
    assert {(dataset, task) for dataset in ("proofwriter", *shares) for task in tasks} <= asked
    # What has the name of an entry of the whole experiment is asked the same.
    common = values["datasets"].keys() & solt["datasets"].keys()
    assert len(common) == 7
    assert {name: values["datasets"][name] for name in common} == {name: solt["datasets"][name] for name in common}
    assert values["models"] == {name: solt["models"][name] for name in values["models"]}
    whole = read_configuration(solt)
    assert all(read.tasks[name] == whole.tasks[name] for name in ("direct", "concept_table"))


def test_solt_grid_covers_published_models_and_strategies() -> None:
    values = grid("solt")
    with (ROOT / "resources/published/solt.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["metric"].startswith(("accuracy", "dispersion", "rating"))]
    # Fine-tuned ones are those of config/fine_tuning.yaml.
    published = {row["model"] for row in rows if "-sft" not in row["model"]} - {"human"}
    assert published == {name for name, entry in values["models"].items() if entry["kind"] == "chat"}
    strategies = {entry.get("strategy") for entry in values["tasks"].values()}
    assert {row["task"] for row in rows} - {"diversification"} < strategies
    asked = {name: entry["sampling"] for name, entry in values["models"].items() if entry["kind"] == "chat"}
    assert asked.pop("llama-3-8b-instruct")["temperature"] == 0.6  # open models have their own default
    assert {sampling["temperature"] for sampling in asked.values()} == {0.2}
    assert {entry["shots"] for entry in values["tasks"].values() if entry.get("task") == "program"} == {5}


@pytest.mark.parametrize("files", ["", "mine"])
def test_fine_tuning_grid_covers_published_rows(files: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("NLFOL_FOLIO", "NLFOL_PROVERQA", "WORDNET", "PPDB"):
        monkeypatch.setenv(variable, files)
    values, solt = grid("fine_tuning"), grid("solt")
    configuration = read_configuration(values)
    with (ROOT / "resources/published/solt.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["table"] == "4"]
    published = {(row["dataset"], row["presentation"], row["task"], row["model"]) for row in rows}
    assert len(published) == 12 * 3
    asked = set()
    for dataset, task, model in configuration.jobs("chat"):
        original, entry = configuration.datasets[dataset].original, configuration.tasks[task].model_dump()
        about = {"reader": configuration.datasets[original or dataset].reader}
        name = published_dataset({**about, "language": entry["language"] or "clauses"})
        asked.add((name, DIVERSIFIED if original else ORIGINAL, entry["strategy"], model))
    # Of ProverQA there is nothing without a file.
    assert published - asked == {row for row in published if row[0] == "proverqa" and not files}
    # As in the whole experiment; FOLIO without a file is its training split.
    common = values["datasets"].keys() & solt["datasets"].keys() - {"folio"}
    assert {name: values["datasets"][name] for name in common} == {name: solt["datasets"][name] for name in common}
    assert {"proverqa", "proverqa_diversified", "folio_diversified", "proofs_long", "prontoqa_diversified"} < common
    trainings = configuration.training.values()
    assert {(entry.count, entry.batch, entry.learning_rate, entry.epochs) for entry in trainings} == {(600, 1, 5e-5, 3)}


def test_stability_configuration_is_valid_and_small(tmp_path: Path) -> None:
    configuration = read_configuration(grid("stability"))
    whole = 8
    assert len(configuration.datasets) == 18
    assert jobs_of(configuration) == {
        "reader": 18 + 8 * whole + whole,
        "drifting": 18 + 8 * whole,
        "merging": 18 + whole,
        "vacuous": 18,
        "commonest": whole,
        "chance": whole + 1,
        "smollm2-135m": 2 + 2 + 1,
    }
    shares = {block.model_dump().get("intensity") for block in configuration.datasets.values()} - {None}
    assert shares == {0.25, 0.5, 0.75, 1.0}
