"""Read a dataset's source into sentences with gold formulas, or with the reason why they are refused."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.datasets.funnel import funnel, refusals
from nlfol.datasets.ingestion import read_dataset
from nlfol.datasets.specification import specification_from_json
from nlfol.store.files import write
from nlfol.store.schemas import SENTENCES

if TYPE_CHECKING:
    snakemake: Any


def main(specification_json: str, name: str, output: Path) -> None:
    """Write the sentences file and say on standard error how many sentences remain at each step.

    Args:
        specification_json: the dataset's block of the configuration.
        name: what the configuration calls the dataset.
        output: the sentences file.

    Raises:
        DatasetError: if the specification is unusable, or the source cannot be read at all.
    """
    specification = specification_from_json(specification_json)
    dataset = read_dataset(specification)
    rows = [sentence.to_row() for sentence in dataset.sentences]
    metadata = {
        "nlfol.dataset": name,
        "nlfol.reader": specification.reader,
        "nlfol.source": dataset.digest,
        "nlfol.specification": specification.model_dump_json(),
    }
    write(output, SENTENCES, rows, metadata)
    for note in dataset.notes:
        print(f"{name}: {note}", file=sys.stderr)
    for step in funnel(rows):
        print(f"{name}: {step['sentences']:>6} sentences, {step['stories']:>5} stories {step['step']}", file=sys.stderr)
    for reason, count in refusals(rows).items():
        print(f"{name}: {count:>6} refused: {reason}", file=sys.stderr)


if __name__ == "__main__":
    main(snakemake.params.specification, snakemake.wildcards.dataset, Path(snakemake.output[0]))
