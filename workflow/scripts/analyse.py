"""Analyse scores, items or responses: write the files of one topic of ``nlfol.results.analyses.registry``."""

from collections.abc import Sequence
from pathlib import Path

from nlfol.results.analyses.analysis import Given, run
from nlfol.store.jobs import run_job


def main(topic: str, given: Given, outputs: Sequence[Path]) -> None:
    """Write the files of a topic, which are named as in the registry."""
    run(topic, given, {path.name: path for path in outputs})


if __name__ == "__main__":
    run_job(main)
