"""Estimates of every shipped configuration: planned, and one made, without keys, GPU, network or a question."""

import csv
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.workflow.checkout import ROOT, Checkout

SHIPPED = ["config.yaml", *sorted(f"config/{path.name}" for path in (ROOT / "config").glob("*.yaml"))]

MADE = {
    "estimate_costs",
    *("ingest_dataset", "ingest_dataset_part", "ingest_problems", "attach_ontology", "attach_ontology_part"),
    *("build_items", "build_items_part", "check_language_labels", "diversify_problems", "seek_rewrites"),
}
"""Rules of what no model has a part in."""

pytestmark = pytest.mark.usefixtures("nothing_at_hand")


def results(config: str) -> str:
    return str(yaml.safe_load((ROOT / config).read_text(encoding="utf-8")).get("results", "results"))


@pytest.fixture(scope="module")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    return Checkout.make(tmp_path_factory.mktemp("estimates") / "checkout")


@pytest.mark.parametrize("config", SHIPPED)
def test_estimate_plan_sends_nothing(untouched: Checkout, config: str) -> None:
    run = untouched.run(f"{results(config)}/estimate.csv", "--dry-run", config=config)
    assert run.jobs["estimate_costs"] == 1
    assert run.jobs.keys() <= MADE


def test_published_rewriting_is_estimated_before_requests(untouched: Checkout, tmp_path: Path) -> None:
    (tmp_path / "dev").mkdir()
    (tmp_path / "dev/medium.json").write_text("[]")
    environment = dict.fromkeys(("NLFOL_FOLIO", "NLFOL_PROVERQA"), str(tmp_path))
    run = untouched.run("solt/estimate.csv", "--dry-run", config="config/solt.yaml", environment=environment)
    assert "folio_diversified" in run.output
    assert run.jobs.keys() <= MADE


def test_estimate_works_offline(checkout: Checkout) -> None:
    nowhere = dict.fromkeys(("http_proxy", "https_proxy"), "http://127.0.0.1:9")
    checkout.run("results/estimate.csv", config="config.yaml", environment=nowhere)
    rows: list[dict[str, Any]] = list(csv.DictReader(checkout.read("results/estimate.csv").splitlines()))
    assert all(int(row["left"]) + int(row["shared"]) == int(row["requests"]) > 0 for row in rows)
    assert all(row["cost"] for row in rows)
    assert not list(checkout.folder.glob("**/responses/**/*.arrow"))
