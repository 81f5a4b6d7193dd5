"""Sum up what answers took: tokens, time and money."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.statistics.costs import costs
from nlfol.store import analysis_schemas, files
from nlfol.store.logs import job_log
from nlfol.store.origins import made_from

if TYPE_CHECKING:
    snakemake: Any


def main(responses: Sequence[Path], output: Path) -> None:
    """Write ``analysis_schemas.COSTS`` from RESPONSES files of dialogue models; their order is that of the rows."""
    files.write(output, analysis_schemas.COSTS, costs(responses), made_from(*responses))


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main([Path(path) for path in snakemake.input.responses], Path(snakemake.output[0]))
