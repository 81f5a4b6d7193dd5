"""Results in a storage of Snakemake's plugins: another folder, or a bucket of a server of S3 on the loopback."""

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from typing import Any

import pytest
from tests.late import Late, needs
from tests.workflow.checkout import Checkout, configuration

boto3: Any = Late("boto3")
moto: Any = Late("moto.server")

without_fs = pytest.mark.skipif(
    find_spec("snakemake_storage_plugin_fs") is None or which("rsync") is None,
    reason="no snakemake-storage-plugin-fs, or no rsync",
)
TARGETS = ["results/items/mine/ranking.arrow", "results/responses/mine/ranking/chance.arrow"]
KEYS = {"access_key": "mine", "secret_key": "secret"}


@without_fs
def test_default_experiment_plans_under_storage(checkout: Checkout) -> None:
    stored = ("--default-storage-provider", "fs", "--default-storage-prefix", "store")
    run = checkout.run("results/tables", "results/report", "--dry-run", *stored, config="config.yaml")
    assert run.jobs["render_tables"] == run.jobs["write_report"] == 1


@without_fs
def test_stored_files_equal_plain_ones(checkout: Checkout, tmp_path: Path) -> None:
    checkout.configure(configuration())
    store = tmp_path / "store"
    checkout.run(*TARGETS, "--default-storage-provider", "fs", "--default-storage-prefix", str(store))
    assert not checkout.bytes("results/**/*.arrow")
    checkout.run(*TARGETS)
    made = checkout.bytes("results/*/*/**/*.arrow")
    assert len(made) == 4
    assert {name: (store / name).read_bytes() for name in made} == made


@pytest.fixture
def bucket() -> Iterator[Any]:
    """An empty bucket."""
    server = moto.ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    url = "http://{}:{}".format(*server.get_host_and_port())
    session = boto3.Session(*KEYS.values(), region_name="us-east-1")
    made = session.resource("s3", endpoint_url=url).Bucket("results")
    made.create()
    yield made
    server.stop()


@needs("snakemake_storage_plugin_s3")
@needs("moto")
def test_tables_from_bucket_equal_plain_ones(checkout: Checkout, bucket: Any) -> None:
    checkout.configure(configuration())
    stored = ["--default-storage-provider", "s3", "--default-storage-prefix", "s3://results/"]
    reached = ["--storage-s3-endpoint-url", bucket.meta.client.meta.endpoint_url]
    keys = {f"SNAKEMAKE_STORAGE_S3_{name.upper()}": value for name, value in KEYS.items()}
    run = checkout.run("results/tables", *stored, *reached, environment=keys)
    assert run.jobs["render_tables"] == 1
    assert not checkout.bytes("results/**/*.arrow")
    checkout.run("results/tables")
    made = checkout.bytes("results/**/*.arrow") | checkout.bytes("results/tables/*.csv")
    assert len(made) > 20
    kept = {each.key: each.get()["Body"].read() for each in bucket.objects.all() if each.key in made}
    assert kept == made
