"""Ask a dialogue model one task over a dataset: items -> responses."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.asking.asking import Asking
from nlfol.asking.chat import ask_chat
from nlfol.models.entries.chat import ApiChatEntry, LocalChatEntry
from nlfol.models.local.devices import claimed
from nlfol.models.providers.registry import price_of
from nlfol.models.request import JobFiles
from nlfol.spending import ledger_of
from nlfol.store.logs import job_log

if TYPE_CHECKING:
    snakemake: Any


def main(asking: Asking, prompts: Path, files: JobFiles) -> None:
    """Write the RESPONSES file."""
    entry = asking.entry
    if not isinstance(entry, LocalChatEntry | ApiChatEntry):
        raise TypeError(f"model {asking.model!r} is no dialogue model")
    ask_chat(asking, entry, prompts, files, price_of(entry))


if __name__ == "__main__":
    with job_log(snakemake.log[0]), claimed(snakemake.resources.get("gpu", 0)):
        files = JobFiles.of_job(snakemake, snakemake.params.journal, ledger_of(snakemake))
        main(Asking.of_job(snakemake), Path(snakemake.params.prompts), files)
