"""Say which half broke the round trips of models that also formalize the certified English of the same items."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.statistics.attribution import attributions
from nlfol.statistics.series import load_all
from nlfol.store import files, round_trip_schemas
from nlfol.store.logs import job_log
from nlfol.store.origins import made_from

if TYPE_CHECKING:
    snakemake: Any


def main(scores: Sequence[Path], output: Path) -> None:
    """Write ``round_trip_schemas.ATTRIBUTIONS``.

    Args:
        scores: files of ``schemas.SCORES``, of round trips and of translations on generated formulas, in the order
            of the rows.
        output: the file to write.
    """
    rows = attributions(load_all(scores))
    files.write(output, round_trip_schemas.ATTRIBUTIONS, rows, made_from(*scores))


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main([Path(path) for path in snakemake.input.scores], Path(snakemake.output[0]))
