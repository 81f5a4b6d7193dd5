"""Ask a dialogue model one task over a dataset: items -> responses."""

from pathlib import Path

from nlfol.asking.asking import Asking
from nlfol.asking.chat import ask_chat
from nlfol.models.entries.chat import ApiChatEntry, LocalChatEntry
from nlfol.models.local.devices import claimed
from nlfol.models.providers.registry import price_of
from nlfol.models.request import JobFiles
from nlfol.spending import files_of
from nlfol.store.jobs import run_job


def main(asking: Asking, prompts: Path, files: JobFiles) -> None:
    """Write the RESPONSES file."""
    entry = asking.entry
    if not isinstance(entry, LocalChatEntry | ApiChatEntry):
        raise TypeError(f"model {asking.model!r} is no dialogue model")
    ask_chat(asking, entry, prompts, files, price_of(entry))


if __name__ == "__main__":
    run_job(main, claimed, files=files_of)
