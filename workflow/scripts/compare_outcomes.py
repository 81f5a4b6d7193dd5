"""Compare answers to the same problems: in other words, and by other strategies."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.statistics.aligned import Entries, load_programs
from nlfol.statistics.series import load_all, series_of
from nlfol.statistics.stability import stability
from nlfol.statistics.transitions import transitions
from nlfol.store import files, stability_schemas
from nlfol.store.logs import job_log
from nlfol.store.origins import made_from

if TYPE_CHECKING:
    snakemake: Any


def main(
    scores: Sequence[Path], programs: Sequence[Path], datasets: Entries, output: Path, of_transitions: Path
) -> None:
    """Write ``stability_schemas.STABILITY`` and ``stability_schemas.TRANSITIONS``.

    Args:
        scores: files of ``schemas.SCORES`` of tasks on problems; their order is the order of the rows.
        programs: files of ``problem_schemas.PROGRAMS`` of the same jobs, where these are about programs.
        datasets: the entries of all datasets.
        output: where originals and other wordings go.
        of_transitions: where transitions go.
    """
    series, loaded = list(series_of(load_all(scores))), load_programs(programs)
    about = made_from(*scores, *programs)
    files.write(output, stability_schemas.STABILITY, stability(series, loaded, datasets), about)
    files.write(of_transitions, stability_schemas.TRANSITIONS, transitions(loaded, datasets), about)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            [Path(path) for path in snakemake.input.scores],
            [Path(path) for path in snakemake.input.programs],
            snakemake.params.datasets,
            Path(snakemake.output.stability),
            Path(snakemake.output.transitions),
        )
