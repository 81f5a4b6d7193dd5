"""Count the right answers of most similar by the position at which the gold formula was shown."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.statistics.positions import positions
from nlfol.store import files, schemas
from nlfol.store.logs import job_log
from nlfol.store.origins import made_from

if TYPE_CHECKING:
    snakemake: Any


def main(scores: Sequence[Path], output: Path) -> None:
    """Write ``schemas.POSITIONS`` from files of ``schemas.SCORES``; their order is the order of the rows."""
    files.write(output, schemas.POSITIONS, positions(scores), made_from(*scores))


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main([Path(path) for path in snakemake.input.scores], Path(snakemake.output[0]))
