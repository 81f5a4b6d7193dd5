"""Estimate what asking the models would take: candidates and journals -> a table. No model is asked."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.asking.asking import Asking
from nlfol.asking.estimates import Estimator, offered_by, texts_of
from nlfol.store.logs import job_log
from nlfol.tables.estimates import ESTIMATES
from nlfol.tables.rendering import RENDERERS
from nlfol.tasks.registry import build_task

if TYPE_CHECKING:
    snakemake: Any


def main(rows: Sequence[Mapping[str, Any]], outputs: Mapping[str, Path]) -> None:
    """Write the estimates, to the file for each suffix ("csv", "md")."""
    table = ESTIMATES.table(rows)
    for suffix, path in outputs.items():
        path.write_text(RENDERERS[suffix](table), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        params, output = snakemake.params, Path(snakemake.output[0])
        entries, tasks = params.entries, {name: build_task(entry) for name, entry in params.tasks.items()}
        offered = {
            (dataset, task): offered_by(tasks[task], task, Path(path))
            for dataset, task, path in json.loads(params.pairs)
        }
        weights = {name: Path(path) for name, path in params.weights.items()}
        estimator = Estimator(Path(params.prompts), Path(params.journal), weights)
        rows = [
            estimator.of_task(
                Asking(offered[dataset, task], dataset, task, tasks[task], model, entries[model], params.seed, output)
            )
            for dataset, task, model in json.loads(params.jobs)
        ]
        rows += [
            estimator.of_rewrites(given["dataset"], given["model"], entries[given["model"]], texts_of(given))
            for given in json.loads(params.compared)
        ]
        main(rows, {Path(path).suffix.removeprefix("."): Path(path) for path in snakemake.output})
