"""Sum up aligned programs: drift, collision and consistency of symbols, and why answers are wrong."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.statistics.aligned import Entries, load_programs
from nlfol.statistics.drift import causes, drift
from nlfol.store import files, stability_schemas
from nlfol.store.logs import job_log
from nlfol.store.origins import made_from

if TYPE_CHECKING:
    snakemake: Any


def main(programs: Sequence[Path], datasets: Entries, output: Path, of_causes: Path) -> None:
    """Write ``stability_schemas.DRIFT`` and ``stability_schemas.CAUSES``.

    Args:
        programs: files of ``problem_schemas.PROGRAMS``; their order is the order of the rows.
        datasets: the entries of all datasets.
        output: where the measures go.
        of_causes: where the causes go.
    """
    loaded, about = load_programs(programs), made_from(*programs)
    files.write(output, stability_schemas.DRIFT, drift(loaded, datasets), about)
    files.write(of_causes, stability_schemas.CAUSES, causes(loaded, datasets), about)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            [Path(path) for path in snakemake.input.programs],
            snakemake.params.datasets,
            Path(snakemake.output.drift),
            Path(snakemake.output.causes),
        )
