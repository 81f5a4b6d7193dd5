"""Measure how complex the formulas of each dataset are, and list those that patches correct."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.statistics.complexity import complexity
from nlfol.statistics.corrections import corrections
from nlfol.store import analysis_schemas, files
from nlfol.store.logs import job_log

if TYPE_CHECKING:
    snakemake: Any


def main(triples: Mapping[str, Path], output: Path, corrected: Path) -> None:
    """Write ``COMPLEXITY`` and ``CORRECTIONS`` from the TRIPLES file of each dataset, by name."""
    made_from = {f"made_from.{dataset}": files.digest(path) for dataset, path in triples.items()}
    rows = [complexity(dataset, path) for dataset, path in triples.items()]
    files.write(output, analysis_schemas.COMPLEXITY, rows, made_from)
    listed = [row for dataset, path in triples.items() for row in corrections(dataset, path)]
    files.write(corrected, analysis_schemas.CORRECTIONS, listed, made_from)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        names = snakemake.params.datasets
        triples = dict(zip(names, map(Path, snakemake.input.triples), strict=True))
        main(triples, Path(snakemake.output.complexity), Path(snakemake.output.corrections))
