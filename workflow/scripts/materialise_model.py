"""Makes a model that runs here ready to load (``nlfol.models.materialisation``)."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.models.chat_entry import LocalChatSpecification
from nlfol.models.embedding_entry import EmbeddingSpecification
from nlfol.models.materialisation import materialise
from nlfol.models.specification import read_specification
from nlfol.store.logs import job_log

if TYPE_CHECKING:
    snakemake: Any


def main(specification: str, output: Path) -> None:
    """Materialise the model of one entry.

    Args:
        specification: the entry, as JSON.
        output: the directory to make.

    Raises:
        ValueError: if the entry is of a model that does not run here.
        ModelSourceError: if its weights are missing or not the ones named.
    """
    entry = read_specification(specification)
    if not isinstance(entry, LocalChatSpecification | EmbeddingSpecification):
        raise ValueError(f"{entry.identity}: there is nothing to materialise; ask only for models with a source")
    materialise(entry, output)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(snakemake.params.specification, Path(snakemake.output[0]))
