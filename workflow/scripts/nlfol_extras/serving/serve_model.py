"""Serve a model to the jobs that ask it, for as long as there are any: the job of a Snakemake service.

It is a command, and not a Snakemake script like the others: Snakemake tells only shell commands that their service is
no longer needed. It ends then, or when Snakemake itself has ended, and the server with it.
"""

import argparse
import json
import sys
from pathlib import Path

from nlfol.models.entries.interface import ServableInterface
from nlfol.models.local.materialisation import adapter, weights
from nlfol.models.providers.registry import read_entry
from nlfol.store.logs import job_log
from nlfol_extras.serving.engines import Place
from nlfol_extras.serving.model_server import serve, until_told


def main(arguments: argparse.Namespace) -> None:
    """Serve until this process is told to end."""
    entry = read_entry(arguments.entry_json)
    if not isinstance(entry, ServableInterface) or entry.serve is None:
        raise TypeError(f"{entry.identity}: its entry has no key serve")
    told = entry.serve.model_copy(update={"command": tuple(json.loads(arguments.command)) or None})
    folder = arguments.weights
    place = Place(weights(folder), adapter(folder), arguments.gpus, arguments.threads, arguments.memory)
    serve(entry.model_copy(update={"serve": told}), place, arguments.start, arguments.service, arguments.server_log)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Serve a model while Snakemake's jobs ask it.")
    parser.add_argument("entry_json", help="the model's entry, as JSON")
    parser.add_argument("service", type=Path, help="the service file")
    parser.add_argument("--start", type=float, required=True, help="seconds that the server may take to start")
    parser.add_argument("--weights", type=Path, required=True, help="the folder of its materialised weights")
    parser.add_argument("--command", default="[]", help="the server's command, as JSON; none is that of the engine")
    parser.add_argument("--threads", type=int, required=True, help="cores that the server has")
    parser.add_argument("--memory", type=int, required=True, help="memory that the server has, in MB")
    parser.add_argument("--gpus", type=int, required=True, help="GPUs that the server has")
    parser.add_argument("--log", required=True, help="this job's log file")
    parser.add_argument("--server-log", type=Path, required=True, help="file for what the server writes")
    return parser.parse_args()


if __name__ == "__main__":
    given = _arguments()
    with until_told(), job_log(given.log):
        main(given)
    sys.exit(0)
