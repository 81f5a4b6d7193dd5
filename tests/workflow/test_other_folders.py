"""An experiment in a folder of its own, apart from the project's files."""

from pathlib import Path

import pytest
from tests.workflow.checkout import ONTOLOGY, SENTENCES, Checkout, configuration

MODULE = """\
configfile: "experiment.yaml"

module nlfol:
    snakefile: "{snakefile}"
    config: config

use rule * from nlfol as nlfol_*
"""


@pytest.fixture
def elsewhere(tmp_path: Path) -> Checkout:
    """A folder with a dataset and a configuration, and nothing of the project."""
    folder = Checkout(tmp_path / "my experiment")
    folder.write("mine/sentences.csv", SENTENCES)
    folder.write("mine/ontology.yaml", ONTOLOGY)
    folder.configure(configuration())
    return folder


def test_experiment_runs_in_separate_folder(checkout: Checkout, elsewhere: Checkout) -> None:
    snakefile = str(checkout.folder / "Snakefile")
    before = set(checkout.bytes("**/*"))
    scores = "results/scores/mine/ranking/chance.arrow"
    elsewhere.run("--snakefile", snakefile, scores)
    assert (elsewhere.folder / scores).is_file()
    assert {Path(name).suffix for name in set(checkout.bytes("**/*")) - before} <= {".pyc"}
    assert elsewhere.snakemake("--snakefile", snakefile, "--dry-run", scores).jobs == {}


def test_workflow_is_usable_as_snakemake_module(checkout: Checkout, elsewhere: Checkout) -> None:
    elsewhere.write("Snakefile", MODULE.format(snakefile=checkout.folder / "Snakefile"))
    refusals = "results/tables/refusals.arrow"
    run = elsewhere.run(refusals)
    assert run.jobs["nlfol_build_items"] == 3
    assert (elsewhere.folder / refusals).is_file()
    again = elsewhere.run("--dry-run", refusals)
    assert again.jobs == {}


def test_folio_runs_without_project_files_in_folder(checkout: Checkout, elsewhere: Checkout) -> None:
    folio = {"reader": "folio", "ontology": "published", "gold": "corrected"}
    elsewhere.configure({**configuration(), "datasets": {"folio": folio}})
    run = elsewhere.run("--snakefile", str(checkout.folder / "Snakefile"), "--dry-run", "results/tables")
    assert run.jobs["ingest_dataset"] == run.jobs["attach_ontology"] == 1


def test_folder_templates_override_project_templates(checkout: Checkout, elsewhere: Checkout) -> None:
    model = {"kind": "chat", "backend": "openai", "model": "m"}
    elsewhere.configure(configuration(endpoint=model))
    elsewhere.write("resources/prompts/symbols.jinja", "")
    target = "results/responses/mine/ranking/endpoint.arrow"
    run = elsewhere.snakemake("--snakefile", str(checkout.folder / "Snakefile"), "--dry-run", target)
    assert run.status != 0
    assert "resources/prompts/ranking/user.jinja" in run.output
