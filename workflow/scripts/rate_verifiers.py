"""Rate models as verifiers: precision, recall, F1 and others, by size, and how often each law and edit is seen."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.statistics.summary import load
from nlfol.statistics.verifications import pairs_of, verifications
from nlfol.store import files, round_trip_schemas, schemas
from nlfol.store.logs import job_log
from nlfol.store.origins import made_from

if TYPE_CHECKING:
    snakemake: Any


def main(scores: Sequence[Path], item_files: Sequence[Path], output: Path) -> None:
    """Write ``round_trip_schemas.VERIFICATIONS``.

    Args:
        scores: files of ``schemas.SCORES`` of verification; their order is the order of the rows.
        item_files: files of ``schemas.ITEMS`` of the same datasets and tasks.
        output: the file to write.
    """
    pairs = {}
    for path in item_files:
        table = files.read(path, schemas.ITEMS)
        about = files.metadata_of(table)
        pairs[about["dataset"], about["task"]] = pairs_of(table.to_pylist())
    rows = [
        row
        for source, answers in map(load, scores)
        for row in verifications(source, answers, pairs[source.dataset, source.task])
    ]
    files.write(output, round_trip_schemas.VERIFICATIONS, rows, made_from(*scores, *item_files))


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            [Path(path) for path in snakemake.input.scores],
            [Path(path) for path in snakemake.input.item_files],
            Path(snakemake.output[0]),
        )
