"""Failures around a run: one clear error or a clean recovery, and nothing lost."""

import subprocess
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from tests.unit.models.chat_server import ChatServer, Scripted
from tests.workflow.checkout import Checkout, configuration, interface

from nlfol.store import files, schemas

RESPONSES = "results/responses/mine/most_similar/chance.arrow"
SCORES = "results/scores/mine/most_similar/chance.arrow"


# Files


def _age(path: Path) -> None:
    """Write the file as an earlier version of the project would have."""
    table = files.read(path, schemas.RESPONSES)
    metadata = {**files.metadata_of(table), "nlfol.version": "0"}
    files.write(path, schemas.RESPONSES, table.to_pylist(), metadata)


def test_outdated_file_is_reported_and_remade_after_deletion(finished: Checkout, again: Checkout) -> None:
    """Other damage to files is in ``tests/unit/store``."""
    _age(again.folder / RESPONSES)
    error = again.fail(SCORES).error
    assert error.startswith(f"{RESPONSES}: schema responses v0 where responses v")
    assert error.endswith("; delete it and run again")
    (again.folder / RESPONSES).unlink()
    again.run(SCORES)
    assert again.bytes(SCORES) == finished.bytes(SCORES)


# Disks


@pytest.fixture
def small_disk(checkout: Checkout) -> Iterator[Path]:
    """A file system of its own under the results, with room for nothing but a few names."""
    folder = checkout.folder / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=8k", "tmpfs", str(folder)], capture_output=True, text=True, check=False
    )
    if mounted.returncode:
        pytest.skip(f"a file system of its own cannot be mounted here: {mounted.stderr.strip()}")
    checkout.configure({**configuration(), "results": "disk/results"})
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def _remount(disk: Path, option: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{option}", str(disk)], check=True)


def test_full_disk_is_reported_and_run_resumes_with_space(checkout: Checkout, small_disk: Path) -> None:
    target = "disk/results/datasets/mine/triples.arrow"
    (small_disk / "filling").write_bytes(b"\0" * 8192)
    assert "No space left on device" in checkout.fail(target).error
    assert not (checkout.folder / target).exists()
    _remount(small_disk, "size=16m")
    checkout.run(target)


def test_read_only_folder_is_reported(checkout: Checkout, small_disk: Path) -> None:
    _remount(small_disk, "size=16m,ro")
    run = checkout.fail("disk/results/datasets/mine/triples.arrow")
    assert "Read-only file system: 'disk/results" in run.output


# Others


def test_concurrent_experiments_share_checkout(checkout: Checkout) -> None:
    """One waits for its model, with Snakemake's locks held, while the other begins and ends."""
    asked, released = threading.Event(), threading.Event()

    def slow(body: dict[str, Any]) -> Scripted:
        asked.set()
        released.wait(300)
        return Scripted(400, {})

    with ChatServer(every=slow) as server, ThreadPoolExecutor() as pool:
        patient = {"retries": 0, "accept_failed": 1, "timeout": 600, "concurrency": 1}
        first = configuration(slow=interface(server.url, api_key_env="NLFOL_TEST_KEY", **patient))
        checkout.configure({**first, "results": "out/first"})
        checkout.write("second.yaml", checkout.read("experiment.yaml"))
        checkout.configure({**configuration(), "results": "out/second"})
        responses = "out/first/responses/mine/logical_translation/slow.arrow"
        key = {"NLFOL_TEST_KEY": "none"}
        waiting = pool.submit(checkout.snakemake, responses, config="second.yaml", environment=key)
        try:
            assert asked.wait(300)
            locked = checkout.snakemake(responses, config="second.yaml", environment=key)
            assert locked.status != 0
            assert "LockException" in locked.output
            checkout.run("out/second/scores/mine/logical_translation/chance.arrow")
            assert not waiting.done()
            # With its end, Snakemake has removed the locks of the first one too; the journal has a lock of its own.
            again = checkout.fail(responses, config="second.yaml", environment=key)
            assert "another process is writing this journal" in again.error
        finally:
            released.set()
        assert waiting.result().status == 0, waiting.result().output


def test_copied_checkout_is_self_contained(finished: Checkout, again: Checkout, tmp_path: Path) -> None:
    """Neither weights nor journal nor results of where it was copied from are used: all that is gone."""
    copied = again.copy(tmp_path / "elsewhere" / "checkout")
    again.folder.rename(tmp_path / "gone")
    assert copied.dry_run().jobs == {}
    responses = "results/responses/mine/ranking/tiny.arrow"
    (copied.folder / responses).unlink()
    (copied.folder / "journal/tiny/mine.ranking.jsonl").unlink()
    copied.run(responses)
    answers = [
        [row["answer"] for row in files.rows(c.folder / responses, schemas.RESPONSES)] for c in (finished, copied)
    ]
    assert answers[0] == answers[1]
