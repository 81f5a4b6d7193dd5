"""Results in a storage of Snakemake's plugins, here another folder."""

from importlib.util import find_spec
from pathlib import Path
from shutil import which

import pytest
from tests.workflow.checkout import Checkout, configuration

pytestmark = pytest.mark.skipif(
    find_spec("snakemake_storage_plugin_fs") is None or which("rsync") is None,
    reason="no snakemake-storage-plugin-fs, or no rsync",
)
TARGETS = ["results/items/mine/ranking.arrow", "results/responses/mine/ranking/chance.arrow"]


def test_default_experiment_plans_under_storage(checkout: Checkout) -> None:
    stored = ("--default-storage-provider", "fs", "--default-storage-prefix", "store")
    run = checkout.run("results/tables", "results/report", "--dry-run", *stored, config="config.yaml")
    assert run.jobs["render_tables"] == run.jobs["write_report"] == 1


def test_stored_files_equal_plain_ones(checkout: Checkout, tmp_path: Path) -> None:
    checkout.configure(configuration())
    store = tmp_path / "store"
    checkout.run(*TARGETS, "--default-storage-provider", "fs", "--default-storage-prefix", str(store))
    assert not checkout.bytes("results/**/*.arrow")
    checkout.run(*TARGETS)
    made = checkout.bytes("results/*/*/**/*.arrow")
    assert len(made) == 4
    assert {name: (store / name).read_bytes() for name in made} == made
