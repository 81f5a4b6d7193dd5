"""Compare sentences with candidates by an embedding model: candidates -> responses."""

from nlfol.asking.asking import Asking
from nlfol.asking.embedding import ask_embedding
from nlfol.models.entries.embedding import ApiEmbeddingEntry, EmbeddingEntry
from nlfol.models.local.devices import claimed
from nlfol.models.request import JobFiles
from nlfol.spending import files_of
from nlfol.store.jobs import run_job


def main(asking: Asking, files: JobFiles) -> None:
    """Write the RESPONSES file."""
    entry = asking.entry
    if not isinstance(entry, EmbeddingEntry | ApiEmbeddingEntry):
        raise TypeError(f"model {asking.model!r} is no embedding model")
    ask_embedding(asking, entry, files)


if __name__ == "__main__":
    run_job(main, claimed, files=files_of)
