"""Draw curves: the scores of each model over each measure of generated items, up to a size, and by difficulty."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from nlfol.statistics.bounded import bounded
from nlfol.statistics.curves import curves
from nlfol.statistics.difficulty import MOST, difficulties
from nlfol.statistics.series import load_all, series_of
from nlfol.store import analysis_schemas, claim_schemas, files, round_trip_schemas
from nlfol.store.frames import read_frame
from nlfol.store.logs import job_log
from nlfol.store.origins import made_from

if TYPE_CHECKING:
    snakemake: Any


def main(
    scores: Sequence[Path], measures: Mapping[str, Path], output: Path, of_small: Path, of_difficulty: Path
) -> None:
    """Write ``analysis_schemas.CURVES``, ``round_trip_schemas.BOUNDED`` and ``claim_schemas.DIFFICULTY``.

    Args:
        scores: files of ``schemas.SCORES``; their order is the order of the rows.
        measures: the file of ``analysis_schemas.MEASURES`` of each dataset, by its name.
        output: where the curves go.
        of_small: where the scores of the items up to a size go.
        of_difficulty: where the scores by difficulty go.
    """
    frames = {dataset: read_frame(path, analysis_schemas.MEASURES) for dataset, path in measures.items()}
    series = list(series_of(load_all(scores)))
    about = made_from(*scores, *measures.values())
    files.write(output, analysis_schemas.CURVES, curves(series, frames), about)
    files.write(of_small, round_trip_schemas.BOUNDED, bounded(series, frames), about)
    counts = {dataset: _counts(frame) for dataset, frame in frames.items()}
    files.write(of_difficulty, claim_schemas.DIFFICULTY, difficulties(series, counts), about)


def _counts(measures: pl.DataFrame) -> dict[str, dict[str, int]]:
    """How many operators and quantifiers each item has, where its language has them."""
    counted = {name: measures.select("item", pl.col(name).cast(pl.Int64)).drop_nulls() for name in MOST}
    return {name: dict(frame.rows()) for name, frame in counted.items() if not frame.is_empty()}


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            [Path(path) for path in snakemake.input.scores],
            dict(zip(snakemake.params.datasets, map(Path, snakemake.input.measures), strict=True)),
            Path(snakemake.output.curves),
            Path(snakemake.output.bounded),
            Path(snakemake.output.difficulty),
        )
