"""Stands for the interpreter of Snakemake on a cluster: has ``warm_jobs`` run it with its own streams.

It is started for each job, so it imports as little as possible.
"""

import os
import socket
import sys
from collections.abc import Mapping, Sequence


def run(server: str, arguments: Sequence[str], environment: Mapping[str, str]) -> int:
    """Run an interpreter's arguments in a fork of the process at a socket, in this folder; return its exit status."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(server)
        variables = (f"{name}={value}" for name, value in environment.items())
        request = "\0".join(["\1".join(arguments), os.getcwd(), *variables]).encode()  # noqa: PTH109
        socket.send_fds(connection, [b"%d\0" % len(request)], [0, 1, 2])
        connection.sendall(request)
        return int(connection.makefile().readline())


if __name__ == "__main__":
    status = run(sys.argv[1], sys.argv[2:], os.environ)
    if status < 0:
        os.kill(os.getpid(), -status)
    raise SystemExit(status)
