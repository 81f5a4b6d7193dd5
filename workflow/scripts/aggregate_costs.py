"""Sum up what answers took: tokens, time and money."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.statistics.costs import costs
from nlfol.store import files, schemas
from nlfol.store.logs import job_log

if TYPE_CHECKING:
    snakemake: Any


def main(responses: Sequence[Path], prices: Path, output: Path) -> None:
    """Write ``schemas.COSTS`` from files of ``schemas.RESPONSES``; their order is the order of the rows.

    Args:
        responses: of dialogue models.
        prices: the table of prices, whose digest goes into the metadata.
        output: the file to write.
    """
    made_from = {f"made_from.{number}": files.digest(path) for number, path in enumerate(responses)}
    files.write(output, schemas.COSTS, costs(responses), made_from | {"made_from.prices": files.digest(prices)})


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            [Path(path) for path in snakemake.input.responses],
            Path(snakemake.input.prices),
            Path(snakemake.output[0]),
        )
