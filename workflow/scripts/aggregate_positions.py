"""Count the right answers of most similar by the position at which the gold formula was shown."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.statistics.positions import positions, sizes_of
from nlfol.store import claim_schemas, files
from nlfol.store.logs import job_log
from nlfol.store.origins import made_from

if TYPE_CHECKING:
    snakemake: Any


def main(scores: Sequence[Path], item_files: Sequence[Path], output: Path) -> None:
    """Write ``claim_schemas.POSITIONS``.

    Args:
        scores: files of ``schemas.SCORES``; their order is the order of the rows.
        item_files: the ITEMS files of their datasets and tasks.
        output: where the rows go.
    """
    rows = positions(scores, sizes_of(item_files))
    files.write(output, claim_schemas.POSITIONS, rows, made_from(*scores, *item_files))


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            [Path(path) for path in snakemake.input.scores],
            [Path(path) for path in snakemake.input.item_files],
            Path(snakemake.output[0]),
        )
