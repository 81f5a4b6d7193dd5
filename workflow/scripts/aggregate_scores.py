"""Summarise judged answers: one cell a dataset, task, metric, presentation and model."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.statistics.summary import cells
from nlfol.store import files, schemas
from nlfol.store.logs import job_log
from nlfol.store.origins import made_from

if TYPE_CHECKING:
    snakemake: Any


def main(scores: Sequence[Path], output: Path) -> None:
    """Write ``schemas.CELLS`` from files of ``schemas.SCORES``; their order is the order of the tables' rows."""
    files.write(output, schemas.CELLS, cells(scores), made_from(*scores))


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main([Path(path) for path in snakemake.input.scores], Path(snakemake.output[0]))
