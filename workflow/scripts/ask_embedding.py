"""Compare sentences with candidates by an embedding model: candidates -> responses."""

from typing import TYPE_CHECKING, Any

from nlfol.asking.asking import Asking
from nlfol.asking.embedding import ask_embedding
from nlfol.models.entries.embedding import ApiEmbeddingEntry, EmbeddingEntry
from nlfol.models.local.devices import claimed
from nlfol.models.request import JobFiles
from nlfol.spending import ledger_of
from nlfol.store.logs import job_log

if TYPE_CHECKING:
    snakemake: Any


def main(asking: Asking, files: JobFiles) -> None:
    """Write the RESPONSES file."""
    entry = asking.entry
    if not isinstance(entry, EmbeddingEntry | ApiEmbeddingEntry):
        raise TypeError(f"model {asking.model!r} is no embedding model")
    ask_embedding(asking, entry, files)


if __name__ == "__main__":
    with job_log(snakemake.log[0]), claimed(snakemake.resources.get("gpu", 0)):
        main(Asking.of_job(snakemake), JobFiles.of_job(snakemake, snakemake.params.vectors, ledger_of(snakemake)))
