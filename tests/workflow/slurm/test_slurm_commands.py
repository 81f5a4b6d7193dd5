"""Nothing that the tests ask of SLURM can keep them waiting for ever."""

import os
import signal

import pytest
from tests.workflow.slurm.commands import ClusterError, call, until


def test_slurm_call_ignores_lingering_daemon() -> None:
    daemon = int(call("sh", "-c", "sleep 600 & echo $!"))
    os.kill(daemon, signal.SIGKILL)  # fails if it has ended


def test_slurm_call_timeout_names_command() -> None:
    with pytest.raises(ClusterError, match=r"^sleep 600: does not end within 0\.1 seconds$"):
        call("sleep", "600", seconds=0.1)


def test_failing_slurm_call_raises_or_returns_empty() -> None:
    command = ("sh", "-c", "echo half; echo why >&2; exit 1")
    with pytest.raises(ClusterError, match="why"):
        call(*command)
    assert call(*command, check=False) == ""


def test_until_timeout_explains_wait() -> None:
    with pytest.raises(ClusterError, match=r"^not within 0\.1 seconds: the node is down$"):
        until(lambda: False, 0.1, lambda: "the node is down")
