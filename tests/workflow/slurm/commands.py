"""Commands of SLURM, none of which is waited for without end."""

import os
import subprocess
import time
from collections.abc import Callable
from tempfile import TemporaryFile

ANSWER = 60.0
"""Seconds for a command of SLURM to end: the controller answers in milliseconds, on a busy machine in seconds."""


class ClusterError(RuntimeError):
    """SLURM that does not start, or does not do in time what it is told."""


def until(done: Callable[[], bool], seconds: float, complaint: Callable[[], str]) -> None:
    """Wait for something to be so.

    Raises:
        ClusterError: with the complaint, after so many seconds.
    """
    end = time.monotonic() + seconds
    while not done():
        if time.monotonic() > end:
            raise ClusterError(f"not within {seconds:g} seconds: {complaint()}")
        time.sleep(0.2)


def call(*command: str, check: bool = True, user: str | None = None, seconds: float = ANSWER) -> str:
    """Return the output of a command; nothing if it fails and may.

    Into a file, not a pipe: a daemon that it starts may keep its output open for as long as it runs.

    Raises:
        ClusterError: if it does not end in time, or has to succeed and fails.
    """
    with TemporaryFile("w+") as output, TemporaryFile("w+") as errors:
        try:
            status = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=errors,
                check=False,
                timeout=seconds,
                env=environment(),
                user=user,
                group=user,
                extra_groups=None if user is None else [],
            ).returncode
        except subprocess.TimeoutExpired as error:
            raise ClusterError(f"{' '.join(command)}: does not end within {seconds:g} seconds") from error
        output.seek(0)
        errors.seek(0)
        said, complained = output.read(), errors.read()
    if status and check:
        raise ClusterError(f"{' '.join(command)}: {said}{complained}")
    return "" if status else said


def environment() -> dict[str, str]:
    return {**os.environ, "PATH": path()}


def path() -> str:
    return f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"
