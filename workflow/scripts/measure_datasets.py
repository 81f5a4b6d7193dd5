"""Measure how complex and how diverse the formulas of each dataset are, and list those that patches correct."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.statistics.complexity import complexity
from nlfol.statistics.corrections import corrections
from nlfol.statistics.diversity import diversity
from nlfol.store import analysis_schemas, files
from nlfol.store.logs import job_log
from nlfol.store.origins import made_from

if TYPE_CHECKING:
    snakemake: Any


def main(
    triples: Mapping[str, Path], measures: Mapping[str, Path], output: Path, corrected: Path, diverse: Path
) -> None:
    """Write ``COMPLEXITY``, ``CORRECTIONS`` and ``DIVERSITY`` from TRIPLES and MEASURES of each dataset, by name."""
    about = made_from(*triples.values())
    measured = made_from(*measures.values())
    rows = [complexity(dataset, measures[dataset]) for dataset in triples]
    files.write(output, analysis_schemas.COMPLEXITY, rows, measured)
    listed = [row for dataset, path in triples.items() for row in corrections(dataset, path)]
    files.write(corrected, analysis_schemas.CORRECTIONS, listed, about)
    counted = [diversity(dataset, path, measures[dataset]) for dataset, path in triples.items()]
    files.write(diverse, analysis_schemas.DIVERSITY, counted, about | measured)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        names = snakemake.params.datasets
        inputs, outputs = snakemake.input, snakemake.output
        main(
            dict(zip(names, map(Path, inputs.triples), strict=True)),
            dict(zip(names, map(Path, inputs.measures), strict=True)),
            Path(outputs.complexity),
            Path(outputs.corrections),
            Path(outputs.diversity),
        )
