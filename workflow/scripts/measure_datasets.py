"""Measure how complex and how diverse the formulas of each dataset are, and list those that patches correct."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.statistics.complexity import complexity
from nlfol.statistics.corrections import corrections
from nlfol.statistics.counts import counts
from nlfol.statistics.diversity import diversity
from nlfol.store import analysis_schemas, files
from nlfol.store.logs import job_log
from nlfol.store.origins import made_from

if TYPE_CHECKING:
    snakemake: Any


def main(triples: Mapping[str, Path], measures: Mapping[str, Path], outputs: Mapping[str, Path]) -> None:
    """Write ``COMPLEXITY``, ``CORRECTIONS``, ``DIVERSITY`` and ``COUNTS``.

    Args:
        triples: the file of ``schemas.TRIPLES`` of each dataset, by its name.
        measures: of ``analysis_schemas.MEASURES``, of the same datasets.
        outputs: the files to write: ``complexity``, ``corrections``, ``diversity``, ``counts``.
    """
    about = made_from(*triples.values())
    measured = made_from(*measures.values())
    rows = [complexity(dataset, measures[dataset]) for dataset in triples]
    files.write(outputs["complexity"], analysis_schemas.COMPLEXITY, rows, measured)
    listed = [row for dataset, path in triples.items() for row in corrections(dataset, path)]
    files.write(outputs["corrections"], analysis_schemas.CORRECTIONS, listed, about)
    repeated = [diversity(dataset, path, measures[dataset]) for dataset, path in triples.items()]
    files.write(outputs["diversity"], analysis_schemas.DIVERSITY, repeated, about | measured)
    counted = [row for dataset in triples for row in counts(dataset, measures[dataset])]
    files.write(outputs["counts"], analysis_schemas.COUNTS, counted, measured)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        names, inputs = snakemake.params.datasets, snakemake.input
        main(
            dict(zip(names, map(Path, inputs.triples), strict=True)),
            dict(zip(names, map(Path, inputs.measures), strict=True)),
            {name: Path(path) for name, path in snakemake.output.items()},
        )
