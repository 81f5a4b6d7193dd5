"""Checks before anything is asked: partitions of a cluster that a job would wait for in vain."""

import os

from tests.workflow.checkout import Checkout

LISTED = "PartitionName=short Default=YES MaxTime=01:30:00 MaxMemPerNode=8000 State=UP"


def test_short_cluster_limits_prevent_submission(checkout: Checkout) -> None:
    for name, does in (("scontrol", f"echo '{LISTED}'"), ("sbatch", "touch submitted; echo 1")):
        checkout.write(f"bin/{name}", f"#!/bin/sh\n{does}\n")
        (checkout.folder / "bin" / name).chmod(0o755)
    path = f"{checkout.folder / 'bin'}:{os.environ['PATH']}"
    profile = ["--workflow-profile", "profiles/slurm"]
    run = checkout.snakemake(*profile, "results/scores/mine/ranking/chance.arrow", environment={"PATH": path})
    assert run.status != 0
    assert "jobs that this cluster would never run:" in run.output
    assert "build_items mine ranking: asks for 240 min, but partition short gives 90 at most" in run.output
    assert "--set-resources build_items:runtime=90" in run.output
    assert not (checkout.folder / "submitted").exists()
