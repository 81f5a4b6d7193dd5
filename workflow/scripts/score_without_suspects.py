"""Score models again without the items whose gold formula is in doubt."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.statistics.suspects import without_suspects
from nlfol.store import analysis_schemas, claim_schemas, files
from nlfol.store.logs import job_log
from nlfol.store.origins import made_from

if TYPE_CHECKING:
    snakemake: Any


def main(scores: Sequence[Path], suspects: Path, output: Path) -> None:
    """Write ``claim_schemas.WITHOUT_SUSPECTS``.

    Args:
        scores: files of ``schemas.SCORES``; their order is the order of the rows.
        suspects: the file of ``analysis_schemas.GOLD_AUDIT``.
        output: where the rows go.
    """
    rows = without_suspects(scores, files.rows(suspects, analysis_schemas.GOLD_AUDIT))
    files.write(output, claim_schemas.WITHOUT_SUSPECTS, rows, made_from(*scores, suspects))


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            [Path(path) for path in snakemake.input.scores],
            Path(snakemake.input.suspects),
            Path(snakemake.output[0]),
        )
