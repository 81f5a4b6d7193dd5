"""Draw curves: the scores of each model over each measure of the items of generated datasets, and up to a size."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.statistics.bounded import bounded
from nlfol.statistics.curves import curves
from nlfol.statistics.series import load_all, series_of
from nlfol.store import analysis_schemas, files, round_trip_schemas
from nlfol.store.frames import read_frame
from nlfol.store.logs import job_log
from nlfol.store.origins import made_from

if TYPE_CHECKING:
    snakemake: Any


def main(scores: Sequence[Path], measures: Mapping[str, Path], output: Path, of_small: Path) -> None:
    """Write ``analysis_schemas.CURVES`` and ``round_trip_schemas.BOUNDED``.

    Args:
        scores: files of ``schemas.SCORES``; their order is the order of the rows.
        measures: the file of ``analysis_schemas.MEASURES`` of each dataset, by its name.
        output: where the curves go.
        of_small: where the scores of the items up to a size go.
    """
    frames = {dataset: read_frame(path, analysis_schemas.MEASURES) for dataset, path in measures.items()}
    series = list(series_of(load_all(scores)))
    about = made_from(*scores, *measures.values())
    files.write(output, analysis_schemas.CURVES, curves(series, frames), about)
    files.write(of_small, round_trip_schemas.BOUNDED, bounded(series, frames), about)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            [Path(path) for path in snakemake.input.scores],
            dict(zip(snakemake.params.datasets, map(Path, snakemake.input.measures), strict=True)),
            Path(snakemake.output.curves),
            Path(snakemake.output.bounded),
        )
