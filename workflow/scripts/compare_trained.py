"""Compare models with trained adapters with the models that were trained."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.statistics.aligned import load_programs
from nlfol.statistics.series import load_all, series_of
from nlfol.statistics.trained import Origin, trained
from nlfol.store import files
from nlfol.store.logs import job_log
from nlfol.store.origins import made_from
from nlfol.store.training_schemas import TRAINED

if TYPE_CHECKING:
    snakemake: Any


def main(scores: Sequence[Path], programs: Sequence[Path], origins: Mapping[str, Origin], output: Path) -> None:
    """Write ``training_schemas.TRAINED``.

    Args:
        scores: files of ``schemas.SCORES`` of tasks on problems, of models with trained adapters and of their bases;
            their order is the order of the rows.
        programs: files of ``problem_schemas.PROGRAMS`` of the same jobs, where these are about programs.
        origins: of the models with trained adapters.
        output: where the rows go.
    """
    rows = trained(list(series_of(load_all(scores))), load_programs(programs), origins)
    files.write(output, TRAINED, rows, made_from(*scores, *programs))


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            [Path(path) for path in snakemake.input.scores],
            [Path(path) for path in snakemake.input.programs],
            {model: Origin(*origin) for model, origin in snakemake.params.origins.items()},
            Path(snakemake.output[0]),
        )
