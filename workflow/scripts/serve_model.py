"""Serve a model to the jobs that ask it, for as long as there are any: the job of a Snakemake service.

It is a command, and no script of Snakemake's like the others: Snakemake tells only shell commands that their service
is no longer needed. It ends then, or when Snakemake itself has ended, and the server with it.
"""

import argparse
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nlfol.models.entries.interface import ServableInterface
from nlfol.models.local.devices import claimed
from nlfol.models.providers.registry import read_entry
from nlfol.models.serving.model_server import ModelServer
from nlfol.models.serving.service import own_state, wish, write_state
from nlfol.store.logs import job_log

_LOOK = 0.2
"""Seconds between two looks at whether a job has something to ask, and whether the server still runs."""
_ENDS = (signal.SIGTERM, signal.SIGINT)


def main(entry_json: str, start: float, gpus: int, service: Path, server_log: Path) -> None:
    """Serve until this process is told to end.

    Args:
        entry_json: the model's entry, as JSON.
        start: seconds that the server may take to start, which the JSON leaves out.
        gpus: how many the server has, where no scheduler says so.
        service: the service file, see ``nlfol.models.serving.service``.
        server_log: file for what the server writes.

    Raises:
        ChatError: if the server does not start, or ends.
    """
    entry = read_entry(entry_json)
    if not isinstance(entry, ServableInterface) or entry.serve is None:
        raise TypeError(f"{entry.identity}: its entry has no key serve")
    state = own_state()
    wish(service).unlink(missing_ok=True)  # of a run that was killed
    write_state(service, state)
    try:
        while not wish(service).exists():
            time.sleep(_LOOK)
        with claimed(gpus), ModelServer(entry, server_log) as server:
            server.wait(start)
            reached = {"host": server.host, "port": server.port, "key": server.key, "version": server.version()}
            write_state(service, state.model_copy(update=reached))
            while True:
                server.require()
                time.sleep(_LOOK)
    except Exception as error:
        first, *_ = str(error).splitlines() or [repr(error)]
        write_state(service, state.model_copy(update={"error": first}))
        raise
    finally:
        wish(service).unlink(missing_ok=True)


@contextmanager
def until_told() -> Iterator[None]:
    """End the block when this process is told to end, or whoever started it has."""

    def end(*_: object) -> None:
        for each in _ENDS:  # a second one must not disturb what the first one has begun to end
            signal.signal(each, lambda *_: None)
        raise SystemExit(0)

    for each in _ENDS:
        signal.signal(each, end)
    threading.Thread(target=_follow, args=(os.getppid(),), daemon=True).start()
    yield


def _follow(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_LOOK)
    os.kill(os.getpid(), signal.SIGTERM)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Serve a model while Snakemake's jobs ask it.")
    parser.add_argument("entry_json", help="the model's entry, as JSON")
    parser.add_argument("service", type=Path, help="the service file")
    parser.add_argument("--start", type=float, required=True, help="seconds that the server may take to start")
    parser.add_argument("--gpus", type=int, required=True, help="GPUs that the server has")
    parser.add_argument("--log", required=True, help="this job's log file")
    parser.add_argument("--server-log", type=Path, required=True, help="file for what the server writes")
    return parser.parse_args()


if __name__ == "__main__":
    told = _arguments()
    with until_told(), job_log(told.log):
        main(told.entry_json, told.start, told.gpus, told.service, told.server_log)
    sys.exit(0)
