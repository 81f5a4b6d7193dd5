"""Small jobs as forks of one process that has imported what they share: most of a small job is its start.

The process belongs to one run of Snakemake, which holds the other end of its socket. When that closes, it kills the
jobs that still run, and ends. It forks with a single thread; what starts threads when it is imported, as Polars does,
each job imports for itself.
"""

import atexit
import gc
import importlib
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Any

SHARED = (
    *("ingest_dataset", "build_items", "answer_from_file", "judge_answers", "nlfol.tasks.entries"),
    *("snakemake.script", "scipy.optimize"),
)
"""Modules that are imported once."""

_LIBRARIES = ("OMP", "GOTO", "OPENBLAS", "MKL", "VECLIB", "NUMEXPR")
_SINGLE = {f"{name}_NUM_THREADS": "1" for name in _LIBRARIES} | {"JE_ARROW_MALLOC_CONF": "background_thread:false"}
"""Else NumPy and Arrow start threads when they are imported. All but the last are what jobs of one core get."""


class SharedProcess:
    """The process as a run of Snakemake sees it: started for the first job, and ended with the run."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._requests: socket.socket | None = None

    def run(self, script: str, environment: dict[str, str]) -> bool:
        """Run a script as an interpreter does, with these variables beside the process's own.

        Return False, with nothing run, if there is no such process. Raises ``CalledProcessError`` if the script fails.
        """
        ours, theirs = socket.socketpair()
        with ours:
            with theirs, self._lock:
                self._requests = self._requests or _started()
                try:
                    socket.send_fds(self._requests, [json.dumps([script, environment]).encode()], [theirs.fileno()])
                except ConnectionError:
                    return False
            # Nothing is said if the process was killed. The job has the other end, too, so it has ended then.
            status = int(ours.makefile().read() or -signal.SIGKILL)
        if status:
            raise subprocess.CalledProcessError(status, f"{sys.executable} {script}")
        return True


def sharing(scripts: Path, environment_of: Callable[[str], object], alone: Callable[..., None]) -> Callable[..., None]:
    """Return what runs the script of a job: a fork for small jobs of these scripts; for others ``alone``, Snakemake's.

    It stands here, not beside the rules: of an error, Snakemake names the last file of rules that it came through.
    """
    shared = SharedProcess()

    def run(script: Any, name: str, edit: bool = False) -> None:
        # What Snakemake gives each job for its temporary files.
        folder = dict.fromkeys(("TMPDIR", "TMP", "TEMPDIR", "TEMP"), script.resources.tmpdir)
        if not (_shares(script, scripts, environment_of) and shared.run(name, folder)):
            alone(script, name, edit)

    return run


def _shares(script: Any, scripts: Path, environment_of: Callable[[str], object]) -> bool:
    """Return whether a job of these scripts can be a fork: it has one core, and nothing that its own process needs."""
    # Snakemake measures a benchmark by the process that it starts.
    apart = (script.conda_env, script.container_img, script.env_modules, script.shadow_dir, script.bench_record)
    ours = script.is_local and Path(script.local_path).resolve().parent == scripts.resolve()
    if not ours or script.threads != 1 or any(part is not None for part in apart):
        return False
    environment = environment_of(script.rulename)
    return isinstance(environment, str) and environment.endswith("envs/core.yaml")


def _started() -> socket.socket:
    ours, theirs = socket.socketpair(type=socket.SOCK_SEQPACKET)
    with theirs:
        command = [sys.executable, "-P", "-m", __name__, str(theirs.fileno())]
        subprocess.Popen(command, env={**os.environ, **_SINGLE}, pass_fds=[theirs.fileno()])  # noqa: S603 - no shell
    ours.recv(1)
    return ours


def _serve(requests: socket.socket) -> str | None:
    """Fork for each job; return its script in the job's process, and None in this one when the run has ended."""
    # A terminal stops all processes of a run at once: from then on no job is started.
    stopped: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _: stopped.append(-number))
    for module in SHARED:
        # A job that needs what cannot be imported says so itself, in its log.
        with suppress(Exception):
            importlib.import_module(module)
    if (threads := len(list(Path("/proc/self/task").iterdir()))) > 1:
        sys.stderr.write(f"jobs start slowly: imports have started {threads - 1} threads, so they share no process\n")
        return None
    gc.freeze()
    requests.send(b"1")
    jobs: dict[int, tuple[int, socket.socket]] = {}
    while True:
        for ready in select.select([requests.fileno(), *jobs], [], [])[0]:
            if ready in jobs:
                process, answer = jobs.pop(ready)
                os.close(ready)
                _say(answer, os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
                continue
            asked, received, _, _ = socket.recv_fds(requests, 1 << 16, 1)
            if not asked:
                for process, _ in jobs.values():
                    os.kill(process, signal.SIGKILL)
                return None
            answer = socket.socket(fileno=received[0])
            if stopped:
                _say(answer, stopped[0])
            elif process := os.fork():
                jobs[os.pidfd_open(process)] = process, answer
            else:
                # Its own answer stays open until it ends.
                answer.detach()
                for connection in (requests, *(other for _, other in jobs.values())):
                    connection.close()
                signal.signal(signal.SIGINT, signal.default_int_handler)
                script, environment = json.loads(asked)
                os.environ.update(environment)
                return str(script)


def _say(answer: socket.socket, status: int) -> None:
    with answer, suppress(BrokenPipeError):
        answer.sendall(str(status).encode())


def _end(statuses: list[int]) -> None:
    """End a process here, if its status is known."""
    for status in statuses:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def _main() -> None:
    # Called last of all: a job whose objects are taken apart copies most of the memory that it shares.
    statuses: list[int] = []
    atexit.register(_end, statuses)
    script = _serve(socket.socket(fileno=int(sys.argv[1])))
    if script is None:
        return
    sys.argv, sys.path[:0] = [script], [str(Path(script).parent)]
    try:
        runpy.run_path(script, run_name="__main__")
    except SystemExit as error:
        if isinstance(error.code, int):
            statuses.append(error.code)
        raise
    statuses.append(0)


if __name__ == "__main__":
    _main()
