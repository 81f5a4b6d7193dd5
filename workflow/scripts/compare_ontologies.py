"""Compare translations over ontologies of models' own with those over the given ones."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.statistics.ontologies import Own, ontologies
from nlfol.statistics.series import load_all
from nlfol.store import analysis_schemas, files, schemas
from nlfol.store.logs import job_log
from nlfol.store.origins import made_from

if TYPE_CHECKING:
    snakemake: Any


def main(
    own: Sequence[Path], given: Sequence[Path], items: Sequence[Path], scopes: Mapping[str, str], output: Path
) -> None:
    """Write ``analysis_schemas.ONTOLOGIES``.

    Args:
        own: files of ``schemas.SCORES`` of tasks without an ontology, in the order of the rows.
        given: those of tasks with the dataset's ontology.
        items: files of ``schemas.ITEMS`` of the former.
        scopes: of each of these tasks, what has one ontology.
        output: the file to write.
    """
    sentences: dict[tuple[str, str], dict[str, int]] = {}
    for path in items:
        table = files.read(path, schemas.ITEMS)
        about = files.metadata_of(table)
        counts = {row["item"]: max(1, len(row["candidates"])) for row in table.select(_READ).to_pylist()}
        sentences[about["dataset"], about["task"]] = counts
    found = [
        Own((source, scores), scopes[source.task], sentences[source.dataset, source.task])
        for source, scores in load_all(own)
    ]
    rows = ontologies(found, load_all(given))
    files.write(output, analysis_schemas.ONTOLOGIES, rows, made_from(*own, *given, *items))


_READ = ["item", "candidates"]


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            [Path(path) for path in snakemake.input.own],
            [Path(path) for path in snakemake.input.given],
            [Path(path) for path in snakemake.input.item_files],
            json.loads(snakemake.params.scopes),
            Path(snakemake.output[0]),
        )
