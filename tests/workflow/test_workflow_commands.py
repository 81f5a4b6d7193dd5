"""The workflow as Snakemake's own tools see it."""

import os
import re
import subprocess
import sys
from pathlib import Path

from benchmarks.dag import grid
from tests.workflow.checkout import CHANCE, OF_DIALOGUE, Checkout, configuration

CONDA = """\
#!/bin/sh
case "$1" in
    --version) echo "conda 25.5.0" ;;
    info) echo '{"conda_prefix": "/nowhere", "platform": "linux-64"}' ;;
    config) echo '{"get": {"channel_priority": "strict"}}' ;;
esac
"""


APPTAINER = """\
#!/bin/sh
test "$1" = --version && exec echo "apptainer version 1.4.5"
echo "$@" >> images
for last; do true; done
exec bash -c "$last"
"""
"""Runs what it is given here, and keeps what it was called with."""


def with_command(folder: Path, name: str, text: str) -> dict[str, str]:
    """Put a command there; return the environment in which it is found, beside this interpreter as ``python``."""
    folder.mkdir()
    (folder / name).write_text(text)
    (folder / name).chmod(0o755)
    return {"PATH": os.pathsep.join([str(folder), str(Path(sys.executable).parent), os.environ["PATH"]])}


def test_job_kinds_have_conda_environments(checkout: Checkout, tmp_path: Path) -> None:
    local = {"kind": "chat", "backend": "transformers", "source": {"hub": "owner/name", "revision": "0" * 40}}
    endpoint = {"kind": "chat", "backend": "openai", "model": "m"}
    checkout.configure(configuration(gpu=local, cpu={**local, "device": "cpu"}, endpoint=endpoint))
    environment = with_command(tmp_path / "bin", "conda", CONDA)
    run = checkout.run("--dry-run", "--software-deployment-method", "conda", environment=environment)
    created = re.findall(r"^Conda environment envs/(.*)\.yaml will be created\.$", run.output, re.MULTILINE)
    assert sorted(created) == ["api", "core", "inference-cpu", "inference-cuda"]


def test_jobs_run_in_image_that_configuration_names(checkout: Checkout, tmp_path: Path) -> None:
    environment = with_command(tmp_path / "bin", "apptainer", APPTAINER)
    target = "results/datasets/mine/sentences.arrow"
    deployed = (target, "--sdm", "apptainer")
    checkout.configure(configuration())
    assert "set the key 'container'" in checkout.fail("--dry-run", *deployed, environment=environment).output
    checkout.write("nlfol.sif", "")
    checkout.configure({**configuration(), "container": "nlfol.sif"})
    checkout.run(*deployed, environment=environment)
    (called,) = checkout.read("images").splitlines()
    assert re.search(r"^exec --home .* nlfol\.sif bash -c .*python .*ingest_dataset\.py", called)


def test_bare_snakemake_environment_reports_missing_packages(checkout: Checkout, tmp_path: Path) -> None:
    absent = tmp_path / "absent" / "pyarrow.py"
    absent.parent.mkdir()
    absent.write_text('raise ModuleNotFoundError("No module named pyarrow", name="pyarrow")\n')
    run = checkout.snakemake("--dry-run", environment={"PYTHONPATH": str(absent.parent)}, cold=True)
    assert run.status != 0
    assert "Snakemake's own environment has no pyarrow" in run.output
    assert "-r requirements.txt" in run.output


def test_results_folder_is_configurable(checkout: Checkout) -> None:
    assert "results/tables" in checkout.snakemake("--list-target-rules").output.splitlines()
    checkout.configure({**configuration(), "results": "out/a"})
    assert "out/a/tables" in checkout.snakemake("--list-target-rules").output.splitlines()
    checkout.run("out/a/tables/refusals.arrow")
    assert (checkout.folder / "out/a/tables/refusals.arrow").is_file()
    assert [path.name for path in (checkout.folder / "results").iterdir()] == ["README.md"]


def test_plain_call_targets_default_experiment(checkout: Checkout) -> None:
    command = [sys.executable, "-m", "snakemake", "--cores", "1", "--dry-run"]
    done = subprocess.run(command, cwd=checkout.folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    said = done.stdout + done.stderr
    assert "Asking smollm2-135m for logical_translation on tarski" in said
    assert "Writing the tables" in said


def test_large_grid_has_job_per_model_dataset_and_task(checkout: Checkout) -> None:
    models, datasets, tasks = 50, 5, 3
    checkout.configure(grid(models, datasets))
    run = checkout.run("--dry-run")
    # Nothing of the default configuration is left.
    assert not any("tarski" in message for message in run.messages)
    assert run.jobs == {
        "ingest_dataset": datasets,
        "attach_ontology": datasets,
        "build_items": datasets * tasks,
        "ask_api": models * datasets * tasks,
        "judge_answers": models * datasets * tasks,
        "explain_answers": datasets,
        "audit_candidates": datasets * 2,
        "measure_items": datasets,
        "analyse_formulas": 1,
        "analyse_generated": 1,
        "analyse_members": 1,
        "analyse_refusals": 1,
        "analyse_costs": 1,
        **OF_DIALOGUE,
    }


def test_own_ontologies_table_compares_same_models(checkout: Checkout) -> None:
    own = {"task": "logical_translation", "ontology": "own"}
    values = configuration(chance=CHANCE, reader={"kind": "reader"})
    tasks = {"logical_translation": {}, "own": own, "own_sentences": {**own, "scope": "sentence"}}
    checkout.configure({**values, "tasks": tasks})
    run = checkout.run("results/tables/ontologies.arrow", "--dry-run")
    assert run.jobs == {
        **dict.fromkeys(("ingest_dataset", "attach_ontology", "analyse_ontologies"), 1),
        "build_items": 3,
        "answer_by_chance": 3,
        "answer_by_reference": 2,
        "judge_answers": 5,
    }


def test_jobs_use_library_from_own_checkout(checkout: Checkout) -> None:
    # The console command is installed from one checkout; another one run with the same environment has its own code.
    checkout.configure(configuration())
    name = "workflow/scripts/nlfol/data/generation.py"
    checkout.write(name, checkout.read(name) + '\nraise RuntimeError("this checkout\'s own library")\n')
    run = checkout.snakemake("results/datasets/mine/sentences.arrow")
    assert run.status != 0
    assert "this checkout's own library" in run.output
