"""The workflow as Snakemake's own tools see it."""

from __future__ import annotations

import subprocess
import sys

from tests.workflow.checkout import ROOT, Checkout, configuration


def test_snakemake_has_nothing_to_object_to(checkout: Checkout) -> None:
    run = checkout.snakemake("--lint")
    assert run.status == 0, run.output
    assert "in a good condition" in run.output


def test_the_rules_are_formatted() -> None:
    command = [sys.executable, "-m", "snakefmt", "--check", "Snakefile", "workflow/rules"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_tables_are_a_target(checkout: Checkout) -> None:
    run = checkout.snakemake("--list-target-rules")
    assert run.status == 0, run.output
    assert "results/tables" in run.output.splitlines()


def test_the_results_can_go_elsewhere(checkout: Checkout) -> None:
    checkout.configure({**configuration(), "results": "out/a"})
    assert "out/a/tables" in checkout.snakemake("--list-target-rules").output.splitlines()
    run = checkout.snakemake("out/a/tables/refused.csv")
    assert run.status == 0, run.output
    assert (checkout.folder / "out/a/tables/refused.csv").is_file()
    assert [path.name for path in (checkout.folder / "results").iterdir()] == ["README.md"]


def test_the_default_experiment_is_the_target_of_a_plain_call(checkout: Checkout) -> None:
    command = [sys.executable, "-m", "snakemake", "--cores", "1", "--dry-run"]
    done = subprocess.run(command, cwd=checkout.folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    said = done.stdout + done.stderr
    assert "Asking smollm2-135m for ranking on tarski" in said
    assert "Writing table dialogue" in said


def test_a_configuration_replaces_the_default_one(checkout: Checkout) -> None:
    run = checkout.dry_run()
    assert run.status == 0, run.output
    assert "Answering ranking on mine by chance" in run.messages
    assert not any("tarski" in message for message in run.messages)


def test_jobs_use_the_library_of_their_own_checkout(checkout: Checkout) -> None:
    # The console command is installed from one checkout; another one run with the same environment has its own code.
    checkout.configure(configuration())
    name = "workflow/scripts/nlfol/datasets/ingestion.py"
    checkout.write(name, checkout.read(name) + '\nraise RuntimeError("this checkout\'s own library")\n')
    run = checkout.snakemake("results/datasets/mine/sentences.arrow")
    assert run.status != 0
    assert "this checkout's own library" in run.output
