import json
import multiprocessing
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from nlfol.store.locks import FileLock, LockError, alone


@contextmanager
def locked(path: Path) -> Iterator[FileLock]:
    with path.open("ab") as file:
        lock = FileLock(file, path, "journal")
        yield lock
        lock.release()


def test_file_lock_is_exclusive(tmp_path: Path) -> None:
    path = tmp_path / "j"
    with locked(path), pytest.raises(LockError, match="another process is writing this journal"), locked(path):
        pass
    with locked(path):
        pass
    assert [found.name for found in tmp_path.iterdir()] == ["j"]


@pytest.mark.usefixtures("lockless")
def test_fallback_lock_file_names_owner(tmp_path: Path) -> None:
    path = tmp_path / "j"
    with locked(path):
        owner = json.loads((tmp_path / "j.lock").read_text())
        assert (owner["host"], owner["pid"]) == (socket.gethostname(), os.getpid())
        with pytest.raises(LockError, match=rf"process {os.getpid()} on .* if it no longer runs, delete .*j\.lock"):
            FileLock(path.open("ab"), path, "journal")
    with locked(path):
        pass
    assert [found.name for found in tmp_path.iterdir()] == ["j"]


@pytest.mark.usefixtures("lockless")
def test_fallback_lock_from_dead_process_is_taken_over(
    tmp_path: Path,
) -> None:
    process = multiprocessing.get_context("fork").Process(target=os._exit, args=(0,))
    process.start()
    process.join()
    owner = {"host": socket.gethostname(), "pid": process.pid, "since": "2026-01-01T00:00:00+00:00"}
    (tmp_path / "j.lock").write_text(json.dumps(owner))
    with locked(tmp_path / "j"):
        assert json.loads((tmp_path / "j.lock").read_text())["pid"] == os.getpid()
    assert [found.name for found in tmp_path.iterdir()] == ["j"]


@pytest.mark.usefixtures("lockless")
def test_fallback_lock_from_other_host_is_kept(tmp_path: Path) -> None:
    owner = {"host": "another", "pid": 1, "since": "2026-01-01T00:00:00+00:00"}
    (tmp_path / "j.lock").write_text(json.dumps(owner))
    with (
        pytest.raises(LockError, match=r"process 1 on another has been .* since 2026-01-01T00:00:00\+00:00"),
        locked(tmp_path / "j"),
    ):
        pass
    (tmp_path / "j.lock").write_text("nonsense")
    with pytest.raises(LockError, match="not a lock file of this program"), locked(tmp_path / "j"):
        pass


@pytest.mark.parametrize("locks", ["flock", "lock file"])
def test_lock_waiters_proceed_after_release(
    tmp_path: Path, locks: str, request: pytest.FixtureRequest, caplog: pytest.LogCaptureFixture
) -> None:
    if locks == "lock file":
        request.getfixturevalue("lockless")
    caplog.set_level("INFO")
    path, done = tmp_path / "lock", []

    def second() -> None:
        with alone(path, "store"):
            done.append("second")

    other = threading.Thread(target=second)
    with alone(path, "store"):
        other.start()
        while not caplog.messages:
            other.join(0.01)
        done.append("first")
    other.join(60)
    assert done == ["first", "second"]
    (said,) = caplog.messages
    assert said.startswith(f"waiting: {path}: ")
    assert [found.name for found in tmp_path.iterdir()] == ["lock"]


def test_lock_wait_times_out(tmp_path: Path) -> None:
    with (
        alone(tmp_path / "lock", "store"),
        pytest.raises(LockError, match="another process is writing this store"),
        alone(tmp_path / "lock", "store", patience=0.05),
    ):
        pass


@pytest.mark.usefixtures("lockless")
def test_invalid_lock_file_fails_without_waiting(tmp_path: Path) -> None:
    (tmp_path / "lock.lock").write_text("nonsense")
    with pytest.raises(LockError, match="not a lock file of this program"), alone(tmp_path / "lock", "store"):
        pass
    assert (tmp_path / "lock.lock").read_text() == "nonsense"
