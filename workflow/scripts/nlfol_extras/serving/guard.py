"""Guard: a program that runs a command until its own standard input ends, so that no server outlives its job.

Snakemake ends the other jobs of a group by SIGKILL when one of them fails, so the process that serves a model has no
chance to end the server itself. What the kernel closes for it, however it ends, is this process's standard input.

    python guard.py GRACE COMMAND...
"""

import os
import select
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress

_LOOK = 0.2
"""Seconds between two looks at the command."""


def main(grace: float, command: Sequence[str]) -> int:
    """Run a command in a process group of its own until it ends, or standard input does.

    After SIGTERM the group has ``grace`` seconds to end by itself. Return the command's exit status; of one that ended
    by a signal, 128 and the signal's number, as in a shell.
    """
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        # Not SIG_IGN, which the command would inherit.
        signal.signal(number, lambda *_: None)
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True)  # noqa: S603 - no shell
    while process.poll() is None and not select.select([sys.stdin], [], [], _LOOK)[0]:
        pass
    _signal_group(process.pid, signal.SIGTERM)
    with suppress(subprocess.TimeoutExpired):
        process.wait(grace)
    _signal_group(process.pid, signal.SIGKILL)
    status = process.wait()
    return status if status >= 0 else 128 - status


def _signal_group(group: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):  # none is left of it
        os.killpg(group, number)


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]), sys.argv[2:]))
