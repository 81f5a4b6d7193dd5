"""Count what candidate sets are made of."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.statistics.edit_mix import edit_mix
from nlfol.store import files, schemas
from nlfol.store.logs import job_log
from nlfol.store.origins import made_from

if TYPE_CHECKING:
    snakemake: Any


def main(candidates: Sequence[Path], output: Path) -> None:
    """Write ``schemas.EDIT_MIX`` from files of ``schemas.ITEMS``; their order is the order of the rows."""
    rows = [row for path in candidates for row in edit_mix(path)]
    files.write(output, schemas.EDIT_MIX, rows, made_from(*candidates))


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main([Path(path) for path in snakemake.input.item_files], Path(snakemake.output[0]))
