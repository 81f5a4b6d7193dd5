"""Serve a model to the jobs that ask it, for as long as there are any: the job of a Snakemake service.

It is a command, and not a Snakemake script like the others: Snakemake tells only shell commands that their service is
no longer needed. It ends then, or when Snakemake itself has ended, and the server with it.
"""

import argparse
import sys
from pathlib import Path

from nlfol.models.entries.interface import ServableInterface
from nlfol.models.providers.registry import read_entry
from nlfol.store.logs import job_log
from nlfol_extras.serving.model_server import serve, until_told


def main(arguments: argparse.Namespace) -> None:
    """Serve until this process is told to end."""
    entry = read_entry(arguments.entry_json)
    if not isinstance(entry, ServableInterface) or entry.serve is None:
        raise TypeError(f"{entry.identity}: its entry has no key serve")
    serve(entry, arguments.start, arguments.service, arguments.server_log, arguments.gpus)


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
    given = _arguments()
    with until_told(), job_log(given.log):
        main(given)
    sys.exit(0)
