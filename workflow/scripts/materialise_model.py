"""Make a local model ready to load (``nlfol.models.local.materialisation``)."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.models.entries.chat import LocalChatEntry
from nlfol.models.entries.embedding import EmbeddingEntry
from nlfol.models.local.materialisation import materialise
from nlfol.models.providers.registry import read_entry
from nlfol.store.logs import job_log
from nlfol.store.parameters import entry_of

if TYPE_CHECKING:
    snakemake: Any


def main(entry_json: str, output: Path, trained: Path | None = None) -> None:
    """Materialise a model; ``ValueError`` if it does not run here, ``ModelSourceError`` if its weights are missing."""
    entry = read_entry(entry_json)
    if not isinstance(entry, LocalChatEntry | EmbeddingEntry):
        raise ValueError(f"{entry.identity}: there is nothing to materialise; ask only for models with a source")
    materialise(entry, output, trained)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            entry_of(snakemake.params, "model"),
            Path(snakemake.output[0]),
            Path(snakemake.input.adapter) if snakemake.input.adapter else None,
        )
