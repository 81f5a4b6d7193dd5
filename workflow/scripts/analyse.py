"""Analyse scores, items or responses: write the files of one topic of ``nlfol.analyses.registry``."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.analyses.analysis import Given, run
from nlfol.store.logs import job_log
from nlfol.store.parameters import paths_of

if TYPE_CHECKING:
    snakemake: Any


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        given = Given({name: paths_of(path) for name, path in snakemake.input.items()}, snakemake.params.settings)
        run(snakemake.params.topic, given, {path.name: path for path in map(Path, snakemake.output)})
