"""Count what candidate sets are made of."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.statistics.edit_mix import edit_mix
from nlfol.store import files, schemas
from nlfol.store.logs import job_log

if TYPE_CHECKING:
    snakemake: Any


def main(candidates: Sequence[Path], output: Path) -> None:
    """Write ``schemas.EDIT_MIX`` from files of ``schemas.CANDIDATES``; their order is the order of the rows."""
    made_from = {f"made_from.{number}": files.digest(path) for number, path in enumerate(candidates)}
    files.write(output, schemas.EDIT_MIX, [row for path in candidates for row in edit_mix(path)], made_from)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main([Path(path) for path in snakemake.input.candidates], Path(snakemake.output[0]))
