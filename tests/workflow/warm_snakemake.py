"""A process that has imported Snakemake and forks for each run, and in it for each job: that saves most of every start.

It reads runs from standard input, a line of JSON each, and answers with two lines: the process of the run, and its exit
status once it has ended. Nothing of nlfol is imported here, so that a run has the library of its own checkout.
"""

import gc
import json
import os
import socket
import sys
from collections.abc import Sequence

import altair  # noqa: F401
import jinja2  # noqa: F401
import openai  # noqa: F401
import polars  # noqa: F401
import pyarrow  # noqa: F401
import pydantic.types  # noqa: F401
import scipy.stats  # noqa: F401
import snakemake.cli
import snakemake.script
import yaml  # noqa: F401
from tests.workflow import warm_jobs


def serve() -> list[str] | None:
    """Fork for each run; returns its arguments in its process, and None in this one when nobody asks any more."""
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    gc.freeze()
    for line in sys.stdin:
        run = json.loads(line)
        process = os.fork()
        if not process:
            become(**run)
            return list(run["arguments"])
        print(process, file=answers)
        print(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), file=answers)
    return None


def become(arguments: Sequence[str], folder: str, environment: dict[str, str], output: str) -> None:
    """Make this process what ``python -m snakemake`` would be in a folder: session, environment, path and output."""
    # Garbage is hardly worth collecting in a process that short: that takes half a second.
    gc.disable()
    os.setsid()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.path[:] = [folder, *warm_jobs.added(environment), *warm_jobs.PATH]
    sys.argv = [os.path.join(os.path.dirname(snakemake.__file__), "__main__.py"), *arguments]  # noqa: PTH118, PTH120
    written = os.open(output, os.O_WRONLY | os.O_APPEND)
    for stream, replacement in enumerate((os.open(os.devnull, os.O_RDONLY), written, written)):
        os.dup2(replacement, stream)


def run(arguments: list[str], loaded: socket.socket) -> None:
    """Run Snakemake, or a job of it in the process that forked for that."""
    warm_jobs.import_library()
    sockets = warm_jobs.started(loaded)
    if sockets is None:
        return
    warm_jobs.fork_scripts(sockets)
    warm_jobs.end_after(lambda: snakemake.cli.main(arguments))


if __name__ == "__main__":
    loaded = warm_jobs.models()
    asked = serve()
    if asked is not None:
        run(asked, loaded)
