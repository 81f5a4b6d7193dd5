"""The process that small jobs share, without Snakemake."""

import json
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from fork_jobs import SharedProcess

SCRIPTS = Path(sys.modules[SharedProcess.__module__].__file__ or "").parent

STATE = """\
import json, os, sys
from pathlib import Path
state = {
    "threads": len(os.listdir("/proc/self/task")),
    "imported": [name for name in ("judge_answers", "nlfol.tasks.ranking", "polars", "torch") if name in sys.modules],
    "name": __name__,
    "arguments": sys.argv,
    "beside": sys.path[0],
    "folder": os.getcwd(),
    "mine": os.environ["MINE"],
    "parent": os.getppid(),
}
Path(os.environ["MINE"]).write_text(json.dumps(state))
"""
"""A script that writes what it finds when it starts."""


@pytest.fixture
def shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SharedProcess:
    """A process that has not been started, for scripts in a folder of their own."""
    monkeypatch.setenv("PYTHONPATH", str(SCRIPTS))
    monkeypatch.chdir(tmp_path)
    return SharedProcess()


def script(text: str) -> str:
    path = Path("script.py").absolute()
    path.write_text(text)
    return str(path)


def test_fork_jobs_share_single_threaded_parent(shared: SharedProcess) -> None:
    path = script(STATE)
    with ThreadPoolExecutor(2) as pool:
        assert all(pool.map(lambda name: shared.run(path, {"MINE": name}), ["first", "second"]))
    first, second = (json.loads(Path(name).read_text()) for name in ("first", "second"))
    assert first["threads"] == 1
    assert first["imported"] == ["judge_answers", "nlfol.tasks.ranking"]
    assert (first["name"], first["arguments"]) == ("__main__", [path])
    assert (first["beside"], first["folder"]) == (str(Path.cwd()), str(Path.cwd()))
    assert second == first | {"mine": "second"}
    assert first["parent"] != os.getpid()


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("raise SystemExit(3)", 3),
        ("raise SystemExit('why')", 1),
        ("1 / 0", 1),
        ("import os; os.kill(os.getpid(), 9)", -signal.SIGKILL),
        ("import os; os.kill(os.getppid(), 9)", -signal.SIGKILL),
        ("import os; os.kill(os.getpid(), 2)", -signal.SIGINT),
    ],
)
def test_forked_failure_has_interpreter_exit_status(shared: SharedProcess, text: str, status: int) -> None:
    with pytest.raises(subprocess.CalledProcessError) as failure:
        shared.run(script(text), {})
    assert failure.value.returncode == status


def test_forked_job_runs_exit_handlers_and_joins_threads(shared: SharedProcess) -> None:
    text = (
        "import atexit, threading, time\nfrom pathlib import Path\n"
        "atexit.register(lambda: Path('exit').touch())\n"
        "threading.Thread(target=lambda: (time.sleep(0.2), Path('thread').touch())).start()\n"
    )
    assert shared.run(script(text), {})
    assert Path("exit").exists()
    assert Path("thread").exists()


def test_fork_jobs_are_declined_when_imports_start_threads(
    shared: SharedProcess, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    thread = "import threading, time\nthreading.Thread(target=time.sleep, args=(600,), daemon=True).start()\n"
    Path("sitecustomize.py").write_text(thread)
    monkeypatch.setenv("PYTHONPATH", f"{SCRIPTS}{os.pathsep}{Path.cwd()}")
    path = script("from pathlib import Path\nPath('made').touch()\n")
    assert not shared.run(path, {})
    assert not shared.run(path, {})
    assert "have started 1 thread" in capfd.readouterr().err
    assert not Path("made").exists()


def test_forked_jobs_are_killed_with_their_run(shared: SharedProcess) -> None:
    os.mkfifo("started")
    path = script("import time\nopen('started', 'w').write('yes')\ntime.sleep(600)\n")
    failures: list[subprocess.CalledProcessError] = []

    def run() -> None:
        with pytest.raises(subprocess.CalledProcessError) as failure:
            shared.run(path, {})
        failures.append(failure.value)

    job = threading.Thread(target=run)
    job.start()
    assert Path("started").read_text() == "yes"
    assert shared._requests is not None
    shared._requests.close()
    job.join(60)
    assert [failure.returncode for failure in failures] == [-signal.SIGKILL]
