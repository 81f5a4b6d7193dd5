"""Stands for the interpreter of a script, or of Snakemake on a cluster: has ``warm_jobs`` run it with its own streams.

It is started for each job, so it imports as little as possible.
"""

import os
import socket
import sys

place, *arguments = sys.argv[1:]
with socket.socket(socket.AF_UNIX) as server:
    server.connect(place)
    said = "\0".join(["\1".join(arguments), os.getcwd(), *(f"{name}={value}" for name, value in os.environ.items())])  # noqa: PTH109
    socket.send_fds(server, [f"{len(said.encode())}\0".encode()], [0, 1, 2])
    server.sendall(said.encode())
    status = int(server.makefile().readline())
if status < 0:
    os.kill(os.getpid(), -status)
raise SystemExit(status)
