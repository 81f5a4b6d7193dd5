"""Nothing that the tests ask of SLURM can keep them waiting for ever."""

import os
import signal

import pytest
from tests.workflow.slurm.commands import ClusterError, call, until


def test_a_daemon_that_keeps_its_output_open_is_not_waited_for() -> None:
    daemon = int(call("sh", "-c", "sleep 600 & echo $!"))
    os.kill(daemon, signal.SIGKILL)  # fails if it has ended


def test_a_command_that_does_not_end_is_named() -> None:
    with pytest.raises(ClusterError, match=r"^sleep 600: does not end within 0\.1 seconds$"):
        call("sleep", "600", seconds=0.1)


def test_a_command_that_fails_is_explained_or_writes_nothing() -> None:
    command = ("sh", "-c", "echo half; echo why >&2; exit 1")
    with pytest.raises(ClusterError, match="why"):
        call(*command)
    assert call(*command, check=False) == ""


def test_what_never_comes_is_complained_of() -> None:
    with pytest.raises(ClusterError, match=r"^not within 0\.1 seconds: the node is down$"):
        until(lambda: False, 0.1, lambda: "the node is down")
