"""Set out who formalizes whose English, and how well."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.statistics.crossed import crossed
from nlfol.statistics.series import load_all, series_of
from nlfol.store import files, round_trip_schemas
from nlfol.store.logs import job_log
from nlfol.store.origins import made_from

if TYPE_CHECKING:
    snakemake: Any


def main(scores: Sequence[Path], informalizers: Sequence[str], output: Path) -> None:
    """Write ``round_trip_schemas.CROSSED``.

    Args:
        scores: files of ``schemas.SCORES`` of tasks that take a model's English, in the order of the rows.
        informalizers: of each, whose English.
        output: the file to write.
    """
    asked = [
        (informalizer, one)
        for path, informalizer in zip(scores, informalizers, strict=True)
        for one in series_of(load_all([path]))
    ]
    files.write(output, round_trip_schemas.CROSSED, crossed(asked), made_from(*scores))


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main([Path(path) for path in snakemake.input.scores], snakemake.params.informalizers, Path(snakemake.output[0]))
