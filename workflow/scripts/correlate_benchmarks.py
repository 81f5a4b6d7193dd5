"""Hold benchmarks against one another: our scores, and published ones, over the models that both have."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.statistics.benchmarks import benchmarks, measured_benchmarks, pairs, published_benchmarks
from nlfol.store import files, round_trip_schemas, schemas
from nlfol.store.figures import read_figures
from nlfol.store.frames import read_frame, read_frames
from nlfol.store.logs import job_log
from nlfol.store.origins import made_from

if TYPE_CHECKING:
    snakemake: Any


def main(cells: Path, bounded: Path | None, figures: Sequence[Path], output: Path) -> None:
    """Write ``round_trip_schemas.BENCHMARKS``.

    Args:
        cells: the file of ``schemas.CELLS``.
        bounded: the file of ``round_trip_schemas.BOUNDED``; None for an experiment without sentences.
        figures: the published figures, CSV files as in ``resources/published``.
        output: the file to write.
    """
    all_cells = read_frame(cells, schemas.CELLS)
    of_small = read_frames([] if bounded is None else [bounded], round_trip_schemas.BOUNDED)
    ours = measured_benchmarks(all_cells, of_small)
    theirs = [each for path in figures for each in published_benchmarks(read_figures(path))]
    known = set(all_cells.select("dataset", "task_kind").rows())
    rows = benchmarks(pairs(ours, theirs, known))
    files.write(output, round_trip_schemas.BENCHMARKS, rows, made_from(*filter(None, (cells, bounded))))


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            Path(snakemake.input.cells),
            Path(snakemake.input.bounded) if "bounded" in snakemake.input.keys() else None,  # noqa: SIM118
            [Path(path) for path in snakemake.input.figures],
            Path(snakemake.output[0]),
        )
