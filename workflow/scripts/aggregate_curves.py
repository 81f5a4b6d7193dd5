"""Draw curves: the scores of each model over each measure of the items of generated datasets."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from nlfol.statistics.curves import curves
from nlfol.statistics.series import load_all, series_of
from nlfol.store import analysis_schemas, files
from nlfol.store.logs import job_log
from nlfol.store.origins import made_from

if TYPE_CHECKING:
    snakemake: Any


def main(scores: Sequence[Path], measures: Mapping[str, Path], output: Path) -> None:
    """Write ``analysis_schemas.CURVES``.

    Args:
        scores: files of ``schemas.SCORES``; their order is the order of the rows.
        measures: the file of ``analysis_schemas.MEASURES`` of each dataset, by its name.
        output: the file to write.
    """
    frames = {dataset: _frame(path) for dataset, path in measures.items()}
    rows = curves(series_of(load_all(scores)), frames)
    files.write(output, analysis_schemas.CURVES, rows, made_from(*scores, *measures.values()))


def _frame(path: Path) -> pl.DataFrame:
    frame = pl.from_arrow(files.read(path, analysis_schemas.MEASURES))
    assert isinstance(frame, pl.DataFrame)
    return frame


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            [Path(path) for path in snakemake.input.scores],
            dict(zip(snakemake.params.datasets, map(Path, snakemake.input.measures), strict=True)),
            Path(snakemake.output[0]),
        )
