"""Running Snakemake with the interpreter that runs the tests: from its start, or in a fork of a warm process."""

import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path


def run_cold(
    arguments: Sequence[str], folder: Path, environment: Mapping[str, str], timeout: float | None
) -> tuple[int, str]:
    """Exit status and output of ``python -m snakemake``; arguments and errors as of ``run_warm``."""
    process = subprocess.Popen(
        [sys.executable, "-m", "snakemake", *arguments],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        output, _ = process.communicate(timeout=timeout)
    except BaseException as error:
        # Jobs hold the pipe open: with Snakemake alone killed, its output would never end.
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        if isinstance(error, subprocess.TimeoutExpired):
            raise _late(timeout, output) from error
        raise
    return process.returncode, output


_IDLE: defaultdict[str, list[subprocess.Popen[bytes]]] = defaultdict(list)
"""Warm processes that wait for a run, by hash seed; they end when this one does, as their input ends then."""

HASH_SEED = "PYTHONHASHSEED"

REMOTE = "NLFOL_TEST_WARM_CLUSTER"
"""The environment variable that has jobs of a cluster start in forks as well (``warm_jobs``)."""


def run_warm(
    arguments: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    timeout: float,
    killed: Callable[[], bool] | None = None,
) -> tuple[int, str]:
    """Exit status and output of the same in a fork of ``warm_snakemake``.

    Args:
        arguments: Snakemake's.
        folder: where it runs.
        environment: all of it; of what an interpreter reads at its start, hash seed and path alone have an effect.
        timeout: in seconds.
        killed: says when it is killed, with its jobs; its status is then that of the signal.

    Raises:
        TimeoutError: after the timeout; Snakemake and its jobs are killed.
    """
    # Without one, the same for all runs, so that a test that asks for another compares two.
    seed = environment.get(HASH_SEED, "1")
    server = _IDLE[seed].pop() if _IDLE[seed] else _started(seed)
    assert server.stdin is not None
    assert server.stdout is not None
    with tempfile.NamedTemporaryFile(mode="r", encoding="utf-8") as output:
        run = {"arguments": arguments, "folder": str(folder), "environment": dict(environment), "output": output.name}
        server.stdin.write(f"{json.dumps(run)}\n".encode())
        process = int(server.stdout.readline())
        ended = stopped = False
        end = time.monotonic() + timeout
        try:
            while not ended and not stopped and time.monotonic() < end:
                ended = bool(select.select([server.stdout], [], [], 0.001 if killed else timeout)[0])
                stopped = not ended and killed is not None and killed()
        finally:
            if not ended:
                os.killpg(process, signal.SIGKILL)
            status = int(server.stdout.readline())
            _IDLE[seed].append(server)
            for sockets in Path(tempfile.gettempdir()).glob(f"nlfol-jobs-{process}-*"):
                shutil.rmtree(sockets, ignore_errors=True)
        said = output.read()
    if not ended and not stopped:
        raise _late(timeout, said)
    return status, said


def _started(seed: str) -> subprocess.Popen[bytes]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment[HASH_SEED] = seed
    # Unbuffered, so that what can be read is known.
    return subprocess.Popen(
        [sys.executable, "-m", "tests.workflow.warm_snakemake"],
        cwd=Path(__file__).parents[2],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        bufsize=0,
    )


def _late(timeout: float | None, output: str) -> TimeoutError:
    return TimeoutError(f"not done within {timeout} seconds; until then:\n{output}")
