"""Measure how complex the formulas of each dataset are."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.statistics.complexity import complexity
from nlfol.store import analysis_schemas, files
from nlfol.store.logs import job_log
from nlfol.store.origins import made_from

if TYPE_CHECKING:
    snakemake: Any


def main(triples: Mapping[str, Path], output: Path) -> None:
    """Write ``COMPLEXITY`` from the TRIPLES file of each dataset, by name."""
    rows = [complexity(dataset, path) for dataset, path in triples.items()]
    files.write(output, analysis_schemas.COMPLEXITY, rows, made_from(*triples.values()))


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        names = snakemake.params.datasets
        main(dict(zip(names, map(Path, snakemake.input.triples), strict=True)), Path(snakemake.output[0]))
