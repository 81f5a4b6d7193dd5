"""Stands for the interpreter of a script: has ``warm_jobs`` run it with this process's streams, and ends as it does.

It is started for each job, so it imports as little as possible.
"""

import os
import socket
import sys

place, script = sys.argv[1:]
with socket.socket(socket.AF_UNIX) as server:
    server.connect(place)
    said = "\0".join([script, os.getcwd(), *(f"{name}={value}" for name, value in os.environ.items())])  # noqa: PTH109
    socket.send_fds(server, [f"{len(said.encode())}\0".encode()], [0, 1, 2])
    server.sendall(said.encode())
    status = int(server.makefile().readline())
if status < 0:
    os.kill(os.getpid(), -status)
raise SystemExit(status)
